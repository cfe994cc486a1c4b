"""Numbers of 32 bits beside those of 64: 0.1 as a ``real`` is another number than as a ``double precision``.

A cell of a ``real`` is the shortest decimal that reads as it; made wider it is what the 32 bits say.  What is
computed with 32 bits, or cast to them, is cut to them.  A whole number and a sum are the exact number, as
under exact arithmetic.
"""

from __future__ import annotations

import struct

from sqlglot import exp

from equiv.dialects.typed.lowering.build import call, number
from equiv.dialects.typed.lowering.numbers.whole_numbers import is_whole
from equiv.dialects.typed.lowering.types import INTEGERS
from equiv.dialects.typed.tree import (
    Aggregate,
    Call,
    Case,
    Coalesce,
    Constant,
    Convert,
    Expr,
    Extreme,
    Field,
    Grouped,
    Nested,
    NullIf,
    Over,
    Select,
)

_EXACT = frozenset(("-", "+", "abs", "@", "floor", "ceil", "ceiling", "trunc", "sign"))
_PASSING = frozenset(("min", "max", "lag", "lead", "first_value", "last_value", "nth_value"))


def is_single(value: Expr) -> bool:
    """Whether a number of 32 bits may be none that a short decimal is."""
    if value.type.name != "float4":
        return False
    match value:
        case Field() | Constant() | Convert():
            return True
        case Grouped(value=inner):
            return is_single(inner)
        case Call():
            return not is_whole(value)
        case Aggregate(routine=routine) | Over(routine=routine):
            return routine.name in _PASSING
        case Coalesce(arguments=arguments) | Extreme(arguments=arguments):
            return any(map(is_single, arguments))
        case Case(branches=branches, default=default):
            return any(is_single(each) for each in (default, *(result for _, result in branches)))
        case NullIf(value=inner):
            return is_single(inner)
        case Nested(query=Select(targets=targets)):
            return is_single(targets[0].value)
        case Nested():
            return True
    return False


def is_cut(value: Call) -> bool:
    """Whether digits of what a call computes are cut off, to those of 32 bits: a sign or a floor has none."""
    return is_single(value) and (value.cast or value.routine.name not in _EXACT or len(value.arguments) > 1)


def widened(value: Expr, found: exp.Expression, beside: Expr | None = None) -> exp.Expression:
    """A number of 32 bits as one of 64; as it is where that makes no difference beside another number."""
    if not is_single(value) or (beside is not None and _is_exact(beside)):
        return found
    if isinstance(value, Constant) and value.text is not None:
        return number(repr(_single(float(value.text)))) if not _is_exact(value) else found
    return call("WIDENED", found)


def _is_exact(value: Expr) -> bool:
    """Whether a value is a constant that 32 bits hold: no other number of 32 bits is on its other side."""
    while isinstance(value, Call) and value.cast and len(value.arguments) == 1:
        value = value.arguments[0]
    if not isinstance(value, Constant) or value.text is None or value.type.name not in _NUMBERS:
        return False
    return _single(float(value.text)) == float(value.text)


_NUMBERS = INTEGERS | {"numeric", "float4", "float8"}


def _single(value: float) -> float:
    try:
        (found,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        return float("inf")
    return float(found)
