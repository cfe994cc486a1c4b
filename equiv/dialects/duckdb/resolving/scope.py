"""What names mean at one place of a query, and what DuckDB makes of a call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, one_line
from equiv.dialects.duckdb.macros import Tree
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.values import has_unlike_equals
from equiv.dialects.typed import tree as t
from equiv.names import NameMap, fold
from equiv.scratch import remembered

_MOST = 20_000
_SIGNS = frozenset(("~~", "!~~", "~~*", "!~~*", "~~~"))
_known: dict[str, Bound | str]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound expression: its type, and the types of its parts."""

    type: d.DuckType
    parts: tuple[d.DuckType, ...]
    kind: str
    is_null: bool = False
    """Whether DuckDB made NULL of it as it bound it."""


_known = {}
_functions = dict[str, str]()
"""The functions that give one value for the same arguments, each with that of which it is an alias."""
_aggregates = dict[str, str]()
"""The aggregates that do of the same rows in one order, likewise."""
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


def alias_of(name: str, *, aggregates: bool = False) -> str:
    """The word of which the catalogue says that a name, of an aggregate or not, is an alias."""
    found = (_aggregates if aggregates else _functions).get(name, name)
    return found if found.isidentifier() else name


class Probe:
    """Asks DuckDB, each question once for all databases, since none reads a table.

    Args:
        database: where to ask.
    """

    def __init__(self, database: DuckdbDatabase) -> None:
        self._database = database
        self._types: dict[str, d.DuckType] = {}

    def bound(self, template: str, operands: Sequence[str | d.DuckType]) -> Bound:
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

    def common(self, one: d.DuckType, other: d.DuckType) -> d.DuckType:
        """The type that DuckDB gives values of two types in one place.

        Raises:
            UnsupportedError: DuckDB refuses them there.
        """
        return self.bound("CASE WHEN random() > 0 THEN {0} ELSE {1} END", [one, other]).type

    def is_strict(self, template: str, operands: Sequence[str | d.DuckType]) -> bool:
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
            _aggregates.update((str(each), str(of)) for each, of, kind in found if kind == "aggregate")
        return name in _aggregates

    def is_function(self, name: str) -> bool:
        """Whether the catalogue says that calls of a name give one value for the same arguments."""
        if name in OF_LISTS:
            return True
        self.is_aggregate(name)
        return name in _functions and not name.startswith("__") and name not in _OTHERWISE

    def printed(self, node: Tree) -> str:
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

    def type_called(self, name: str) -> d.DuckType:
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


def _type(bound: dict[str, Any]) -> d.DuckType:
    """The type of an expression; AND and OR have none of their own, a constant that of its value."""
    if bound["expression_class"] == "BOUND_CONJUNCTION":
        return d.BOOLEAN
    return d.type_of(bound["return_type"] if "return_type" in bound else bound["value"]["type"])


@dataclass(frozen=True, slots=True, order=True)
class ParameterPlace:
    """The place of a parameter in the text, in bytes of UTF-8."""

    start: int
    end: int
    name: str


def place_of(parameter: Tree) -> ParameterPlace:
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
    value: t.Expr
    plain: t.Expr | None
    """What its name alone stands for; None where USING has taken it into another column."""


@dataclass(frozen=True, slots=True)
class CteSeen:
    """A common table expression that a name may mean."""

    number: int
    names: tuple[str, ...]
    types: tuple[t.Type, ...]


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
    views: NameMap[tuple[Tree, tuple[str, ...]]]
    parameters: Mapping[str, d.DuckType] = field(default_factory=dict)
    cast: dict[ParameterPlace, d.DuckType] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


_LIKELY = tuple(
    map(d.type_named, ("VARCHAR", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "INTERVAL", "BOOLEAN"))
)
"""The types of which one is taken for a parameter of a function that says none."""


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
    aliases: NameMap[t.Expr] = field(default_factory=NameMap)
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

    def naming(self, aliases: NameMap[t.Expr]) -> DuckdbScope:
        """The place with result columns that may be named."""
        return replace(self, aliases=aliases)

    def resolved(self, node: Tree) -> t.Expr:
        """An expression as a typed one.

        Raises:
            UnsupportedError: of a kind that is not known, or of names that are not.
        """
        from equiv.dialects.duckdb.resolving.expressions import resolved

        return resolved(node, self)

    def condition(self, node: Tree) -> t.Expr:
        """A condition: a Boolean, converted if it is none."""
        return d.converted(self.resolved(node), d.BOOLEAN)

    def query(self, node: Tree) -> t.TypedQuery:
        """A query with all within it.

        Raises:
            UnsupportedError: of a kind that is not known, or of names that are not.
        """
        from equiv.dialects.duckdb.resolving.queries import resolved_query

        return resolved_query(node, self)

    def bound(self, template: str, values: Sequence[t.Expr]) -> Bound:
        """How an expression of some values is bound; see :meth:`Probe.bound`."""
        return self.session.probe.bound(template, list(map(d.operand, values)))

    def unified(self, values: Sequence[t.Expr], template: str) -> tuple[d.DuckType, list[t.Expr]]:
        """Values as DuckDB converts them within an expression, and the type of that."""
        found = self.bound(template, values)
        if len(found.parts) != len(values):
            raise UnsupportedError("resolution", f"DuckDB reads {template} differently")
        pairs = zip(values, found.parts, strict=True)
        return found.type, [d.converted(value, kind) for value, kind in pairs]

    def with_types(self, values: Sequence[t.Expr], template: str) -> list[t.Expr]:
        """The arguments of a call, each parameter of no known type converted to what DuckDB takes there.

        That is the type of another argument or a list of these, as PostgreSQL takes it for an operator, else
        the first of some.
        """
        if not any(isinstance(each, d.OpenParameter) for each in values):
            return [*values]
        others = [each.type for each in values if isinstance(each.type, d.DuckType) and each.type.is_known]
        others = [each for each in others if each.spelt != d.UNKNOWN.spelt]
        lists = [d.type_named(f"{each.spelt}[]") for each in others]
        for kind in (*others, *lists, *_LIKELY):
            known = [
                d.converted(each, kind) if isinstance(each, d.OpenParameter) else each for each in values
            ]
            try:
                self.bound(template, known)
            except UnsupportedError:
                continue
            return known
        return [*values]

    def column(self, names: Sequence[str]) -> t.Expr:
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
            if has_unlike_equals(d.spelling(found.type), lists=self.merges):
                raise UnsupportedError("Column", f"{'.'.join(names)}, whose equal values a subquery merges")
            return found
        raise UnsupportedError("Column", f"{'.'.join(names)}, which equiv cannot resolve")

    def _here(self, names: Sequence[str]) -> t.Expr | None:
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


def places(number: int, start: int = 0) -> str:
    """So many places of a template."""
    return ", ".join(f"{{{place}}}" for place in range(start, number))
