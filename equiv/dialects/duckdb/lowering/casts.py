"""Casts of DuckDB in the core."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import call, case, cast, number, part, string
from equiv.dialects.typed.lowering.calls import Given
from equiv.dialects.typed.lowering.operators import called as as_in_postgres

_INT = frozenset(("int2", "int4", "int8"))
_NUMBER = _INT | {"numeric", "float8"}


def cast_of(given: Given) -> exp.Expression:
    """A cast.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    source, target = given.call.arguments[0].type, given.call.type
    pair = source.name, target.name
    found = _of_numbers(given)
    if found is not None:
        return found
    match pair:
        case ("bool", name) if name in _NUMBER:
            return given.value(0)
        case (name, "bool") if name in _INT:
            return exp.NEQ(this=given.value(0), expression=number("0"))
        case (name, "text") if name in _INT:
            return cast(given.value(0), "TEXT")
        case ("text", name) if name in _INT:
            return call("PARSE_WHOLE", given.value(0))
        case ("date" | "timestamp" | "time", "text") | ("text", "text"):
            return given.value(0)
        case ("bool", "text"):
            value = given.value(0)
            branches = [(value, string("true")), (exp.Not(this=value.copy()), string("false"))]
            return case(branches, exp.Null())
        case ("date", "timestamp"):
            return dates.as_timestamp(given.value(0))
        case ("timestamp", "date"):
            routine = replace(given.call.routine, name="date", schema="pg_catalog")
            return as_in_postgres(replace(given.call, routine=routine), given.place)
        case ("timestamp", "time"):
            return part(given.value(0), 12)
    raise UnsupportedError("Cast", f"{source.name} as {target.name}")


def _of_numbers(given: Given) -> exp.Expression | None:
    """A cast among numbers: decimals are cut half away from zero, floats to integers half to even."""
    source, target = given.call.arguments[0].type, given.call.type
    if source.name not in _NUMBER or target.name not in _NUMBER:
        return None
    if target.name in _INT:
        if source.name in _INT:
            return given.value(0)
        name = "ROUND" if source.name == "numeric" else "ROUND_EVEN"
        return cast(call(name, given.value(0)), "INTEGER")
    if target.name == "numeric":
        scale = target.scale
        if scale is None or scale > 15:
            raise UnsupportedError("Cast", "to more than 15 decimals")
        if source.name in _INT or (source.scale is not None and source.scale <= scale):
            return given.value(0)
        return call("ROUND", given.value(0), number(str(scale)))
    return given.value(0)
