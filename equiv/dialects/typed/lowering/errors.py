"""Where PostgreSQL may raise an error, so that a query has an answer on some databases only."""

from __future__ import annotations

from equiv.dialects.typed.lowering.parameters import parameter_of
from equiv.dialects.typed.tree import Call, Constant, Convert, Nested, Query, parts_of

_CALLS = frozenset(
    ("/", "%", "mod", "div", "sqrt", "power", "pow", "substring", "substr", "split_part", "to_date")
)
_PATTERNS = frozenset(("~~", "!~~", "~~*", "!~~*"))
_SIZES = {"int2": 0, "int4": 1, "int8": 2}


def may_fail(query: Query) -> bool:
    """Whether a query divides, casts, or takes the one row of a subquery; overflow is left out."""
    return any(map(_may_raise, parts_of(query)))


def _may_raise(part: object) -> bool:
    match part:
        case Call(cast=True, routine=routine, arguments=arguments):
            return _narrows(arguments[0].type.name, routine.name) or len(arguments) > 1
        case Call(routine=routine, arguments=arguments) if routine.name in _PATTERNS:
            return not isinstance(arguments[1], Constant)
        case Call(routine=routine):
            return routine.name in _CALLS
        case Convert(through_text=through_text):
            return through_text and parameter_of(part) is None
        case Nested(form=form):
            return form == "scalar"
    return False


def _narrows(source: str, target: str) -> bool:
    """Whether a number of one type may be none of another."""
    return target in _SIZES and _SIZES.get(source, len(_SIZES)) > _SIZES[target]
