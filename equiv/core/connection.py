"""Connections to the SQLite that the core runs on, apsw's: one version on every machine.

Each statement commits by itself unless a transaction was begun; what a registered function raises comes out
as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import apsw

from equiv.cells import Cell
from equiv.core.identifiers import quoted
from equiv.core.lexer import tokens

VERSION = apsw.sqlite_lib_version()

RunnerError = apsw.Error
"""The exceptions that a statement of our own raises if it is refused or fails."""

OperationalError = apsw.SQLError
"""Those of a statement that SQLite refuses, for a name that is missing, say, or that fails on some value."""

Values = Sequence[Cell] | Mapping[str, Cell]
"""The values of parameters: by position, or by name without its sign."""


class Aggregate(Protocol):
    """One group of a function over rows."""

    @property
    def step(self) -> Callable[..., None]:
        """What takes the arguments of a row."""

    @property
    def final(self) -> Callable[[], Cell]:
        """What gives the value, of a group without rows, too."""


class Rows(apsw.Cursor):
    """The rows of a statement of our own.

    Raises:
        RunnerError: also for a text that is no UTF-8.
    """

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None


def _undecoded(error: UnicodeDecodeError) -> OperationalError:
    return OperationalError(f"a text is no UTF-8: {error.reason}")


class Connection(apsw.Connection):
    """A connection of the core.

    Args:
        name: the path of a database, or ``:memory:``.
        flags: as SQLite takes them.
    """

    def __init__(
        self, name: str = ":memory:", flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    ) -> None:
        super().__init__(name, flags=flags)
        self.cursor_factory = Rows

    if TYPE_CHECKING:

        def execute(  # type: ignore[override]
            self, statements: str, bindings: Sequence[Any] | Mapping[str, Any] = ()
        ) -> Rows: ...

    def create_function(
        self, name: str, arguments: int, function: Callable[..., Cell], *, deterministic: bool = False
    ) -> None:
        """Make a function known by its name and its number of arguments, -1 for any."""
        self.create_scalar_function(name, function, arguments, deterministic=deterministic)

    def create_aggregate(self, name: str, arguments: int, made: Callable[[], Aggregate]) -> None:
        """Make a function over rows known, of which one is made for each group."""
        self.create_aggregate_function(name, made, arguments)

    @classmethod
    def read_only(cls, path: Path) -> Self:
        """A connection to a file that is taken not to change: no lock, journal or log is looked for."""
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        return cls(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def run_script(self, script: str) -> None:
        """Run all statements of a text, whatever rows they have."""
        for _ in self.execute(script):
            pass

    def run_alone(self, text: str, values: Values = ()) -> tuple[apsw.Cursor, tuple[str, ...]]:
        """The rows of a text that is one statement, and the names of their columns.

        Raises:
            RunnerError: it is several statements, of which none is run, or SQLite refuses it.
            UnicodeDecodeError: when the rows are read, for a text that is no UTF-8.
        """
        described: list[tuple[str, ...]] = []

        def is_alone(cursor: apsw.Cursor, statement: str, _: object) -> bool:
            if described:
                return True  # a comment
            if len(statement) < len(text) and len(tokens(text[len(statement) :])) > 1:
                raise RunnerError("more than one statement")
            described.append(tuple([name for name, _ in cursor.get_description()]))
            return True

        cursor = apsw.Cursor(self)
        cursor.exec_trace = is_alone
        cursor.execute(text, values)
        return cursor, described[0] if described else ()

    def names(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns that ``*`` stands for."""
        return self.run_alone(f"SELECT * FROM {quoted(table)} LIMIT 0")[1]

    def copy(self) -> Connection:
        """A database in memory with the same tables and rows."""
        made = Connection()
        # No statement is run, which an authorizer could refuse.
        with made.backup("main", self, "main") as backup:
            backup.step()
        return made
