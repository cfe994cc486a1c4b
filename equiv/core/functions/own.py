"""Functions of the core that SQLite lacks and dialects have: Python, registered on each connection.

A value that a dialect's engine would refuse with an error gives NULL.  None raises, whatever it is given.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from equiv.cells import Cell
from equiv.core.connection import Connection
from equiv.core.functions.symbols import SYMBOLS
from equiv.core.functions.texts import (
    add_interval,
    age,
    by_clocks,
    day_of,
    decimal_of,
    instant_of,
    key_text,
    local_time,
    moment_of,
    parse_date,
    parse_timestamp,
    real_of,
    sort_key,
    span_text,
    time_formatted,
    time_read,
    time_text,
    truncated,
    whole_number,
)
from equiv.core.functions.traits import (
    INTEGERS,
    NUMBERS,
    PREFIX,
    REALS,
    TEXTS,
    CallForm,
    Function,
    FunctionSort,
    LiteralStyle,
    Nulls,
    OrderDependence,
    Reads,
    Rounds,
)
from equiv.core.functions.traits import own_function as _own

_LONGEST = 100_000
"""Characters that a text may be given by padding."""
_DIGITS = 40


def _of_numbers(function: Callable[..., Cell]) -> Callable[..., Cell]:
    """A function that is NULL unless all arguments are finite numbers."""

    def called(*values: Cell) -> Cell:
        if not all(
            isinstance(each, int) or (isinstance(each, float) and abs(each) < 1e300) for each in values
        ):
            return None
        return function(*values)

    return called


def _of_texts(function: Callable[..., Cell], count: int = 3) -> Callable[..., Cell]:
    """A function that is NULL unless the first so many arguments are texts, and all others integers."""

    def called(*values: Cell) -> Cell:
        are_texts = all(isinstance(each, str) for each in values[:count])
        return (
            function(*values) if are_texts and all(isinstance(each, int) for each in values[count:]) else None
        )

    return called


def _number(value: Decimal) -> Cell:
    """An integer where it is one, as columns of numbers keep them."""
    if value == value.to_integral_value() and abs(value) < 2**63:
        return int(value)
    return float(value)


def _decimal(value: Any) -> Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _round_even(value: Any) -> Cell:
    return _number(_decimal(value).quantize(Decimal(1), ROUND_HALF_EVEN, Context(400)))


def _round_tens(value: Any, places: Any) -> Cell:
    if not 0 <= places <= 300:
        return None
    unit = Decimal(10) ** int(places)
    return _number((_decimal(value) / unit).quantize(Decimal(1), ROUND_HALF_UP, Context(400)) * unit)


def _significant(value: Any, digits: Any) -> Cell:
    found = _decimal(value)
    if not found or not isinstance(digits, int) or not 0 < digits <= _DIGITS:
        return _number(found)
    return _number(Context(digits, ROUND_HALF_EVEN).create_decimal(found))


def _decimal_text(value: Any, places: Any) -> Cell:
    """With so many decimals, however many are zeros."""
    if not isinstance(places, int) or not 0 <= places <= _DIGITS:
        return None
    found = _decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(400))
    return f"{abs(found) if found.is_zero() else found:f}"


def _widened(value: Any) -> Cell:
    try:
        (found,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        return None
    return float(found)


def _single(value: Any) -> Cell:
    """The shortest decimal that 32 bits read as they read the number."""
    wide = _widened(value)
    if not isinstance(wide, float):
        return None
    found = (float(f"{wide:.{digits}g}") for digits in range(1, 10))
    return next((each for each in found if _widened(each) == wide), wide)


def _remainder(value: Any, divisor: Any) -> Cell:
    if not divisor:
        return None
    return _number(Context(700).remainder(_decimal(value), _decimal(divisor)))


def lowercase(text: str) -> str:
    """Letter by letter, so that none becomes two and none depends on those beside it."""
    return text.lower() if text.isascii() else "".join(map(_small, text))


def _small(letter: str) -> str:
    found = letter.lower()
    return found if len(found) == 1 else found[0]


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(_capital, text))


def _capital(letter: str) -> str:
    found = letter.upper()
    if len(found) == 1:
        return found
    title = letter.title()
    return title if len(title) == 1 else letter


def _like(text: str, pattern: str) -> Cell:
    """Linear in each: after a % the part up to the next is found where it first stands."""
    signs = re.findall(r"\\.|[^\\]", pattern, re.DOTALL)
    if "".join(signs) != pattern:
        return None
    pieces = [""]
    for each in signs:
        if each == "%":
            pieces.append("")
        else:
            pieces[-1] += "." if each == "_" else re.escape(each[-1])
    first, *middle = pieces
    last = f".*{middle.pop()}" if middle else ""
    whole = first + "".join(f"(?>.*?{each})" for each in middle if each) + last
    return int(re.fullmatch(whole, text, re.DOTALL) is not None)


def _substring(text: str, start: int, length: int | None = None) -> Cell:
    if length is not None and length < 0:
        return None
    end = len(text) if length is None else start - 1 + length
    return text[max(start - 1, 0) : max(end, 0)]


def _split_part(text: str, delimiter: str, place: int) -> Cell:
    if not place:
        return None
    parts = text.split(delimiter) if delimiter else [text]
    if not text:
        parts = []
    index = place - 1 if place > 0 else len(parts) + place
    return parts[index] if 0 <= index < len(parts) else ""


def _padded(text: str, length: int) -> Cell:
    return text.ljust(length) if length <= _LONGEST else None


_INTEGER = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+(?:_[0-9]+)*)\s*", re.ASCII)
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*", re.ASCII)


def _parse_integer(text: str) -> Cell:
    found = _INTEGER.fullmatch(text[:200])
    if found is None or len(text) > 200:
        return None
    digits = found[2].replace("_", "")
    base = {"x": 16, "o": 8, "b": 2}.get(digits[1:2].lower(), 10)
    value = int(digits[2:] if base != 10 else digits, base) * (-1 if found[1] == "-" else 1)
    return value if -(2**63) <= value < 2**63 else None


def _parse_number(text: str) -> Cell:
    found = _NUMBER.fullmatch(text[:400]) if len(text) <= 400 else None
    return None if found is None else _number(Decimal(found[1]))


def _interval_part(field: str, interval: str) -> Cell:
    words = interval.split(" ")
    if len(words) != 3 or not all(re.fullmatch(r"-?[0-9]{1,18}", each, re.ASCII) for each in words):
        return None
    months, days, micros = map(int, words)
    sign = -1 if months < 0 else 1
    found: dict[str, Decimal | int] = {
        "year": sign * (abs(months) // 12),
        "month": sign * (abs(months) % 12),
        "day": days,
        "hour": int(Decimal(micros) / 3_600_000_000),
        "minute": int(Decimal(micros) / 60_000_000) % 60 if micros >= 0 else -(-micros // 60_000_000 % 60),
        "second": Decimal(abs(micros) % 60_000_000) / 1_000_000 * (1 if micros >= 0 else -1),
    }
    return _number(Decimal(found[field])) if field in found else None


def _parse_whole(text: str, bits: int = 64) -> Cell:
    if not 0 < bits <= 64:
        return None
    found = whole_number(text)
    return found if found is not None and -(2 ** (bits - 1)) <= found < 2 ** (bits - 1) else None


def _parse_decimal(text: str, width: int, scale: int) -> Cell:
    found = decimal_of(text, width, scale)
    return None if found is None else _number(found)


def _digits(name: str, most: int, code: Callable[..., Cell], **traits: Any) -> Function:
    """One that cuts a number to decimals."""
    return _own(name, most, code, **{"results": NUMBERS, "rounds": Rounds.DIGITS, "folds": True, **traits})


class AnyCell:
    """The value in any row of a group: in the first."""

    def __init__(self) -> None:
        self._cells: list[Cell] = []

    def step(self, cell: Cell) -> None:
        """Take the value of a row."""
        if not self._cells:
            self._cells.append(cell)

    def final(self) -> Cell:
        """The value; NULL of no rows."""
        return self._cells[0] if self._cells else None


class AnyValue(AnyCell):
    """The value in any row of a group in which it is not NULL."""

    def step(self, cell: Cell) -> None:
        """Take the value of a row."""
        if cell is not None:
            super().step(cell)


def _choice(name: str, code: type[AnyCell], nulls: Nulls) -> Function:
    """An aggregate that is the value in any row, for which SQLite has a bare column alone."""
    given = {"nulls": nulls, "results": NUMBERS | TEXTS | {"blob"}, "places": ("this",), "passes": True}
    form = {"sort": FunctionSort.AGGREGATE, "form": CallForm.CHOICE, "order": OrderDependence.ROWS}
    return _own(name, 1, code, **given, **form)


OWN = (
    _own("ADD_INTERVAL", 4, add_interval, reads=(Reads.ANY, Reads.ANY), parameters=(1, 2, 3)),
    _own("AGE", 2, _of_texts(age)),
    _choice("ANY_CELL", AnyCell, Nulls.ANY),
    _choice("ANY_VALUE", AnyValue, Nulls.NOTHING),
    _digits("DECIMAL_TEXT", 2, _of_numbers(_decimal_text), results=TEXTS, parameters=(1,)),
    # Of the session's zone too, so that nothing folds them.
    _own("INSTANT_AGE", 2, _of_texts(by_clocks(age, 2))),
    _own("INSTANT_MOVED", 4, by_clocks(add_interval), reads=(Reads.ANY, Reads.ANY), parameters=(1, 2, 3)),
    _own("INSTANT_OF", 1, _of_texts(instant_of)),
    _own("INSTANT_TRUNCATED", 2, truncated, parameters=(0,)),
    _digits("INTERVAL_PART", 2, _of_texts(_interval_part), folds=False, parameters=(0,)),
    # Of the database's collation too, as SORT_KEY.
    _own("KEY_TEXT", 1, _of_texts(key_text)),
    _own("LIKE_CASED", 2, _of_texts(_like), results=INTEGERS, folds=True, style=LiteralStyle.PATTERN),
    _own("LOCAL_TIME", 1, _of_texts(local_time)),
    _own("LOWERCASE", 1, _of_texts(lowercase), variants=("B{}",)),
    _own("PADDED", 2, _of_texts(_padded, 1), folds=True, parameters=(1,)),
    _own("PARSE_DATE", 2, _of_texts(parse_date), least=1, parameters=(1,)),
    _own("PARSE_DAY", 1, _of_texts(day_of)),
    _digits("PARSE_DECIMAL", 3, _of_texts(_parse_decimal, 1), folds=False, parameters=(1, 2)),
    _own("PARSE_INTEGER", 1, _of_texts(_parse_integer), results=INTEGERS),
    _own("PARSE_MOMENT", 1, _of_texts(moment_of)),
    _own("PARSE_NUMBER", 1, _of_texts(_parse_number), results=NUMBERS),
    _own("PARSE_REAL", 1, _of_texts(real_of), results=REALS),
    _own("PARSE_TIMESTAMP", 1, _of_texts(parse_timestamp)),
    _own("PARSE_WHOLE", 2, _of_texts(_parse_whole, 1), least=1, results=INTEGERS, parameters=(1,)),
    _digits("REMAINDER", 2, _of_numbers(_remainder)),
    _digits("ROUND_EVEN", 1, _of_numbers(_round_even)),
    _digits("ROUND_TENS", 2, _of_numbers(_round_tens), parameters=(1,)),
    _digits("SIGNIFICANT", 2, _of_numbers(_significant), parameters=(1,)),
    _digits("SINGLE", 1, _of_numbers(_single), results=REALS),
    # Of the database's collation too, and never one key of two texts.
    _own("SORT_KEY", 1, _of_texts(sort_key)),
    _own("SPLIT_PART", 3, _of_texts(_split_part, 2), folds=True, parameters=(1, 2), style=LiteralStyle.PART),
    _own(
        "SUBSTRING_OF",
        3,
        _of_texts(_substring, 1),
        least=2,
        folds=True,
        parameters=(1, 2),
        style=LiteralStyle.PART,
    ),
    # Of the style in which the session writes and reads dates and intervals too, and of its language.
    _own("SPAN_TEXT", 3, _of_texts(span_text), parameters=(0,)),
    _own("TIME_FORMATTED", 3, _of_texts(time_formatted), parameters=(0, 2)),
    _own("TIME_READ", 2, _of_texts(time_read), parameters=(0,)),
    _own("TIME_TEXT", 2, _of_texts(time_text), parameters=(0,)),
    _own("UPPERCASE", 1, _of_texts(_upper), variants=("B{}",)),
    _digits("WIDENED", 1, _of_numbers(_widened), results=REALS),
    *SYMBOLS,
)
"""What SQLite lacks and a dialect has."""
ANY_VALUE, ANY_CELL = CHOOSING = (f"{PREFIX}ANY_VALUE", f"{PREFIX}ANY_CELL")
"""The aggregates that are a choice: of a value, and of one that may be NULL."""


def register(connection: Connection) -> None:
    """Make the functions known to a connection.

    SQLite may keep the value of a call within one statement, and nothing changes the session within one.
    """
    for row in OWN:
        assert row.code is not None
        if row.name in CHOOSING:
            connection.create_aggregate(row.name, 1, row.code)
            continue
        for count in range(row.least, (row.most or 0) + 1):
            connection.create_function(row.name, count, row.code, deterministic=True)
