"""The greatest and the least: MAX and MIN against ORDER BY with LIMIT 1.

Of no rows an aggregate yields one row of NULL and LIMIT 1 yields no row: as a
value they agree, as rows they do not.  NULL comes first in ascending order,
while MIN skips it.  A column has an affinity for comparisons, MAX of it none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.blocks import is_scalar, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.claims.value_types import Claim, affinity, all_of
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    columns,
    filters,
    is_block,
    is_own,
    mentions,
    order_terms,
    outputs,
    place_of,
    set_filters,
    substituted,
)
from equiv.rules.guards.dependencies import compares_as_stored, equalities, one_form, stored_column, table_of
from equiv.rules.guards.selects import (
    Choice,
    compares_binary,
    has_limit_one,
    has_no_filter,
    has_one_source,
    is_root,
    is_ungrouped,
    is_unlimited,
    source_has_rows,
)
from equiv.rules.queries.joins import unique_within


def sorts_by_its_value(query: exp.Expression) -> bool:
    """``SELECT x … ORDER BY x LIMIT 1`` over a plain block, x being no outer column."""
    if not has_limit_one(query):
        return False
    terms = order_terms(query)
    bare = query.copy()
    bare.set("limit", None)
    return (
        is_block(bare)
        and len(query.expressions) == 1
        and len(terms) == 1
        and key(terms[0].this) == key(outputs(query)[0])
        and mentions(terms[0], source_aliases(query))
    )


def picks_first_value(query: exp.Expression) -> bool:
    """A scalar ``SELECT x … ORDER BY x LIMIT 1``."""
    return sorts_by_its_value(query) and is_scalar(query)


def order_puts_null_last(query: exp.Expression, ctx: Context) -> Claim:
    """NULL comes last in the order, or the value is never NULL."""
    (term,) = order_terms(query)
    if term.args.get("desc") and not term.args.get("nulls_first"):
        return ()
    value = outputs(query)[0]
    if isinstance(value, exp.Column) and any(place_of(value) in rejected_nulls(c) for c in filters(query)):
        return ()
    return never_null(value, ctx)


def value_keeps_its_affinity(query: exp.Expression, ctx: Context) -> Claim:
    """The value is not compared, or with a column of its own affinity: MAX(x) has none."""
    scalar = query.parent
    value = outputs(query)[0]
    if scalar is None or not compares_binary(value, ctx):
        return None
    parent = scalar.parent
    if isinstance(parent, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return ()
    if isinstance(parent, exp.EQ | exp.NEQ | exp.LT | exp.LTE | exp.GT | exp.GTE):
        other = parent.expression if parent.this is scalar else parent.this
        alike = isinstance(other, exp.Column) and affinity(other, ctx) is affinity(value, ctx)
        return one_form(other, ctx) if alike else None
    return None


@rule(
    on=exp.Select,
    shape=(picks_first_value,),
    needs=(order_puts_null_last, value_keeps_its_affinity),
    esm_plus=9,
)
def convert_first_value_to_extreme(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write a scalar ORDER BY … LIMIT 1 of its own value as MIN or MAX.

    Before:  SELECT a.x FROM a WHERE a.x = (SELECT a2.x FROM a AS a2 ORDER BY a2.x DESC LIMIT 1)
    After:   SELECT a.x FROM a WHERE a.x = (SELECT MAX(a2.x) FROM a AS a2)
    Refuse:  ascending and the value may be NULL, which comes first; a comparison that converts a column
    Sound:   as a value both are the extreme, or NULL if there is none
    """
    return _as_extreme(query)


def _as_extreme(query: exp.Expression) -> exp.Expression:
    (term,) = order_terms(query)
    value = outputs(query)[0].copy()
    call = exp.Max(this=value) if term.args.get("desc") else exp.Min(this=value)
    query.set("expressions", [exp.alias_(call, query.expressions[0].alias or "extreme")])
    for name in ("order", "limit", "distinct"):
        query.set(name, None)
    return query


def value_is_binary(query: exp.Expression, ctx: Context) -> Claim:
    """The value compares by BINARY: rows that tie hold one value."""
    return () if compares_binary(outputs(query)[0], ctx) else None


@rule(
    on=exp.Select,
    shape=(is_root, sorts_by_its_value, has_one_source, has_no_filter),
    needs=(source_has_rows, order_puts_null_last, value_is_binary),
    esm_plus=9,
)
def convert_first_row_to_extreme(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write ORDER BY … LIMIT 1 of its own value as MIN or MAX where there is a row.

    Before:  SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1
    After:   SELECT MAX(a.x) FROM a
    Refuse:  an empty table, of which MAX makes a row and LIMIT 1 none; a filter, which may leave none;
             ascending and the value may be NULL, which comes first; NOCASE, under which ties differ
    Sound:   both yield one row: the extreme, or NULL where every value is
    """
    return _as_extreme(query)


@dataclass(frozen=True)
class ExtremeFilter:
    """``x = (SELECT MAX(x) …)`` over the one source that is filtered."""

    select: exp.Expression
    condition: exp.Expression
    column: exp.Expression
    call: exp.Expression


def extreme_filters(select: exp.Expression, ctx: Context) -> Iterator[ExtremeFilter]:
    """Filters that equate an own column with its extreme over the source under the same other filters."""
    for condition in filters(select):
        for column, other in equalities([condition]):
            query = other.this if isinstance(other, exp.Subquery) else None
            if not isinstance(query, exp.Select) or not has_one_source(query) or len(outputs(query)) != 1:
                continue
            call = outputs(query)[0]
            if not is_own(column, select):
                continue
            if _is_extreme_of(call, column, query) and _same_rows(select, condition, query, ctx):
                yield ExtremeFilter(select, condition, column, call)


def _is_extreme_of(call: exp.Expression, column: exp.Expression, query: exp.Expression) -> bool:
    if not isinstance(call, exp.Min | exp.Max):
        return False
    inner = call.this
    clauses = ("group", "having", "limit", "offset", "distinct", "with_")
    plain = not call.expressions and all(query.args.get(name) is None for name in clauses)
    return plain and isinstance(inner, exp.Column) and inner.name == column.name


def _same_rows(
    select: exp.Expression, condition: exp.Expression, query: exp.Expression, ctx: Context
) -> bool:
    """Whether the extreme is taken over the rows that the other filters of the SELECT let through."""
    outer, inner = sources(select)[0], sources(query)[0]
    table = table_of(outer, ctx)
    if table is None or table is not table_of(inner, ctx):
        return False
    old, new = alias_of(inner), alias_of(outer)
    if mentions(query, new):
        return False
    mapping = {place_of(c): exp.column(c.name, table=new) for c in columns(query) if c.text("table") == old}
    own = {key(c) for c in filters(select) if c is not condition}
    return own == {key(substituted(c, mapping)) for c in filters(query)}


def extreme_is_unique(found: ExtremeFilter, ctx: Context) -> Claim:
    """The column is a key without NULL: exactly one row holds the extreme, if there is a row."""
    base = stored_column(found.column, ctx)
    if base is None or not compares_as_stored(found.column, found.column, ctx):
        return None
    unique = unique_within(base[0].name, frozenset({base[1].name}), ctx)
    value = ctx.facts.not_null(base[0].name, base[1].name)
    return all_of(unique, (value,) if value is not None else None)


EXTREME_FILTER = Choice(extreme_filters, (extreme_is_unique,))


@rule(
    on=exp.Select,
    shape=(has_one_source, is_ungrouped, is_unlimited),
    needs=EXTREME_FILTER.needs,
    esm_plus=1,
)
def convert_extreme_filter_to_first_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write "the row with the extreme key" as ORDER BY … LIMIT 1.

    Before:  SELECT a.x FROM a WHERE a.id = (SELECT MAX(a2.id) FROM a AS a2)
    After:   SELECT a.x FROM a ORDER BY a.id DESC LIMIT 1
    Refuse:  ties, which = keeps all of; NULL, which ORDER BY may pick and = never does; other filters
    Sound:   one row holds the extreme; of no rows both forms yield none
    """
    found = EXTREME_FILTER.pick(select, ctx)
    if found is None:
        return None
    desc = isinstance(found.call, exp.Max)
    term = exp.Ordered(this=found.column.copy(), desc=desc)
    set_filters(select, [c for c in filters(select) if c is not found.condition])
    select.set("order", exp.Order(expressions=[term]))
    select.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    select.set("distinct", None)
    return select


RULES = (
    convert_first_value_to_extreme,
    convert_first_row_to_extreme,
    convert_extreme_filter_to_first_row,
)
