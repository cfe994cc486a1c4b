"""When two values, and two rows of outputs, count as the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Apply, Compare, Expression, alpha


def not_distinct(left: Expression, right: Expression) -> Expression:
    """The claim that two values are equal, NULL to NULL and 1 to 1.0."""
    return Compare("IS", left, right)


@dataclass(frozen=True, slots=True)
class Same:
    """What is compared of two rows of outputs, and how."""

    claim: Callable[[Expression, Expression], Expression]
    width: int | None = None
    """How many of the outputs are compared, from the first on; None: all."""

    def claims(self, left: Sequence[Expression], right: Sequence[Expression]) -> list[Expression]:
        """The claims that the outputs agree, those that are plain to see left out."""
        pairs = zip(left[: self.width], right[: self.width], strict=True)
        return [self.claim(a, b) for a, b in pairs if alpha(a) != alpha(b)]


def identical(left: Expression, right: Expression) -> Expression:
    """The claim that two values are equal and of one storage class: no function can tell them apart."""
    return Compare("IS", Apply("REPRESENTATION", (left,)), Apply("REPRESENTATION", (right,)))


BY_VALUE = Same(not_distinct)
"""Outputs are equal, 1 to 1.0."""

IDENTICAL = Same(identical)
"""Outputs are the same values in the same storage class."""
