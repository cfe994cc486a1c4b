"""What DuckDB's columns store, in words that no dialect owns, and back; docs/across.md has the table."""

from __future__ import annotations

import re

from equiv.core.model import Column
from equiv.dialects.protocol import Sort, ValueType

_TYPES = {
    "TINYINT": ValueType(Sort.INTEGER, 16),
    "UTINYINT": ValueType(Sort.INTEGER, 16),
    "USMALLINT": ValueType(Sort.INTEGER, 32),
    "UINTEGER": ValueType(Sort.INTEGER, 64),
    "SMALLINT": ValueType(Sort.INTEGER, 16),
    "INTEGER": ValueType(Sort.INTEGER, 32),
    "BIGINT": ValueType(Sort.INTEGER, 64),
    "DOUBLE": ValueType(Sort.FLOAT),
    "VARCHAR": ValueType(Sort.TEXT),
    "BOOLEAN": ValueType(Sort.BOOLEAN),
    "DATE": ValueType(Sort.DATE),
    "TIMESTAMP": ValueType(Sort.TIMESTAMP),
    "BLOB": ValueType(Sort.BYTES),
}
_NAMES = {(found.sort, found.width): name for name, found in _TYPES.items()}
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)\Z")
_DIGITS = 38


def value_type(column: Column) -> ValueType | None:
    """What a column stores, by its type as the catalogue writes it."""
    found = _DECIMAL.match(column.native_type)
    if found is not None:
        return ValueType(Sort.NUMBER, int(found[1]), int(found[2]))
    return _TYPES.get(column.native_type)


def type_name(found: ValueType) -> str | None:
    """The type of a column that stores such values; numbers of any digits have DuckDB's DECIMAL(18,3)."""
    match found.sort:
        case Sort.NUMBER if found.width:
            fits = found.scale <= found.width <= _DIGITS
            return f"DECIMAL({found.width},{found.scale})" if fits else None
        case Sort.NUMBER:
            return "DECIMAL(18,3)"
        case Sort.TEXT:
            return "VARCHAR"
    return _NAMES.get((found.sort, found.width))
