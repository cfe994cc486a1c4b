"""DuckDB's types and values: what the core makes of them, docs/duckdb.md and across.md have the tables."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

from equiv.cells import Cell, PrintedParts, printed_number, shortest_single
from equiv.core.lexer import TokenKind, parts_between_commas, tokens
from equiv.core.model import Column, Domain
from equiv.core.query import NOTHING
from equiv.dialects.protocol import ValueSort, ValueType
from equiv.dialects.typed.dialect import CoreType, ToldTypes
from equiv.facts import FactKind

_TYPES = {
    "TINYINT": CoreType("INTEGER", below=2**7),
    "UTINYINT": CoreType("INTEGER", below=2**8),
    "SMALLINT": CoreType("INTEGER", below=2**15),
    "USMALLINT": CoreType("INTEGER", below=2**16),
    "INTEGER": CoreType("INTEGER", below=2**31),
    "UINTEGER": CoreType("INTEGER", below=2**32),
    "BIGINT": CoreType("INTEGER"),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT"), CoreType("INTEGER", exact=False)),
    **dict.fromkeys(("FLOAT", "DOUBLE"), CoreType("REAL", exact=False)),
    "VARCHAR": CoreType("TEXT"),
    "BOOLEAN": CoreType("BOOLEAN"),
    "DATE": CoreType("DATE TEXT", FactKind.ISO_DATE),
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE"), CoreType("TIMESTAMP TEXT", FactKind.ISO_TIMESTAMP)
    ),
    "BLOB": CoreType("BLOB", samples=(b"a", b"\x00", b"", b"\xc3\xa9")),
}
_SAMPLES: dict[str, tuple[str, ...]] = {
    "TIME": ("00:00:00", "09:30:00", "23:59:59.5"),
    "UUID": ("00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    "JSON": ('{"a": 1}', "[]"),
}
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)\Z")
_ENUM = re.compile(r"ENUM\((.*)\)\Z", re.DOTALL)


def core_type(name: str) -> CoreType:
    """How the core holds a type, by its name as DuckDB's catalogue writes it."""
    if name in _TYPES:
        return _TYPES[name]
    decimal = _DECIMAL.match(name)
    if decimal is not None:
        width, scale = int(decimal[1]), int(decimal[2])
        return CoreType("NUMERIC", exact=False, below=10 ** (width - scale), decimals=scale)
    return CoreType("TEXT", samples=labels_of(name) or _SAMPLES.get(name) or _nested_samples(name))


_FEW = 3


def is_nested(name: str) -> bool:
    """Whether values of a type have parts."""
    return name.endswith("]") or name.startswith(("STRUCT(", "MAP(", "UNION("))


_APART = re.compile(r"\b(?:INTERVAL|FLOAT|DOUBLE)\b")


def has_unlike_equals(name: str, *, lists: bool) -> bool:
    """Whether a subquery has one answer for equal values of a type that are not identical: 30 days, 1 month.

    It has for floats as well, of which the core knows what they equal alone; ``lists``: for lists, too.
    """
    is_known = name in ("FLOAT", "DOUBLE") or (name.endswith("[]") and not lists)
    return not is_known and bool(_APART.search(name))


def _parts_of(name: str) -> tuple[str, list[tuple[str, str]]] | None:
    """What a nested type is made of: its kind, and each part by name with its type; None of another type."""
    if name.endswith("]"):
        inner, _, size = name[:-1].rpartition("[")
        return f"LIST{size}", [("", inner)]
    kind, _, inner = name.partition("(")
    if kind not in ("STRUCT", "MAP") or not inner:
        return None
    inner = inner[:-1]
    divided = parts_between_commas(tokens(inner)[:-1])
    parts = [(part[0], inner[part[0].end : part[-1].end]) for part in divided if part]
    if kind == "MAP":
        return kind, [("", inner[first.start : first.end] + rest) for first, rest in parts]
    return kind, [(inner[first.start : first.end], rest.strip()) for first, rest in parts]


def _nested_samples(name: str) -> tuple[str, ...]:
    """Some values of a nested type, as texts that DuckDB casts; none of a type that is not known."""
    found = _parts_of(name)
    if found is None:
        return ()
    kind, parts = found
    known = [_sample_texts(each) for _, each in parts]
    if not all(known):
        return ()
    if kind == "LIST":
        one, *rest = known[0][:2]
        longer = ((one, *rest), (*rest, one), (one, one), (one, *rest, one), (one, "NULL"), ("NULL",))
        return tuple(dict.fromkeys(("[]", *(f"[{', '.join(each)}]" for each in (*zip(known[0]), *longer)))))
    if kind == "MAP":
        return ("{}", *(f"{{{key}={value}}}" for key, value in zip(*known, strict=False)))
    if kind == "STRUCT":
        names = [_key(field) for field, _ in parts]
        rows = [[each[at % len(each)] for each in known] for at in range(_FEW)]
        rows += [[*rows[0][:at], "NULL", *rows[0][at + 1 :]] for at in range(min(len(parts), _FEW))]
        shown = ([f"{name}: {value}" for name, value in zip(names, row, strict=True)] for row in rows)
        return tuple("{" + ", ".join(each) + "}" for each in shown)
    size = int(kind.removeprefix("LIST"))
    return tuple(f"[{', '.join([each] * size)}]" for each in known[0])


def _key(field: str) -> str:
    return string(field[1:-1].replace('""', '"')) if field.startswith('"') else f"'{field}'"


def _sample_texts(name: str) -> list[str]:
    """Some values of a type as parts of a text of a nested one; none of a type that is not known."""
    held = core_type(name)
    if is_nested(name):
        return [each for each in held.samples or () if isinstance(each, str)][:_FEW]
    if held.samples is not None:
        return [string(each) for each in held.samples if isinstance(each, str)][:_FEW]
    match held.declared:
        case "INTEGER":
            return ["1", "0", "2"]
        case "TEXT":
            return ["'a'", "'b'", "''"]
        case "BOOLEAN":
            return ["true", "false"]
        case "DATE TEXT" | "TIMESTAMP TEXT":
            return ["'2020-01-01'", "'2021-06-15'"]
    return ["1", "2.5"]


def labels_of(name: str) -> tuple[str, ...]:
    """The labels of an enumeration, by its name as DuckDB's catalogue writes it; none of another type."""
    enum = _ENUM.match(name)
    if enum is None:
        return ()
    strings = (token for token in tokens(enum[1]) if token.kind is TokenKind.STRING)
    return tuple(enum[1][token.start + 1 : token.end - 1].replace("''", "'") for token in strings)


TOLD = ToldTypes(
    {
        "SMALLINT": ValueType(ValueSort.INTEGER, 16),
        "INTEGER": ValueType(ValueSort.INTEGER, 32),
        "BIGINT": ValueType(ValueSort.INTEGER, 64),
        "TINYINT": ValueType(ValueSort.INTEGER, 16),
        "UTINYINT": ValueType(ValueSort.INTEGER, 16),
        "USMALLINT": ValueType(ValueSort.INTEGER, 32),
        "UINTEGER": ValueType(ValueSort.INTEGER, 64),
        "DOUBLE": ValueType(ValueSort.FLOAT),
        "VARCHAR": ValueType(ValueSort.TEXT),
        "BOOLEAN": ValueType(ValueSort.BOOLEAN),
        "DATE": ValueType(ValueSort.DATE),
        "TIMESTAMP": ValueType(ValueSort.TIMESTAMP),
        "BLOB": ValueType(ValueSort.BYTES),
    },
    decimal="DECIMAL({},{})",
    digits=38,
    number="DECIMAL(18,3)",
    text="VARCHAR",
)
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
            return _short(value.replace(tzinfo=None).isoformat(" "))
        case date() | UUID():
            return str(value)
        case time():
            return _short(value.isoformat())
        case list() | tuple():
            return f"[{', '.join(map(_part, value))}]"
        case dict():
            return "{" + ", ".join(f"{_part(key)}: {_part(each)}" for key, each in value.items()) + "}"
    return str(value)


def _part(value: object) -> str:
    """A part of a nested value: equal ones are the same text."""
    cell = cell_of(value)
    return repr(cell + 0.0 if isinstance(cell, float) else cell)


def single(cell: Cell) -> Cell:
    """A number of 32 bits, as the client widens it, as the shortest decimal that reads as it."""
    return shortest_single(cell) if isinstance(cell, float) and math.isfinite(cell) else cell


def printed_cell(cell: Cell, kind: str) -> Cell:
    """A value that DuckDB cast from a type to text, as a number or a truth value if the type has these."""
    if not isinstance(cell, str):
        return cell
    if is_nested(kind):
        return PrintedParts(cell)
    family = family_of(kind)
    return cell == "true" if family == "boolean" else printed_number(cell) if family == "number" else cell


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
    """The approximate size of a cell, in bytes."""
    return 8 + (len(cell) if isinstance(cell, str | bytes) else 0)


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


def family_of(type_name: str) -> str:
    """The family of a type: values of two families are never equal; another type is a family of its own.

    Nested values are equal if their parts are, NULLs too.
    """
    nested = _parts_of(type_name)
    if nested is None:
        return _FAMILIES.get(type_name.partition("(")[0], f"type {type_name}")
    kind, parts = nested
    families = [(field, family_of(each)) for field, each in parts]
    if any(each.startswith("type ") or each == NOTHING for _, each in families):
        return f"type {type_name}"
    return f"{kind} of {', '.join(f'{field} {each}'.strip() for field, each in families)}"


_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
)
_FAMILIES = {
    **dict.fromkeys(_NUMBERS, "number"),
    "BOOLEAN": "boolean",
    "VARCHAR": "text",
    "ENUM": "text",
    "JSON": "text",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "TIME": "time",
    "INTERVAL": "interval",
    "BLOB": "bytes",
    "UUID": "uuid",
    '"NULL"': NOTHING,
}
