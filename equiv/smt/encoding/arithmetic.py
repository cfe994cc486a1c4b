"""SQLite's arithmetic over the integers and the rationals, as far as facts let it be exact.

Integers are unbounded only under NO_OVERFLOW, REALs rational only under EXACT_ARITHMETIC; an
operation that lacks the fact it needs is left uninterpreted.
"""

from __future__ import annotations

from equiv.algebra.world import World
from equiv.facts import FactKind
from equiv.smt.encoding.values import Value, choose, of_number, of_real, of_whole, precedes, with_null
from equiv.smt.logic import FALSE, Formula, and_, equal, ite, less, or_

_INTEGER = frozenset({"integer"})
_REAL = frozenset({"real"})
_NUMBERS = _INTEGER | _REAL


def exact(world: World, *, integers: bool, reals: bool) -> bool:
    """Whether results of these classes are exact by the facts, which are recorded."""
    return (not integers or world.holds(FactKind.NO_OVERFLOW)) and (
        not reals or world.holds(FactKind.EXACT_ARITHMETIC)
    )


def binary(operator: str, left: Value, right: Value, world: World) -> Value | None:
    """``+ - * / %`` of two numbers, or None if the result is not known exactly."""
    if not (left.kinds <= _NUMBERS and right.kinds <= _NUMBERS and left.classes and right.classes):
        return None
    if operator in ("/", "%"):
        return _divided(operator, left, right, world)
    integers = "integer" in left.kinds and "integer" in right.kinds
    reals = not (left.kinds == right.kinds == _INTEGER)
    if not exact(world, integers=integers, reals=reals):
        return None
    null = or_(left.null, right.null)
    if not reals:
        return of_whole(null, f"({operator} {left.whole} {right.whole})")
    whole = and_(left.is_("integer"), right.is_("integer")) if integers else FALSE
    return of_number(null, whole, f"({operator} {left.number} {right.number})")


def _divided(operator: str, left: Value, right: Value, world: World) -> Value | None:
    if left.whole and right.whole and left.kinds == right.kinds == _INTEGER:
        # Only by a literal: division by a variable is beyond what Z3 decides well.
        if not right.whole.lstrip("(- ").rstrip(")").isdigit() or not exact(
            world, integers=True, reals=False
        ):
            return None
        null = or_(left.null, right.null, equal(right.whole, "0"))
        return of_whole(null, _truncated("div" if operator == "/" else "mod", left.whole, right.whole))
    # Between two integers / truncates: one side must surely be REAL.
    if operator == "/" and _REAL in (left.kinds, right.kinds):
        if not exact(world, integers=False, reals=True):
            return None
        # Division by zero is NULL, no error.
        null = or_(left.null, right.null, equal(right.number, "0.0"))
        return of_real(null, f"(/ {left.number} {right.number})")
    return None


def _truncated(operator: str, left: Formula, right: Formula) -> Formula:
    """SMT-LIB's remainder is never negative; SQLite's has the sign of the dividend."""
    return ite(f"(>= {left} 0)", f"({operator} {left} {right})", f"(- ({operator} (- {left}) {right}))")


def opposite(value: Value, world: World) -> Value | None:
    """``- value``."""
    if not value.classes or not value.kinds <= _NUMBERS:
        return None
    if not exact(world, integers="integer" in value.kinds, reals=False):
        return None
    if value.whole:
        return of_whole(value.null, f"(- {value.whole})")
    return of_number(value.null, value.is_("integer"), f"(- {value.number})")


def absolute(value: Value, world: World) -> Value | None:
    """``ABS(value)``."""
    negative = opposite(value, world)
    if negative is None:
        return None
    is_negative = less(value.whole, "0") if value.whole else less(value.number, "0.0")
    return choose(is_negative, negative, value)


def as_real(value: Value, world: World) -> Value | None:
    """``CAST(value AS REAL)`` of a number."""
    if value.kinds == _REAL:
        return value
    if not value.classes or not value.kinds <= _NUMBERS or not exact(world, integers=False, reals=True):
        return None
    return of_real(value.null, value.number)


def as_integer(value: Value, world: World) -> Value | None:
    """``CAST(value AS INTEGER)`` of a number: towards zero; what does not fit is cut off."""
    if value.kinds == _INTEGER:
        return value
    if not value.classes or not value.kinds <= _NUMBERS or not exact(world, integers=True, reals=False):
        return None
    number = value.number
    return of_whole(value.null, f"(ite (>= {number} 0.0) (to_int {number}) (- (to_int (- {number}))))")


def scalar_extreme(function: str, values: list[Value]) -> Value:
    """MAX or MIN of several values: NULL if one is; of equal ones MAX keeps the first, MIN the last."""
    best = values[0]
    for value in values[1:]:
        if function == "MAX":
            best = choose(precedes(best, value), value, best)
        else:
            best = choose(precedes(best, value), best, value)
    return with_null(best, or_(*(value.null for value in values)))
