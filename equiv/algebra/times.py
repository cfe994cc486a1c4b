"""What STRFTIME returns for formats of fixed parts: text of an integer, and texts put together from such parts.

Verified by experiment on SQLite 3.40 over its whole range of dates, with modifiers and odd arguments.
"""

from __future__ import annotations

from equiv.algebra.terms import Apply, Compare, Constant, Convert, Expression

_WIDTHS = {"%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2, "%W": 2, "%j": 3, "%w": 1}
"""Codes that give always so many decimal digits."""

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "NEG"))


def width(expression: Expression) -> int:
    """How many decimal digits a call always gives where it is not NULL; 0 for what is no such call."""
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


def as_number(node: Apply | Convert) -> Apply | Convert:
    """Arithmetic on the text of an integer, or its conversion into a number, by that integer.

    ABS and SUM are not among it: of a text they make a REAL.
    """
    match node:
        case Apply(function, arguments) if function in _ARITHMETIC:
            if any(map(is_integer_text, arguments)):
                return Apply(function, tuple(map(_read, arguments)))
        case Convert("NUMERIC", inner, _) if is_integer_text(inner):
            return _read(inner)  # type: ignore[return-value]
        case Convert("REAL", inner, True) if is_integer_text(inner):
            return Convert("REAL", _read(inner), explicit=True)
    return node


def _read(value: Expression) -> Expression:
    return Convert("INTEGER", value, explicit=True) if is_integer_text(value) else value


def by_parts(node: Compare) -> tuple[Compare, ...]:
    """The equality of two dates in several parts as equalities in each; none for another comparison.

    *Sound*: of the parts only the year has no fixed width, so that texts of one format that are equal are so
    part by part.  Whether a call is NULL depends on its date alone, not on the codes, all known ones:
    the conjunction is NULL where the equality is.
    """
    match node:
        case Compare(
            "=",
            Apply("STRFTIME", (Constant("text", form), *mine)),
            Apply("STRFTIME", (Constant("text", other), *theirs)),
        ) if form == other:
            codes = _codes(form)
            if len(codes) > 1:
                return tuple(Compare("=", _part(code, mine), _part(code, theirs)) for code in codes)
    return ()


def _part(code: str, moment: list[Expression]) -> Expression:
    return Apply("STRFTIME", (Constant("text", code), *moment))


def _codes(form: str) -> tuple[str, ...]:
    """The codes of a format in the order of their first use; none if not all are known, or two are years."""
    if form == "%Y-%m-%d" or not (form.isascii() and form.isprintable()):
        # The one is a date, and compared as such; of the others STRFTIME reads but what precedes a NUL.
        return ()
    found: dict[str, None] = {}
    at = 0
    while at < len(form):
        if form[at] != "%":
            at += 1
            continue
        code = form[at : at + 2]
        if code not in _WIDTHS and (code != "%Y" or code in found):
            return ()
        found[code] = None
        at += 2
    return tuple(found)
