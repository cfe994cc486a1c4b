"""Drawn databases as SQLite's own."""

from __future__ import annotations

from pathlib import Path

from equiv.core.model import Schema, quoted
from equiv.core.runner import Connection, connect_memory
from equiv.core.single_values import sql_literal
from equiv.dialects.registry import reference
from equiv.generate.database import Database
from equiv.testing.schema_facts import schema_of


def script_of(database: Database, schema: Schema | str | Path | None = None) -> str:
    """A database as a script: the DDL of its schema, and an INSERT for each row."""
    return write_script(database, schema_of(schema))


def write_script(database: Database, schema: Schema) -> str:
    """The script of a database on a schema on which random queries need not be drawn."""
    statements = reference().create(schema)
    for table, (columns, rows) in database.tables.items():
        head = f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, columns))}) VALUES "
        statements += [head + "(" + ", ".join(map(sql_literal, row)) + ")" for row in rows]
    return "".join(f"{statement};\n" for statement in statements)


def open_database(database: Database, schema: Schema | str | Path | None = None) -> Connection:
    """A database in memory; the caller closes it.

    Raises:
        RunnerError: the schema does not take the rows.
    """
    connection = connect_memory()
    connection.run_script(script_of(database, schema))
    return connection
