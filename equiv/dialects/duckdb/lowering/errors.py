"""Where DuckDB may raise an error, or meet a value that the core lacks."""

from __future__ import annotations

from fractions import Fraction

from equiv.dialects.duckdb.resolving.types import spelling
from equiv.dialects.typed.lowering.operators import may_leave_calendar
from equiv.dialects.typed.tree import NestedQuery, RoutineCall, Type, TypedConstant, TypedQuery, parts_of

_DIVISIONS = frozenset(("/", "//", "%", "mod"))
_CALLS = _DIVISIONS | {"sqrt", "pow", "power", "**", "^", "<<"}
_BITS = {
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
    return any(_may_raise(part) or may_leave_calendar(part) for part in parts_of(query))


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
    bits = _BITS.get(spelling(found))
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
