"""Where DuckDB may raise an error, or meet a value that the core lacks."""

from __future__ import annotations

from equiv.dialects.typed.lowering.errors import may_leave_calendar
from equiv.dialects.typed.tree import Call, Constant, Nested, Query, Type, parts_of

_DIVISIONS = frozenset(("/", "//", "%", "mod"))
_CALLS = _DIVISIONS | {"sqrt", "pow", "power", "**", "^"}
_DIGITS = {"int2": 5, "int4": 10, "int8": 19, "bool": 1}
_ANY = 400


def may_fail(query: Query) -> bool:
    """Whether a query divides, casts, moves a date, or takes a subquery's one row; overflow is left out."""
    return any(_may_raise(part) or may_leave_calendar(part) for part in parts_of(query))


def _may_raise(part: object) -> bool:
    match part:
        case Call(cast=True, arguments=(source,), type=target):
            return narrows(source.type, target)
        case Call(routine=routine, arguments=(_, Constant(text=str(text)))) if routine.name in _DIVISIONS:
            return not float(text)
        case Call(routine=routine):
            return routine.name in _CALLS
        case Nested(form=form):
            return form == "scalar"
    return False


def narrows(source: Type, target: Type) -> bool:
    """Whether a value of one type may be none of another."""
    if source.name == "text":
        return target.name != "text"
    if target.name in ("float4", "float8", "bool", "text") or source.name == "unknown":
        return False
    if {source.name, target.name} <= {"date", "timestamp", "time"}:
        return False
    return _digits(source) > _digits(target)


def _digits(found: Type) -> int:
    """The most digits before the point that a number of a type has; many for what is no number."""
    if found.name == "numeric" and found.scale is not None:
        return ((found.modifier - 4) >> 16) - found.scale
    return _DIGITS.get(found.name, _ANY)
