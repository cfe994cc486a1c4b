"""Rows as a suite keeps them: read back from a script, with every column that can be inserted into."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from equiv.cells import Row
from equiv.core.identifiers import quoted
from equiv.core.model import Schema, Table
from equiv.core.runner import open_memory
from equiv.generate.database import Database

MAX_ROWS = 20_000
"""So many rows of one table are read back at most."""

_WHAT_A_WITNESS_DOES = frozenset(
    (
        *(sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_CREATE_VIEW),
        *(sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT),
        *(sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_REINDEX),
    )
)


def rows_of(script: str, schema: Schema) -> Database | None:
    """The rows that a witness's script makes; None where it does not run, or does anything else.

    A script comes from a results file, which may come from anybody: in memory it may create tables,
    indexes and views and insert rows, and nothing besides.
    """
    with open_memory() as engine:
        connection = engine.connection
        connection.set_authorizer(_allow)
        try:
            connection.executescript(script)
            return read_back(connection, schema)
        except (sqlite3.Error, sqlite3.Warning, ValueError):
            return None


def _allow(action: int, *_what: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _WHAT_A_WITNESS_DOES else sqlite3.SQLITE_DENY


def read_back(connection: sqlite3.Connection, schema: Schema) -> Database:
    """The rows of a database whose tables are those of a schema, or some of them.

    Raises:
        sqlite3.Error: a table has other columns.
    """
    present = {
        name.lower() for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    tables = [table for table in schema.tables if table.name.lower() in present]
    return Database.of({table.name: (columns_of(table), _rows(connection, table)) for table in tables})


def columns_of(table: Table) -> tuple[str, ...]:
    """The columns that can be inserted into."""
    return tuple(column.name for column in table.columns if not column.generated)


def _rows(connection: sqlite3.Connection, table: Table) -> list[Row]:
    source = quoted(table.name)
    # A bare unknown name in double quotes would be read as a string.
    names = ", ".join(f"{source}.{quoted(name)}" for name in columns_of(table))
    return connection.execute(f"SELECT {names} FROM {source} LIMIT {MAX_ROWS}").fetchall()


def counts_of(database: Database) -> Mapping[str, int]:
    """The number of rows of each table that has some."""
    return {name: len(rows) for name, (_, rows) in database.tables.items()}
