"""Whether a typed expression is a whole number on every row, as its parts say, whatever its type.

A float of 32 bits that is one is exact up to 2**24; beyond, it rests on exact arithmetic.
"""

from __future__ import annotations

from equiv.dialects.typed.lowering.types import INTEGERS, NUMBERS
from equiv.dialects.typed.tree import (
    Aggregate,
    Call,
    Case,
    Coalesce,
    Constant,
    Expr,
    Extreme,
    Grouped,
    Nested,
    NullIf,
    Over,
    Query,
    Select,
    parts_of,
)

_OPERATORS = frozenset("+-*")
_KEEPING = frozenset(("sum", "min", "max"))


def has_narrow_fractions(query: Query) -> bool:
    """Whether a part of a query is a float of 32 bits that may be no whole number."""
    return any(
        isinstance(part, Expr) and part.type.name == "float4" and not is_whole(part)
        for part in parts_of(query)
    )


def is_whole(value: Expr) -> bool:
    """Whether a value is a whole number, or NULL, on every row."""
    if value.type.name in INTEGERS:
        return True
    match value:
        case Constant(text=text):
            digits = (text or "0").lstrip("-").removesuffix(".0")
            return text is None or (value.type.name in NUMBERS and digits.isdecimal())
        case Grouped(value=inner) | NullIf(value=inner):
            return is_whole(inner)
        case Call(cast=True, arguments=(inner, *_)):
            return value.type.name in NUMBERS and is_whole(inner)
        case Call(routine=routine, arguments=arguments):
            return routine.operator and routine.name in _OPERATORS and all(map(is_whole, arguments))
        case Aggregate(routine=routine, arguments=arguments) | Over(routine=routine, arguments=arguments):
            return routine.name in _KEEPING and all(map(is_whole, arguments))
        case Coalesce(arguments=arguments) | Extreme(arguments=arguments):
            return all(map(is_whole, arguments))
        case Case(branches=branches, default=default):
            return all(is_whole(each) for each in (default, *(result for _, result in branches)))
        case Nested(form="scalar", query=Select(targets=targets)):
            return is_whole(targets[0].value)
    return False
