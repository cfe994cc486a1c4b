"""Where DuckDB may raise an error, so that a query has an answer on some databases only."""

from __future__ import annotations

from equiv.dialects.postgres.analysis.tree import Call, Constant, Nested, Query, parts_of

_CALLS = frozenset(("/", "//", "%", "mod", "sqrt", "pow", "power", "**", "^"))
_SIZES = {"int2": 0, "int4": 1, "int8": 2}


def may_fail(query: Query) -> bool:
    """Whether a query divides, casts, or takes the one row of a subquery; overflow is left out."""
    return any(map(_may_raise, parts_of(query)))


def _may_raise(part: object) -> bool:
    match part:
        case Call(arguments=arguments) if arguments and all(isinstance(each, Constant) for each in arguments):
            return False
        case Call(cast=True, arguments=(source,), type=target):
            narrows = (
                target.name in _SIZES and _SIZES.get(source.type.name, len(_SIZES)) > _SIZES[target.name]
            )
            return narrows or source.type.name == "text" != target.name
        case Call(routine=routine, arguments=(_, Constant(text=text))) if routine.name in (
            "/",
            "//",
            "%",
            "mod",
        ):
            return text is not None and not float(text)
        case Call(routine=routine):
            return routine.name in _CALLS
        case Nested(form=form):
            return form == "scalar"
    return False
