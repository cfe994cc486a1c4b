"""Cells of PostgreSQL's values, by the number of their type; docs/postgres.md has the table."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from math import isfinite

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
    return "NaN" if field in (b"NaN", b"nan") else float(field)


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
    return _spelt(microseconds)


def _spelt(microseconds: int) -> str:
    """An interval of days and hours."""
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


def _date_sent(sent: bytes) -> Cell:
    (days,) = struct.unpack("!i", sent)
    return _end(days, 32) or _from_2000(timedelta(days)).removesuffix(" 00:00:00")


def _instant_sent(sent: bytes) -> Cell:
    (microseconds,) = struct.unpack("!q", sent)
    found = _end(microseconds, 64) or _from_2000(timedelta(microseconds=microseconds))
    return found.rstrip("0") if "." in found else found


def _end(number: int, bits: int) -> str:
    """What the least and the greatest number of some bits stand for."""
    return {2 ** (bits - 1) - 1: "infinity", -(2 ** (bits - 1)): "-infinity"}.get(number, "")


def _from_2000(span: timedelta) -> str:
    try:
        return (datetime(2000, 1, 1) + span).isoformat(" ")  # noqa: DTZ001 - in UTC, or in no zone
    except OverflowError:
        return f"{span} from 2000 on"


def _interval_sent(sent: bytes) -> Cell:
    microseconds, days, months = struct.unpack("!qii", sent)
    if (end := _end(microseconds, 64)) and end == _end(days, 32) == _end(months, 32):
        return end
    return _spelt(microseconds + days * _UNIT["day"] + months * _UNIT["mon"])


def _real_sent(sent: bytes) -> Cell:
    (value,) = struct.unpack("!f", sent)
    return float(shortest_single(value)) if isfinite(value) else _float(str(value).encode())


def shortest_single(value: float) -> str:
    """The shortest text that reads as a number of 32 bits."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        # Rounded up, the greatest number is too great.
        with suppress(OverflowError):
            if struct.pack("<f", float(text)) == struct.pack("<f", value):
                return repr(float(text))
    return repr(value)


def _double_sent(sent: bytes) -> Cell:
    (value,) = struct.unpack("!d", sent)
    return _float(repr(value).encode())


_SENT: dict[int, tuple[str, Callable[[bytes], Cell]]] = {
    17: ("byteasend", bytes),
    700: ("float4send", _real_sent),
    701: ("float8send", _double_sent),
    1082: ("date_send", _date_sent),
    1114: ("timestamp_send", _instant_sent),
    1184: ("timestamptz_send", _instant_sent),
    1186: ("interval_send", _interval_sent),
}
"""The types whose values a session writes as its settings say: what gives their bytes, and cells of these."""


def sending(query: str, types: Sequence[int]) -> str:
    """The query with the bytes, in hexadecimal, of values that a session writes as its settings say."""
    if not _SENT.keys() & {*types}:
        return query
    columns = [f"c{place}" for place in range(len(types))]
    shown = (
        f"pg_catalog.encode(pg_catalog.{_SENT[kind][0]}({name}), 'hex')" if kind in _SENT else name
        for name, kind in zip(columns, types, strict=True)
    )
    return f"SELECT {', '.join(shown)} FROM ({query}\n) q({', '.join(columns)})"


def sent_cell(field: bytes | None, type_number: int) -> Cell:
    """The core's cell of a value that :func:`sending` gives."""
    if field is None or type_number not in _SENT:
        return cell_of(field, type_number)
    return _SENT[type_number][1](bytes.fromhex(field.decode()))
