"""Rows as a suite keeps them: read back from a script, with every column that can be inserted into."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.cells import Row
from equiv.core.identifiers import quoted
from equiv.core.model import Schema, Table
from equiv.core.runner import Connection, RunnerError, open_memory
from equiv.core.untrusted_scripts import run_script
from equiv.generate.database import Database

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
