"""STRFTIME with formats of fixed width: its value as digits, and as parts of digits.

Verified by experiment on SQLite 3.40 over its whole range of dates, with modifiers and odd arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.function_kinds import ARITHMETIC
from equiv.algebra.terms import Apply, Compare, Constant, Convert, Expression

_WIDTHS = {"%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2, "%W": 2, "%j": 3, "%w": 1}
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
    at = place = 0
    while at < len(form):
        if form[at] != "%":
            if text[place : place + 1] != form[at]:
                return {}
            at, place = at + 1, place + 1
            continue
        code = form[at : at + 2]
        length = _WIDTHS.get(code, 4)
        part = text[place : place + length]
        if len(part) < length or not (part.isascii() and part.isdigit()) or readings.get(code, part) != part:
            return {}
        readings[code] = part
        at, place = at + 2, place + length
    return readings if place == len(text) else {}


def _part(code: str, moment: Sequence[Expression]) -> Expression:
    return Apply("STRFTIME", (Constant("text", code), *moment))


def _codes(form: str) -> tuple[str, ...]:
    """The codes of a format in the order of their first use; none if one is unknown, or there is only one."""
    if form == "%Y-%m-%d" or not (form.isascii() and form.isprintable()):
        # The one is a date, and compared as such; of the others STRFTIME reads but what precedes a NUL.
        return ()
    codes: dict[str, None] = {}
    at = 0
    while at < len(form):
        if form[at] != "%":
            at += 1
            continue
        code = form[at : at + 2]
        if code not in _WIDTHS and (code != "%Y" or code in codes):
            # Two years of unknown widths could share the digits between them otherwise.
            return ()
        codes[code] = None
        at += 2
    return tuple(codes) if len(codes) > 1 else ()
