"""Cells of PostgreSQL's values, by the number of their type; docs/postgres.md has the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

from equiv.cells import Cell


class Family(StrEnum):
    """Types whose values may be equal; values of two families never are."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    DATE = "date"
    TIMESTAMP = "timestamp"
    INSTANT = "timestamptz"
    TIME = "time"
    INTERVAL = "interval"
    BYTES = "bytes"
    UUID = "uuid"


def cell_of(field: bytes | None, type_number: int) -> Cell:
    """The core's cell of a value as PostgreSQL writes it under this program's settings."""
    if field is None:
        return None
    return _CELLS.get(type_number, _text)(field)


def family_of(type_number: int) -> str:
    """The family of a type; ``type NUMBER`` for one whose values may be equal and show otherwise."""
    known = _FAMILIES.get(type_number)
    return f"type {type_number}" if known is None else known.value


def _text(field: bytes) -> Cell:
    return field.decode("utf-8", "surrogateescape")


def _unpadded(field: bytes) -> Cell:
    return field.decode("utf-8", "surrogateescape").rstrip(" ")


def _boolean(field: bytes) -> Cell:
    return int(field == b"t")


def _float(field: bytes) -> Cell:
    # A NaN equals itself in PostgreSQL: the float would not.
    return "NaN" if field == b"NaN" else float(field)


def _numeric(field: bytes) -> Cell:
    if not field[-1:].isdigit():
        return _float(field)
    value = Decimal(field.decode())
    whole = int(value) if abs(value) < _LARGEST else None
    return whole if whole is not None and whole == value else float(value)


def _zoned(field: bytes) -> Cell:
    text = field.decode()
    if text.endswith("+00") or _OFFSET.search(text) is None:
        return text.removesuffix("+00")
    try:
        at = datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None).isoformat(" ")
    except (ValueError, OverflowError):
        return text
    return at.rstrip("0") if "." in at else at


_OFFSET = re.compile(r":\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)*\Z")


def _bytes(field: bytes) -> Cell:
    return bytes.fromhex(field[2:].decode())


def _interval(field: bytes) -> Cell:
    """One spelling for equal intervals: a month is 30 days, a day 24 hours."""
    text = field.decode()
    if text.endswith("infinity"):
        return text
    microseconds = 0
    *parts, last = ["", *text.split(" ")]
    for number, unit in zip(parts[1::2], [*parts[2::2], last], strict=False):
        microseconds += int(number) * _UNIT[unit.removesuffix("s")]
    if ":" in last:
        hours, minutes, seconds = last.lstrip("+-").split(":")
        span = int(hours) * 3_600_000_000 + int(minutes) * 60_000_000 + round(Decimal(seconds) * 1_000_000)
        microseconds += -span if last.startswith("-") else span
    days, rest = divmod(abs(microseconds), _UNIT["day"])
    seconds_, fraction = divmod(rest, 1_000_000)
    sign = "-" if microseconds < 0 else ""
    clock_text = f"{seconds_ // 3600:02}:{seconds_ // 60 % 60:02}:{seconds_ % 60:02}"
    return f"{sign}{days} days {clock_text}" + (f".{fraction:06}" if fraction else "")


_LARGEST = 2**63
_UNIT = {"year": 360 * 86_400_000_000, "mon": 30 * 86_400_000_000, "day": 86_400_000_000}

_NUMBERS: dict[int, Callable[[bytes], Cell]] = {
    **dict.fromkeys((20, 21, 23, 26), int),
    **dict.fromkeys((700, 701), _float),
    1700: _numeric,
}
_OTHERS: dict[int, tuple[Family, Callable[[bytes], Cell]]] = {
    16: (Family.BOOLEAN, _boolean),
    17: (Family.BYTES, _bytes),
    18: (Family.TEXT, _text),
    19: (Family.TEXT, _text),
    25: (Family.TEXT, _text),
    705: (Family.TEXT, _text),
    1042: (Family.TEXT, _unpadded),
    1043: (Family.TEXT, _text),
    1082: (Family.DATE, _text),
    1083: (Family.TIME, _text),
    1114: (Family.TIMESTAMP, _text),
    1184: (Family.INSTANT, _zoned),
    1186: (Family.INTERVAL, _interval),
    2950: (Family.UUID, _text),
}
_CELLS = _NUMBERS | {number: cell for number, (_, cell) in _OTHERS.items()}
_FAMILIES = dict.fromkeys(_NUMBERS, Family.NUMBER) | {n: family for n, (family, _) in _OTHERS.items()}
