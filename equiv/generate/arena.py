"""One in-memory SQLite per schema and process, into which generated databases are loaded in turn."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from equiv.core.model import Schema, quoted
from equiv.core.runner import Connection, Guarded, RunnerError, open_memory
from equiv.dialects.registry import reference
from equiv.generate.database import Database


class Arena:
    """An in-memory database with the tables and views of a schema, emptied and refilled by :meth:`load`.

    Foreign keys are not enforced: facts about them are the generator's business.

    Args:
        schema: the schema.
        tables: names of the tables to create; all if None.

    Raises:
        InputError: a table cannot be created on this SQLite.
    """

    def __init__(self, schema: Schema, tables: Iterable[str] | None = None) -> None:
        self.engine: Guarded = open_memory()
        self._tables = [table.name for table in schema.tables] if schema.triggers else []
        self._filled: list[str] = []
        self._inserts: dict[tuple[str, tuple[str, ...]], str] = {}
        self.engine.connection.execute("PRAGMA foreign_keys = OFF")
        for statement in reference().create(schema, tables):
            self.engine.connection.execute(statement)

    @property
    def connection(self) -> Connection:
        """The connection, for trusted statements."""
        return self.engine.connection

    def load(self, database: Database, order: int | None = None) -> bool:
        """Replace all rows by those of a database; False, with no rows left, if the DDL forbids one of them.

        Args:
            order: a seed by which the rows of each table are shuffled before they are inserted, or None.
        """
        self.clear()
        connection = self.engine.connection
        connection.execute("BEGIN")
        try:
            for table, (columns, rows) in database.tables.items():
                self._filled.append(table)
                inserted = rows if order is None else Random(f"{order}:{table}").sample(rows, len(rows))
                connection.executemany(self._insert(table, columns), inserted)
        except (RunnerError, OverflowError):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._filled.clear()
            return False
        connection.execute("COMMIT")
        return True

    def clear(self) -> None:
        """Delete all rows, those that triggers have made among them."""
        if self._tables:
            self._clear_without_triggers()
        for table in self._filled:
            self.engine.connection.execute(f"DELETE FROM {quoted(table)}")
        self._filled.clear()

    def _clear_without_triggers(self) -> None:
        connection = self.engine.connection
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {quoted(name)}")
        for table in self._tables:
            connection.execute(f"DELETE FROM {quoted(table)}")
        for _, statement in triggers:
            connection.execute(statement)
        self._filled.clear()

    def close(self) -> None:
        """Close the connection."""
        self.engine.close()

    def _insert(self, table: str, columns: tuple[str, ...]) -> str:
        key = (table, columns)
        if key not in self._inserts:
            names = ", ".join(map(quoted, columns))
            marks = ", ".join("?" * len(columns))
            self._inserts[key] = f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})"
        return self._inserts[key]
