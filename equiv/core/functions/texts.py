"""Numbers, dates and times as DuckDB and PostgreSQL read them from texts, and as the core has them.

A date is a text as `2020-02-29`, a timestamp `2020-02-29 12:30:00`, an instant the same under UTC; an
interval is its months, days and microseconds with blanks between.  Of what DuckDB reads, what no column of
the core holds (NaN, infinity, years beyond 0001 to 9999) is NULL here, as any other text is.

TO_DATE of PostgreSQL is read after ``DCH_from_char`` and ``from_char_parse_int_len`` of its formatting.c:
blanks around fields count for nothing, a separator of the format stands for one of the text or none, and
the rest is skipped.
"""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from equiv.cells import Cell

_LONGEST_WHOLE = 200
_LONGEST = 400
_MOST = 400
_BLANKS = " \t\n\v\f\r"
_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_NUMBER = re.compile(
    rf"([+-]?)(?:({_DIGITS})(?:\.((?:{_DIGITS})?))?|\.({_DIGITS}))(?:[eE]([+-]?{_DIGITS})(\.?))?", re.ASCII
)
"""A number; one that is to be whole may have a point behind its exponent."""
_BASED = re.compile(r"0(?:[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|[bB]([01]+(?:_[01]+)*))", re.ASCII)
_LIMIT = 2**63
_DAY = re.compile(r"([0-9]{1,4})([-/ \\])([0-9]{1,2})\2([0-9]{1,2})(?:(?![0-9])|\Z)", re.ASCII)
_CLOCK = re.compile(r"(?:[ ]+|T)([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(?:\.([0-9]{0,9}))?)?(Z?)", re.ASCII)
_LONGEST_TIME = 60


def whole_number(text: str) -> int | None:
    """The integer that a text is to DuckDB; None where it is none, or not of 64 bits."""
    if len(text) > _LONGEST_WHOLE:
        return None
    based = _BASED.fullmatch(text.strip(_BLANKS))
    if based is not None:
        digits, base = (based[1], 16) if based[1] else (based[2], 2)
        return _kept(int(digits, base))
    value = _parsed(text, is_whole=True)
    if value is None:
        return None
    return _kept(int(value.quantize(Decimal(1), ROUND_HALF_UP, Context(prec=2000))))


def _kept(value: int) -> int | None:
    return value if -_LIMIT <= value < _LIMIT else None


def real_of(text: str) -> float | None:
    """The DOUBLE that a text is; None where it is none, or not finite."""
    found = _parsed(text)
    if found is None:
        return None
    value = float(found)
    return value if math.isfinite(value) else None


def decimal_of(text: str, width: int, scale: int) -> Decimal | None:
    """The DECIMAL(width, scale) that a text is, half away from zero; None where it is none."""
    found = _parsed(text)
    if found is None or not 0 <= scale <= width <= 38:
        return None
    if found.adjusted() > _MOST:
        return None
    value = found.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, Context(prec=2000))
    return value if abs(value) < Decimal(10) ** (width - scale) else None


def _parsed(text: str, *, is_whole: bool = False) -> Decimal | None:
    found = _NUMBER.fullmatch(text.strip(_BLANKS)) if len(text) <= _LONGEST else None
    if found is None or (found[6] and not is_whole):
        return None
    sign, whole, part, only, exponent, _ = found.groups(default="")
    digits = f"{sign}{whole or '0'}.{part or only or '0'}".replace("_", "")
    power = max(min(int(exponent.replace("_", "") or "0"), _MOST), -2 * _MOST)
    return Decimal(digits).scaleb(power, Context(prec=2000))


def day_of(text: str) -> str | None:
    """The DATE that a text is, also one with a time behind it."""
    bare = text.strip(_BLANKS) if len(text) <= _LONGEST_TIME else ""
    found = _DAY.match(bare)
    if found is None:
        return None
    is_whole = found.end() == len(bare) or _CLOCK.fullmatch(bare, found.end()) is not None
    return _iso_date(int(found[1]), int(found[3]), int(found[4])) if is_whole else None


def moment_of(text: str) -> str | None:
    """The TIMESTAMP that a text is, without one of another zone."""
    bare = text.lstrip(_BLANKS) if len(text) <= _LONGEST_TIME else ""
    found = _DAY.match(bare)
    if found is None:
        return None
    clock = _CLOCK.fullmatch(bare.rstrip(_BLANKS), found.end())
    if clock is None and found.end() != len(bare):
        return None
    hour, minute, second = (int(each or 0) for each in clock.group(1, 2, 3)) if clock else (0, 0, 0)
    micros = int((clock[4] or "")[:6].ljust(6, "0")) if clock else 0
    is_midnight = (hour, minute, second, micros) == (24, 0, 0, 0)
    if (hour > 23 and not is_midnight) or minute > 59 or second > 59:
        return None
    try:
        at = datetime(int(found[1]), int(found[3]), int(found[4]))  # noqa: DTZ001 - none is meant
        at += timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micros)
    except (ValueError, OverflowError):
        return None
    return _shown(at, is_date=False)


_LENGTHS = {"YYYY": 4, "MM": 2, "DD": 2}
_FORMAT = re.compile(r"YYYY|MM|DD|[-/. ]")
_WHOLE = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", re.ASCII)
_LONGEST_FORMAT = 200
_MOST_DIGITS = 2**31


def is_known(form: str) -> bool:
    """Whether a format is one of years, months and days, each once at most, and plain separators."""
    fields = _FORMAT.findall(form)
    return "".join(fields) == form and all(fields.count(name) <= 1 for name in _LENGTHS) and "YYYY" in fields


def to_date(text: str, form: str) -> str | None:
    """The date that a text has by a format; None where PostgreSQL raises, or has a year before the first."""
    if len(text) > _LONGEST_FORMAT or "\0" in text or not is_known(form):
        return None
    found = _fields(text, _FORMAT.findall(form))
    if found is None:
        return None
    # A field that is 0 counts as missing.
    return _iso_date(found.get("YYYY", 0), found.get("MM") or 1, found.get("DD") or 1)


def _fields(text: str, form: list[str]) -> dict[str, int] | None:
    """The numbers of the fields; None if one is none."""
    found: dict[str, int] = {}
    place = 0
    for at, name in enumerate(form):
        if place == len(text):
            break
        if name in _LENGTHS or not at:
            place = _after_blanks(text, place)
            if place == len(text):
                break
        if name not in _LENGTHS:
            place += _is_separator(text[place])
            continue
        is_open = at + 1 == len(form) or form[at + 1] not in _LENGTHS
        read = _number(text, place, 0 if is_open else _LENGTHS[name])
        if read is None:
            return None
        found[name], place = read
        place = _after_blanks(text, place)
    return found


def _number(text: str, place: int, length: int) -> tuple[int, int] | None:
    """A number at a place, of a length unless that is 0, and where it ends."""
    part = text[place : place + length] if length else text[place:]
    found = _WHOLE.match(part)
    if found is None or len(part) < length or (length and found.end() < length):
        return None
    value = int(found[1])
    return (value, place + found.end()) if -_MOST_DIGITS <= value < _MOST_DIGITS else None


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def _is_separator(character: str) -> bool:
    """Whether a sign is a blank, or a sign of ASCII that is neither a letter nor a digit."""
    return character in _BLANKS or (" " < character < "\x7f" and not character.isalnum())


_DATE = re.compile(r"\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\s*", re.ASCII)
_STAMP = re.compile(
    r"\s*([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(?:[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,6})?)?)?\s*",
    re.ASCII,
)


def parse_date(text: str, format: str = "") -> Cell:  # noqa: A002 - the argument's name in the dialect
    """The date that a text names, in the form of ISO or in one given."""
    if format:
        return to_date(text, format)
    found = _DATE.fullmatch(text[:60])
    return None if found is None else _iso_date(*map(int, found.groups()))


def _iso_date(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def parse_timestamp(text: str) -> Cell:
    """The timestamp that a text names, in the form of ISO."""
    found = _STAMP.fullmatch(text[:60])
    day = None if found is None else parse_date(found[1])
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


def unit_begun(unit: str, at: datetime) -> datetime:
    """The begin of the day, week, month, quarter or year that a time lies in."""
    day = datetime(at.year, at.month, at.day)  # noqa: DTZ001 - a clock on the wall
    match unit:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
    return day


def unit_after(unit: str, begin: datetime) -> datetime:
    """The begin of the next unit."""
    days = {"day": 1, "week": 7, "month": 31, "quarter": 93, "year": 366}[unit]
    return unit_begun(unit, begin + timedelta(days=days))


def _shown(at: datetime, *, is_date: bool) -> str:
    if is_date:
        return at.date().isoformat()
    text = at.isoformat(" ")
    return text.rstrip("0") if at.microsecond else text


def add_interval(text: Any, months: Any, days: Any, micros: Any) -> Cell:
    """A date or a timestamp so much later; the day is the last of its month where that is shorter."""
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


def age(later: str, earlier: str) -> Cell:
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


CHANGING: ContextVar[bool] = ContextVar("clocks that change", default=False)


@contextmanager
def clocks_that_change(*, change: bool = True) -> Iterator[None]:
    """Within, sessions are under a zone behind UTC whose clocks change twice a year, not under UTC.

    So is the order of texts another, that of their letters before that of cases, dates are written and
    read with the day first, and symbols have their second interpretation.  The trials of proofs ask for it.
    """
    token = CHANGING.set(change)
    try:
        yield
    finally:
        CHANGING.reset(token)


def _behind(at: datetime, hours: int = 0) -> timedelta:
    """How far clocks are behind UTC at an instant, or at the time that they show so many hours before it."""
    instant = at + timedelta(hours=hours)
    is_summer = (3, 8, 7) <= (instant.month, instant.day, instant.hour) < (11, 1, 6)
    return timedelta(hours=4 if is_summer else 5)


def local_time(text: str) -> Cell:
    """The local time that the session's time zone gives an instant."""
    at = moment(text)
    if at is None or not CHANGING.get():
        return text
    return None if at.year < 2 else _shown(at - _behind(at), is_date=False)


def instant_of(text: str) -> Cell:
    """The instant at which the clocks of the session show a timestamp."""
    at = moment(text)
    if at is None or not CHANGING.get():
        return text
    return None if at.year > 9998 else _shown(at + _behind(at, 5), is_date=False)


def by_clocks(function: Callable[..., Cell], instants: int = 1) -> Callable[..., Cell]:
    """A function of local times as one of instants, the first so many arguments."""

    def called(*values: Cell) -> Cell:
        local = (local_time(each) if isinstance(each, str) else None for each in values[:instants])
        found = function(*local, *values[instants:])
        return instant_of(found) if isinstance(found, str) and moment(found) is not None else found

    return called


def time_text(kind: str, text: str) -> Cell:
    """A date, time of a day or interval as the session writes it: in the form of ISO, or in that of SQL."""
    if kind != "interval" and moment(text) is None:
        return None
    if kind == "timestamptz":
        local = local_time(text)
        shown = time_text("timestamp", local) if isinstance(local, str) else None
        return f"{shown} {CHANGING.get():d}" if isinstance(shown, str) else None
    if not CHANGING.get():
        return text
    year, month, day = text[:10].split("-") if kind != "interval" else ("", "", f"@ {text}")
    return f"{day}/{month}/{year}{text[10:]}" if year else day


def time_read(kind: str, text: str) -> Cell:
    """The date, timestamp or time that a text means; with slashes the day comes first, or does not."""
    found = _SLASHED.fullmatch(text)
    if found is not None:
        first, second = found.group(1, 2)[:: -1 if CHANGING.get() else 1]
        text = f"{found[3]}-{first}-{second}{found[4]}"
    match kind:
        case "date":
            return parse_date(text)
        case "time":
            at = parse_timestamp(f"2000-01-01 {text}")
            return at[11:] if isinstance(at, str) else None
    at = parse_timestamp(text)
    return instant_of(at) if kind == "timestamptz" and isinstance(at, str) else at


def time_formatted(kind: str, text: str, pattern: str) -> Cell:
    """A timestamp or an instant as TO_CHAR writes it by a pattern, as a symbol of its month."""
    local = local_time(text) if kind == "timestamptz" else text
    shown = time_text("timestamp", local) if isinstance(local, str) else None
    return f"{pattern} {kind * CHANGING.get()} {shown[:7]}" if isinstance(shown, str) else None


def span_text(kind: str, later: str, earlier: str) -> Cell:
    """The text of the interval between two times, by subtraction or as AGE counts it."""
    ends = moment(later), moment(earlier)
    if ends[0] is None or ends[1] is None:
        return None
    if kind == "-":
        return f"{'@ ' * CHANGING.get()}{ends[0] - ends[1]}"
    found = (by_clocks(age, 2) if kind.endswith("tz") else age)(later, earlier)
    return f"{'@ ' * CHANGING.get()}{found}" if isinstance(found, str) else None


_SLASHED = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})(.{0,40})")


def sort_key(text: str) -> Cell:
    """The key by which texts are in the order of the database."""
    return f"{text.casefold()}\x01{text}" if CHANGING.get() else text


def key_text(key: str) -> Cell:
    """The text of which a key is."""
    return key.rpartition("\x01")[2]


UNITS = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16, "second": 19}
"""Units of time, and where each ends in the text of a timestamp."""


def truncated(field: Any, text: Any) -> Cell:
    """An instant cut to a year, month, day, hour, minute or second of the session's clocks."""
    if not isinstance(text, str) or not isinstance(field, str) or field not in UNITS or moment(text) is None:
        return None
    kept = str(local_time(text) or "")[: UNITS[field]]
    return instant_of(kept + rest_of(len(kept))) if kept else None


def rest_of(length: int) -> str:
    """The text of a timestamp at the beginning of a unit, without its first ``length`` characters."""
    return "0000-01-01 00:00:00"[length:]
