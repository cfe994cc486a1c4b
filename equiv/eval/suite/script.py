"""The published evaluation scripts that a suite is made for: how they run, compare and look for databases.

What they compare with is in :mod:`equiv.eval.metrics.execution`, as the tools have it.

The rows of a suite are read back from a script, with every column that can be inserted into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from equiv.cells import Row
from equiv.core.model import Schema, Table, quoted
from equiv.core.runner import Connection, Result, RunnerError, open_memory, run_script
from equiv.errors import InputError
from equiv.eval.metrics.execution import as_bird, as_spider, is_ordered_for_spider, prepared_for_spider
from equiv.generate.database import Database
from equiv.relation import Columns, Relation, Rows

MAX_ROWS = 20_000
"""So many rows of one table are read back at most."""


def rows_of(script: str, schema: Schema) -> Database | None:
    """The rows that a witness's script makes; None where it does not run, or does anything else.

    A script comes from a results file, which may come from anybody: in memory it may create tables,
    indexes and views and insert rows, and nothing besides.
    """
    with open_memory() as engine:
        try:
            run_script(engine, script)
            return read_back(engine.connection, schema)
        except (RunnerError, ValueError):
            return None


def read_back(connection: Connection, schema: Schema) -> Database:
    """The rows of a database whose tables are those of a schema, or some of them.

    Raises:
        RunnerError: a table has other columns.
    """
    present = {
        name.lower() for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    tables = [table for table in schema.tables if table.name.lower() in present]
    return Database.of({table.name: (columns_of(table), _rows(connection, table)) for table in tables})


def columns_of(table: Table) -> tuple[str, ...]:
    """The columns that can be inserted into."""
    return tuple(column.name for column in table.columns if not column.generated)


def _rows(connection: Connection, table: Table) -> list[Row]:
    source = quoted(table.name)
    # A bare unknown name in double quotes would be read as a string.
    names = ", ".join(f"{source}.{quoted(name)}" for name in columns_of(table))
    return connection.execute(f"SELECT {names} FROM {source} LIMIT {MAX_ROWS}").fetchall()


def counts_of(database: Database) -> Mapping[str, int]:
    """The number of rows of each table that has some."""
    return {name: len(rows) for name, (_, rows) in database.tables.items()}


class Layout(StrEnum):
    """The names that ``--layout`` takes."""

    BIRD = "bird"
    """``<root>/<db_id>/<db_id>.sqlite``, one database a run: each further one has its root."""
    SPIDER = "spider"
    """All files of ``database/<db_id>/`` in one run, as test suites have it."""


@dataclass(frozen=True, slots=True)
class EvaluationScript:
    """A script with its switches."""

    layout: Layout
    keep_distinct: bool = True
    """Whether Spider's script is run with ``--keep_distinct``; BIRD's always keeps DISTINCT."""

    def prepared(self, sql: str) -> str:
        """A query as the script runs it."""
        if self.layout is Layout.BIRD:
            return sql
        return prepared_for_spider(sql, keep_distinct=self.keep_distinct)

    def is_ordered(self, gold: str) -> bool:
        """Whether the order of rows counts."""
        return self.layout is Layout.SPIDER and is_ordered_for_spider(gold)

    def same(self, pred: Result, gold: Result, *, ordered: bool) -> bool:
        """Whether the script takes two results for the same."""
        if self.layout is Layout.BIRD:
            return as_bird(pred, gold)
        return as_spider(pred, gold, ordered=ordered)

    def relation(self, gold: str) -> Relation:
        """The relation under which the script compares, as far as verdicts know it."""
        if self.layout is Layout.BIRD:
            return Relation(Rows.SET)
        return Relation(Rows.LIST if self.is_ordered(gold) else Rows.BAG, Columns.ANY)


def script_named(layout: str, *, keep_distinct: bool) -> EvaluationScript:
    """The script of a layout.

    Raises:
        InputError: there is none of that name, or the switch is not one of its.
    """
    try:
        found = Layout(layout)
    except ValueError:
        raise InputError(f"unknown layout {layout!r}; choose one of {', '.join(Layout)}") from None
    if keep_distinct and found is Layout.BIRD:
        raise InputError("--keep-distinct goes with --layout spider: BIRD's script always keeps DISTINCT")
    return EvaluationScript(found, keep_distinct)
