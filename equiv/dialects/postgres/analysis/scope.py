"""What the numbers of a node tree mean: entries of range tables by query level, names and views by OIDs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeVar, cast

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.server import ASKS_THE_CATALOGUE
from equiv.dialects.postgres.wire import Wire
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.sources import DEFAULT

T = TypeVar("T")


def function_name(namespace: str, name: str) -> str:
    """The name by which facts call a function of the schema's own."""
    return name if namespace == DEFAULT else f"{namespace}.{name}"


BUILT_IN = 16384
"""OIDs below are PostgreSQL's own: the same in every database of a server."""

_TYPES = """SELECT t.oid, typname, typtype, nspname, to_json(ARRAY(
    SELECT enumlabel FROM pg_enum WHERE enumtypid IN (t.oid, t.typelem) ORDER BY enumsortorder)),
    typbasetype, typtypmod FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = $1"""
_LABELS = "SELECT enumlabel FROM pg_enum WHERE oid = $1"
_ROUTINES = """SELECT proname, to_json(ARRAY(
    SELECT typname FROM unnest(proargtypes) WITH ORDINALITY a (id, place)
    JOIN pg_type t ON t.oid = id ORDER BY place)), provolatile, proisstrict, nspname, proretset
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE p.oid = $1"""
_OPERATORS = """SELECT o.oprname, o.oprcode::oid, nspname, coalesce(turned.oprname, ''),
    coalesce(opposite.oprname, ''), coalesce(both_ways.oprname, '')
    FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
    LEFT JOIN pg_operator turned ON turned.oid = o.oprcom AND turned.oprnamespace = n.oid
    LEFT JOIN pg_operator opposite ON opposite.oid = o.oprnegate AND opposite.oprnamespace = n.oid
    LEFT JOIN pg_operator both_ways ON both_ways.oid = opposite.oprcom AND both_ways.oprnamespace = n.oid
    WHERE o.oid = $1"""
_FIELDS = """SELECT attname, attnum, atttypid, atttypmod, attnotnull FROM pg_attribute a
    JOIN pg_type t ON t.typrelid = a.attrelid WHERE t.oid = $1 AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum"""
_RELATIONS = """SELECT nspname, relname, relkind, to_json(ARRAY(SELECT attname FROM pg_attribute
    WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum)),
    EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid) OR relkind = 'p',
    to_json(ARRAY(SELECT attnotnull FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum))
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = $1"""


@dataclass(frozen=True, slots=True)
class RelationName:
    """A table or view: its schema, its name, ``pg_class.relkind`` and the names of its columns."""

    schema: str
    name: str
    kind: str
    columns: tuple[str, ...]
    has_children: bool = False
    required: tuple[bool, ...] = ()
    """Of each column whether ``attnotnull`` says that it is never NULL."""


_of_servers: dict[tuple[str, int], object] = {}
"""What OIDs of PostgreSQL's own stand for."""


@dataclass(frozen=True, slots=True)
class RowField:
    """A field of a type of rows, by its place from 1.

    Attributes:
        is_required: whether it is NOT NULL in the table whose rows they are.
    """

    name: str
    position: int
    type: t.Type
    is_required: bool


class Catalogue:
    """The objects behind OIDs, each asked for once; PostgreSQL's own are kept for all later queries.

    Args:
        server: the connection that holds the schema.
        labels: of functions of the schema's own, as facts name them: immutable, stable or volatile.
    """

    def __init__(self, server: Wire, labels: Iterable[tuple[str, str]] = ()) -> None:
        self._labels = dict(labels)
        self._server = server
        self._own: dict[tuple[str, int], object] = {}

    def type(self, oid: int, modifier: int = -1) -> t.Type:
        """A type."""
        found = self._known(oid, self._type)
        return found if modifier == -1 else replace(found, modifier=modifier)

    def label(self, oid: int) -> str:
        """A label of an enumeration."""
        return self._known(oid, self._label)

    def routine(self, oid: int) -> t.Routine:
        """A function."""
        return self._known(oid, self._routine)

    def called_in(self, trees: Iterable[str]) -> set[t.Routine]:
        """The functions that node trees call."""
        return {self.routine(int(oid)) for tree in trees for oid in CALLED.findall(tree)}

    def operator(self, oid: int) -> t.Routine:
        """An operator, under its own name."""
        return self._known(oid, self._operator)

    def fields(self, oid: int) -> tuple[RowField, ...]:
        """The fields of a type of rows, a table's above all; none of other types."""
        return self._known(oid, self._fields)

    def relation(self, oid: int) -> RelationName:
        """A table or view."""
        return self._known(oid, self._relation)

    def _known(self, oid: int, ask: Callable[[int], T]) -> T:
        known = _of_servers if oid < BUILT_IN else self._own
        key = ask.__name__, oid
        if key not in known:
            known[key] = ask(oid)
        return cast(T, known[key])

    def _row(self, statement: str, oid: int) -> tuple[str, ...]:
        (row,) = self._server.one(statement, (str(oid),)).rows
        return tuple(str(each) for each in row)

    def _type(self, oid: int) -> t.Type:
        _, name, sort, schema, labels, below, modifier = self._row(_TYPES, oid)
        base = self.type(int(below), int(modifier)) if sort == "d" else None
        base = base if base is None else base.base or base
        return t.Type(name, sort=sort, schema=schema, labels=tuple(json.loads(labels)), base=base)

    def _label(self, oid: int) -> str:
        (found,) = self._row(_LABELS, oid)
        return found

    def _routine(self, oid: int) -> t.Routine:
        name, arguments, volatility, strict, schema, returns_set = self._row(_ROUTINES, oid)
        label = self._labels.get(function_name(schema, name)) if oid >= BUILT_IN else None
        return t.Routine(
            name if schema == "pg_catalog" else f"{schema}.{name}",
            tuple(json.loads(arguments)),
            volatility if label is None else label[0],
            strict == "t",
            schema,
            returns_set=returns_set == "t",
        )

    def _operator(self, oid: int) -> t.Routine:
        name, code, schema, turned, opposite, both = self._row(_OPERATORS, oid)
        called = self.routine(int(code))
        return replace(called, name=name, schema=schema, operator=True, alike=(turned, opposite, both))

    def _fields(self, oid: int) -> tuple[RowField, ...]:
        return tuple(
            RowField(str(name), int(str(at)), self.type(int(str(kind)), int(str(modifier))), required == "t")
            for name, at, kind, modifier, required in self._server.one(_FIELDS, (str(oid),)).rows
        )

    def _relation(self, oid: int) -> RelationName:
        schema, name, kind, columns, has_children, required = self._row(_RELATIONS, oid)
        return RelationName(
            schema, name, kind, tuple(json.loads(columns)), has_children == "t", tuple(json.loads(required))
        )


CALLED = re.compile(r":(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)")
"""The functions that a node tree calls."""
READ = re.compile(r":relid (\d+)")
"""The tables and views that a node tree reads."""
_SYSTEM_TYPE = "reg(?:class|collation|namespace|oper(?:ator)?|proc(?:edure)?|role|type)"
_ASKING = re.compile(rf"{_SYSTEM_TYPE}|{ASKS_THE_CATALOGUE}", re.IGNORECASE)
_SYSTEM = re.compile(r"\bpg_|\binformation_schema\b", re.IGNORECASE)
_WORDS = re.compile(r"\w++")


def reads_system(trees: Iterable[str]) -> bool:
    """Whether node trees read tables or views of PostgreSQL's own."""
    # A subquery in FROM has 0 there.
    return any(0 < int(each) < BUILT_IN for tree in trees for each in READ.findall(tree))


def reads_tables(trees: Iterable[str]) -> bool:
    """Whether node trees read tables or views of the schema's."""
    return any(int(each) >= BUILT_IN for tree in trees for each in READ.findall(tree))


def asks_catalogue(trees: Iterable[str], texts: Iterable[str], code: Iterable[str]) -> bool:
    """Whether what a query returns depends on the objects that its database has.

    Args:
        trees: node trees, of the query and of the views that it reads.
        texts: what PostgreSQL prints of these.
        code: the statements that make functions which may be called.
    """
    return (
        reads_system(trees)
        or any(map(_asks, texts))
        or any(_asks(each) or _SYSTEM.search(each) for each in code)
    )


def _asks(text: str) -> bool:
    return any(map(_ASKING.fullmatch, _WORDS.findall(text)))


_NAMED = re.compile(r":(?:funcid|aggfnoid|winfnoid) (\d+)")
_SIGNED = re.compile(r":opno (\d+)")
_VIEWS = """
SELECT pg_get_viewdef(ev_class), ev_action FROM pg_rewrite
WHERE ev_class = ANY ($1::oid[]) AND ev_class >= $2::oid AND rulename = '_RETURN'
"""


def view_tree(oid: int, server: Wire) -> str:
    """The node tree of a view's query."""
    ((_, found),) = server.one(_VIEWS, (array_of([str(oid)]), "0")).rows
    return str(found)


def views_of(tree: str, server: Wire, least: int = 0) -> dict[str, str]:
    """The views that a node tree reads, and those that they read: the node tree of each by its text.

    Args:
        server: the connection that holds the schema.
        least: the least number of a view that counts.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    trees = [tree]
    for each in trees:
        read = set(READ.findall(each)) - seen
        seen |= read
        if read:
            asked = server.one(_VIEWS, (array_of(read), str(least))).rows
            found |= {str(text): str(inner) for text, inner in asked}
            trees += [str(inner) for _, inner in asked]
    return found


CASTS = "cast"
"""Stands for all casts among the names of functions and operators that were skipped."""


def hiding_call(trees: Iterable[str], hiding: Iterable[str], server: Wire) -> str:
    """What node trees call of PostgreSQL's where one that was skipped may be meant; or ''.

    Args:
        trees: of a query, and of the views that it reads.
        hiding: the names of what was skipped, in lower case.
        server: the connection that holds the schema.
    """
    if CASTS in hiding:
        return "a cast"
    oids, text = Catalogue(server), " ".join(trees)
    named = {oids.routine(int(oid)).bare for oid in _NAMED.findall(text)}
    signs = {oids.operator(int(oid)).name for oid in _SIGNED.findall(text)}
    found = sorted((named | signs).intersection(hiding))
    return f"{'function' if found[0] in named else 'operator'} {found[0]}" if found else ""


def array_of(oids: Iterable[str]) -> str:
    """Numbers as a value of PostgreSQL's type ``oid[]``."""
    return "{" + ",".join(sorted(oids)) + "}"


SYSTEM_SCHEMAS = frozenset(("pg_catalog", "information_schema", "pg_toast"))
DEEPEST = 60
"""How many queries may stand within one another."""


@dataclass
class NodeReading:
    """The state of one reading.

    Attributes:
        catalogue: what OIDs stand for.
        view: the node tree of a view's query, as text, by its OID.
        constant: the text of a constant, by the OID of its type and its bytes as a node tree has them.
        numbers: gives the next number of a source or common table expression.
        refreshed: the materialised views whose query is read, each with its schema, the outermost first.
    """

    catalogue: Catalogue
    view: Callable[[int], str]
    constant: Callable[[int, str], str]
    numbers: Callable[[], int] = field(default_factory=lambda: count(1).__next__)
    refreshed: tuple[str, ...] = ()

    def is_immutable(self, view: int) -> bool:
        """Whether the query of a view gives the same rows whenever it is run on the same tables."""
        tree = self.view(view)
        called = {int(each) for each in CALLED.findall(tree)}
        return "{SQLVALUEFUNCTION" not in tree and all(
            self.catalogue.routine(oid).volatility == "i" for oid in called
        )

    def view_query(self, oid: int) -> TreeNode:
        """The query of a view."""
        (found,) = read_nodes(self.view(oid))
        assert isinstance(found, TreeNode)
        return found


@dataclass
class Level:
    """One query: its range table as far as it is read, and its common table expressions.

    Attributes:
        entries: by number what an entry is; of one that nothing read yet its node.
        groups: the expressions of GROUP BY, where the range table has an entry for them.
    """

    node: TreeNode
    entries: dict[int, t.FromSource | t.Joined] = field(default_factory=dict)
    ctes: dict[str, t.CommonTable] = field(default_factory=dict)
    groups: list[t.Expr] = field(default_factory=list)

    def table(self, number: int) -> TreeNode:
        """The node of an entry of the range table, by its number from 1."""
        return self.node.nodes("rtable")[number - 1]


@dataclass(frozen=True)
class PostgresScope:
    """The queries around a place, the innermost last."""

    session: NodeReading
    levels: tuple[Level, ...]

    @property
    def catalogue(self) -> Catalogue:
        """The objects behind OIDs."""
        return self.session.catalogue

    def inside(self, node: TreeNode) -> PostgresScope:
        """The scope of a query within this one."""
        if len(self.levels) >= DEEPEST:
            raise UnsupportedError("Query", "nested too deeply")
        return PostgresScope(self.session, (*self.levels, Level(node)))

    def level(self, up: int = 0) -> Level:
        """The query so many levels up."""
        return self.levels[-1 - up]

    def type(self, node: TreeNode, oid: str, modifier: str = "") -> t.Type:
        """The type that fields of a node name."""
        return self.catalogue.type(node.number(oid), node.number(modifier) if modifier else -1)

    def variable(self, node: TreeNode) -> t.Expr:
        """The expression that a VAR stands for.

        Raises:
            UnsupportedError: a whole row, or a column of the system's.
        """
        level = self.level(node.number("varlevelsup"))
        number, position = node.number("varno"), node.number("varattno")
        if position < 0:
            raise UnsupportedError("Column", "a system column")
        found = self.type(node, "vartype", "vartypmod")
        if level.table(number).number("rtekind") == _GROUP:
            return t.Grouped(found, level.groups[position - 1])
        entry = level.entries.get(number)
        if entry is None:
            raise UnsupportedError("Column", "a column of what FROM does not read")
        if position == 0:
            fields = self.catalogue.fields(node.number("vartype"))
            # A row of which each field is NULL would be as one that an outer join lacks.
            if not any(each.is_required for each in fields):
                raise UnsupportedError("Column", "a whole row of a source without a NOT NULL column")
            columns = tuple(t.SourceColumn(each.type, entry.number, each.position) for each in fields)
            return t.WholeRow(found, columns)
        return t.SourceColumn(found, entry.number, position)

    def cte(self, name: str, up: int) -> t.CommonTable:
        """A common table expression of a query so many levels up."""
        found = self.level(up).ctes.get(name)
        if found is None:
            raise UnsupportedError(
                "With", f"a reference to the CTE {name} at a place that equiv does not model"
            )
        return found


_GROUP = 9
_COLLATIONS = frozenset(("0", "100", "950"))
"""None, the database's own, and ``C``, which sorts alike."""


def require_own_collation(node: TreeNode) -> None:
    """Make sure that a node compares texts by the database's own collation.

    Raises:
        UnsupportedError: it may not.
    """
    for name in ("inputcollid", "varcollid", "resultcollid"):
        if node.text(name) not in ("", *_COLLATIONS):
            raise UnsupportedError("Collate", "a collation other than the database's default")
