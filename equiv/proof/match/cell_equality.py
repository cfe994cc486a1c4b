"""Equality of cells and of rows, as claims for the prover: by value, or by value and storage class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Apply, Compare, Expression, alpha
from equiv.algebra.world import REPRESENTATION


def not_distinct(left: Expression, right: Expression) -> Expression:
    """The claim that two values are equal, NULL to NULL and 1 to 1.0."""
    return Compare("IS", left, right)


@dataclass(frozen=True, slots=True)
class Same:
    """A comparison of two rows of outputs: the claim for each pair of cells, and how many outputs count."""

    claim: Callable[[Expression, Expression], Expression]
    width: int | None = None
    """How many of the outputs are compared, from the first on; None: all."""

    def claims(self, left: Sequence[Expression], right: Sequence[Expression]) -> list[Expression]:
        """One claim for each output on which the rows must agree; none where both say the same expression."""
        pairs = zip(left[: self.width], right[: self.width], strict=True)
        return [self.claim(a, b) for a, b in pairs if alpha(a) != alpha(b)]


def identical(left: Expression, right: Expression) -> Expression:
    """The claim that two values are equal and of one storage class: no function can tell them apart."""
    return Compare("IS", Apply(REPRESENTATION, (left,)), Apply(REPRESENTATION, (right,)))


BY_VALUE = Same(not_distinct)
"""Outputs are equal, 1 to 1.0."""

IDENTICAL = Same(identical)
"""Outputs are the same values in the same storage class."""
