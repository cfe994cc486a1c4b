"""The comparisons that tell values apart or sort them: of a clause, a window, a compound, an aggregate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from sqlglot import exp

from equiv.core.claims.comparison import Collation, Comparison
from equiv.core.claims.sources import select_operands
from equiv.core.claims.value_types import results
from equiv.core.context import Context


def _told_apart(
    values: Iterable[exp.Expression], ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    for value in values:
        yield Comparison((value,), (), collation_of((value,), ctx))


def by_arguments(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """NULLIF, scalar MIN and MAX: they convert nothing, and take the first collation that there is."""
    found = (node.this, *((node.expression,) if isinstance(node, exp.Nullif) else node.expressions))
    yield Comparison(found, (), collation_of(found, ctx))


def by_extreme(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """MIN and MAX as aggregates."""
    return _told_apart(results(node)[:1], ctx, collation_of)


def by_distinct(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """SELECT DISTINCT, and DISTINCT in an aggregate."""
    parent = node.parent
    is_clause = isinstance(parent, exp.Select) and node.arg_key == "distinct"
    values = [x.unalias() for x in parent.expressions] if is_clause and parent else node.expressions
    return _told_apart(values, ctx, collation_of)


def by_group(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """GROUP BY."""
    return _told_apart(node.expressions, ctx, collation_of)


def by_window(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """PARTITION BY."""
    return _told_apart(node.args.get("partition_by") or (), ctx, collation_of)


def by_ordered(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """A term of ORDER BY; of a compound, it may be a position."""
    compound = node.parent.parent if node.parent is not None else None
    position = node.this.this if isinstance(node.this, exp.Collate) else node.this
    if not isinstance(compound, exp.SetOperation) or not isinstance(position, exp.Literal):
        yield from _told_apart((node.this,), ctx, collation_of)
        return
    column = tuple(
        operand.expressions[int(position.name) - 1].unalias() for operand in select_operands(compound)
    )
    own = (node.this,) if isinstance(node.this, exp.Collate) else column
    yield Comparison(column, (), collation_of(own, ctx))


def by_compound(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """A compound that tells rows apart does so by the first collation that an operand has."""
    if isinstance(node, exp.Union) and not node.args.get("distinct"):
        return
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(node)]
    for column in zip_longest(*rows, fillvalue=exp.Null()):
        yield Comparison(column, (), collation_of(column, ctx))
