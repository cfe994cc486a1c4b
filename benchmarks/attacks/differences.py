"""Random queries asked of SQLite and of DuckDB; each difference is told with whose answer is wrong."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any, Self

import duckdb
import sqlglot

from benchmarks.attacks.alike import Queries, Table, drawn_rows, tables
from benchmarks.attacks.attack import code_digest
from benchmarks.attacks.oracle import Oracle
from equiv.answers.compare import same_bag
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import VERSION, Failure, Limits, RunnerError, open_memory
from equiv.dialects.sqlite.schema.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.generate.database import Database, shrink
from equiv.options import Options
from equiv.testing.making.reductions import reduced

SHARED = 25
"""How many queries are asked of one database."""

CAPS = Limits(seconds=0.5, rows=5_000, bytes=1024 * 1024)
"""The limits of one query; one that SQLite does not answer within them DuckDB is not asked."""

TRIED = 400
"""How many smaller queries are tried of one difference."""

MOST = 3
"""How many differences of which DuckDB is the cause one task makes smaller and tells."""

SQLITE, DUCKDB, BOTH, OPEN = "SQLite", "DuckDB", "both", "open"
"""Whose answer is wrong; OPEN where the algebra has none."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some queries on random schemas."""

    seed: int
    number: int
    queries: int

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        parts = code_digest(), VERSION, duckdb.__version__, self.seed, self.number, self.queries
        return hashlib.sha256(repr(parts).encode()).hexdigest()


class Engines:
    """SQLite and DuckDB with the same tables and rows.

    Args:
        made: the tables.

    Attributes:
        rows: the rows that they have.
    """

    def __init__(self, made: Sequence[Table]) -> None:
        self.made = made
        self.rows = Database({})
        self.sqlite = open_memory()
        for table in self.made:
            for statement in (table.ddl, *table.indexes):
                self.sqlite.connection.execute(statement)
        self.duckdb = self._opened()

    def _opened(self) -> duckdb.DuckDBPyConnection:
        opened = duckdb.connect(config={"threads": 1, "memory_limit": "1GB"})
        for table in self.made:
            opened.execute(table.ddl)
        return opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.sqlite.close()
        self.duckdb.close()

    def load(self, database: Database) -> None:
        """Replace all rows by those of a database, without those that a constraint refuses."""
        kept = {}
        for table in self.made:
            self.sqlite.connection.execute(f"DELETE FROM {table.name}")
            # A row that is deleted stands in DuckDB's indexes until its transaction ends.
            self.duckdb.execute(f"DROP TABLE {table.name}")
            self.duckdb.execute(table.ddl)
            names, rows = database.tables.get(table.name, ((), ()))
            stored = [row for row in rows if self._is_stored(table, names, row)]
            if stored:
                kept[table.name] = names, stored
                marks = ", ".join(f"({', '.join('?' * len(names))})" for _ in stored)
                cells = [cell for row in stored for cell in row]
                self.duckdb.execute(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {marks}", cells)
        self.rows = Database.of(kept)

    def _is_stored(self, table: Table, names: Sequence[str], row: Row) -> bool:
        text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        try:
            self.sqlite.connection.execute(text, row)
        except RunnerError:
            return False
        return True

    def of_sqlite(self, sql: str) -> Sequence[Row] | str:
        """SQLite's rows, or why there are none."""
        found = self.sqlite.run(sql, CAPS)
        return f"SQLite: {found.message}" if isinstance(found, Failure) else found.rows

    def of_duckdb(self, sql: str) -> Sequence[Row] | str:
        """DuckDB's rows, its truth values as numbers; or why there are none."""
        try:
            return [tuple(map(_plain, row)) for row in self.duckdb.execute(sql).fetchall()]
        except (duckdb.FatalException, duckdb.InternalException) as error:
            # A database in which DuckDB contradicts itself answers no more.
            self.duckdb.close()
            self.duckdb = self._opened()
            self.load(self.rows)
            return f"DuckDB: {error}"
        except duckdb.Error as error:
            return f"DuckDB: {error}"

    def script(self) -> str:
        """Tables and rows."""
        lines = [f"{statement};" for table in self.made for statement in (table.ddl, *table.indexes)]
        for name, (columns, rows) in self.rows.tables.items():
            for row in rows:
                cells = ("NULL" if cell is None else repr(cell) for cell in row)
                lines.append(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join(cells)});")
        return "\n".join(lines)


def _plain(cell: Any) -> Any:
    return int(cell) if isinstance(cell, bool) else cell


def compare(task: Batch) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    random = Random(f"engines {task.seed} {task.number}")
    found = Differences()
    start = process_time()
    for first in range(0, task.queries, SHARED):
        made = tables(random)
        queries = Queries(random, made)
        with Engines(made) as engines:
            engines.load(
                Database.of(
                    {
                        each.name: ((name for name, _ in each.columns), drawn_rows(random, each))
                        for each in made
                    }
                )
            )
            for number in range(first, min(first + SHARED, task.queries)):
                found.ask(f"seed {task.seed}, task {task.number}, query {number}", engines, queries.query())
    return {"seconds": process_time() - start, **found.to_json()}


@dataclass(slots=True)
class Differences:
    """What engines answered otherwise; differences add up."""

    asked: int = 0
    """Queries that both answered."""
    rows: int = 0
    """Queries of these with a row in their answer."""
    refused: Counter[str] = field(default_factory=Counter)
    """Queries that one does not answer, by the beginning of its message."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Queries that they answer otherwise, by whose answer is wrong."""
    told: list[str] = field(default_factory=list)
    """Differences as texts: those of which DuckDB is the cause are not told all."""

    def ask(self, name: str, engines: Engines, sql: str) -> None:
        """Ask both one query, and tell where they part."""
        ours = engines.of_sqlite(sql)
        theirs = ours if isinstance(ours, str) else engines.of_duckdb(sql)
        if isinstance(ours, str) or isinstance(theirs, str):
            self.refused[str(theirs)[:60].splitlines()[0]] += 1
            return
        self.asked += 1
        self.rows += bool(ours)
        if same_bag(ours, theirs):
            return
        whose = _whose(engines, sql, sql)
        self.wrong[whose] += 1
        if whose != DUCKDB or self.wrong[DUCKDB] <= MOST:
            self.told.append(_told(name, whose, engines, sql))

    def add(self, other: dict[str, Any]) -> None:
        """Add what :meth:`to_json` wrote."""
        self.asked += other["asked"]
        self.rows += other["rows"]
        self.refused.update(other["refused"])
        self.wrong.update(other["wrong"])
        self.told += other["told"]

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def _computed(engines: Engines, sql: str) -> Sequence[Row] | None:
    """The rows of a query by the algebra; None where it has none."""
    schema = load_ddl("\n".join(f"{table.ddl};" for table in engines.made), "drawn")
    with closing(make_engine(schema, None, Options(facts="declared", timeout=None))) as engine:
        query = engine.read(sql)
        return Oracle(engine).rows(query, engines.sqlite.connection) if isinstance(query, Query) else None


def _whose(engines: Engines, sql: str, typed: str) -> str:
    """Whose answer to a query, said in SQLite's and in DuckDB's words, is wrong; '' if they do not part."""
    ours, theirs = engines.of_sqlite(sql), engines.of_duckdb(typed)
    if isinstance(ours, str) or isinstance(theirs, str) or same_bag(ours, theirs):
        return ""
    right = _computed(engines, sql)
    if right is None:
        return OPEN
    if same_bag(ours, right):
        return DUCKDB
    return SQLITE if same_bag(theirs, right) else BOTH


def _told(name: str, whose: str, engines: Engines, sql: str) -> str:
    """A difference as a text, on fewer rows and by a smaller query."""

    def is_kept(text: str) -> bool:
        try:
            typed = sqlglot.transpile(text, read="sqlite", write="duckdb")[0]
        except sqlglot.errors.SqlglotError:
            return False
        return _whose(engines, text, typed) == whose

    def remains(rows: Database) -> bool:
        engines.load(rows)
        return _whose(engines, sql, sql) == whose

    whole = engines.rows
    small = shrink(whole, remains)
    engines.load(small)
    # Without the algebra's word a smaller query may be one that ties decide.
    shorter = reduced(sql, is_kept, TRIED) if whose != OPEN else sql
    shown = [f"-- {name}: whose answer is wrong: {whose}", engines.script(), f"{shorter};"]
    shown += [f"-- drawn as {sql}"] if shorter != sql else []
    shown += [f"-- SQLite  {engines.of_sqlite(sql)}", f"-- DuckDB  {engines.of_duckdb(sql)}"]
    shown += [f"-- algebra {_computed(engines, sql)}"]
    engines.load(whole)
    return "\n".join(shown)
