"""Storage classes of what SQLite's scalar functions and operators return."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.algebra.world import World
from equiv.core.functions.table import CALLS, names
from equiv.core.functions.traits import ALL, FunctionSort, Nulls, StorageClass, StorageClasses
from equiv.facts import FactKind

_NULL: StorageClasses = frozenset({"null"})
_WHOLE: StorageClasses = frozenset({"null", "integer"})
_REAL: StorageClasses = frozenset({"null", "real"})
_NUMBERS: StorageClasses = frozenset({"integer", "real"})

STRICT = names(lambda function: function.is_strict)
"""Functions that are NULL as soon as one argument is.

REPLACE is not one: with the pattern '' it gives its first argument as a text, whatever is third.  LIKE and
GLOB are not: with a blob they may be 0 where the other argument is NULL.  (Where they are true, none is.)
"""

ARITHMETIC = names(lambda function: function.sort is FunctionSort.OPERATOR and function.follows)
"""The operators on numbers."""


def function_kinds(function: str, classes: Sequence[StorageClasses], world: World) -> StorageClasses:
    """The storage classes that a call may return, by those of its arguments.

    Args:
        function: the name as in :class:`equiv.algebra.terms.Apply`.
        classes: for each argument its possible classes.
        world: facts that are used are recorded there.
    """
    traits = CALLS.get(function)
    if traits is None:
        return ALL
    null = _NULL & frozenset[StorageClass]().union(*classes)
    if traits.follows and traits.takes(len(classes)):
        return CLASSES[function](classes, null, world)
    if traits.nulls is Nulls.NEVER:
        return traits.results
    return traits.results | (null if traits.is_sure else _NULL)


def _of_absolute(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del world
    others: StorageClasses = frozenset({"real"} if classes[0] & {"real", "text", "blob"} else ())
    return null | (classes[0] & {"integer"}) | others


def _of_part(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del world
    # SUBSTR of an empty blob is NULL.
    of_blob: StorageClasses = frozenset({"blob", "null"} if "blob" in classes[0] else ())
    return null | of_blob | ({"text"} if classes[0] & {"integer", "real", "text"} else frozenset())


def _of_extreme(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del world
    return null.union(*classes)


def _sum(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    """``+ - *`` and NEG: integers unless they overflow; REALs, of which infinities may make NULL."""
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        exact = world.holds(FactKind.EXACT_ARITHMETIC)
        return null | {"real"} if exact else frozenset({"real", "null"})
    if all(each == frozenset({"integer"}) for each in numbers):
        return null | ({"integer"} if world.holds(FactKind.NO_OVERFLOW) else _NUMBERS)
    return null | _NUMBERS | (_NULL if not world.holds(FactKind.EXACT_ARITHMETIC) else frozenset())


def _quotient(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del null
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        return _REAL
    if all(each == frozenset({"integer"}) for each in numbers) and world.holds(FactKind.NO_OVERFLOW):
        return _WHOLE
    return _NUMBERS | _NULL


def _remainder(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del null, world
    numbers = [_numeric(each) for each in classes]
    if any(each == frozenset({"real"}) for each in numbers):
        return _REAL
    return _WHOLE if all(each == frozenset({"integer"}) for each in numbers) else _NUMBERS | _NULL


def _numeric(classes: StorageClasses) -> StorageClasses:
    """The classes of an operand once it is read as a number; empty for NULL only."""
    return (classes & _NUMBERS) | (_NUMBERS if classes & {"text", "blob"} else frozenset())


CLASSES: dict[str, Callable[[Sequence[StorageClasses], StorageClasses, World], StorageClasses]] = {
    **dict.fromkeys(("+", "-", "*", "NEG"), _sum),
    "/": _quotient,
    "%": _remainder,
    "ABS": _of_absolute,
    "SUBSTR": _of_part,
    **dict.fromkeys(("MAX", "MIN"), _of_extreme),
}
"""The classes of a call by those of its arguments, which part of them is NULL, and facts."""
