"""Constants of node trees: the bytes of a value as the text that PostgreSQL writes for it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from math import isfinite

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.values import shortest_single

_EPOCH = date(2000, 1, 1)
_MIDNIGHT = datetime.combine(_EPOCH, time())
_VARLENA = 4
"""Bytes that the length of a value takes, of which one type may have many."""


def text_of(type_name: str, words: str) -> str:
    """The text of a constant.

    Args:
        type_name: of its type.
        words: its length and its bytes, as a node tree has them: ``4 [ 1 0 0 0 0 0 0 0 ]``.

    Raises:
        UnsupportedError: a type whose bytes are not read here, or a value that has no plain text.
    """
    reading = _READINGS.get(type_name)
    if reading is None:
        raise UnsupportedError("Const", f"a constant of type {type_name}")
    found = bytes(int(word) & 0xFF for word in words[words.index("[") + 1 : words.rindex("]")].split())
    return reading(found)


def _number(form: str) -> Callable[[bytes], str]:
    size = struct.calcsize(form)
    return lambda found: str(struct.unpack(form, found[:size])[0])


def _float(form: str) -> Callable[[bytes], str]:
    def read(found: bytes) -> str:
        (value,) = struct.unpack(form, found[: struct.calcsize(form)])
        if not isfinite(value):
            raise UnsupportedError("Const", "a number that is not finite")
        return shortest_single(value) if form == "<f" else repr(value)

    return read


def _text(found: bytes) -> str:
    return found[_VARLENA:].decode("utf-8")


def _name(found: bytes) -> str:
    return found.split(b"\0", 1)[0].decode("utf-8")


def _numeric(found: bytes) -> str:
    """https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/numeric.c: the packed forms."""
    (header,) = struct.unpack_from("<H", found, _VARLENA)
    sign = header & 0xC000
    if sign == 0xC000:
        raise UnsupportedError("Const", "a number that is not finite")
    start = _VARLENA + 2
    if sign == 0x8000:
        negative, scale = bool(header & 0x2000), (header & 0x1F80) >> 7
        weight = (header & 0x3F) | (~0x3F if header & 0x40 else 0)
    else:
        negative, scale = sign == 0x4000, header & 0x3FFF
        (weight,) = struct.unpack_from("<h", found, start)
        start += 2
    digits = [struct.unpack_from("<h", found, at)[0] for at in range(start, len(found) - 1, 2)]
    return ("-" if negative else "") + _decimal(digits, weight, scale)


def _decimal(digits: list[int], weight: int, scale: int) -> str:
    """The text of digits to base 10000, the first of which counts 10000 ** weight, with so many decimals."""

    def digit(place: int) -> int:
        return digits[weight - place] if 0 <= weight - place < len(digits) else 0

    whole = "".join(f"{digit(place):04}" for place in range(max(weight, 0), -1, -1)).lstrip("0") or "0"
    decimals = "".join(f"{digit(place):04}" for place in range(-1, -1 - (scale + 3) // 4, -1))[:scale]
    return f"{whole}.{decimals}" if scale else whole


def _date(found: bytes) -> str:
    (days,) = struct.unpack_from("<i", found)
    try:
        return (_EPOCH + timedelta(days=days)).isoformat()
    except OverflowError:
        raise UnsupportedError("Const", "a date outside of the years 1 to 9999") from None


def _timestamp(found: bytes) -> str:
    (micros,) = struct.unpack_from("<q", found)
    try:
        at = _MIDNIGHT + timedelta(microseconds=micros)
    except OverflowError:
        raise UnsupportedError("Const", "a timestamp outside of the years 1 to 9999") from None
    return at.isoformat(" ").rstrip("0") if at.microsecond else at.isoformat(" ")


def _timestamptz(found: bytes) -> str:
    return _timestamp(found) + "+00"


def _time(found: bytes) -> str:
    (micros,) = struct.unpack_from("<q", found)
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text


def _interval(found: bytes) -> str:
    """Months, days and microseconds, each in its own unit."""
    micros, days, months = struct.unpack_from("<qii", found)
    if months in (2**31 - 1, -(2**31)):
        raise UnsupportedError("Const", "an infinite interval")
    seconds, fraction = divmod(abs(micros), 1_000_000)
    sign = "-" if micros < 0 else ""
    return f"{months} months {days} days {sign}{seconds}.{fraction:06} seconds"


_READINGS: dict[str, Callable[[bytes], str]] = {
    "bool": lambda found: "true" if found[0] else "false",
    "int2": _number("<h"),
    "int4": _number("<i"),
    "int8": _number("<q"),
    "oid": _number("<I"),
    "float4": _float("<f"),
    "float8": _float("<d"),
    "numeric": _numeric,
    "text": _text,
    "varchar": _text,
    "bpchar": _text,
    "unknown": lambda found: found.split(b"\0", 1)[0].decode("utf-8"),
    "name": _name,
    "date": _date,
    "timestamp": _timestamp,
    "timestamptz": _timestamptz,
    "time": _time,
    "interval": _interval,
}
"""How the bytes of a type are read, on a little-endian machine of 64 bits."""
