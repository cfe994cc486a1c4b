"""Databases of a schema written down: as a script, and as a file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.connection import Connection, RunnerError
from equiv.core.model import Schema, quoted
from equiv.core.runner import Guarded, open_memory
from equiv.core.single_values import sql_literal
from equiv.dialects.sqlite.schema.render import create_statements
from equiv.errors import InputError
from equiv.files import one_line

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


def empty_database(schema: Schema) -> Guarded:
    """An empty database in memory, on which queries can be prepared.

    Raises:
        InputError: the schema is more than SQLite takes within the limits for what strangers write.
    """
    engine = open_memory()
    try:
        for statement in create_statements(schema):
            engine.connection.execute(statement)
    except (RunnerError, ValueError) as error:
        engine.close()
        raise InputError(f"the schema is refused: {one_line(error)}") from None
    engine.seal()
    return engine


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
        with closing(Connection(str(path))) as connection:
            connection.execute("BEGIN")
            for statement in create_statements(schema):
                connection.execute(statement)
            for table, (columns, rows) in filled.items():
                names = ", ".join(map(quoted, columns))
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})", rows)
            connection.execute("COMMIT")
    except RunnerError as error:
        raise InputError(f"{path}: {error}") from None
