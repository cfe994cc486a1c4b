"""Column affinity, as SQLite derives it from a declared type."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Affinity(StrEnum):
    """SQLite's column affinity, by https://sqlite.org/datatype3.html section 3.1."""

    INTEGER = "INTEGER"
    TEXT = "TEXT"
    BLOB = "BLOB"
    REAL = "REAL"
    NUMERIC = "NUMERIC"


@lru_cache(maxsize=4096)
def affinity_of(declared_type: str) -> Affinity:
    """The affinity that SQLite derives from a declared type, by its five rules."""
    name = declared_type.upper()
    if "INT" in name:
        return Affinity.INTEGER
    if any(word in name for word in ("CHAR", "CLOB", "TEXT")):
        return Affinity.TEXT
    if "BLOB" in name or not name:
        return Affinity.BLOB
    if any(word in name for word in ("REAL", "FLOA", "DOUB")):
        return Affinity.REAL
    return Affinity.NUMERIC
