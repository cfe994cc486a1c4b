"""Places in texts, within bounds: the SUBSTR of the core reads 32 bits of a number."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from equiv.dialects.typed.lowering.build import INTEGERS, call, number
from equiv.dialects.typed.lowering.calls import Given
from equiv.dialects.typed.tree import Expr, RoutineCall, TypedConstant

_PLACES = frozenset(("length", "len", "char_length", "character_length", "strpos", "instr", "position"))
LONGEST = 10_000_000
"""No text of the core's runner has more characters."""


def within(name: str) -> Callable[[Given], exp.Expression]:
    """A function of a text and places, which the core reads with 32 bits, within those of any text."""

    def build(given: Given) -> exp.Expression:
        text, *places = given.values()
        bound = [
            place if _lies_within(value) else _held(place)
            for place, value in zip(places, given.call.arguments[1:], strict=True)
        ]
        return call(name, text, *bound)

    return build


def _held(place: exp.Expression) -> exp.Expression:
    return call("MIN", call("MAX", place, number(str(-LONGEST))), number(str(LONGEST)))


def _lies_within(value: Expr) -> bool:
    """Whether a number is of 16 bits, a small constant, a place in a text, or a sum of such."""
    if value.type.name == "int2":
        return True
    match value:
        case TypedConstant(text=text):
            return text is None or abs(int(text)) <= LONGEST
        case RoutineCall(cast=True, arguments=(inner,)) if inner.type.name in INTEGERS:
            return _lies_within(inner)
        case RoutineCall(routine=routine, arguments=arguments) if routine.name in ("+", "-"):
            return all(map(_lies_within, arguments))
        case RoutineCall(routine=routine):
            return routine.name in _PLACES
    return False
