"""Single values computed by SQLite: an expression's value, a cell after a column's affinity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, Literal

import apsw

from equiv.cells import Cell
from equiv.core.connection import Connection
from equiv.core.functions.own import register


class Calculator:
    """A private in-memory SQLite, which computes.

    Args:
        longest: how many bytes a text or blob may have.
    """

    def __init__(self, longest: int | None = None) -> None:
        self._connection = Connection()
        register(self._connection)
        if longest is not None:
            self._connection.limit(apsw.SQLITE_LIMIT_LENGTH, longest)
        self._connection.execute("CREATE TABLE stored (as_numeric NUMERIC, as_text TEXT)")
        self._connection.execute("CREATE TABLE rows (v, w)")
        self._lock = Lock()

    def value(self, expression: str, cells: Sequence[Cell] = ()) -> Any:
        """The value of an expression, in which ``?`` stands for the cells.

        Raises:
            RunnerError: SQLite refuses.
            OverflowError: a cell is an integer beyond 64 bits.
        """
        return self._connection.execute(f"SELECT {expression}", cells).fetchone()[0]

    def stored(self, affinity: Literal["NUMERIC", "TEXT"], cell: Cell) -> Any:
        """A cell as a column of some affinity stores it, and as a comparison with one takes it.

        Raises:
            RunnerError: SQLite refuses.
            OverflowError: the cell is an integer beyond 64 bits.
        """
        column = "as_numeric" if affinity == "NUMERIC" else "as_text"
        with self._lock:
            self._connection.execute("DELETE FROM stored")
            self._connection.execute(f"INSERT INTO stored ({column}) VALUES (?)", (cell,))
            return self.value(f"{column} FROM stored")

    def over(self, expression: str, rows: Iterable[Sequence[Cell]]) -> Any:
        """The value of an aggregate expression over rows of cells ``v`` and ``w``, which may be left out.

        Raises:
            RunnerError: SQLite refuses.
            OverflowError: a cell is an integer beyond 64 bits.
        """
        with self._lock:
            self._connection.execute("DELETE FROM rows")
            self._connection.executemany("INSERT INTO rows VALUES (?, ?)", [(*row, None)[:2] for row in rows])
            return self.value(f"{expression} FROM rows")


def sort_key(value: Cell) -> tuple[int, Any]:
    """A key that sorts cells as SQLite does: NULL, numbers, text by BINARY, blobs."""
    match value:
        case None:
            return (0, 0)
        case int() | float():
            return (1, value)
        case str():
            # What is no UTF-8 is read so; see Guarded.run.
            return (2, value.encode("utf-8", "surrogateescape"))
    return (3, value)
