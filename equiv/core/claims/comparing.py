"""The comparisons that a resolved tree makes, each with the collation and the conversion in force.

Beside its value an expression brings a collation and an affinity to whatever compares it
(https://sqlite.org/datatype3.html sections 4.2 and 7.1).  A column has both, a CASE of it neither; a scalar
subquery has the affinity of its column, and no collation.

The comparisons that IN makes, with a list and with a subquery.

The comparisons that tell values apart or sort them: of a clause, a window, a compound, an aggregate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from sqlglot import exp

from equiv.core.claims.comparison import (
    BINARY,
    UNKNOWN,
    Collation,
    Comparison,
    Reader,
    compared,
    components,
    conversion,
)
from equiv.core.claims.predicates import COMPARISONS
from equiv.core.claims.sources import select_operands
from equiv.core.claims.value_types import Applied, affinity, collation, results
from equiv.core.context import Context


def _told_apart(
    values: Iterable[exp.Expression], ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    for value in values:
        yield Comparison((value,), (), collation_of((value,), ctx))


def _by_arguments(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """NULLIF, scalar MIN and MAX: they convert nothing, and take the first collation that there is."""
    found = (node.this, *((node.expression,) if isinstance(node, exp.Nullif) else node.expressions))
    yield Comparison(found, (), collation_of(found, ctx))


def _by_extreme(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """MIN and MAX as aggregates."""
    return _told_apart(results(node)[:1], ctx, collation_of)


def _by_distinct(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """SELECT DISTINCT, and DISTINCT in an aggregate."""
    parent = node.parent
    is_clause = isinstance(parent, exp.Select) and node.arg_key == "distinct"
    values = [x.unalias() for x in parent.expressions] if is_clause and parent else node.expressions
    return _told_apart(values, ctx, collation_of)


def _by_group(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """GROUP BY."""
    return _told_apart(node.expressions, ctx, collation_of)


def _by_window(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """PARTITION BY."""
    return _told_apart(node.args.get("partition_by") or (), ctx, collation_of)


def _by_ordered(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
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


def _by_compound(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """A compound that tells rows apart does so by the first collation that an operand has."""
    if isinstance(node, exp.Union) and not node.args.get("distinct"):
        return
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(node)]
    for column in zip_longest(*rows, fillvalue=exp.Null()):
        yield Comparison(column, (), collation_of(column, ctx))


def _membership(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """IN, with a list or a subquery."""
    query = node.args.get("query")
    if query is None:
        return _in_list(node, ctx, collation_of)
    return _in_query(node, query, ctx, collation_of)


def _in_list(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """Of a list only the left side has a say."""
    left = node.this
    applied = conversion(affinity(left, ctx), Applied.NONE)
    for item in node.expressions:
        yield Comparison((left,), (item,), collation_of((left,), ctx), applied)


def _in_query(
    node: exp.Expression, query: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    left = components(node.this)
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(query)]
    for one, *others in zip(left, *rows, strict=False):
        found = {conversion(affinity(one, ctx), affinity(other, ctx)) for other in others}
        names = {collation_of((one, other), ctx) for other in others}
        yield Comparison(
            (one,),
            tuple(others),
            names.pop() if len(names) == 1 else UNKNOWN,
            found.pop() if len(found) == 1 else Applied.UNKNOWN,
            of_rows=len(left) > 1,
        )


def comparisons(root: exp.Expression, ctx: Context) -> Iterator[Comparison]:
    """The comparisons of a resolved tree."""
    for node in root.find_all(exp.Expression):
        found = _READERS.get(type(node))
        if found is not None:
            yield from found(node, ctx, _collation)


def conversions(node: exp.Expression, ctx: Context) -> Iterator[Comparison]:
    """The comparisons of one node that convert something, where every collation is BINARY."""
    for comparison in _READERS[type(node)](node, ctx, _binary):
        if comparison.conversion is not Applied.NONE:
            yield comparison


def _binary(sides: Sequence[exp.Expression], ctx: Context) -> str:
    del sides, ctx
    return BINARY


def _collation(sides: Sequence[exp.Expression], ctx: Context) -> str:
    """The collation of a comparison: of a COLLATE, else of a column, the left one first."""
    explicit = [side for side in sides if _is_explicit(side)]
    for side in explicit or sides:
        found = collation(side, ctx)
        if found != "":
            return UNKNOWN if found is None else found
    return BINARY


def _is_explicit(node: exp.Expression) -> bool:
    while isinstance(node, exp.Cast):
        node = node.this
    return isinstance(node, exp.Collate)


def _sides(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    return compared(node.this, node.expression, ctx, collation_of)


def _is(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterable[Comparison]:
    tests_null_or_truth = isinstance(node.expression, exp.Null | exp.Boolean)
    return () if tests_null_or_truth else _sides(node, ctx, collation_of)


def _between(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    for bound in ("low", "high"):
        yield from compared(node.this, node.args[bound], ctx, collation_of)


def _case(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    operand: exp.Expression | None = node.args.get("this")
    if operand is not None:
        for branch in node.args["ifs"]:
            yield from compared(operand, branch.this, ctx, collation_of)


_READERS: dict[type[exp.Expr], Reader] = dict(
    chain(
        ((kind, _sides) for kind in (*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)),
        ((kind, _by_arguments) for kind in (exp.Nullif, exp.Least, exp.Greatest)),
        ((kind, _by_extreme) for kind in (exp.Min, exp.Max)),
        ((kind, _by_compound) for kind in (exp.Union, exp.Intersect, exp.Except)),
        (
            (exp.Is, _is),
            (exp.Between, _between),
            (exp.In, _membership),
            (exp.Case, _case),
            (exp.Distinct, _by_distinct),
            (exp.Group, _by_group),
            (exp.Window, _by_window),
            (exp.Ordered, _by_ordered),
        ),
    )
)
