"""What DuckDB's columns store, in words that no dialect owns, and back; docs/across.md has the table."""

from __future__ import annotations

import re

from equiv.core.model import Column
from equiv.dialects.protocol import ValueSort, ValueType

_TYPES = {
    "TINYINT": ValueType(ValueSort.INTEGER, 16),
    "UTINYINT": ValueType(ValueSort.INTEGER, 16),
    "USMALLINT": ValueType(ValueSort.INTEGER, 32),
    "UINTEGER": ValueType(ValueSort.INTEGER, 64),
    "SMALLINT": ValueType(ValueSort.INTEGER, 16),
    "INTEGER": ValueType(ValueSort.INTEGER, 32),
    "BIGINT": ValueType(ValueSort.INTEGER, 64),
    "DOUBLE": ValueType(ValueSort.FLOAT),
    "VARCHAR": ValueType(ValueSort.TEXT),
    "BOOLEAN": ValueType(ValueSort.BOOLEAN),
    "DATE": ValueType(ValueSort.DATE),
    "TIMESTAMP": ValueType(ValueSort.TIMESTAMP),
    "BLOB": ValueType(ValueSort.BYTES),
}
_NAMES = {(found.sort, found.width): name for name, found in _TYPES.items()}
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)\Z")
_DIGITS = 38


def value_type(column: Column) -> ValueType | None:
    """What a column stores, by its type as the catalogue writes it."""
    found = _DECIMAL.match(column.native_type)
    if found is not None:
        return ValueType(ValueSort.NUMBER, int(found[1]), int(found[2]))
    return _TYPES.get(column.native_type)


def type_name(found: ValueType) -> str | None:
    """The type of a column that stores such values; numbers of any digits have DuckDB's DECIMAL(18,3)."""
    match found.sort:
        case ValueSort.NUMBER if found.width:
            fits = found.scale <= found.width <= _DIGITS
            return f"DECIMAL({found.width},{found.scale})" if fits else None
        case ValueSort.NUMBER:
            return "DECIMAL(18,3)"
        case ValueSort.TEXT:
            return "VARCHAR"
    return _NAMES.get((found.sort, found.width))
