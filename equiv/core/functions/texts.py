"""Numbers, dates and timestamps as DuckDB and PostgreSQL read them from texts.

Of what DuckDB reads, what no column of the core holds (NaN, infinity, years beyond 0001 to 9999) is NULL
here.

TO_DATE of PostgreSQL is read after ``DCH_from_char`` and ``from_char_parse_int_len`` of its formatting.c:
blanks around fields count for nothing, a separator of the format stands for one of the text or none, and
the rest is passed over.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

_LONGEST_WHOLE = 200
_MOST_WHOLE = 300
_WHOLE_BLANKS = " \t\n\v\f\r"
_WHOLE_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_DECIMAL = re.compile(
    rf"([+-]?)(?:({_WHOLE_DIGITS})(?:\.((?:{_WHOLE_DIGITS})?))?|\.({_WHOLE_DIGITS}))(?:[eE]([+-]?{_WHOLE_DIGITS})\.?)?",
    re.ASCII,
)
_BASED = re.compile(r"0(?:[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|[bB]([01]+(?:_[01]+)*))", re.ASCII)
_LIMIT = 2**63


def whole_number(text: str) -> int | None:
    """The integer that a text is to DuckDB; None where it is none, or not of 64 bits."""
    if len(text) > _LONGEST_WHOLE:
        return None
    bare = text.strip(_WHOLE_BLANKS)
    based = _BASED.fullmatch(bare)
    if based is not None:
        digits, base = (based[1], 16) if based[1] else (based[2], 2)
        return _kept(int(digits, base))
    found = _DECIMAL.fullmatch(bare)
    if found is None:
        return None
    sign, whole, part, only, exponent = found.groups(default="")
    digits = f"{sign}{whole or '0'}.{part or only or '0'}".replace("_", "")
    # Beyond as many digits as a text may have, a power leaves nothing, or what is too large.
    power = max(min(int(exponent.replace("_", "") or "0"), _MOST_WHOLE), -_MOST_WHOLE)
    value = Decimal(digits).scaleb(power, Context(prec=1000))
    return _kept(int(value.quantize(Decimal(1), ROUND_HALF_UP, Context(prec=1000))))


def _kept(value: int) -> int | None:
    return value if -_LIMIT <= value < _LIMIT else None


_LONGEST = 400
_MOST = 400
_BLANKS = " \t\n\v\f\r"
_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_NUMBER = re.compile(
    rf"([+-]?)(?:({_DIGITS})(?:\.((?:{_DIGITS})?))?|\.({_DIGITS}))(?:[eE]([+-]?{_DIGITS}))?", re.ASCII
)
_DAY = re.compile(r"([0-9]{1,4})([-/ \\])([0-9]{1,2})\2([0-9]{1,2})(?:(?![0-9])|\Z)", re.ASCII)
_CLOCK = re.compile(r"(?:[ ]+|T)([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(?:\.([0-9]{0,9}))?)?(Z?)", re.ASCII)
_LONGEST_TIME = 60


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


def _parsed(text: str) -> Decimal | None:
    found = _NUMBER.fullmatch(text.strip(_BLANKS)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    sign, whole, part, only, exponent = found.groups(default="")
    digits = f"{sign}{whole or '0'}.{part or only or '0'}".replace("_", "")
    power = max(min(int(exponent.replace("_", "") or "0"), _MOST), -2 * _MOST)
    return Decimal(digits).scaleb(power, Context(prec=2000))


def day_of(text: str) -> str | None:
    """The DATE that a text is, also one with a time behind it."""
    bare = text.strip(_BLANKS) if len(text) <= _LONGEST_TIME else ""
    found = _DAY.match(bare)
    if found is None:
        return None
    try:
        day = date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:
        return None
    return day if found.end() == len(bare) or _CLOCK.fullmatch(bare, found.end()) else None


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
    shown = at.isoformat(" ")
    return shown.rstrip("0") if at.microsecond else shown


_LENGTHS = {"YYYY": 4, "MM": 2, "DD": 2}
_FORMAT = re.compile(r"YYYY|MM|DD|[-/. ]")
_FORMAT_BLANKS = " \t\n\v\f\r"
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
    try:
        # A field that is 0 counts as missing.
        return date(found.get("YYYY", 0), found.get("MM") or 1, found.get("DD") or 1).isoformat()
    except ValueError:
        return None


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
    while place < len(text) and text[place] in _FORMAT_BLANKS:
        place += 1
    return place


def _is_separator(character: str) -> bool:
    """A blank, or a sign of ASCII that is neither a letter nor a digit."""
    return character in _FORMAT_BLANKS or (" " < character < "\x7f" and not character.isalnum())
