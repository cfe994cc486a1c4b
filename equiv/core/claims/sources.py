"""The source of a column of a resolved tree.

Source aliases are unique in a whole query, so a column is found by walking up
from its use until a SELECT lists its alias.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from sqlglot import exp

from equiv.core.claims.block import aggregates, is_aggregate
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.tree_memo import of_node, of_node_in_context
from equiv.core.context import Context
from equiv.core.model import Column, Table


def ancestry(node: exp.Expression) -> Iterator[exp.Expression]:
    """A node, its parent, and so on up to the root."""
    current: exp.Expr | None = node
    while current is not None:
        yield cast(exp.Expression, current)
        current = current.parent


def is_within(node: exp.Expression, ancestor: exp.Expression) -> bool:
    """Whether a node is another or stands below it."""
    return any(current is ancestor for current in ancestry(node))


@of_node
def home(column: exp.Expression) -> exp.Expression | None:
    """The SELECT whose FROM clause lists the source of a column, or None if the tree is detached."""
    alias = column.text("table")
    select = column.find_ancestor(exp.Select)
    while select is not None and not any(s.alias_or_name == alias for s in sources(select)):
        select = select.find_ancestor(exp.Select)
    return select


@of_node
def source_of(column: exp.Expression) -> exp.Expression | None:
    """The Table or Subquery that a column reads from."""
    select = home(column)
    if select is None:
        return None
    return next(s for s in sources(select) if s.alias_or_name == column.text("table"))


@of_node
def defining_query(source: exp.Expression) -> exp.Expression | None:
    """The query behind a derived table or a CTE reference; None for a base table."""
    if isinstance(source, exp.Subquery):
        return cast(exp.Expression, source.this)
    for node in ancestry(source):
        clause = node.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if cte.alias.lower() == source.name.lower():
                return cast(exp.Expression, cte.this)
    return None


@of_node_in_context
def base_column(column: exp.Expression, ctx: Context) -> tuple[Table, Column] | None:
    """The schema's table and column that a column of a base table names; None for any other source."""
    source = source_of(column)
    if not isinstance(source, exp.Table) or defining_query(source) is not None:
        return None
    table = ctx.schema.table(source.name)
    found = table.column(column.name) if table is not None else None
    return (table, found) if table is not None and found is not None else None


def feeds(column: exp.Expression) -> list[exp.Expression] | None:
    """The expressions that feed a column of a derived table or CTE, one for each compound operand.

    None where they are not to be had: VALUES, recursion, a base table.
    """
    source = source_of(column)
    query = defining_query(source) if source is not None else None
    if source is None or query is None or is_within(column, query):
        return None
    operands = list(select_operands(query))
    names = [projection.alias_or_name for projection in operands[0].expressions]
    if column.name not in names:
        return None
    if isinstance(source, exp.Table) and any(t.name == source.name for t in query.find_all(exp.Table)):
        return None
    if not all(isinstance(o, exp.Select) and len(o.expressions) == len(names) for o in operands):
        return None
    return [operand.expressions[names.index(column.name)].unalias() for operand in operands]


@of_node
def is_typed_early(feed: exp.Expression) -> bool:
    """Whether SQLite types a column of a derived table before the column that it hands on has a type.

    The columns of a derived table are typed when its query has been resolved, inner queries first.  A column
    of a derived table (or a CTE, or joins in parentheses) of a query *around* has no affinity and collation
    then: those of ``c`` in ``(SELECT u.a AS c) AS w`` hang on whether the outer ``u`` is a base table.
    """
    select = feed.find_ancestor(exp.Select)
    for column in feed.find_all(exp.Column):
        source, listing = source_of(column), home(column)
        if source is None or defining_query(source) is None or listing is select:
            continue
        if select is not None and listing is not None and is_within(select, listing):
            return True
    return False


def select_operands(query: exp.Expression) -> Iterator[exp.Expression]:
    """The operands of a compound query, left to right; the query itself if it is not compound."""
    stack = [query]
    while stack:
        current = stack.pop()
        if isinstance(current, exp.SetOperation):
            stack += (current.expression, current.this)
        elif isinstance(current, exp.Subquery):
            stack.append(current.this)
        else:
            yield current


def is_padded(column: exp.Expression) -> bool:
    """Whether an outer join may have padded the column's source with NULLs where the column is read."""
    select = home(column)
    if select is None:
        return True
    joins = select.args.get("joins") or []
    own = [s.alias_or_name for s in sources(select)].index(column.text("table"))
    reader = next((n for n, join in enumerate(joins, 1) if is_within(column, join)), len(joins) + 1)
    if own > reader:
        return True
    sides = ["", *(join.side.upper() for join in joins)]
    padded_itself = sides[own] in ("LEFT", "FULL") and own != reader
    return padded_itself or any(side in ("RIGHT", "FULL") for side in sides[own + 1 : reader])


def is_bare_in_ungrouped(column: exp.Expression) -> bool:
    """Whether a column stands outside every aggregate of an aggregate query without GROUP BY.

    Such a column is NULL if there are no rows.  An aggregate of a subquery is none of the outer query's.
    """
    select = home(column)
    if select is None:
        return True
    if select.args.get("group") is not None:
        return False
    above = list(ancestry(column))
    above = above[: next(n for n, node in enumerate(above) if node is select) + 1]
    clause = next(child for child, parent in pairwise(above) if parent is select)
    if clause.arg_key in ("from_", "joins", "where"):
        return False
    own = above[:-1]
    nested = max((n for n, node in enumerate(own) if isinstance(node, exp.Query)), default=-1)
    for node in own[nested + 1 :]:
        if is_aggregate(node.this if isinstance(node, exp.Filter) else node):
            return False
    return select.args.get("having") is not None or bool(aggregates(select))
