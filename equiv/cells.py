"""Cells and rows, as SQLite returns them, and cells as another engine prints them."""

from __future__ import annotations

import struct
from contextlib import suppress
from math import isfinite

Cell = int | float | str | bytes | None
"""One value as SQLite returns it."""


Row = tuple[Cell, ...]


class PrintedNumber(float):
    """A number that its engine prints otherwise than Python: ``2.00``."""

    def __init__(self, text: str | float) -> None:
        self._text = str(text)

    def __repr__(self) -> str:
        return self._text


class PrintedParts(str):
    """A value that has parts, of a list say, as its engine prints it: no text, and shown without quotes."""

    __slots__ = ()


def printed_number(text: str) -> Cell:
    """The number that an engine prints as a text; the text itself for NaN and infinities."""
    if text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    return text if not isfinite(value) else value if repr(value) == text else PrintedNumber(text)


def shortest_single(value: float) -> float:
    """A 32-bit float as the number that its shortest decimal text denotes: 0.1, not 0.10000000149."""
    bits = struct.pack("<f", value)
    for digits in range(1, 10):
        shown = float(f"{value:.{digits}g}")
        # Rounded up, the greatest number is too great.
        with suppress(OverflowError):
            if struct.pack("<f", shown) == bits:
                return shown
    return value
