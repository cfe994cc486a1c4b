"""Databases of a schema written down: as a script, and as a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.identifiers import quoted
from equiv.core.literals import sql_literal
from equiv.core.model import Schema
from equiv.dialects.sqlite.schema.render import create_statements
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables and of all views, and an INSERT for each row."""
    statements = create_statements(schema, tables)
    for table, (columns, rows) in filled.items():
        head = f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, columns))}) VALUES "
        statements += [head + "(" + ", ".join(map(sql_literal, row)) + ")" for row in rows]
    return "".join(f"{statement};\n" for statement in statements)


def store(path: Path, schema: Schema, filled: Filled) -> None:
    """Write a database file with all tables, indexes that forbid rows, and views of the schema.

    Raises:
        InputError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            for statement in create_statements(schema):
                connection.execute(statement)
            for table, (columns, rows) in filled.items():
                names = ", ".join(map(quoted, columns))
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})", rows)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}") from None
