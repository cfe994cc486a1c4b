"""Formulas as SMT-LIB text, and SQLite's three truth values.

A formula is built once as text and simplified on the way; Z3 parses what the certificate shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Formula = str
"""A term of SMT-LIB."""

Comparison = Callable[[Formula, Formula], Formula]

TRUE: Formula = "true"
FALSE: Formula = "false"


class UninterpretableError(Exception):
    """An expression has no sound encoding: nothing is proved about it."""


class InconsistentError(Exception):
    """Axioms and facts contradict each other: whatever is concluded from them is worth nothing."""


class ContradictionError(InconsistentError):
    """The facts themselves contradict each other, one of which somebody wrote: no table can have a row."""


def not_(part: Formula) -> Formula:
    """Negation; double negation goes away."""
    if part == TRUE:
        return FALSE
    if part == FALSE:
        return TRUE
    return part[5:-1] if part.startswith("(not ") else f"(not {part})"


def and_(*parts: Formula) -> Formula:
    """Conjunction of two-valued formulas, without doubles; of none: true."""
    return _joined("and", parts, TRUE, FALSE)


def or_(*parts: Formula) -> Formula:
    """Disjunction of two-valued formulas, without doubles; of none: false."""
    return _joined("or", parts, FALSE, TRUE)


def _joined(word: str, parts: tuple[Formula, ...], unit: Formula, zero: Formula) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if part == zero or not_(part) in found:
            return zero
        if part != unit:
            found[part] = None
    if not found:
        return unit
    return next(iter(found)) if len(found) == 1 else f"({word} {' '.join(found)})"


def implies(left: Formula, right: Formula) -> Formula:
    """Implication."""
    return or_(not_(left), right)


def iff(left: Formula, right: Formula) -> Formula:
    """Equality of two-valued formulas."""
    for one, other in ((left, right), (right, left)):
        if one == TRUE:
            return other
        if one == FALSE:
            return not_(other)
    return equal(left, right)


def ite(test: Formula, then: Formula, other: Formula) -> Formula:
    """A choice between two terms of one sort."""
    if then == other or test == TRUE:
        return then
    if test == FALSE:
        return other
    if then == TRUE:
        return or_(test, other)
    if then == FALSE:
        return and_(not_(test), other)
    if other == TRUE:
        return or_(not_(test), then)
    if other == FALSE:
        return and_(test, then)
    return f"(ite {test} {then} {other})"


def equal(left: Formula, right: Formula) -> Formula:
    """Equality of two terms of one sort."""
    if left == right:
        return TRUE
    return f"(= {left} {right})" if left < right else f"(= {right} {left})"


def less(left: Formula, right: Formula) -> Formula:
    """Strict order of two numbers of one sort."""
    return FALSE if left == right else f"(< {left} {right})"


def integer(value: int) -> Formula:
    """A numeral of sort Int."""
    return str(value) if value >= 0 else f"(- {-value})"


def real(value: Fraction) -> Formula:
    """A numeral of sort Real."""
    size = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        size = f"(/ {size} {value.denominator}.0)"
    return size if value >= 0 else f"(- {size})"


@dataclass(frozen=True, slots=True)
class Truth:
    """A three-valued truth value as two formulas: when it is true, and when it is false; else it is NULL."""

    true: Formula
    false: Formula

    @property
    def null(self) -> Formula:
        """The formula that the truth value is NULL."""
        return not_(or_(self.true, self.false))

    def __invert__(self) -> Truth:
        return Truth(self.false, self.true)


def known(holds: Formula) -> Truth:
    """A truth value that is never NULL."""
    return Truth(holds, not_(holds))


def unless_null(null: Formula, holds: Formula) -> Truth:
    """NULL under a condition, else whether something holds."""
    return Truth(and_(not_(null), holds), and_(not_(null), not_(holds)))


def all_of(parts: list[Truth]) -> Truth:
    """SQLite's AND."""
    return Truth(and_(*(part.true for part in parts)), or_(*(part.false for part in parts)))


def any_of(parts: list[Truth]) -> Truth:
    """SQLite's OR."""
    return Truth(or_(*(part.true for part in parts)), and_(*(part.false for part in parts)))
