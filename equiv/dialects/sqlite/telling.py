"""What SQLite's columns store, in words that no dialect owns, and back; docs/across.md has the table."""

from __future__ import annotations

import re

from equiv.core.model import Affinity, Column, Domain
from equiv.dialects.protocol import Sort, ValueType

_DECIMAL = re.compile(r"(?:NUMERIC|DECIMAL|DEC|NUMBER)(?: ?\((\d{1,4})(?: ?, ?(\d{1,4}))?\))?\Z")
_CALENDAR = {
    "DATE": Sort.DATE,
    "DATE TEXT": Sort.DATE,
    "DATETIME": Sort.TIMESTAMP,
    "TIMESTAMP": Sort.TIMESTAMP,
    "TIMESTAMP TEXT": Sort.TIMESTAMP,
    "BLOB": Sort.BYTES,
}
_NAMES = {
    Sort.INTEGER: "INTEGER",
    Sort.FLOAT: "REAL",
    Sort.TEXT: "TEXT",
    Sort.BOOLEAN: "BOOLEAN",
    Sort.DATE: "DATE TEXT",
    Sort.TIMESTAMP: "TIMESTAMP TEXT",
    Sort.BYTES: "BLOB",
}


def value_type(column: Column) -> ValueType | None:
    """What a column stores if it stores what its declared type says; no length of a text is enforced."""
    if column.collation.upper() != "BINARY":
        return None
    name = " ".join(column.declared_type.upper().split())
    if name in _CALENDAR:
        return ValueType(_CALENDAR[name])
    decimal = _DECIMAL.match(name)
    if decimal is not None:
        return ValueType(Sort.NUMBER, int(decimal[1] or 0), int(decimal[2] or 0))
    match column.domain, column.affinity:
        case Domain.INTEGER, Affinity.INTEGER:
            return ValueType(Sort.INTEGER, 64)
        case Domain.NUMBER, Affinity.REAL:
            return ValueType(Sort.FLOAT)
        case Domain.BOOLEAN, Affinity.NUMERIC if name in ("BOOL", "BOOLEAN"):
            return ValueType(Sort.BOOLEAN)
        case Domain.TEXT, Affinity.TEXT if not {"DATE", "TIME"} & set(name.partition("(")[0].split()):
            return ValueType(Sort.TEXT)
    return None


def type_name(found: ValueType) -> str:
    """The declared type of a column that stores such values."""
    if found.sort is Sort.NUMBER:
        return f"NUMERIC({found.width}, {found.scale})" if found.width else "NUMERIC"
    return _NAMES[found.sort]
