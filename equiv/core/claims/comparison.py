"""Values compared with one another: by which collation, and converted to which affinity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.value_types import Applied, affinity
from equiv.core.context import Context

BINARY = "BINARY"
UNKNOWN = "?"
"""A collation that the tree does not tell."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Values that are compared with one another."""

    left: tuple[exp.Expression, ...]
    right: tuple[exp.Expression, ...]
    """The right operands; none: the values on the left are grouped, deduplicated or sorted."""
    collation: str
    conversion: Applied = Applied.NONE
    """The affinity that is applied to both sides; WEAK: TEXT or none, by the plan; UNKNOWN: any."""
    of_rows: bool = False
    """Whether it is of components of row values under IN, which where one is NULL converts no other."""


Collation = Callable[[Sequence[exp.Expression], Context], str]
"""Gives the collation of a comparison from its sides, the left one first."""
Reader = Callable[[exp.Expression, Context, Collation], Iterable[Comparison]]
"""Gives the comparisons that a node makes."""


def components(node: exp.Expression) -> list[exp.Expression]:
    """The values of a row value; a single value is a row of itself."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    if isinstance(node, exp.Subquery) and len(node.this.expressions) > 1:
        return [projection.unalias() for projection in node.this.expressions]
    return [node]


def compared(
    left: exp.Expression, right: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    """The comparisons of two values, or of two row values component by component."""
    for one, other in zip(components(left), components(right), strict=False):
        applied = conversion(affinity(one, ctx), affinity(other, ctx))
        yield Comparison((one,), (other,), collation_of((one, other), ctx), applied)


def conversion(left: Applied, right: Applied) -> Applied:
    """The affinity that a comparison applies to both sides (``sqlite3CompareAffinity``)."""
    both = (left, right)
    if Applied.NUMERIC in both:
        return Applied.NUMERIC
    if Applied.UNKNOWN in both:
        return Applied.UNKNOWN
    if Applied.TEXT in both and Applied.NONE in both:
        return Applied.TEXT
    return Applied.WEAK if Applied.TEXT in both and Applied.WEAK in both else Applied.NONE
