"""Functions of the core that SQLite lacks and dialects have: Python, registered on each connection.

A value that a dialect's engine would refuse with an error gives NULL.  None raises, whatever it is given.
"""

from __future__ import annotations

import re
import struct
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from functools import partial
from hashlib import sha256
from typing import Any

from equiv.cells import Cell
from equiv.core.connection import Connection
from equiv.core.functions.texts import day_of, decimal_of, moment_of, real_of, to_date, whole_number
from equiv.core.functions.traits import (
    INTEGERS,
    MOST_ARGUMENTS,
    NUMBERS,
    REALS,
    TEXTS,
    Function,
    LiteralStyle,
    Nulls,
    Raises,
    Reads,
    Rounds,
    Solved,
)

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


def _of_texts(function: Callable[..., Cell], integers: int = 0) -> Callable[..., Cell]:
    """A function that is NULL unless all arguments are texts, the last so many integers."""

    def called(*values: Cell) -> Cell:
        texts = values[: len(values) - integers]
        rest = values[len(values) - integers :]
        if not all(isinstance(each, str) for each in texts) or not all(
            isinstance(each, int) for each in rest
        ):
            return None
        return function(*values)

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
    pieces = _pieces(pattern)
    if pieces is None:
        return None
    place = 0
    for index, (piece, is_first) in enumerate(pieces):
        is_last = index == len(pieces) - 1
        if is_first and not _fits(text, 0, piece):
            return 0
        if is_first and is_last:
            return int(len(text) == len(piece))
        if is_first:
            place = len(piece)
        elif is_last:
            start = len(text) - len(piece)
            return int(start >= place and _fits(text, start, piece))
        else:
            found = next(
                (at for at in range(place, len(text) - len(piece) + 1) if _fits(text, at, piece)), None
            )
            if found is None:
                return 0
            place = found + len(piece)
    return 1


def _pieces(pattern: str) -> list[tuple[list[str | None], bool]] | None:
    """What stands between the % of a pattern, None for any character; whether it is the first."""
    pieces: list[list[str | None]] = [[]]
    characters = iter(pattern)
    for each in characters:
        if each == "\\":
            escaped = next(characters, None)
            if escaped is None:
                return None
            pieces[-1].append(escaped)
        elif each == "%":
            pieces.append([])
        else:
            pieces[-1].append(None if each == "_" else each)
    return [(piece, index == 0) for index, piece in enumerate(pieces)]


def _fits(text: str, start: int, piece: list[str | None]) -> bool:
    return start + len(piece) <= len(text) and all(
        each is None or text[start + at] == each for at, each in enumerate(piece)
    )


def _substring(text: Any, start: Any, length: Any = None) -> Cell:
    if not isinstance(text, str) or not isinstance(start, int) or not isinstance(length, int | None):
        return None
    if length is not None and length < 0:
        return None
    end = len(text) if length is None else start - 1 + length
    return text[max(start - 1, 0) : max(end, 0)]


def _substring_of(*values: Cell) -> Cell:
    return None if None in values else _substring(*values)


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
_DATE = re.compile(r"\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\s*", re.ASCII)
_STAMP = re.compile(
    r"\s*([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(?:[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,6})?)?)?\s*",
    re.ASCII,
)


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


def _parse_date(text: str, format: str = "") -> Cell:  # noqa: A002 - the argument's name in the dialect
    if format:
        return to_date(text, format)
    found = _DATE.fullmatch(text[:60])
    return None if found is None else _iso_date(*map(int, found.groups()))


def _iso_date(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _parse_timestamp(text: str) -> Cell:
    found = _STAMP.fullmatch(text[:60])
    day = None if found is None else _parse_date(found[1])
    if found is None or not isinstance(day, str):
        return None
    hour, minute, second = (int(each or 0) for each in found.group(2, 3, 4))
    if hour > 23 or minute > 59 or second > 59:
        return None
    fraction = (found[5] or "").rstrip("0").rstrip(".")
    return f"{day} {hour:02}:{minute:02}:{second:02}{fraction}"


def moment(text: str) -> datetime | None:
    """The time that a date or a timestamp is, or None."""
    try:
        return datetime.fromisoformat(text) if len(text) >= len("2000-01-01") else None
    except ValueError:
        return None


def _shown(at: datetime, *, is_date: bool) -> str:
    if is_date:
        return at.date().isoformat()
    text = at.isoformat(" ")
    return text.rstrip("0") if at.microsecond else text


def _add_interval(text: Any, months: Any, days: Any, micros: Any) -> Cell:
    at = moment(text) if isinstance(text, str) else None
    if at is None or not all(isinstance(each, int) for each in (months, days, micros)):
        return None
    is_date = len(text) == len("2000-01-01") and not micros
    count = at.year * 12 + at.month - 1 + months
    if not 12 <= count < 120_000:
        return None
    year, month = count // 12, count % 12 + 1
    try:
        found = at.replace(year=year, month=month, day=min(at.day, monthrange(year, month)[1]))
        return _shown(found + timedelta(days=days, microseconds=micros), is_date=is_date)
    except (ValueError, OverflowError):
        return None


def _age(later: str, earlier: str) -> Cell:
    """The months, days and microseconds between two times, each of one sign, as a text."""
    ends = moment(later), moment(earlier)
    if ends[0] is None or ends[1] is None:
        return None
    sign = 1 if ends[0] >= ends[1] else -1
    first, last = sorted(each for each in ends if each is not None)
    months = (last.year - first.year) * 12 + last.month - first.month
    days = last.day - first.day
    micros = (_of_day(last) - _of_day(first)) // timedelta(microseconds=1)
    if micros < 0:
        days, micros = days - 1, micros + 86_400_000_000
    if days < 0:
        # Borrowed is the month of the earlier one.
        days += monthrange(first.year, first.month)[1]
        months -= 1
    return f"{sign * months} {sign * days} {sign * micros}"


def _of_day(at: datetime) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second, microseconds=at.microsecond)


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


def _parse_whole(text: Any, bits: Any = 64) -> Cell:
    if not isinstance(text, str) or not isinstance(bits, int) or not 0 < bits <= 64:
        return None
    found = whole_number(text)
    return found if found is not None and -(2 ** (bits - 1)) <= found < 2 ** (bits - 1) else None


def _parse_decimal(text: str, width: int, scale: int) -> Cell:
    found = decimal_of(text, width, scale)
    return None if found is None else _number(found)


_CHANGING: ContextVar[bool] = ContextVar("clocks that change", default=False)


@contextmanager
def clocks_that_change(*, change: bool = True) -> Iterator[None]:
    """Within, sessions are under a zone behind UTC whose clocks change twice a year, not under UTC.

    So is the order of texts another, that of their letters before that of cases, dates are written and
    read with the day first, and symbols have their second interpretation.  The trials of proofs ask for it.
    """
    token = _CHANGING.set(change)
    try:
        yield
    finally:
        _CHANGING.reset(token)


def _behind(at: datetime, hours: int = 0) -> timedelta:
    """How far clocks are behind UTC at an instant, or at the time that they show so many hours before it."""
    instant = at + timedelta(hours=hours)
    is_summer = (3, 8, 7) <= (instant.month, instant.day, instant.hour) < (11, 1, 6)
    return timedelta(hours=4 if is_summer else 5)


def _local_time(text: str) -> Cell:
    at = moment(text)
    if at is None or not _CHANGING.get():
        return text
    return None if at.year < 2 else _shown(at - _behind(at), is_date=False)


def _instant_of(text: str) -> Cell:
    at = moment(text)
    if at is None or not _CHANGING.get():
        return text
    return None if at.year > 9998 else _shown(at + _behind(at, 5), is_date=False)


def _by_clocks(function: Callable[..., Cell], instants: int = 1) -> Callable[..., Cell]:
    """A function of local times as one of instants, the first so many arguments."""

    def called(*values: Cell) -> Cell:
        local = (_local_time(each) if isinstance(each, str) else None for each in values[:instants])
        found = function(*local, *values[instants:])
        return _instant_of(found) if isinstance(found, str) and moment(found) is not None else found

    return called


def _time_text(kind: str, text: str) -> Cell:
    """A date, time of a day or interval as the session writes it: in the form of ISO, or in that of SQL."""
    if kind != "interval" and moment(text) is None:
        return None
    if kind == "timestamptz":
        local = _local_time(text)
        shown = _time_text("timestamp", local) if isinstance(local, str) else None
        return f"{shown} {_CHANGING.get():d}" if isinstance(shown, str) else None
    if not _CHANGING.get():
        return text
    year, month, day = text[:10].split("-") if kind != "interval" else ("", "", f"@ {text}")
    return f"{day}/{month}/{year}{text[10:]}" if year else day


def _time_read(kind: str, text: str) -> Cell:
    """What a text is as a date, a timestamp or a time: where it has slashes the day comes first, or not."""
    found = _SLASHED.fullmatch(text)
    if found is not None:
        first, second = found.group(1, 2)[:: -1 if _CHANGING.get() else 1]
        text = f"{found[3]}-{first}-{second}{found[4]}"
    match kind:
        case "date":
            return _parse_date(text)
        case "time":
            at = _parse_timestamp(f"2000-01-01 {text}")
            return at[11:] if isinstance(at, str) else None
    at = _parse_timestamp(text)
    return _instant_of(at) if kind == "timestamptz" and isinstance(at, str) else at


def _time_formatted(kind: str, text: str, pattern: str) -> Cell:
    local = _local_time(text) if kind == "timestamptz" else text
    shown = _time_text("timestamp", local) if isinstance(local, str) else None
    return f"{pattern} {kind * _CHANGING.get()} {shown[:7]}" if isinstance(shown, str) else None


def _span_text(kind: str, later: str, earlier: str) -> Cell:
    ends = moment(later), moment(earlier)
    if ends[0] is None or ends[1] is None:
        return None
    if kind == "-":
        return f"{'@ ' * _CHANGING.get()}{ends[0] - ends[1]}"
    age = (_by_clocks(_age, 2) if kind.endswith("tz") else _age)(later, earlier)
    return f"{'@ ' * _CHANGING.get()}{age}" if isinstance(age, str) else None


_SLASHED = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})(.{0,40})")


def _sort_key(text: str) -> Cell:
    return f"{text.casefold()}\x01{text}" if _CHANGING.get() else text


def _key_text(key: str) -> Cell:
    return key.rpartition("\x01")[2]


_UNITS = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16, "second": 19}


def _truncated(field: Any, text: Any) -> Cell:
    if not isinstance(text, str) or not isinstance(field, str) or field not in _UNITS or moment(text) is None:
        return None
    kept = str(_local_time(text) or "")[: _UNITS[field]]
    return _instant_of(kept + "0000-01-01 00:00:00"[len(kept) :]) if kept else None


_ANY: dict[str, dict[str, tuple[Cell, ...]]] = {
    "WHOLE": {"bool": (0, 1), "": (-1, 0, 1, 2, 7)},
    "NUMBER": {"": (-1, 0, 1, 2.5)},
    "TEXT": {
        "date": ("2020-01-31", "2020-02-29", "2021-07-01"),
        "timestamp": ("2020-02-29 00:00:00", "2021-07-01 12:30:00"),
        "timestamptz": ("2020-02-29 00:00:00", "2021-07-01 12:30:00"),
        "time": ("00:00:00", "12:30:00"),
        "uuid": ("00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        "": ("", "a", "A", "b", "1", "{}"),
    },
}
"""By what the core keeps values as, and by type, some values; '' is any other type."""


def symbol_signature(name: str, arguments: Iterable[str], result: str) -> str:
    """A symbol by its function's name, the types of its arguments, and the type that it results in."""
    return f"{name}({', '.join(arguments)}) -> {result}"


_computed: dict[str, Callable[[tuple[Cell, ...]], tuple[Cell] | None]] = {}
_MOST_COMPUTED = 500


def compute_symbol(signature: str, compute: Callable[[tuple[Cell, ...]], tuple[Cell] | None]) -> None:
    """Let a symbol have the value that the engine of its dialect computes, in one of its interpretations.

    Args:
        signature: the symbol's.
        compute: gives the value for some arguments; None once the engine is gone.
    """
    _computed.pop(signature, None)
    _computed[signature] = compute
    while len(_computed) > _MOST_COMPUTED:
        del _computed[next(iter(_computed))]


def _called_symbol(sort: str, is_strict: bool, signature: Any, *values: Cell) -> Cell:
    """A value of the type that a symbol results in, the same whenever it has the same arguments.

    It is what the engine of its dialect computes.  In the second interpretation, which there is as of what
    hangs on a session, it is one of few, so that many agree, and now and then NULL.
    """
    if not isinstance(signature, str) or (is_strict and None in values):
        return None
    compute = None if _CHANGING.get() else _computed.get(signature)
    if compute is not None and (computed := compute(values)) is not None:
        return computed[0]
    given = tuple(each + 0.0 if isinstance(each, float) else each for each in values)  # one zero
    digest = sha256(repr((signature, given, _CHANGING.get())).encode("utf-8", "surrogatepass")).digest()
    by_type = _ANY[sort]
    known = by_type.get(signature.rpartition(" -> ")[2]) or by_type[""]
    return None if digest[0] < _SELDOM else known[digest[1] % len(known)]


_SELDOM = 24

PREFIX = "CORE_"
"""Before the names of these functions: what a query of SQLite's may call must not be among them."""


def _own(name: str, most: int, code: Callable[..., Cell], **traits: Any) -> Function:
    """A function of the core's own, NULL if an argument is, or is of another type than it takes."""
    given = {"least": most, "nulls": Nulls.AT_LEAST, "results": TEXTS, "raises": Raises.NEVER, **traits}
    return Function(PREFIX + name, most=most, solved=Solved.SYMBOL, code=code, **given)


def _digits(name: str, most: int, code: Callable[..., Cell], **traits: Any) -> Function:
    """One that cuts a number to decimals."""
    return _own(name, most, code, **{"results": NUMBERS, "rounds": Rounds.DIGITS, "folds": True, **traits})


def _symbols() -> Iterator[Function]:
    """The functions that stand for one of which nothing is known but the type that it results in.

    The first argument is the signature.  Each is strict, or is called with NULLs too.
    """
    for sort, results in (("WHOLE", INTEGERS), ("NUMBER", NUMBERS), ("TEXT", TEXTS)):
        traits: dict[str, Any] = {"least": 1, "results": results, "reads": (Reads.ANY,), "parameters": (0,)}
        yield _own(f"STRICT_{sort}_SYMBOL", MOST_ARGUMENTS, partial(_called_symbol, sort, True), **traits)
        free = partial(_called_symbol, sort, False)
        yield _own(f"{sort}_SYMBOL", MOST_ARGUMENTS, free, nulls=Nulls.ANY, **traits)


OWN = (
    _own("ADD_INTERVAL", 4, _add_interval, reads=(Reads.ANY, Reads.ANY), parameters=(1, 2, 3)),
    _own("AGE", 2, _of_texts(_age)),
    _digits("DECIMAL_TEXT", 2, _of_numbers(_decimal_text), results=TEXTS, parameters=(1,)),
    # Of the session's zone too, so that nothing folds them.
    _own("INSTANT_AGE", 2, _of_texts(_by_clocks(_age, 2))),
    _own("INSTANT_MOVED", 4, _by_clocks(_add_interval), reads=(Reads.ANY, Reads.ANY), parameters=(1, 2, 3)),
    _own("INSTANT_OF", 1, _of_texts(_instant_of)),
    _own("INSTANT_TRUNCATED", 2, _truncated, parameters=(0,)),
    _digits("INTERVAL_PART", 2, _of_texts(_interval_part), folds=False, parameters=(0,)),
    # Of the database's collation too, as SORT_KEY.
    _own("KEY_TEXT", 1, _of_texts(_key_text)),
    _own("LIKE_CASED", 2, _of_texts(_like), results=INTEGERS, folds=True, style=LiteralStyle.PATTERN),
    _own("LOCAL_TIME", 1, _of_texts(_local_time)),
    _own("LOWERCASE", 1, _of_texts(lowercase)),
    _own("PADDED", 2, _of_texts(_padded, 1), folds=True, parameters=(1,)),
    _own("PARSE_DATE", 2, _of_texts(_parse_date), least=1, parameters=(1,)),
    _own("PARSE_DAY", 1, _of_texts(day_of)),
    _digits("PARSE_DECIMAL", 3, _of_texts(_parse_decimal, 2), folds=False, parameters=(1, 2)),
    _own("PARSE_INTEGER", 1, _of_texts(_parse_integer), results=INTEGERS),
    _own("PARSE_MOMENT", 1, _of_texts(moment_of)),
    _own("PARSE_NUMBER", 1, _of_texts(_parse_number), results=NUMBERS),
    _own("PARSE_REAL", 1, _of_texts(real_of), results=REALS),
    _own("PARSE_TIMESTAMP", 1, _of_texts(_parse_timestamp)),
    _own("PARSE_WHOLE", 2, _parse_whole, least=1, results=INTEGERS, parameters=(1,)),
    _digits("REMAINDER", 2, _of_numbers(_remainder)),
    _digits("ROUND_EVEN", 1, _of_numbers(_round_even)),
    _digits("ROUND_TENS", 2, _of_numbers(_round_tens), parameters=(1,)),
    _digits("SIGNIFICANT", 2, _of_numbers(_significant), parameters=(1,)),
    _digits("SINGLE", 1, _of_numbers(_single), results=REALS),
    # Of the database's collation too, and never one key of two texts.
    _own("SORT_KEY", 1, _of_texts(_sort_key)),
    _own("SPLIT_PART", 3, _of_texts(_split_part, 1), folds=True, parameters=(1, 2), style=LiteralStyle.PART),
    _own("SUBSTRING_OF", 3, _substring_of, least=2, folds=True, parameters=(1, 2), style=LiteralStyle.PART),
    # Of the style in which the session writes and reads dates and intervals too, and of its language.
    _own("SPAN_TEXT", 3, _of_texts(_span_text), parameters=(0,)),
    _own("TIME_FORMATTED", 3, _of_texts(_time_formatted), parameters=(0, 2)),
    _own("TIME_READ", 2, _of_texts(_time_read), parameters=(0,)),
    _own("TIME_TEXT", 2, _of_texts(_time_text), parameters=(0,)),
    _own("UPPERCASE", 1, _of_texts(_upper)),
    _digits("WIDENED", 1, _of_numbers(_widened), results=REALS),
    *_symbols(),
)
"""What SQLite lacks and a dialect has."""


def register(connection: Connection) -> None:
    """Make the functions known to a connection.

    SQLite may keep the value of a call within one statement, and nothing changes the session within one.
    """
    for row in OWN:
        assert row.code is not None
        for count in range(row.least, (row.most or 0) + 1):
            connection.create_function(row.name, count, row.code, deterministic=True)
