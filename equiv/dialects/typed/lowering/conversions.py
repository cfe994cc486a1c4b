"""Casts without a function: values taken for another type, or through their text."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import call, cast, number
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.types import FLOATS, INTEGERS, STAMPS, TEXTS
from equiv.dialects.typed.tree import Convert

MOST_DECIMALS = 15
_PARSED = {
    **dict.fromkeys(INTEGERS, "PARSE_INTEGER"),
    **dict.fromkeys(FLOATS, "PARSE_NUMBER"),
    "numeric": "PARSE_NUMBER",
    "date": "PARSE_DATE",
    **dict.fromkeys(STAMPS, "PARSE_TIMESTAMP"),
}
"""Own functions that read a text; what is none of the type raises an error in PostgreSQL."""


def converted(value: Convert, place: Place) -> exp.Expression:
    """A cast in the core.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    from equiv.dialects.typed.lowering.expressions import lowered

    source, target = value.value.type, value.type
    found = lowered(value.value, place)
    if not value.through_text:
        if {source.name, target.name} <= TEXTS or source.name == target.name:
            return found
        if source.name in TEXTS and target.name == "bpchar":
            return call("RTRIM", found)
        raise UnsupportedError("Cast", f"{source.name} as {target.name}")
    if target.name in TEXTS and target.length is None:
        if source.name in INTEGERS:
            return cast(found, "TEXT")
        if (
            source.name == "numeric"
            and 0 <= (source.scale if source.scale is not None else -1) <= MOST_DECIMALS
        ):
            # Values of numeric(p, s) show s decimals; of numeric alone those that they came with.
            return call("DECIMAL_TEXT", found, number(str(source.scale)))
        if source.name in {"date", "timestamp", "time", "uuid"} or source.sort == "e":
            return found
    if source.name in TEXTS and target.sort == "e":
        # What is no label of the type raises an error.
        return found
    if source.name in TEXTS and target.name in _PARSED and target.modifier == -1:
        return call(_PARSED[target.name], found)
    raise UnsupportedError("Cast", f"{source.name} as {target.name}")
