"""What names mean at one place of a query, types and nodes of DuckDB's alone, what DuckDB makes of a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from typing import Any

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Schema, quoted_name
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, one_line, unlocked_connection
from equiv.dialects.duckdb.values import has_unlike_equals, labels_of, string
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
    TypedConstant,
    TypedQuery,
)
from equiv.names import NameMap, fold
from equiv.scratch import remembered

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
class DuckType(Type):
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


def spelling(found: Type) -> str:
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
class OpenParameter(TypedConstant):
    """A parameter whose type is not known yet: DuckDB converts it like NULL."""

    name: str


@dataclass(frozen=True, slots=True)
class Implied(RoutineCall):
    """A literal or a list of another type than it has by itself: DuckDB converts it where it stands."""


@dataclass(frozen=True, slots=True)
class TryCast(RoutineCall):
    """TRY_CAST: NULL where the cast would raise an error."""


@dataclass(frozen=True, slots=True)
class ListFiltered(RoutineCall):
    """The elements of a list, the first argument, for which a lambda is true."""

    element: SourceColumn | None = None
    """The parameter of the lambda, as the column of a source of its own."""
    condition: Expr | None = None


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
class AnyElement(Expr):
    """Whether a comparison holds of any element of a list, as with the rows of a subquery."""

    routine: Routine
    value: Expr
    list: Expr


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


_ALIKE = {
    "=": ("=", "<>", "<>"),
    "<>": ("<>", "=", "="),
    "<": (">", ">=", "<="),
    ">": ("<", "<=", ">="),
    "<=": (">=", ">", "<"),
    ">=": ("<=", "<", ">"),
}
"""The comparisons that say the same, see :attr:`~equiv.dialects.typed.tree.Routine.alike`."""


def comparison(sign: str, left: Expr, right: Expr) -> Routine:
    """The comparison of two values, which both dialects mean alike."""
    names = ("anyenum" if each.type.sort == "e" else each.type.name for each in (left, right))
    return Routine(sign, tuple(names), "i", True, operator=True, alike=_ALIKE.get(sign, ("", "", "")))


def own(
    name: str,
    arguments: tuple[Expr, ...],
    *,
    operator: bool = False,
    strict: bool = True,
    volatility: str = "i",
) -> Routine:
    """A function or operator of DuckDB's."""
    return Routine(name, tuple(each.type.name for each in arguments), volatility, strict, SCHEMA, operator)


_MOST = 20_000
_SIGNS = frozenset(("~~", "!~~", "~~*", "!~~*", "~~~"))
_known: dict[str, Bound | str]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound expression: its type, and the types of its parts."""

    type: DuckType
    parts: tuple[DuckType, ...]
    kind: str
    is_null: bool = False
    """Whether DuckDB made NULL of it as it bound it."""


_known = {}
_functions = dict[str, str]()
"""The functions that give one value for the same arguments, each with that of which it is an alias."""
_aggregates = set[str]()
_FUNCTIONS = """SELECT function_name, CASE WHEN min(f) = max(f) THEN min(f) ELSE function_name END,
    function_type FROM (SELECT *, coalesce(alias_of, function_name) AS f FROM duckdb_functions())
    WHERE function_type IN ('scalar', 'aggregate') GROUP BY function_name, function_type
    HAVING bool_and(internal AND stability = 'CONSISTENT' AND NOT has_side_effects)"""
_OTHERWISE = frozenset(
    """alias index_key current_localtime current_localtimestamp list_aggregate list_aggr array_aggregate
    array_aggr aggregate version unpivot_list remap_struct combine finalize""".split()  # noqa: SIM905
)
"""What the catalogue says it of, and what sees more than values: a name, an index, the clock."""

OF_LISTS = frozenset(
    """array_reverse list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_count
    list_first list_last list_max list_median list_min list_product list_reverse list_stddev_pop
    list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp""".split()  # noqa: SIM905
)
"""DuckDB's own macros of one list, which stands first in what they stand for (``list_aggr(l, 'sum')``,
``l[:-:-1]``), before constants: the list in its order says what the value is."""


def alias_of(name: str) -> str:
    """The name of which the catalogue says that a function's is an alias; both are words."""
    found = _functions.get(name, name)
    return found if found.isidentifier() else name


class Probe:
    """Asks DuckDB, each question once for all databases, since none reads a table.

    Args:
        database: where to ask.
    """

    def __init__(self, database: DuckdbDatabase) -> None:
        self._database = database
        self._types: dict[str, DuckType] = {}

    def bound(self, template: str, operands: Sequence[str | DuckType]) -> Bound:
        """How an expression is bound.

        Args:
            template: its text, ``{0}`` for the first operand.
            operands: each a literal, or the type of a value that is none.

        Raises:
            UnsupportedError: DuckDB refuses it.
        """
        shown, columns = [], []
        for place, each in enumerate(operands):
            if isinstance(each, str):
                shown.append(each)
            else:
                shown.append(f"s.c{place}")
                columns.append(f"CAST(NULL AS {each.spelt}) AS c{place}")
        source = f" FROM (SELECT {', '.join(columns)}) AS s" if columns else ""
        text = f"SELECT {template.format(*shown)}{source}"
        found = remembered(_known, text, lambda: self._asked(text), _MOST)
        if isinstance(found, str):
            raise UnsupportedError("resolution", f"DuckDB rejects a part of the query: {found}")
        return found

    def is_strict(self, template: str, operands: Sequence[str | DuckType]) -> bool:
        """Whether DuckDB takes a call for NULL as soon as it is told that one of the operands is."""
        try:
            return all(
                found.is_null
                for place in range(len(operands))
                for found in [self.bound(template, [*operands[:place], "NULL", *operands[place + 1 :]])]
            )
        except UnsupportedError:
            return False

    def is_aggregate(self, name: str) -> bool:
        """Whether the catalogue says that a name is that of an aggregate."""
        if not _functions:
            found = self._database.execute(_FUNCTIONS)
            _functions.update((str(each), str(of)) for each, of, kind in found if kind == "scalar")
            _aggregates.update(str(each) for each, _, kind in found if kind == "aggregate")
        return name in _aggregates

    def is_function(self, name: str) -> bool:
        """Whether the catalogue says that calls of a name give one value for the same arguments."""
        if name in OF_LISTS:
            return True
        self.is_aggregate(name)
        return name in _functions and not name.startswith("__") and name not in _OTHERWISE

    def printed(self, node: ParseNode) -> str:
        """An expression of a parsed query as DuckDB writes it.

        Raises:
            UnsupportedError: DuckDB refuses it.
        """
        tree = self._database.parsed("SELECT 1")
        tree["statements"][0]["node"]["select_list"] = [node]
        try:
            ((text,),) = self._database.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)])
        except DuckdbError as error:
            raise UnsupportedError("resolution", one_line(error)) from None
        return str(text).removeprefix("SELECT ")

    def type_called(self, name: str) -> DuckType:
        """The type of a name, which may be that of a type of this database's own.

        Raises:
            UnsupportedError: DuckDB refuses it.
        """
        if name not in self._types:
            found = self._asked(f"SELECT CAST(NULL AS {name})")
            if isinstance(found, str):
                raise UnsupportedError("resolution", f"DuckDB rejects a part of the query: {found}")
            self._types[name] = found.type
        return self._types[name]

    def names(self, test: str, pattern: str, name: str) -> bool:
        """Whether a name passes a test of two texts.

        Raises:
            UnsupportedError: DuckDB refuses the pattern.
        """
        call = f"? {test} ?" if test in _SIGNS else f"{test}(?, ?)"
        try:
            ((found,),) = self._database.execute(f"SELECT {call}", [name, pattern])
        except DuckdbError as error:
            raise UnsupportedError("Star", one_line(error)) from None
        return bool(found)

    def _asked(self, text: str) -> Bound | str:
        plan = self._database.planned(text)
        if plan["error"]:
            return str(plan["error_message"])
        node = plan["plans"][0]
        while node["type"] == "LOGICAL_PROJECTION" and node["children"]:
            below = node["children"][0]
            if below["type"] not in ("LOGICAL_AGGREGATE_AND_GROUP_BY", "LOGICAL_WINDOW"):
                break
            node = below
        return _read(node["expressions"][0])


def _read(bound: dict[str, Any]) -> Bound:
    if bound["expression_class"] == "BOUND_CASE":
        parts = [part for check in bound["case_checks"] for part in (check["when_expr"], check["then_expr"])]
        parts.append(bound["else_expr"])
    elif bound["expression_class"] == "BOUND_CONJUNCTION":
        parts = [part for each in bound["children"] for part in each["children"]]
    else:
        further = (bound.get(each) for each in ("offset_expr", "default_expr"))
        parts = [*bound.get("children", []), *(part for part in further if part is not None)]
    is_null = bound["expression_class"] == "BOUND_CONSTANT" and bool(bound["value"]["is_null"])
    return Bound(_type(bound), tuple(map(_type, parts)), str(bound["type"]), is_null)


def _type(bound: dict[str, Any]) -> DuckType:
    """The type of an expression; AND and OR have none of their own, a constant that of its value."""
    if bound["expression_class"] == "BOUND_CONJUNCTION":
        return BOOLEAN
    return type_of(bound["return_type"] if "return_type" in bound else bound["value"]["type"])


ParseNode = dict[str, Any]
"""A node of DuckDB's tree."""


@dataclass(frozen=True, slots=True, order=True)
class ParameterPlace:
    """The place of a parameter in the text, in bytes of UTF-8."""

    start: int
    end: int
    name: str


def place_of(parameter: ParseNode) -> ParameterPlace:
    """The place of a parameter, by one name for all ways to write it: ``?`` has the number it counts to."""
    start = int(parameter["query_location"])
    end = start + int(parameter["query_location_length"])
    return ParameterPlace(start, end, f"${fold(str(parameter['identifier']))}")


@dataclass(frozen=True, slots=True)
class Visible:
    """A column that FROM shows."""

    qualifier: str
    """In lower case."""
    name: str
    value: Expr
    plain: Expr | None
    """What its name alone stands for; None where USING has taken it into another column."""


@dataclass(frozen=True, slots=True)
class CteSeen:
    """A common table expression that a name may mean."""

    number: int
    names: tuple[str, ...]
    types: tuple[Type, ...]


@dataclass
class TreeReading:
    """The state that one reading of a query shares.

    Attributes:
        schema: the tables and views.
        probe: what asks DuckDB.
        views: the trees of views, by name, with the names of their columns.
        parameters: the types of parameters, by name, as far as they are known.
        cast: where parameters stand that the text itself casts, and the types.
        numbers: gives numbers to sources.
    """

    schema: Schema
    probe: Probe
    views: NameMap[tuple[ParseNode, tuple[str, ...]]]
    parameters: Mapping[str, DuckType] = field(default_factory=dict)
    cast: dict[ParameterPlace, DuckType] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


@dataclass(frozen=True)
class DuckdbScope:
    """A place in a query.

    Attributes:
        columns: what FROM shows.
        outer: the place of the query around, for a subquery of an expression.
        ctes: common table expressions by name.
        aliases: result columns by name, where they may be named.
        merges: whether a value is compared with the rows of this query, as by IN: DuckDB then has one answer
            for lists around it that are equal, too.
    """

    session: TreeReading
    columns: Sequence[Visible] = ()
    outer: DuckdbScope | None = None
    ctes: NameMap[CteSeen] = field(default_factory=NameMap)
    aliases: NameMap[Expr] = field(default_factory=NameMap)
    viewing: int = 0
    merges: bool = False

    def inside(self, *, merges: bool = False) -> DuckdbScope:
        """The place of a subquery in an expression."""
        return DuckdbScope(self.session, (), self, self.ctes, viewing=self.viewing, merges=merges)

    def beside(self, before: Sequence[Visible] = ()) -> DuckdbScope:
        """The place of a subquery in FROM: it sees what stands around, and before it."""
        around = self.outer if not before else replace(self, columns=before, aliases=NameMap())
        return DuckdbScope(self.session, (), around, self.ctes, viewing=self.viewing)

    def over(self, columns: Sequence[Visible]) -> DuckdbScope:
        """The place with what FROM shows."""
        return replace(self, columns=columns)

    def naming(self, aliases: NameMap[Expr]) -> DuckdbScope:
        """The place with result columns that may be named."""
        return replace(self, aliases=aliases)

    def column(self, names: Sequence[str]) -> Expr:
        """The meaning of a column reference: a column, else a result column by its alias.

        Raises:
            UnsupportedError: nothing, or several things, by what is known here.
        """
        found = self._here(names)
        if found is not None:
            return found
        if len(names) == 1 and names[0] in self.aliases:
            return self.aliases[names[0]]
        if self.outer is not None:
            found = self.outer.column(names)
            if has_unlike_equals(spelling(found.type), lists=self.merges):
                raise UnsupportedError("Column", f"{'.'.join(names)}, whose equal values a subquery merges")
            return found
        raise UnsupportedError("Column", f"{'.'.join(names)}, which equiv cannot resolve")

    def _here(self, names: Sequence[str]) -> Expr | None:
        name = fold(names[-1])
        if len(names) == 1:
            found = [each.plain for each in self.columns if fold(each.name) == name and each.plain]
        elif len(names) in (2, 3, 4):
            qualifier = fold(names[-2])
            found = [
                each.value for each in self.columns if fold(each.name) == name and each.qualifier == qualifier
            ]
        else:
            raise UnsupportedError("Column", ".".join(names))
        if len(found) > 1:
            raise UnsupportedError("Column", f"{'.'.join(names)}, which is ambiguous")
        return found[0] if found else None
