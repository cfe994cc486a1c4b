"""Casts of DuckDB in the core, and where it may raise an error or meet a value that the core lacks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.tree import spelling
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.calls import Given
from equiv.dialects.typed.lowering.expressions import typed_null
from equiv.dialects.typed.lowering.operators import called as as_in_postgres
from equiv.dialects.typed.lowering.operators import has_failing_part
from equiv.dialects.typed.lowering.texts import MOST_DECIMALS
from equiv.dialects.typed.tree import NestedQuery, RoutineCall, Type, TypedConstant, TypedQuery

_DIVISIONS = frozenset(("/", "//", "%", "mod"))
_CALLS = _DIVISIONS | {"sqrt", "pow", "power", "**", "^", "<<"}
_CORE_BITS = {
    "BOOLEAN": 1,
    **dict.fromkeys(("TINYINT", "UTINYINT"), 8),
    **dict.fromkeys(("SMALLINT", "USMALLINT"), 16),
    **dict.fromkeys(("INTEGER", "UINTEGER"), 32),
    **dict.fromkeys(("BIGINT", "HUGEINT"), 64),
    **dict.fromkeys(("UBIGINT", "UHUGEINT"), 63),
}
"""The bits of each type's integers in the core, whose integers have 64 with their sign."""


def may_fail(query: TypedQuery) -> bool:
    """Whether a query divides, casts, moves a date, or takes a subquery's one row; overflow is left out."""
    return has_failing_part(query, _may_raise)


def _may_raise(part: object) -> bool:
    match part:
        case RoutineCall(cast=True, arguments=(source,), type=target):
            return narrows(source.type, target)
        case RoutineCall(routine=routine, arguments=(_, TypedConstant(text=str(text)))) if (
            routine.name in _DIVISIONS
        ):
            return not float(text)
        case RoutineCall(routine=routine):
            return routine.name in _CALLS
        case NestedQuery(form=form):
            return form == "scalar"
    return False


def narrows(source: Type, target: Type) -> bool:
    """Whether a value of one type may be none of another."""
    if source.name == "text" or target.sort == "e":
        return target.name != "text"
    if target.name in ("float4", "float8", "bool", "text") or source.name == "unknown":
        return False
    if {source.name, target.name} <= {"date", "timestamp", "timestamptz", "time"}:
        return False
    there, here = _range(target), _range(source)
    if there is None or here is None:
        return there is not None
    decimals = target.scale if target.name == "numeric" and target.scale is not None else 0
    return not all(there[0] <= _rounded(end, decimals) <= there[1] for end in here)


def _range(found: Type) -> tuple[Fraction, Fraction] | None:
    """The least and the greatest number of a type, of 64 bits at most; None where there is none."""
    if found.name == "numeric" and found.scale is not None:
        most = Fraction(10 ** ((found.modifier - 4) >> 16) - 1, 10**found.scale)
        return -most, most
    bits = _CORE_BITS.get(spelling(found))
    if bits is None:
        return None
    if spelling(found).startswith(("U", "BOOL")):
        return Fraction(0), Fraction(2**bits - 1)
    return Fraction(-(2 ** (bits - 1))), Fraction(2 ** (bits - 1) - 1)


def _rounded(value: Fraction, decimals: int) -> Fraction:
    """A number with so many decimals, half away from zero."""
    tens = 10**decimals
    whole = int(abs(value) * tens + Fraction(1, 2))
    return Fraction(whole if value > 0 else -whole, tens)


_INT = frozenset(("int2", "int4", "int8"))
_NUMBER = _INT | {"numeric", "float4", "float8"}
_SHARED = frozenset(
    (
        *((one, other) for one in _NUMBER for other in _NUMBER - {"numeric"}),
        *((one, "bool") for one in _INT),
        *(("timestamp", "timestamptz"), ("timestamptz", "timestamp"), ("timestamp", "date")),
        *(("timestamptz", "date"), ("timestamp", "time"), ("bool", "text")),
    )
)
"""Casts, by the names of both types, that mean the same in PostgreSQL."""
_ALIKE = {*((one, "text") for one in ("date", "timestamp", "time")), *(("bool", one) for one in _NUMBER)}
"""Casts to a value of the same cell."""


def in_postgres(given: Given, name: str = "") -> exp.Expression:
    """The core's translation of PostgreSQL's function or cast of a name; by default of the same name."""
    routine = replace(given.call.routine, name=name or given.call.routine.name, schema="pg_catalog")
    return as_in_postgres(replace(given.call, routine=routine), given.place)


def cast_of(given: Given) -> exp.Expression:
    """The core's cast: decimals round half away from zero, floats to integers half to even.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    source, target = given.call.arguments[0].type, given.call.type
    pair = source.name, target.name
    if source.name == "unknown":
        return typed_null(target)
    # What is no label of another enumeration raises an error.
    if pair in _ALIKE or (source.sort == "e" and (target.name == "text" or target.sort == "e")):
        return given.value(0)
    if pair in _SHARED:
        return in_postgres(given, target.name)
    match pair:
        case (name, "numeric") if name in _NUMBER:
            return _as_decimal(given)
        case ("date", "timestamp" | "timestamptz"):
            return dates.as_timestamp(given.value(0))
        case (name, "text") if name in _INT:
            return b.cast(given.value(0), "TEXT")
        case ("text", _):
            return _read(given)
        case ("numeric", "text") if _shows_all(source):
            return b.call("DECIMAL_TEXT", given.value(0), b.number(str(source.scale)))
    raise UnsupportedError("Cast", f"{source.name} as {target.name}")


def tried(given: Given) -> exp.Expression:
    """TRY_CAST: NULL where the value is none of the type.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    source, target = given.call.arguments[0].type, given.call.type
    pair = source.name, target.name
    if target.sort == "e" and (source.name == "text" or source.sort == "e"):
        labels = [b.string(each) for each in target.labels]
        return b.case([(exp.In(this=given.value(0), expressions=labels), given.value(0))], exp.Null())
    if source.name == "text":
        return _read(given)
    if pair in _NEVER_FAILING or not narrows(source, target):
        return cast_of(given)
    bits = BITS.get(spelling(target))
    if target.name not in _INT or bits is None or source.name not in _NUMBER:
        raise UnsupportedError("Cast", f"TRY_CAST of {source.name} as {spelling(target)}")
    found = cast_of(given)
    lowest, highest = b.number(str(-(2 ** (bits - 1)))), b.number(str(2 ** (bits - 1) - 1))
    if bits == 64 or (source.name == "float8" and bits > 32):
        raise UnsupportedError("Cast", f"TRY_CAST of {source.name} as {spelling(target)}")
    return b.case([(exp.Between(this=found, low=lowest, high=highest), found.copy())], exp.Null())


BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}
"""The bits of the integers with a sign whose bits are the core's."""
_NEVER_FAILING = frozenset((("bool", "text"), ("date", "timestamp"), ("timestamp", "date")))


def _read(given: Given) -> exp.Expression:
    """A text as a value of another type; of TRY_CAST too, since the core has NULL where there is none."""
    target = given.call.type
    spelt = spelling(target)
    if target.sort == "e":
        return given.value(0)
    match target.name:
        case "text":
            return given.value(0)
        case "float8":
            return b.call("PARSE_REAL", given.value(0))
        case "date":
            return b.call("PARSE_DAY", given.value(0))
        case "timestamp" if spelt == "TIMESTAMP":
            return b.call("PARSE_MOMENT", given.value(0))
        case "numeric" if target.scale is not None and target.scale <= MOST_DECIMALS:
            width = (target.modifier - 4) >> 16
            return b.call("PARSE_DECIMAL", given.value(0), b.number(str(width)), b.number(str(target.scale)))
    if spelt == "BIGINT":
        return b.call("PARSE_WHOLE", given.value(0))
    if spelt in BITS:
        return b.call("PARSE_WHOLE", given.value(0), b.number(str(BITS[spelt])))
    raise UnsupportedError("Cast", f"text as {spelt}")


def _as_decimal(given: Given) -> exp.Expression:
    source, scale = given.call.arguments[0].type, given.call.type.scale
    if source.name == "float4":
        raise UnsupportedError("Cast", "FLOAT as a decimal, which depends on its 32-bit rounding")
    if scale is None or scale > MOST_DECIMALS:
        raise UnsupportedError("Cast", "to more than 15 decimals")
    if source.name in _INT or (source.scale is not None and source.scale <= scale):
        return given.value(0)
    return b.call("ROUND", given.value(0), b.number(str(scale)))


def _shows_all(source: Type) -> bool:
    """Whether the text of a decimal has its decimals: without a digit before the point DuckDB writes no 0."""
    scale = source.scale
    return scale is not None and scale <= MOST_DECIMALS and (source.modifier - 4) >> 16 > scale
