"""A schema with the facts in force, on which queries are read, changed and normalised in this process.

A database drawn on it is one of SQLite's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from sqlglot import exp

from equiv.core.model import Context, Schema
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection, connect_memory
from equiv.dialects.registry import reference
from equiv.engine.make import all_rules, make_engine
from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.facts import Facts
from equiv.generate.database import Database
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.testing.making.texts import HARD_COLUMNS

SHOP = """
CREATE TABLE shop (
  id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, city TEXT, open INTEGER CHECK (open >= 0));
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT COLLATE NOCASE, vip BOOLEAN,
  boss INTEGER REFERENCES customer (id));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  shop_id INTEGER REFERENCES shop (id), day DATE, total INTEGER, rate REAL, note TEXT);
"""
"""The schema that queries are drawn on where none is given."""


class QueryGround:
    """A schema with facts, on which queries are read and rewritten."""

    def __init__(self, schema: Schema, options: Options) -> None:
        self.schema = schema
        self._engine = make_engine(schema, None, options)

    @property
    def facts(self) -> Facts:
        """The facts in force."""
        return self._engine.facts

    def tree(self, sql: str) -> exp.Expression | None:
        """The resolved tree of a query; None if the text is no query here, or is not modelled."""
        found = self._engine.read(sql)
        return found.tree if isinstance(found, Query) else None

    def orders(self, sql: str) -> bool:
        """Whether a query orders its rows at the top."""
        found = self._engine.read(sql)
        return isinstance(found, Query) and found.orders

    def can_be_prepared(self, sql: str) -> bool:
        """Whether a text is one query on the schema."""
        return isinstance(self._engine.read(sql), Query)

    def normal_form(self, sql: str, relation: str = "sql", rules: Iterable[Rule] | None = None) -> str:
        """The normal form of a query under some rules, or all; the query itself where it has no tree."""
        tree = self.tree(sql)
        if tree is None:
            return sql
        rows = resolve_relation(relation, gold_orders=self.orders(sql)).rows
        chosen = RuleSet(all_rules() if rules is None else rules)
        return to_sql(normalise(tree, chosen, Context(self.schema, self.facts, rows)).tree)


def schema_of(schema: Schema | str | Path | None, dialect: str = "") -> Schema:
    """A schema as the strategies take it: a schema, DDL text or the path of a DDL file; None is a small shop.

    Raises:
        InputError: it cannot be read, or random queries cannot be drawn on it.
    """
    loaded = Premises.of(SHOP if schema is None else schema, None, Options(dialect=dialect)).schema
    assert loaded is not None
    if not loaded.tables:
        raise InputError("the schema has no table to draw queries on")
    taken = [f"{t.name}.{c.name}" for t in loaded.tables for c in t.columns if c.name in HARD_COLUMNS]
    if taken:
        raise InputError(f"{taken[0]}: this column name is reserved by the random queries")
    return loaded


def ground_of(schema: Schema, facts: str = "intended", assume: Sequence[str] = ()) -> QueryGround:
    """The ground that a schema makes under a fact policy and further facts, made once.

    Raises:
        InputError: a fact is malformed or names what the schema lacks.
    """
    return _ground(schema, facts, tuple(assume))


@lru_cache(maxsize=32)
def _ground(schema: Schema, facts: str, assume: tuple[str, ...]) -> QueryGround:
    return QueryGround(schema, Options(facts=facts, assume=assume, timeout=None, dialect=schema.dialect))


def script_of(database: Database, schema: Schema | str | Path | None = None) -> str:
    """A database as a script: the DDL of its schema, and an INSERT for each row."""
    return write_script(database, schema_of(schema))


def write_script(database: Database, schema: Schema) -> str:
    """The script of a database on a schema on which random queries need not be drawn."""
    names = [table.name for table in schema.tables]
    return reference().engine.script(schema, names, database.tables)


def open_database(database: Database, schema: Schema | str | Path | None = None) -> Connection:
    """A database in memory; the caller closes it.

    Raises:
        RunnerError: the schema does not take the rows.
    """
    connection = connect_memory()
    connection.run_script(script_of(database, schema))
    return connection
