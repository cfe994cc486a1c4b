"""The comparisons that a resolved tree makes, each with the collation and the conversion in force.

Beside its value an expression brings a collation and an affinity to whatever compares it
(https://sqlite.org/datatype3.html sections 4.2 and 7.1).  A column has both, a CASE of it neither; a scalar
subquery has the affinity of its column, and no collation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sqlglot import exp

from equiv.core.claims.comparison import BINARY, UNKNOWN, Collation, Comparison, Reader, compared
from equiv.core.claims.memberships import membership
from equiv.core.claims.predicates import COMPARISONS
from equiv.core.claims.told_apart import (
    by_arguments,
    by_compound,
    by_distinct,
    by_extreme,
    by_group,
    by_ordered,
    by_window,
)
from equiv.core.claims.value_types import Applied, collation
from equiv.core.context import Context


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
        ((kind, by_arguments) for kind in (exp.Nullif, exp.Least, exp.Greatest)),
        ((kind, by_extreme) for kind in (exp.Min, exp.Max)),
        ((kind, by_compound) for kind in (exp.Union, exp.Intersect, exp.Except)),
        (
            (exp.Is, _is),
            (exp.Between, _between),
            (exp.In, membership),
            (exp.Case, _case),
            (exp.Distinct, by_distinct),
            (exp.Group, by_group),
            (exp.Window, by_window),
            (exp.Ordered, by_ordered),
        ),
    )
)
