"""DuckDB's types, the nodes that typed trees have of DuckDB's own, and values as DuckDB converts them."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from equiv.core.lexer import TokenKind, tokens
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import unlocked_connection
from equiv.dialects.duckdb.values import labels_of, string
from equiv.dialects.typed import tree as t
from equiv.names import fold, quoted_name

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
    "UUID": "uuid",
    "INTERVAL": "interval",
    '"NULL"': "unknown",
}
"""Types by the names that lowering knows; any other keeps its own name, of which lowering knows nothing."""
_SAID_BY_NAME = frozenset(("text", "bool", "date", "timestamp", "timestamptz", "time", "uuid"))
_UNKNOWN = re.compile(r"\b(?:TUPLE|VARIANT|GEOMETRY|LAMBDA|ANY|AGGREGATE_STATE|COLLATE|TYPE)\b")
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)\Z")


@dataclass(frozen=True, slots=True)
class DuckType(t.Type):
    """A type; ``spelt`` is how DuckDB writes it."""

    spelt: str = field(default="", compare=False)

    @property
    def is_known(self) -> bool:
        """Whether DuckDB can be asked about values: not of a collation, nor of types without a name."""
        return self.sort != "p"

    @property
    def signature(self) -> str:
        """The type as DuckDB writes it, or its name if that says as much."""
        return self.name if self.name in _SAID_BY_NAME else self.spelt


def type_named(spelt: str) -> DuckType:
    """The type that DuckDB writes so."""
    decimal = _DECIMAL.match(spelt)
    if decimal is not None:
        modifier = (int(decimal[1]) << 16 | int(decimal[2])) + 4
        return DuckType("numeric", modifier, spelt=spelt)
    if labels := labels_of(spelt):
        return DuckType(spelt, sort="e", labels=labels, spelt=spelt)
    sort = "p" if _UNKNOWN.search(spelt) and _names_unknown(spelt) else "b"
    return DuckType(_NAMES.get(spelt, spelt), sort=sort, spelt=spelt)


def typed(found: t.Type) -> DuckType:
    """The type of what DuckDB's reader has made, which is one of DuckDB's."""
    assert isinstance(found, DuckType)
    return found


def _names_unknown(spelt: str) -> bool:
    """Whether a type without a name, or of a collation, stands outside of quotes."""
    return any(token.kind is TokenKind.NAME and _UNKNOWN.match(token.word) for token in tokens(spelt))


def type_of(bound: dict[str, Any]) -> DuckType:
    """The type that stands in a bound plan."""
    return type_named(_spelt(bound))


_PLAIN = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


@cache
def _keywords() -> frozenset[str]:
    with closing(unlocked_connection()) as connection:
        found = connection.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()
    return frozenset(str(word) for (word,) in found)


def _field(name: str) -> str:
    """The name of a field as DuckDB writes it in a type."""
    return name if _PLAIN.match(name) and fold(name) not in _keywords() else quoted_name(name)


def _spelt(bound: dict[str, Any]) -> str:
    """How DuckDB writes the type that stands in a bound plan."""
    info = bound.get("type_info")
    name = str(bound["id"])
    if info and info.get("alias"):
        return str(info["alias"])
    match name, info:
        case "LIST", {"child_type": child}:
            return f"{_spelt(child)}[]"
        case "ARRAY", {"child_type": child, "size": size}:
            return f"{_spelt(child)}[{size}]"
        case "MAP", {"child_type": {"type_info": {"child_types": parts}}}:
            return f"MAP({', '.join(_spelt(each['second']) for each in parts)})"
        case (("STRUCT" | "UNION"), {"child_types": parts}):
            shown = (f"{_field(each['first'])} {_spelt(each['second'])}" for each in parts if each["first"])
            return f"{name}({', '.join(shown)})"
    if name == "DECIMAL" and info:
        return f"DECIMAL({info['width']},{info['scale']})"
    if name == "ENUM" and info:
        return f"ENUM({', '.join(map(string, info['values']))})"
    if name in ("NULL", "SQLNULL"):
        return '"NULL"'
    if name in ("INTEGER_LITERAL", "STRING_LITERAL"):
        return "VARCHAR" if name.startswith("S") else "INTEGER"
    if info and info.get("collation"):
        return f"{name} COLLATE {info['collation']}"
    return name


def spelling(found: t.Type) -> str:
    """How DuckDB writes a type: of its own, or the one in which all dialects count rows."""
    return found.spelt if isinstance(found, DuckType) else {"int8": "BIGINT"}[found.name]


BOOLEAN = type_named("BOOLEAN")
BIGINT = type_named("BIGINT")
VARCHAR = type_named("VARCHAR")
TIMESTAMP = type_named("TIMESTAMP")
TIMESTAMPTZ = type_named("TIMESTAMP WITH TIME ZONE")
UNKNOWN = type_named('"NULL"')


SCHEMA = "duckdb"
"""The schema of routines whose meaning is DuckDB's own."""


@dataclass(frozen=True, slots=True)
class OpenParameter(t.TypedConstant):
    """A parameter whose type is not known yet: DuckDB converts it like NULL."""

    name: str


@dataclass(frozen=True, slots=True)
class Implied(t.RoutineCall):
    """A literal or a list of another type than it has by itself: DuckDB converts it where it stands."""


@dataclass(frozen=True, slots=True)
class TryCast(t.RoutineCall):
    """TRY_CAST: NULL where the cast would raise an error."""


@dataclass(frozen=True, slots=True)
class ListFiltered(t.RoutineCall):
    """The elements of a list, the first argument, for which a lambda is true."""

    element: t.SourceColumn | None = None
    """The parameter of the lambda, as the column of a source of its own."""
    condition: t.Expr | None = None


@dataclass(frozen=True, slots=True)
class RowCompared(t.Expr):
    """A comparison of two rows, which are values: NULL equals NULL in them, and comes last."""

    sign: str
    routines: tuple[t.Routine, ...]
    """The comparison for equality of each pair of values."""
    left: tuple[t.Expr, ...]
    right: tuple[t.Expr, ...]


@dataclass(frozen=True, slots=True)
class Unpivoted(t.FromSource):
    """UNPIVOT: a row for each row of a source and each of some of its columns."""

    item: t.FromSource
    fields: tuple[t.SourceColumn, ...]
    """The columns of the source."""
    kept: tuple[int, ...]
    """The places, from 0, of the columns that stay."""
    chosen: tuple[tuple[str, int], ...]
    """The others: the name that is shown, and the place."""
    kind: t.Type
    """The type of their values."""
    nulls: bool
    """Whether there are rows for NULL."""


@dataclass(frozen=True, slots=True)
class NamedBranch(t.SetOperand):
    """An operand of UNION BY NAME, ``query`` with a column for each of the whole."""

    written: t.TypedQuery
    places: tuple[int, ...]
    """For each column as written, its place in the whole."""


@dataclass(frozen=True, slots=True)
class RowIn(t.Logic):
    """IN of a list of rows: the comparison with each of them."""


@dataclass(frozen=True, slots=True)
class AnyElement(t.Expr):
    """Whether a comparison holds of any element of a list, as with the rows of a subquery."""

    routine: t.Routine
    value: t.Expr
    list: t.Expr


@dataclass(frozen=True, slots=True)
class Between(t.Logic):
    """BETWEEN: a comparison with its lower and one with its upper bound, of one value."""


@dataclass(frozen=True, slots=True)
class NotDistinct(t.Logic):
    """IS NOT DISTINCT FROM: NOT of IS DISTINCT FROM."""


@dataclass(frozen=True, slots=True)
class Qualified(t.Select):
    """A SELECT with QUALIFY."""

    qualify: t.Expr | None = None


@dataclass(frozen=True, slots=True)
class HalfJoined(t.Joined):
    """A SEMI or ANTI join: the rows of the left side that have, or have no, partner."""

    anti: bool = False


@dataclass(frozen=True, slots=True)
class AsofJoined(t.Joined):
    """An ASOF join: of the rows that the tests allow the one that is nearest, of which there is but one."""

    tests: tuple[t.RoutineCall, ...] = ()
    """Each compares a value of the left side with a column of the right side."""


_ALIKE = {
    "=": ("=", "<>", "<>"),
    "<>": ("<>", "=", "="),
    "<": (">", ">=", "<="),
    ">": ("<", "<=", ">="),
    "<=": (">=", ">", "<"),
    ">=": ("<=", "<", ">"),
}
"""The comparisons that say the same, see :attr:`~equiv.dialects.typed.tree.Routine.alike`."""


def comparison(sign: str, left: t.Expr, right: t.Expr) -> t.Routine:
    """The comparison of two values, which both dialects mean alike."""
    names = ("anyenum" if each.type.sort == "e" else each.type.name for each in (left, right))
    return t.Routine(sign, tuple(names), operator=True, alike=_ALIKE.get(sign, ("", "", "")))


def own(
    name: str,
    arguments: tuple[t.Expr, ...],
    *,
    operator: bool = False,
    strict: bool = True,
    volatility: str = "i",
) -> t.Routine:
    """A function or operator of DuckDB's."""
    return t.Routine(name, tuple(each.type.name for each in arguments), volatility, strict, SCHEMA, operator)


def converted(value: t.Expr, wanted: DuckType, *, written: bool = False) -> t.Expr:
    """A value as one of another type, if it is not of that type; ``written``: by a CAST in the text."""
    if typed(value.type).spelt == wanted.spelt:
        return value
    is_list = isinstance(value, t.RoutineCall) and value.routine.name == "list_value"
    is_written_out = isinstance(value, t.TypedConstant) or is_list
    kind = Implied if is_written_out and not written else t.RoutineCall
    return kind(wanted, own(wanted.name, (value,)), (value,), cast=True)


def operand(value: t.Expr) -> str | DuckType:
    """A value as DuckDB is asked about it: a literal, or its type."""
    kind = typed(value.type)
    if not kind.is_known:
        raise UnsupportedError("Type", kind.spelt)
    if isinstance(value, t.TypedConstant) and (value.text is not None or kind.spelt == UNKNOWN.spelt):
        return literal(value)
    return kind


def literal(value: t.TypedConstant) -> str:
    """A constant as DuckDB reads it, of the type that the literal has by itself."""
    if value.text is None:
        return "NULL"
    return string(value.text) if value.type.name == "text" else value.text


def is_number(*types: t.Type) -> bool:
    """Whether all types are of numbers, whose values compare as numbers whatever the types are."""
    return all(each.name in ("int2", "int4", "int8", "numeric", "float8") for each in types)
