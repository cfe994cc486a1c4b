"""Types and nodes that the typed tree of DuckDB's queries has besides those of PostgreSQL's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from equiv.dialects.duckdb.values import labels_of, string
from equiv.dialects.typed.tree import (
    Expr,
    FromSource,
    Joined,
    Logic,
    Routine,
    RoutineCall,
    Select,
    SetOperand,
    SourceColumn,
    Type,
    TypedQuery,
)

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


SCHEMA = "duckdb"
"""The schema of routines whose meaning is DuckDB's own."""


@dataclass(frozen=True, slots=True)
class Implied(RoutineCall):
    """A literal of another type than it has by itself: DuckDB converts it where it stands."""


@dataclass(frozen=True, slots=True)
class TryCast(RoutineCall):
    """TRY_CAST: NULL where the cast would raise an error."""


@dataclass(frozen=True, slots=True)
class RowCompared(Expr):
    """A comparison of two rows, which are values: NULL equals NULL in them, and comes last."""

    sign: str
    routines: tuple[Routine, ...]
    """The comparison for equality of each pair of values."""
    left: tuple[Expr, ...]
    right: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unpivoted(FromSource):
    """UNPIVOT: a row for each row of a source and each of some of its columns."""

    item: FromSource
    fields: tuple[SourceColumn, ...]
    """The columns of the source."""
    kept: tuple[int, ...]
    """The places, from 0, of the columns that stay."""
    chosen: tuple[tuple[str, int], ...]
    """The others: the name that is shown, and the place."""
    kind: Type
    """The type of their values."""
    nulls: bool
    """Whether there are rows for NULL."""


@dataclass(frozen=True, slots=True)
class NamedBranch(SetOperand):
    """An operand of UNION BY NAME, ``query`` with a column for each of the whole."""

    written: TypedQuery
    places: tuple[int, ...]
    """For each column as written, its place in the whole."""


@dataclass(frozen=True, slots=True)
class RowIn(Logic):
    """IN of a list of rows: the comparison with each of them."""


@dataclass(frozen=True, slots=True)
class Contained(Expr):
    """Whether a list of constants contains a value: NULL only if the value is."""

    name: str
    routine: Routine
    elements: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Between(Logic):
    """BETWEEN: a comparison with its lower and one with its upper bound, of one value."""


@dataclass(frozen=True, slots=True)
class NotDistinct(Logic):
    """IS NOT DISTINCT FROM: NOT of IS DISTINCT FROM."""


@dataclass(frozen=True, slots=True)
class Qualified(Select):
    """A SELECT with QUALIFY."""

    qualify: Expr | None = None


@dataclass(frozen=True, slots=True)
class HalfJoined(Joined):
    """A SEMI or ANTI join: the rows of the left side that have, or have no, partner."""

    anti: bool = False


@dataclass(frozen=True, slots=True)
class AsofJoined(Joined):
    """An ASOF join: of the rows that the tests allow the one that is nearest, of which there is but one."""

    tests: tuple[RoutineCall, ...] = ()
    """Each compares a value of the left side with a column of the right side."""


def comparison(sign: str, left: Expr, right: Expr) -> Routine:
    """The comparison of two values, which both dialects mean alike."""
    names = ("anyenum" if each.type.sort == "e" else each.type.name for each in (left, right))
    return Routine(sign, tuple(names), "i", True, operator=True)


def own(name: str, arguments: tuple[Expr, ...], *, operator: bool = False) -> Routine:
    """A function or operator of DuckDB's."""
    return Routine(name, tuple(each.type.name for each in arguments), "i", True, SCHEMA, operator)
