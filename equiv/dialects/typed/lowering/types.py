"""What PostgreSQL's types become in the core, and which of them its engine tells apart."""

from __future__ import annotations

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.typed.tree import Call, Constant, Expr, Query, Type, parts_of

INTEGERS = frozenset(("int2", "int4", "int8"))
FLOATS = frozenset(("float4", "float8"))
NUMBERS = INTEGERS | FLOATS | {"numeric"}
TEXTS = frozenset(("text", "varchar", "name"))
STAMPS = frozenset(("timestamp", "timestamptz"))
PLAIN = NUMBERS | TEXTS | STAMPS | {"bool", "bpchar", "date", "time", "uuid"}
"""Types whose values are cells of the core that are equal, and in order, just if the values are."""


def has_narrow_floats(query: Query) -> bool:
    """Whether a part of a query is a float of 32 bits."""
    return any(isinstance(part, Expr) and part.type.name == "float4" for part in parts_of(query))


def drops_digits(query: Query) -> bool:
    """Whether a query casts numbers to floats that have not all of their digits: two may become one.

    Beside a float in a sum or the like the core makes the same float of a number.
    """
    calls = [part for part in parts_of(query) if isinstance(part, Call)]
    computed = {id(each) for call in calls if call.routine.name in _FLOATING for each in call.arguments}
    casts = (call for call in calls if call.cast and id(call) not in computed)
    return any(_has_more_digits(call.arguments[0], call.type) for call in casts)


def _has_more_digits(value: Expr, target: Type) -> bool:
    if target.name not in FLOATS or value.type.name not in NUMBERS or isinstance(value, Constant):
        return False
    kept = _FLOAT_DIGITS[target.name]
    source = value.type
    if source.name == "numeric":
        return source.scale is None or (source.modifier - 4) >> 16 > kept
    return _MOST_DIGITS[source.name] > kept


_FLOATING = frozenset("+-*/")
_FLOAT_DIGITS = {"float4": 6, "float8": 15}
"""Digits of a decimal number that a float keeps."""
_MOST_DIGITS = {"int2": 5, "int4": 10, "int8": 19, "float4": 6, "float8": 17}


def is_plain(found: Type) -> bool:
    """Whether values of a type are cells of the core that are equal just if the values are."""
    return found.name in PLAIN or found.sort == "e"


def require_plain(found: Type, where: str) -> None:
    """Make sure that values can be compared as cells of the core.

    Raises:
        UnsupportedError: they cannot.
    """
    if not is_plain(found):
        raise UnsupportedError("Type", f"{found.name} in {where}")


def require_ordered(found: Type, where: str) -> None:
    """Make sure that the core orders the values as PostgreSQL does.

    Raises:
        UnsupportedError: it does not.
    """
    require_plain(found, where)
    if found.sort == "e":
        raise UnsupportedError("Type", f"the order of an enumerated type in {where}")
