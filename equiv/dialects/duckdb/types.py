"""What the core makes of DuckDB's types: docs/duckdb.md has the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from equiv.core.lexer import TokenKind, tokens
from equiv.facts import FactKind


@dataclass(frozen=True, slots=True)
class CoreType:
    """How the core holds the values of a type."""

    declared: str
    """The declared type of a core column."""
    form: FactKind | None = None
    """The fact that says how its texts are spelt, assumed of what a column may hold beyond."""
    exact: bool = True
    """Whether every value has a cell of the declared type."""
    samples: tuple[str | bytes, ...] | None = None
    """Values to generate, where few texts are values of the type."""
    below: int = 0
    """The number that values are below, sign apart; 0: no limit that generated values meet."""
    decimals: int | None = None
    """The most decimals; None: any."""


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
    "BLOB": CoreType("BLOB", samples=(b"a", b"\x00", b"")),
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
    return CoreType("TEXT", samples=labels_of(name) or _SAMPLES.get(name, ()))


def labels_of(name: str) -> tuple[str, ...]:
    """The labels of an enumeration, by its name as DuckDB's catalogue writes it; none of another type."""
    enum = _ENUM.match(name)
    if enum is None:
        return ()
    strings = (token for token in tokens(enum[1]) if token.kind is TokenKind.STRING)
    return tuple(enum[1][token.start + 1 : token.end - 1].replace("''", "'") for token in strings)
