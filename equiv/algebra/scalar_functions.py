"""SQLite's functions in the algebra: storage classes of results, numbers of literals, and STRFTIME.

STRFTIME with formats of fixed width is known as digits, and as parts of digits: verified by experiment on
SQLite 3.40 over its whole range of dates, with modifiers and odd arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite

from equiv.algebra.terms import Apply, Compare, Constant, Convert, Expression
from equiv.algebra.world import World
from equiv.answers.exact import stands_for
from equiv.core.functions.table import CALLS, names
from equiv.core.functions.traits import (
    ALL,
    INTEGERS,
    NULL_ONLY,
    NUMBERS,
    REALS,
    TIME_CODES,
    WHOLE,
    FunctionSort,
    Nulls,
    StorageClass,
    StorageClasses,
    pieces_of,
)
from equiv.facts import FactKind

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
    null = NULL_ONLY & frozenset[StorageClass]().union(*classes)
    if traits.follows and traits.takes(len(classes)):
        return CLASSES[function](classes, null, world)
    if traits.nulls is Nulls.NEVER:
        return traits.results
    return traits.results | (null if traits.is_sure else NULL_ONLY)


def _of_absolute(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del world
    others: StorageClasses = REALS if classes[0] & {"real", "text", "blob"} else frozenset()
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
    if any(each == REALS for each in numbers):
        exact = world.holds(FactKind.EXACT_ARITHMETIC)
        return null | {"real"} if exact else REALS | NULL_ONLY
    if all(each == INTEGERS for each in numbers):
        return null | ({"integer"} if world.holds(FactKind.NO_OVERFLOW) else NUMBERS)
    return null | NUMBERS | (NULL_ONLY if not world.holds(FactKind.EXACT_ARITHMETIC) else frozenset())


def _quotient(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del null
    numbers = [_numeric(each) for each in classes]
    if any(each == REALS for each in numbers):
        return REALS | NULL_ONLY
    if all(each == INTEGERS for each in numbers) and world.holds(FactKind.NO_OVERFLOW):
        return WHOLE
    return NUMBERS | NULL_ONLY


def _remainder(classes: Sequence[StorageClasses], null: StorageClasses, world: World) -> StorageClasses:
    del null, world
    numbers = [_numeric(each) for each in classes]
    if any(each == REALS for each in numbers):
        return REALS | NULL_ONLY
    return WHOLE if all(each == INTEGERS for each in numbers) else NUMBERS | NULL_ONLY


def _numeric(classes: StorageClasses) -> StorageClasses:
    """The classes of an operand once it is read as a number; empty for NULL only."""
    return (classes & NUMBERS) | (NUMBERS if classes & {"text", "blob"} else frozenset())


CLASSES: dict[str, Callable[[Sequence[StorageClasses], StorageClasses, World], StorageClasses]] = {
    **dict.fromkeys(("+", "-", "*", "NEG"), _sum),
    "/": _quotient,
    "%": _remainder,
    "ABS": _of_absolute,
    "SUBSTR": _of_part,
    **dict.fromkeys(("MAX", "MIN"), _of_extreme),
}
"""The classes of a call by those of its arguments, which part of them is NULL, and facts."""


_INTEGERS = range(-(2**63), 2**63)


def number_of(value: Expression) -> int | Fraction | None:
    """The number that a numeric literal stands for; None if SQLite has no finite number for it.

    A REAL below 2**53 stands for its shortest decimal notation, a larger one for itself, a whole number:
    this keeps order and equality among REALs, and of REALs with integers.
    """
    if not isinstance(value, Constant) or value.kind not in ("integer", "real"):
        return None
    if value.kind == "integer" and int(value.text) in _INTEGERS:
        return int(value.text)
    try:
        real = float(value.text)
    except ValueError:
        return None
    return stands_for(real) if isfinite(real) else None


_WIDTHS = {code: known.digits for code, known in TIME_CODES.items() if code != "%Y"}
"""Codes that give always so many decimal digits."""


def width(expression: Expression) -> int:
    """The fixed number of digits that a STRFTIME call returns if not NULL; 0 for any other expression."""
    match expression:
        case Apply("STRFTIME", (Constant("text", form), *_)):
            return _WIDTHS.get(form, 0)
    return 0


def is_year(expression: Expression) -> bool:
    """Whether a value is NULL or a year: four digits from 0 on, a sign and at least three before."""
    match expression:
        case Apply("STRFTIME", (Constant("text", "%Y"), *_)):
            return True
    return False


def is_integer_text(expression: Expression) -> bool:
    """Whether a value is NULL or a text that spells an integer and nothing else.

    The years before 0 have a sign (``-4713``, and ``-005`` for the year -5), those from 0 on four digits.
    Arithmetic, CAST and the NUMERIC affinity all read such a text as that integer.
    """
    match expression:
        case Apply("STRFTIME", (Constant("text", "%s"), *_)):
            return True
    return is_year(expression) or width(expression) > 0


def on_numbers(node: Apply) -> Apply:
    """Arithmetic with the text of an integer as one with that integer.

    ABS and SUM are not arithmetic in this sense: of a text they make a REAL.
    """
    if node.function in ARITHMETIC and any(map(is_integer_text, node.arguments)):
        return Apply(node.function, tuple(map(_read, node.arguments)))
    return node


def of_number(node: Convert) -> Convert:
    """The conversion of the text of an integer into a number as one of that integer."""
    if not is_integer_text(node.value):
        return node
    match node:
        case Convert("NUMERIC", inner, _):
            return Convert("INTEGER", inner, explicit=True)
        case Convert("REAL", inner, True):
            return Convert("REAL", _read(inner), explicit=True)
    return node


def _read(value: Expression) -> Expression:
    return Convert("INTEGER", value, explicit=True) if is_integer_text(value) else value


def by_parts(node: Compare) -> tuple[Compare, ...]:
    """The equality of a date in several parts, with another or a literal, part by part; none for other nodes.

    *Sound*: of the parts only the year has no fixed width, so that texts of one format that are equal are so
    part by part.  Whether a call is NULL depends on its date alone, not on the codes, all known ones:
    the conjunction is NULL where the equality is.
    """
    match node:
        case Compare("=", Apply("STRFTIME", (Constant("text", form), *mine)), other):
            codes = _codes(form)
            match other:
                case Apply("STRFTIME", (Constant("text", same), *theirs)) if form == same and codes:
                    return tuple(Compare("=", _part(code, mine), _part(code, theirs)) for code in codes)
                case Constant("text", text) if codes:
                    texts = _read_as(form, text)
                    parts = zip(codes, map(texts.get, codes), strict=True) if texts else ()
                    return tuple(Compare("=", _part(c, mine), Constant("text", t or "")) for c, t in parts)
        case Compare("=", Constant() as literal, Apply("STRFTIME") as call):
            return by_parts(Compare("=", call, literal))
    return ()


def by_date(node: Compare) -> Compare:
    """The comparison of STRFTIME('%Y-%m-%d', …) with a literal as one of DATE(…).

    *Sound*: they differ for the years before 0 only, which both write with a minus sign in front: before,
    and never equal to, a literal that begins with a digit.
    """
    left, right = _as_date(node.left, node.right), _as_date(node.right, node.left)
    return node if left is node.left and right is node.right else Compare(node.operator, left, right)


def _as_date(side: Expression, other: Expression) -> Expression:
    match side, other:
        case Apply("STRFTIME", (Constant("text", "%Y-%m-%d"), *moment)), Constant("text", text):
            if moment and "0" <= text[:1] <= "9":
                return Apply("DATE", tuple(moment))
    return side


def _read_as(form: str, text: str) -> dict[str, str]:
    """The parts of a literal that is spelt by a format, the year in four digits; empty if it is not."""
    readings: dict[str, str] = {}
    place = 0
    for code in pieces_of(form):
        if not code.startswith("%"):
            if text[place : place + 1] != code:
                return {}
            place += 1
            continue
        length = _WIDTHS.get(code, 4)
        part = text[place : place + length]
        if len(part) < length or not (part.isascii() and part.isdigit()) or readings.get(code, part) != part:
            return {}
        readings[code] = part
        place += length
    return readings if place == len(text) else {}


def _part(code: str, moment: Sequence[Expression]) -> Expression:
    return Apply("STRFTIME", (Constant("text", code), *moment))


def _codes(form: str) -> tuple[str, ...]:
    """The codes of a format in the order of their first use; none if one is unknown, or there is only one."""
    if form == "%Y-%m-%d" or not (form.isascii() and form.isprintable()):
        # The one is a date, and compared as such; of the others STRFTIME reads but what precedes a NUL.
        return ()
    codes = [piece for piece in pieces_of(form) if piece.startswith("%")]
    # Two years of unknown widths could share the digits between them otherwise.
    is_known = codes.count("%Y") <= 1 and {*codes} <= TIME_CODES.keys()
    return tuple(dict.fromkeys(codes)) if is_known and len({*codes}) > 1 else ()
