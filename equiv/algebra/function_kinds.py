"""Storage classes of what SQLite's scalar functions and operators return."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.algebra.terms import Kind
from equiv.algebra.world import World
from equiv.facts import FactKind

Kinds = frozenset[Kind]

_ALL: Kinds = frozenset({"null", "integer", "real", "text", "blob"})
_NULL: Kinds = frozenset({"null"})
_WHOLE: Kinds = frozenset({"null", "integer"})
_REAL: Kinds = frozenset({"null", "real"})
_TEXT: Kinds = frozenset({"null", "text"})
_NUMBERS: Kinds = frozenset({"integer", "real"})

_ON_BITS = ("&", "|", "~", "<<", ">>")
_ON_TEXT = ("||", "UPPER", "LOWER", "TRIM", "LTRIM", "RTRIM")
_MATCHES = ("LIKE", "GLOB")
_COUNTING = ("LENGTH", "INSTR")
_TIMES = ("STRFTIME", "DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH")
_ON_NUMBERS = ("+", "-", "*", "/", "%", "NEG", "ABS", "ROUND", "SIGN")
_OTHERS = ("SUBSTR", "MAX", "MIN", "UNICODE")

STRICT = frozenset((*_ON_BITS, *_ON_TEXT, *_COUNTING, *_TIMES, *_ON_NUMBERS, *_OTHERS))
"""Functions that are NULL as soon as one argument is.

REPLACE is not one: with the pattern '' it gives its first argument back, whatever the third one is.  LIKE and
GLOB are not: with a blob they may be 0 where the other argument is NULL.  (Where they are true, none is.)
"""

_STRICT_RESULTS: dict[str, Kind] = {
    **dict.fromkeys((*_ON_BITS, *_COUNTING, *_MATCHES), "integer"),
    **dict.fromkeys(_ON_TEXT, "text"),
    "ROUND": "real",
}
"""Functions that are NULL only if an argument is, and else of one class."""

_NULLABLE_RESULTS: dict[str, Kinds] = {
    **dict.fromkeys(["STRFTIME", "DATE", "TIME", "DATETIME", "PRINTF", "CHAR"], _TEXT),
    **dict.fromkeys(["UNIXEPOCH", "UNICODE", "SIGN"], _WHOLE),
    "JULIANDAY": _REAL,
}
_SURE_RESULTS: dict[str, Kinds] = {
    **dict.fromkeys(("NOW_DATE", "NOW_TIME", "NOW_TIMESTAMP", "TYPEOF", "HEX", "QUOTE"), frozenset({"text"})),
    "NOW_INSTANT": frozenset({"real"}),
}
NEVER_NULL = frozenset(_SURE_RESULTS)


def function_kinds(function: str, classes: Sequence[Kinds], world: World) -> Kinds:
    """The storage classes that a call may return, by those of its arguments.

    Args:
        function: the name as in :class:`equiv.algebra.terms.Apply`.
        classes: for each argument its possible classes.
        world: facts that are used are recorded there.
    """
    null = _NULL & frozenset[Kind]().union(*classes)
    if function in _ARITHMETIC:
        return _ARITHMETIC[function](classes, null, world)
    if function in _STRICT_RESULTS:
        return null | {_STRICT_RESULTS[function]}
    if function in _SURE_RESULTS:
        return _SURE_RESULTS[function]
    if function in _NULLABLE_RESULTS:
        return _NULLABLE_RESULTS[function]
    match function:
        case "ABS" | "SUBSTR" | "REPLACE" if classes:
            return null | _of_first(function, classes[0])
        case "MAX" | "MIN" if len(classes) > 1:
            return frozenset().union(*classes)
        case "COALESCE" | "IFNULL" if classes:
            found: Kinds = frozenset().union(*classes)
            return found if all("null" in each for each in classes) else found - _NULL
        case "NULLIF" if classes:
            return classes[0] | _NULL
    return _ALL


def _of_first(function: str, first: Kinds) -> Kinds:
    if function == "ABS":
        return (first & {"integer"}) | ({"real"} if first & {"real", "text", "blob"} else frozenset())
    if function == "SUBSTR":
        # SUBSTR of an empty blob is NULL.
        of_blob: Kinds = frozenset({"blob", "null"}) if "blob" in first else frozenset()
        return of_blob | ({"text"} if first & {"integer", "real", "text"} else frozenset())
    # REPLACE gives its first argument back if the pattern is ''.
    return (first - _NULL) | {"text"}


def _sum(classes: Sequence[Kinds], null: Kinds, world: World) -> Kinds:
    """``+ - *`` and NEG: integers unless they overflow; REALs, of which infinities may make NULL."""
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        exact = world.holds(FactKind.EXACT_ARITHMETIC)
        return null | {"real"} if exact else frozenset({"real", "null"})
    if all(each == frozenset({"integer"}) for each in numbers):
        return null | ({"integer"} if world.holds(FactKind.NO_OVERFLOW) else _NUMBERS)
    return null | _NUMBERS | (_NULL if not world.holds(FactKind.EXACT_ARITHMETIC) else frozenset())


def _quotient(classes: Sequence[Kinds], null: Kinds, world: World) -> Kinds:
    del null
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        return _REAL
    if all(each == frozenset({"integer"}) for each in numbers) and world.holds(FactKind.NO_OVERFLOW):
        return _WHOLE
    return _NUMBERS | _NULL


def _remainder(classes: Sequence[Kinds], null: Kinds, world: World) -> Kinds:
    del null, world
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        return _REAL
    return _WHOLE if all(each == frozenset({"integer"}) for each in numbers) else _NUMBERS | _NULL


def _numeric(classes: Kinds) -> Kinds:
    """The classes of an operand once it is read as a number; empty for NULL only."""
    return (classes & _NUMBERS) | (_NUMBERS if classes & {"text", "blob"} else frozenset())


_ARITHMETIC: dict[str, Callable[[Sequence[Kinds], Kinds, World], Kinds]] = {
    **dict.fromkeys(("+", "-", "*", "NEG"), _sum),
    "/": _quotient,
    "%": _remainder,
}
