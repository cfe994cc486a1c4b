"""Numbers, dates and timestamps as DuckDB reads them from texts.

What no column of the core holds (NaN, infinity, years beyond 0001 to 9999) is NULL here.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

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
