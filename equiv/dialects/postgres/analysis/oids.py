"""Names of types, functions, operators and tables by the OIDs that node trees have."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, cast

from equiv.dialects.typed.tree import Routine, Type

T = TypeVar("T")


class Answer(Protocol):
    """What a statement returns."""

    @property
    def rows(self) -> Sequence[tuple[str | None, ...]]:
        """The rows, each value as PostgreSQL writes it."""


class Server(Protocol):
    """A connection to the server, for statements of our own."""

    def execute(self, statements: str) -> Answer:
        """Run statements."""

    def one(self, statement: str, values: Sequence[str | None] = ()) -> Answer:
        """Run one statement; values stand for ``$1``, ``$2``, …."""


_BUILT_IN = 16384
"""OIDs below are PostgreSQL's own: the same in every database of a server."""

_TYPES = """SELECT t.oid, typname, typtype, nspname, to_json(ARRAY(
    SELECT enumlabel FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder))
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = $1"""
_LABELS = "SELECT enumlabel FROM pg_enum WHERE oid = $1"
_ROUTINES = """SELECT proname, to_json(ARRAY(
    SELECT typname FROM unnest(proargtypes) WITH ORDINALITY a (id, place)
    JOIN pg_type t ON t.oid = id ORDER BY place)), provolatile, proisstrict, nspname, proretset
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE p.oid = $1"""
_OPERATORS = """SELECT oprname, oprcode::oid, nspname FROM pg_operator o
    JOIN pg_namespace n ON n.oid = oprnamespace WHERE o.oid = $1"""
_RELATIONS = """SELECT nspname, relname, relkind, to_json(ARRAY(SELECT attname FROM pg_attribute
    WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum)),
    EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid) OR relkind = 'p'
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = $1"""


@dataclass(frozen=True, slots=True)
class RelationName:
    """A table or view: its schema, its name, ``pg_class.relkind`` and the names of its columns."""

    schema: str
    name: str
    kind: str
    columns: tuple[str, ...]
    has_children: bool = False


class Catalogue:
    """What OIDs stand for, asked once and kept; of PostgreSQL's own for all later queries.

    Args:
        server: the connection that holds the schema.
        shared: what is known of PostgreSQL's own; is added to.
    """

    def __init__(self, server: Server, shared: dict[tuple[str, int], object]) -> None:
        self._server = server
        self._shared = shared
        self._own: dict[tuple[str, int], object] = {}

    def type(self, oid: int, modifier: int = -1) -> Type:
        """A type."""
        found = self._known(oid, self._type)
        return found if modifier == -1 else replace(found, modifier=modifier)

    def label(self, oid: int) -> str:
        """A label of an enumeration."""
        return self._known(oid, self._label)

    def routine(self, oid: int) -> Routine:
        """A function."""
        return self._known(oid, self._routine)

    def operator(self, oid: int) -> Routine:
        """An operator, under its own name."""
        return self._known(oid, self._operator)

    def relation(self, oid: int) -> RelationName:
        """A table or view."""
        return self._known(oid, self._relation)

    def _known(self, oid: int, ask: Callable[[int], T]) -> T:
        known = self._shared if oid < _BUILT_IN else self._own
        key = ask.__name__, oid
        if key not in known:
            known[key] = ask(oid)
        return cast(T, known[key])

    def _row(self, statement: str, oid: int) -> tuple[str, ...]:
        (row,) = self._server.one(statement, (str(oid),)).rows
        return tuple(str(each) for each in row)

    def _type(self, oid: int) -> Type:
        _, name, sort, schema, labels = self._row(_TYPES, oid)
        return Type(name, sort=sort, schema=schema, labels=tuple(json.loads(labels)))

    def _label(self, oid: int) -> str:
        (found,) = self._row(_LABELS, oid)
        return found

    def _routine(self, oid: int) -> Routine:
        name, arguments, volatility, strict, schema, returns_set = self._row(_ROUTINES, oid)
        return Routine(
            name, tuple(json.loads(arguments)), volatility, strict == "t", schema, False, returns_set == "t"
        )

    def _operator(self, oid: int) -> Routine:
        name, code, schema = self._row(_OPERATORS, oid)
        return replace(self.routine(int(code)), name=name, schema=schema, operator=True)

    def _relation(self, oid: int) -> RelationName:
        schema, name, kind, columns, has_children = self._row(_RELATIONS, oid)
        return RelationName(schema, name, kind, tuple(json.loads(columns)), has_children == "t")
