"""Where a query may raise an error, or meet a value that the core lacks, so that nothing is said of it."""

from __future__ import annotations

from equiv.dialects.typed.lowering.parameters import parameter_of
from equiv.dialects.typed.tree import Call, Constant, Convert, Expr, Nested, Query, parts_of

_CALLS = frozenset(
    ("/", "%", "mod", "div", "sqrt", "power", "pow", "substring", "substr", "split_part", "to_date")
)
_DIVISIONS = frozenset(("/", "//", "%", "mod", "div"))
_PATTERNS = frozenset(("~~", "!~~", "~~*", "!~~*"))
_MOVES = frozenset(("+", "-", "make_date", "make_timestamp", "to_timestamp", "date_add", "date_sub"))
_CALENDAR = frozenset(("date", "timestamp", "timestamptz"))
_SIZES = {"int2": 0, "int4": 1, "int8": 2}


def may_fail(query: Query) -> bool:
    """Whether a query divides, casts, moves a date, or takes a subquery's one row; overflow is left out."""
    return any(_may_raise(part) or may_leave_calendar(part) for part in parts_of(query))


def has_constant_error(query: Query) -> bool:
    """Whether a query divides a constant by the constant zero."""
    return any(
        isinstance(part, Call)
        and part.routine.name in _DIVISIONS
        and len(part.arguments) == 2
        and _number(part.arguments[0]) is not None
        and _number(part.arguments[1]) == 0
        for part in parts_of(query)
    )


def _number(part: Expr) -> float | None:
    """The number that a constant is, whatever it is cast to; None if it is none."""
    match part:
        case Constant(text=str(text)):
            try:
                return float(text)
            except ValueError:
                return None
        case Call(cast=True, arguments=(value, *_)):
            return _number(value)
    return None


def may_leave_calendar(part: object) -> bool:
    """Whether a part computes a date that may be beyond the years 1 to 9999."""
    return isinstance(part, Call) and part.type.name in _CALENDAR and part.routine.name in _MOVES


def _may_raise(part: object) -> bool:
    match part:
        case Call(cast=True, routine=routine, arguments=arguments):
            return _narrows(arguments[0].type.name, routine.name) or len(arguments) > 1
        case Call(routine=routine, arguments=arguments) if routine.name in _PATTERNS:
            return not isinstance(arguments[1], Constant)
        case Call(routine=routine):
            return routine.name in _CALLS
        case Convert(through_text=through_text, type=target):
            return through_text and target.name != "text" and parameter_of(part) is None
        case Nested(form=form):
            return form == "scalar"
    return False


def _narrows(source: str, target: str) -> bool:
    """Whether a number of one type may be none of another."""
    return target in _SIZES and _SIZES.get(source, len(_SIZES)) > _SIZES[target]
