"""Collation keys: two values compare under a collation as their keys compare under BINARY.

Only texts have keys that differ from them.  https://sqlite.org/datatype3.html section 7: NOCASE folds the 26
letters of ASCII, RTRIM leaves out spaces at the end.  By experiment, NOCASE reads up to the first NUL; behind
it the number of bytes alone counts.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Literal

from equiv.cells import Cell

Collation = Literal["NOCASE", "RTRIM"]
"""A collation whose keys differ from the values."""

COLLATIONS = ("BINARY", "NOCASE", "RTRIM")
"""SQLite's own collations."""

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def collation_of(name: str) -> Collation | None:
    """The collation of a name, letter case ignored, if its keys differ from the values."""
    match name.upper():
        case "NOCASE" | "RTRIM" as found:
            return found
    return None


def key_of(collation: Collation, value: Cell) -> Cell:
    """The key of a value."""
    return key_of_text(collation, value) if isinstance(value, str) else value


def key_of_text(collation: Collation, text: str) -> str:
    """The key of a text."""
    if collation == "RTRIM":
        return text.rstrip(" ")
    read, nul, rest = text.partition("\0")
    return read.translate(_SMALL) + "\0" * len((nul + rest).encode("utf-8", "surrogateescape"))
