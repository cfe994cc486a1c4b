"""Types of DuckDB in the words of the typed tree, each with DuckDB's own spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from equiv.dialects.duckdb.types import labels_of
from equiv.dialects.duckdb.values import string
from equiv.dialects.typed.tree import Type

_NAMES = {
    **dict.fromkeys(("TINYINT", "UTINYINT", "SMALLINT"), "int2"),
    **dict.fromkeys(("USMALLINT", "INTEGER"), "int4"),
    **dict.fromkeys(("UINTEGER", "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"), "int8"),
    "FLOAT": "float4",
    "DOUBLE": "float8",
    "VARCHAR": "text",
    "BOOLEAN": "bool",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "TIME": "time",
    "INTERVAL": "interval",
    '"NULL"': "unknown",
}
"""Types by the names that lowering knows; any other keeps its own name, which lowering refuses."""
_UNKNOWN = (
    "LIST",
    "STRUCT",
    "MAP",
    "ARRAY",
    "UNION",
    "VARIANT",
    "GEOMETRY",
    "LAMBDA",
    "VARCHAR COLLATE",
)
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)\Z")


@dataclass(frozen=True, slots=True)
class DuckType(Type):
    """A type; ``spelt`` is how DuckDB writes it."""

    spelt: str = field(default="", compare=False)

    @property
    def is_known(self) -> bool:
        """Whether DuckDB can be asked about values: not of lists and the like, nor of a collation."""
        return not self.name.endswith("]") and not self.name.startswith(_UNKNOWN)


def type_named(spelt: str) -> DuckType:
    """The type that DuckDB writes so."""
    decimal = _DECIMAL.match(spelt)
    if decimal is not None:
        modifier = (int(decimal[1]) << 16 | int(decimal[2])) + 4
        return DuckType("numeric", modifier, spelt=spelt)
    if labels := labels_of(spelt):
        return DuckType(spelt, sort="e", labels=labels, spelt=spelt)
    return DuckType(_NAMES.get(spelt, spelt), spelt=spelt)


def type_of(bound: dict[str, Any]) -> DuckType:
    """The type that stands in a bound plan."""
    info = bound.get("type_info")
    name = str(bound["id"])
    if name == "DECIMAL" and info:
        return type_named(f"DECIMAL({info['width']},{info['scale']})")
    if name == "ENUM" and info:
        return type_named(f"ENUM({', '.join(map(string, info['values']))})")
    if name in ("NULL", "SQLNULL"):
        name = '"NULL"'
    if name in ("INTEGER_LITERAL", "STRING_LITERAL"):
        return type_named("VARCHAR" if name.startswith("S") else "INTEGER")
    if info and info.get("collation"):
        return type_named(f"{name} COLLATE {info['collation']}")
    return type_named(name)


def spelling(found: Type) -> str:
    """How DuckDB writes a type."""
    assert isinstance(found, DuckType)
    return found.spelt


BOOLEAN = type_named("BOOLEAN")
BIGINT = type_named("BIGINT")
VARCHAR = type_named("VARCHAR")
TIMESTAMP = type_named("TIMESTAMP")
TIMESTAMPTZ = type_named("TIMESTAMP WITH TIME ZONE")
UNKNOWN = type_named('"NULL"')
