"""Cells of DuckDB's values, and their literals; docs/duckdb.md has the table."""

from __future__ import annotations

import math
import struct
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

from equiv.cells import Cell
from equiv.core.model import Column, Domain
from equiv.core.query import NOTHING

_LARGEST = 2**63


def cell_of(value: object) -> Cell:
    """The core's cell of a value as DuckDB's client gives it."""
    match value:
        case None | str() | bytes():
            return value
        case bool():
            return int(value)
        case int():
            return value if -_LARGEST <= value < _LARGEST else float(value)
        case float():
            # A NaN equals itself in DuckDB: the float would not.
            return "NaN" if math.isnan(value) else value
        case Decimal():
            whole = int(value)
            return whole if whole == value and abs(whole) < _LARGEST else float(value)
        case datetime():
            return _stamp(value)
        case date() | UUID():
            return str(value)
        case time():
            return _short(value.isoformat())
    return str(value)


def single(cell: Cell) -> Cell:
    """A number of 32 bits, as the client widens it, as the shortest decimal that reads as it."""
    if not isinstance(cell, float) or not math.isfinite(cell):
        return cell
    bits = struct.pack("<f", cell)
    shown = (float(f"{cell:.{digits}g}") for digits in range(6, 10))
    return next((each for each in shown if _bits_of(each) == bits), cell)


def _bits_of(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return b""


def shown(cell: Cell) -> str | None:
    """A cell as a text that casts to what it is in a column of DuckDB; NULL is None."""
    match cell:
        case None | str():
            return cell
        case bytes():
            return _escaped(cell)
        case float():
            return repr(cell)
    return str(cell)


def _escaped(cell: bytes) -> str:
    return "".join(f"\\x{each:02X}" for each in cell)


def size_of(cell: Cell) -> int:
    """What a cell takes, about, in bytes."""
    return 8 + (len(cell) if isinstance(cell, str | bytes) else 0)


def _stamp(value: datetime) -> str:
    return _short(value.replace(tzinfo=None).isoformat(" "))


def _short(text: str) -> str:
    return text.rstrip("0") if "." in text else text


def literal(cell: Cell, column: Column | None = None) -> str:
    """A cell as a literal of DuckDB, of a column's type."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"'{_escaped(cell)}'::BLOB"
        case int() if column is not None and column.domain is Domain.BOOLEAN and cell in (0, 1):
            return "TRUE" if cell else "FALSE"
        case int():
            return str(cell)
        case float():
            return repr(cell) if math.isfinite(cell) else f"'{cell}'::DOUBLE"
        case str() if column is not None and column.native_type == "TIMESTAMP WITH TIME ZONE":
            # The session that replays it may be of another zone.
            return string(f"{cell}+00")
    return string(cell)


def string(text: str) -> str:
    """A text as a literal."""
    if "\0" in text:
        parts = [string(part) for part in text.split("\0")]
        return "(" + " || chr(0) || ".join(parts) + ")"
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """A name as DuckDB reads it back; always in quotes, since words may be reserved."""
    return '"' + name.replace('"', '""') + '"'


def family_of(type_name: str) -> str:
    """The family of a type: values of two families are never equal; another type is a family of its own."""
    return _FAMILIES.get(type_name.partition("(")[0], f"type {type_name}")


_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
)
_FAMILIES = {
    **dict.fromkeys(_NUMBERS, "number"),
    "BOOLEAN": "boolean",
    "VARCHAR": "text",
    "ENUM": "text",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "TIME": "time",
    "INTERVAL": "interval",
    "BLOB": "bytes",
    "UUID": "uuid",
    '"NULL"': NOTHING,
}
