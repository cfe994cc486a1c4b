"""Expressions brought to one form before they are encoded: literals evaluated, dates spelt one way.

Calls on literals are evaluated by SQLite itself; calls that take the same part of a date are one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING

from equiv.algebra import scalar_functions
from equiv.algebra import terms as t
from equiv.algebra.scalar_functions import ARITHMETIC
from equiv.cells import Cell
from equiv.core.functions.table import CALLS, call_text
from equiv.core.functions.traits import TIME_CODES, pieces_of
from equiv.core.runner import RunnerError
from equiv.core.single_values import Calculator, key_of_text
from equiv.facts import FactKind

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


_NOW = t.Apply("NOW_TIMESTAMP")
_TODAY = t.Apply("NOW_DATE")
_DAYS = frozenset(code for code, known in TIME_CODES.items() if known.of_day)
_WRITTEN = frozenset(code for code in _DAYS if TIME_CODES[code].place)
_PARTS = {code: (TIME_CODES[code].place, TIME_CODES[code].digits) for code in _WRITTEN}
_PARTS |= {"%Y-%m": (1, 7), "%m-%d": (6, 5)}
_TIMES = {code: known.place for code, known in TIME_CODES.items() if not known.of_day}
_DIGITS = {(str(place), str(length)): length for place, length in map(_PARTS.__getitem__, _WRITTEN)}


def normalised(node: t.Apply, encoder: Encoder) -> t.Expression:
    """The call, or an equal one: on today for what depends on the date alone, on the text of an ISO date."""
    match node:
        case t.Apply("STRFTIME", (t.Constant("text", form), moment)):
            if moment == _NOW and _codes(form) <= _DAYS:
                return normalised(t.Apply("STRFTIME", (node.arguments[0], _TODAY)), encoder)
            # For other codes SQLite rounds to milliseconds: by %w 23:59:59.9995 is the next day.
            if _codes(form) <= _WRITTEN and is_iso_timestamp(moment, encoder):
                return normalised(t.Apply("STRFTIME", (node.arguments[0], _day(moment))), encoder)
            if form in _TIMES and is_iso_timestamp(moment, encoder):
                return t.Apply("SUBSTR", (moment, t.integer(_TIMES[form]), t.integer(2)))
            if (form in _PARTS or form == "%Y-%m-%d") and is_iso_date(moment, encoder):
                if form == "%Y-%m-%d":
                    return moment
                start, length = _PARTS[form]
                return t.Apply("SUBSTR", (_whole(moment), t.integer(start), t.integer(length)))
        case t.Apply("DATE", (moment,)):
            return _date(moment, encoder) or node
        case t.Apply("DATETIME", (moment,)) if moment == _NOW:
            return _NOW
        case t.Apply("SUBSTR", (t.Apply("||", (moment, t.Constant("text"))), *places)):
            if _ends(places) in range(1, 11) and is_iso_date(moment, encoder):
                return t.Apply("SUBSTR", (moment, *places))
    return node


def _date(moment: t.Expression, encoder: Encoder) -> t.Expression | None:
    """What DATE makes of a date, a timestamp or the current time; None of anything else."""
    if moment in (_NOW, _TODAY):
        return _TODAY
    if is_iso_date(moment, encoder):
        return moment
    return _day(moment) if is_iso_timestamp(moment, encoder) else None


def _ends(places: Sequence[t.Expression]) -> int:
    """The last character that SUBSTR reads, its place and length being literals; 0 if they are not."""
    match places:
        case (t.Constant("integer", start), t.Constant("integer", length)) if int(start) > 0 < int(length):
            return int(start) + int(length) - 1
    return 0


def _day(moment: t.Expression) -> t.Expression:
    """The date that a timestamp's text begins with."""
    return t.Apply("SUBSTR", (moment, t.integer(1), t.integer(10)))


def _whole(moment: t.Expression) -> t.Expression:
    """The text of which a date is the beginning: that of a timestamp, or the date itself."""
    match moment:
        case t.Apply("SUBSTR", (whole, *_)):
            return whole
    return moment


def _codes(form: str) -> frozenset[str]:
    """The codes of a format, such as ``%Y``."""
    return frozenset(piece for piece in pieces_of(form) if piece.startswith("%"))


def digits(expression: t.Expression, encoder: Encoder) -> int:
    """The number of decimal digits of a value that is a part of a date or time of day; else 0."""
    match expression:
        case t.Apply("SUBSTR", (moment, t.Constant("integer", start), t.Constant("integer", length))):
            count = _DIGITS.get((start, length), 0)
            spelt = is_iso_date(moment, encoder) or is_iso_timestamp(moment, encoder)
            return count if count and spelt else 0
    return scalar_functions.width(expression)


def is_iso_date(expression: t.Expression, encoder: Encoder) -> bool:
    """Whether a value is NULL or a date YYYY-MM-DD by a fact, which is recorded."""
    match expression:
        case t.Apply("NOW_DATE"):
            return True
        case t.Apply("SUBSTR", (moment, t.Constant("integer", "1"), t.Constant("integer", "10"))):
            return is_iso_timestamp(moment, encoder)
    return _holds(FactKind.ISO_DATE, expression, encoder)


def is_iso_timestamp(expression: t.Expression, encoder: Encoder) -> bool:
    """Whether a value is NULL or a timestamp YYYY-MM-DD HH:MM:SS by a fact, which is recorded."""
    return _holds(FactKind.ISO_TIMESTAMP, expression, encoder)


def _holds(kind: FactKind, expression: t.Expression, encoder: Encoder) -> bool:
    """Whether a value is a column's of which a fact says how its texts are spelt; the fact is recorded."""
    match expression:
        case t.Field(row, str(column)):
            source = encoder.sources.get(row)
            table = source.table if isinstance(source, t.Scan) else ""
        case t.Lookup(table, _, _, column):
            pass
        case _:
            return False
    return bool(table) and encoder.world.holds(kind, table, column)


_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
"""LIKE ignores the case of ASCII letters, and of no others."""


class Simplifier:
    """Simplifies calls and conversions, bottom up."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._rounds = encoder.world.facts.find(FactKind.EXACT_ARITHMETIC) is None

    def __call__(self, expression: t.Expression) -> t.Expression:
        """The expression or an equal one that is simpler."""
        if not isinstance(expression, t.Apply | t.Convert):
            return expression
        return self._apply(expression) if isinstance(expression, t.Apply) else self._convert(expression)

    def _apply(self, node: t.Apply) -> t.Expression:
        arguments = self._plain_arguments(node.function, tuple(self(each) for each in node.arguments))
        literals = [each for each in arguments if isinstance(each, t.Constant)]
        if arguments and len(literals) == len(arguments) and self._folds(node.function, literals):
            value = _call(node.function, literals)
            if value is not None:
                return value
        if any(old is not new for old, new in zip(node.arguments, arguments, strict=True)):
            node = t.Apply(node.function, arguments)
        return normalised(node, self._encoder)

    def _plain_arguments(
        self, function: str, arguments: tuple[t.Expression, ...]
    ) -> tuple[t.Expression, ...]:
        """The arguments, or simpler ones that make no difference to this function."""
        if function in ARITHMETIC:
            # Text that is nothing but digits counts as that integer.
            return tuple(
                t.Convert("INTEGER", each, explicit=True) if digits(each, self._encoder) else each
                for each in arguments
            )
        if function == "LIKE" and len(arguments) == 2:
            text, pattern = arguments
            if isinstance(pattern, t.Constant) and pattern.kind == "text":
                pattern = t.Constant("text", pattern.text.translate(_LOWER))
            match text:
                case t.Apply("UPPER" | "LOWER", (inner,)) if "blob" not in self._encoder.value(inner).kinds:
                    text = inner
            return text, pattern
        return arguments

    def _folds(self, function: str, arguments: list[t.Constant]) -> bool:
        """Whether SQLite's own arithmetic on literals is what the facts say: exact, or rounding."""
        exact = self._rounds or all(each.kind in ("integer", "null") for each in arguments)
        return function not in ARITHMETIC or exact

    def _convert(self, node: t.Convert) -> t.Expression:
        value = self(node.value)
        if isinstance(value, t.Constant):
            run = _cast if node.explicit else _affinity
            found = run(node.to, value)
            if found is not None:
                return found
        if node.to in ("REAL", "NUMERIC") and digits(value, self._encoder):
            value = t.Convert("INTEGER", value, explicit=True)
            if node.to == "NUMERIC":
                return value
        return node if value is node.value else t.Convert(node.to, value, node.explicit)


_CLOCK_WORDS = ("now", "localtime", "utc")
_LONGEST = 1000
_SQLITE = Calculator(longest=100_000)


def _call(function: str, arguments: Sequence[t.Constant]) -> t.Constant | None:
    """The value of a call on literals; None if it is not certain: an error, the clock, no finite number."""
    found = CALLS.get(function)
    if found is None or not found.folds or not found.takes(len(arguments)):
        return None
    if found.reads_time and any(word in each.text.lower() for each in arguments for word in _CLOCK_WORDS):
        return None
    return _evaluate(call_text(function, len(arguments)), arguments)


def _cast(to: t.Target, value: t.Constant) -> t.Constant | None:
    """The value of ``CAST(value AS to)``."""
    return _evaluate(f"CAST(? AS {to})", (value,))


def _affinity(to: t.Target, value: t.Constant) -> t.Constant | None:
    """A literal under the NUMERIC or TEXT affinity, or the collation, that a comparison applies."""
    if to in ("NOCASE", "RTRIM"):
        return t.Constant("text", key_of_text(to, value.text)) if value.kind == "text" else value
    if to == "TEXT":
        return _cast("TEXT", value) if value.kind in ("integer", "real") else value
    if to != "NUMERIC" or value.kind != "text":
        return value if to in ("NUMERIC", "BLOB") else None
    try:
        return _constant(_SQLITE.stored("NUMERIC", value.text))
    except (RunnerError, UnicodeError, OverflowError):
        return None


@lru_cache(maxsize=4096)
def _cached(expression: str, arguments: tuple[t.Constant, ...]) -> t.Constant | None:
    try:
        cells = [_cell(argument) for argument in arguments]
        if any(isinstance(cell, float) and not isfinite(cell) for cell in cells):
            return None
        return _constant(_SQLITE.value(expression, cells))
    except (RunnerError, ValueError, OverflowError):
        return None


def _evaluate(expression: str, arguments: Sequence[t.Constant]) -> t.Constant | None:
    return _cached(expression, tuple(arguments))


def _cell(constant: t.Constant) -> Cell:
    match constant.kind:
        case "null":
            return None
        case "integer":
            value = int(constant.text)
            return value if -(2**63) <= value < 2**63 else float(constant.text)
        case "real":
            return float(constant.text)
        case "blob":
            return bytes.fromhex(constant.text)
    return constant.text


def _constant(cell: Cell) -> t.Constant | None:
    match cell:
        case None:
            return t.NULL
        case int():
            return t.Constant("integer", str(cell))
        case float():
            return t.Constant("real", repr(cell)) if isfinite(cell) else None
        case bytes():
            return t.Constant("blob", cell.hex()) if len(cell) <= _LONGEST else None
    return t.Constant("text", cell) if len(cell) <= _LONGEST else None
