"""Counting rows or values: the same where a filter leaves no NULL to skip.

``COUNT(x)`` beside a filter that rejects NULL in x is ``COUNT(*)``.  Where the
filter does nothing else, ``WHERE x IS NOT NULL``, aggregates that skip NULL in x
skip just the rows that it removes; of no rows at all COUNT is 0 either way.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.blocks import aggregates, home, result_clauses
from equiv.core.claims.nullness import is_null_test, rejected_nulls, strict_columns
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import Place, filters, group_keys, has_windows, place_of, set_filters
from equiv.rules.guards.expressions import Node
from equiv.rules.queries.aggregate import counts_values

_SKIPPING_NULL = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def rejects_null(condition: exp.Expression, place: Place) -> bool:
    """Whether a filter is not true where a column is NULL; an EXISTS if a filter inside is not."""
    if place in rejected_nulls(condition):
        return True
    query = condition.this if isinstance(condition, exp.Exists) else None
    query = query.this if isinstance(query, exp.Subquery) else query
    if not isinstance(query, exp.Select) or (aggregates(query) and not group_keys(query)):
        return False
    return any(rejects_null(part, place) for part in filters(query))


def filter_rejects_null(node: Node, ctx: Context) -> Claim:
    """The query filters its rows by a condition that is not true where the counted column is NULL."""
    select = node.find_ancestor(exp.Select)
    if select is None or not isinstance(node.this, exp.Column) or home(node.this) is not select:
        return None
    return () if any(rejects_null(part, place_of(node.this)) for part in filters(select)) else None


@rule(on=exp.Count, shape=(counts_values,), needs=(filter_rejects_null,))
def convert_filtered_count_to_star(call: Node, ctx: Context) -> Node | None:
    """Count rows instead of the values of a column in which a filter rejects NULL.

    Before:  SELECT COUNT(nick) FROM person WHERE nick = 'a'
    After:   SELECT COUNT(*) FROM person WHERE nick = 'a'
    Refuse:  COUNT(nick) WHERE nick = 'a' OR age = 3; a condition of LEFT JOIN, which pads with NULL
    Sound:   in every row that passes the filter the column has a value
    """
    return exp.Count(this=exp.Star())


def tests_for_value(condition: exp.Expression) -> exp.Expression | None:
    """The column of ``x IS NOT NULL``."""
    tested = condition.this if isinstance(condition, exp.Not) else None
    found = tested.this if tested is not None and is_null_test(tested) else None
    return found if isinstance(found, exp.Column) else None


def idle_null_tests(select: exp.Expression) -> Iterator[exp.Expression]:
    """The filters ``x IS NOT NULL`` of which every aggregate skips the rows anyway, or counts rows."""
    own = [call for call in aggregates(select) if isinstance(call, _SKIPPING_NULL)]
    for condition in filters(select):
        column = tests_for_value(condition)
        if column is not None and home(column) is select and all(_skips(c, place_of(column)) for c in own):
            yield condition


def _skips(call: exp.Expression, place: Place) -> bool:
    if isinstance(call.this, exp.Star):
        return not isinstance(call.parent, exp.Window)
    argument = call.this
    if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
        argument = argument.expressions[0]
    return not call.expressions and place in strict_columns(argument)


def aggregates_all_rows(select: exp.Expression) -> bool:
    """Aggregates that skip NULL, and no column outside them; neither GROUP BY, HAVING nor windows."""
    calls = aggregates(select)
    clauses = ("group", "having", "with_", "distinct", "limit", "offset", "order")
    if not calls or any(select.args.get(name) is not None for name in clauses) or has_windows(select):
        return False
    return all(isinstance(call, _SKIPPING_NULL) for call in calls) and not any(
        True for clause in result_clauses(select) for _ in _outside(clause)
    )


def _outside(node: exp.Expression) -> Iterator[exp.Expression]:
    """The columns and queries of a clause that stand in no aggregate."""
    if isinstance(node, _SKIPPING_NULL) and not node.expressions:
        return
    if isinstance(node, exp.Column | exp.Query):
        yield node
    for child in node.iter_expressions():
        yield from _outside(child)


def has_idle_null_test(select: exp.Expression) -> bool:
    """A filter ``x IS NOT NULL`` that the aggregates make needless."""
    return next(idle_null_tests(select), None) is not None


@rule(on=exp.Select, shape=(aggregates_all_rows, has_idle_null_test))
def eliminate_null_test_before_aggregates(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a filter IS NOT NULL on what every aggregate skips; COUNT(*) counts the values then.

    Before:  SELECT COUNT(*), MAX(age + 1) FROM person WHERE NOT age IS NULL
    After:   SELECT COUNT(age), MAX(age + 1) FROM person
    Refuse:  COUNT(city) beside it, which counts more rows then; GROUP BY, of which groups would come back
    Sound:   the rows that come back are those that the aggregates skip, and no row makes no difference
    """
    condition = next(idle_null_tests(select), None)
    column = tests_for_value(condition) if condition is not None else None
    if column is None:
        return None
    for call in aggregates(select):
        if isinstance(call.this, exp.Star):
            call.set("this", column.copy())
    set_filters(select, [part for part in filters(select) if part is not condition])
    return select


RULES = (convert_filtered_count_to_star, eliminate_null_test_before_aggregates)
