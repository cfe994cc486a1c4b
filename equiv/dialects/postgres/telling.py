"""What PostgreSQL's columns store, in words that no dialect owns, and back; docs/across.md has the table."""

from __future__ import annotations

import re

from equiv.core.model import Column
from equiv.dialects.protocol import ValueSort, ValueType

_TYPES = {
    "smallint": ValueType(ValueSort.INTEGER, 16),
    "integer": ValueType(ValueSort.INTEGER, 32),
    "bigint": ValueType(ValueSort.INTEGER, 64),
    "numeric": ValueType(ValueSort.NUMBER),
    "double precision": ValueType(ValueSort.FLOAT),
    "text": ValueType(ValueSort.TEXT),
    "character varying": ValueType(ValueSort.TEXT),
    "boolean": ValueType(ValueSort.BOOLEAN),
    "date": ValueType(ValueSort.DATE),
    "timestamp without time zone": ValueType(ValueSort.TIMESTAMP),
    "bytea": ValueType(ValueSort.BYTES),
}
_NAMES = {(found.sort, found.width): name for name, found in reversed(_TYPES.items())}
_NAMES[ValueSort.TEXT, 0] = "text"
_VARYING = re.compile(r"character varying\((\d+)\)\Z")
_NUMERIC = re.compile(r"numeric\((\d+),(\d+)\)\Z")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*\Z")
_DIGITS = 1000


def value_type(column: Column) -> ValueType | None:
    """What a column stores, by its type as the catalogue writes it."""
    if found := _VARYING.match(column.native_type):
        return ValueType(ValueSort.TEXT, int(found[1]))
    if found := _NUMERIC.match(column.native_type):
        return ValueType(ValueSort.NUMBER, int(found[1]), int(found[2]))
    return _TYPES.get(column.native_type)


def type_name(found: ValueType) -> str | None:
    """The type of a column that stores such values."""
    match found.sort:
        case ValueSort.NUMBER if found.width:
            fits = found.scale <= found.width <= _DIGITS
            return f"numeric({found.width},{found.scale})" if fits else None
        case ValueSort.TEXT if found.width:
            return f"character varying({found.width})"
    return _NAMES.get((found.sort, found.width))


def plain_name(name: str) -> str:
    """A name as PostgreSQL reads it without quotes: in lower case; one that needs quotes as it is."""
    return name.lower() if _PLAIN.match(name) else name
