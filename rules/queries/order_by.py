"""ORDER BY: dropped where nobody sees the order.

The order of a subquery matters only through its own LIMIT; an outer query
that does not order promises nothing.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_aggregate, is_scalar, walk_block
from equiv.core.functions.table import function_of
from equiv.core.functions.traits import OrderDependence
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import group_keys, has_windows, order_terms
from equiv.rules.guards.selects import has_order, is_root, is_unlimited, reads_a_bare_column

QUERIES = (exp.Select, exp.Union, exp.Intersect, exp.Except)


def is_nested(query: exp.Expression) -> bool:
    """The query is part of another."""
    return not is_root(query)


def yields_rows(query: exp.Expression) -> bool:
    """The query does not stand for a value, which would be that of its first row."""
    return not is_scalar(query)


def passes_no_order_on(query: exp.Expression) -> bool:
    """No query around it keeps some rows, concatenates or numbers them in whatever order they come.

    By the letter of SQL that order is nobody's promise; SQLite hands on the inner one, and people rely on it.
    """
    node = query.parent
    while node is not None and not isinstance(node, exp.In | exp.Exists):
        if isinstance(node, QUERIES) and _takes_rows_as_they_come(node):
            return False
        node = node.parent
    return True


def _takes_rows_as_they_come(query: exp.Expression) -> bool:
    if not is_unlimited(query) and not has_order(query):
        return True
    if not isinstance(query, exp.Select):
        return False
    calls = (function_of(node) for x in query.expressions for node in walk_block(x))
    return has_windows(query) or any(
        call is not None and call.order is OrderDependence.ROWS for call in calls
    )


def decides_order_alone(query: exp.Expression) -> bool:
    """Nothing depends on an aggregate that only ORDER BY has.

    Such an aggregate may be what makes the query one of groups; a MIN or MAX picks the row of bare columns.
    """
    if not isinstance(query, exp.Select):
        return True
    having = query.args.get("having")
    others = [*query.expressions, *([having.this] if having is not None else ())]
    known = {key(node) for x in others for node in walk_block(x) if is_aggregate(node)}
    ordering = (node for term in order_terms(query) for node in walk_block(term) if is_aggregate(node))
    own = [node for node in ordering if key(node) not in known]
    keys = {key(k) for k in group_keys(query)}
    if own and not known and query.args.get("group") is None:
        return False
    return not any(isinstance(node, exp.Min | exp.Max) for node in own) or not any(
        reads_a_bare_column(x, keys) for x in others
    )


def without_order(query: exp.Expression) -> exp.Expression:
    """The query less its ORDER BY."""
    query.set("order", None)
    return query


@rule(
    on=QUERIES,
    shape=(has_order, is_nested, is_unlimited, yields_rows, passes_no_order_on, decides_order_alone),
)
def eliminate_order_in_subquery(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop the ORDER BY of a subquery without LIMIT.

    Before:  SELECT q.x FROM (SELECT a.x FROM a ORDER BY a.x) AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a) AS q
    Refuse:  LIMIT or OFFSET: the order decides which rows remain; a scalar subquery: it is its first row;
             an unordered LIMIT, GROUP_CONCAT or window around it, which SQLite feeds in the inner order;
             a MIN or MAX in ORDER BY alone, whose row the bare columns are read from
    Sound:   the order of a subquery's rows is not part of what the outer query promises
    """
    return without_order(query)


@rule(on=QUERIES, shape=(has_order, is_unlimited, decides_order_alone), under=Rows.BAG)
def eliminate_order_under_bag(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop the top-level ORDER BY when results compare as bags or sets.

    Before:  SELECT a.x FROM a ORDER BY a.x
    After:   SELECT a.x FROM a
    Refuse:  LIMIT or OFFSET: the order decides which rows remain; a MIN or MAX in ORDER BY alone, whose
             row the bare columns are read from
    Sound:   bags have no order
    """
    return without_order(query)
