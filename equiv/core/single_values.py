"""Single values: as SQL literals, by the keys under which they compare, and computed by SQLite.

Only texts have keys that differ from them.  https://sqlite.org/datatype3.html section 7: NOCASE folds the 26
letters of ASCII, RTRIM leaves out spaces at the end.  By experiment, NOCASE reads up to the first NUL; behind
it the number of bytes alone counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase
from threading import Lock
from typing import Any, Literal

import apsw

from equiv.cells import Cell
from equiv.core.connection import Connection
from equiv.core.functions.own import register


def sql_literal(cell: Cell) -> str:
    """A cell as an SQL literal that SQLite reads back as the same value."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"x'{cell.hex()}'"
        case str() if "\x00" in cell:
            return f"CAST(x'{cell.encode('utf-8', 'surrogatepass').hex()}' AS TEXT)"
        case str():
            return "'" + cell.replace("'", "''") + "'"
        case float() if cell in (float("inf"), float("-inf")):
            return "9e999" if cell > 0 else "-9e999"
        case _:
            return repr(cell).lower() if isinstance(cell, bool) else repr(cell)


Collation = Literal["NOCASE", "RTRIM"]
"""A collation whose keys differ from the values."""

COLLATIONS = ("BINARY", "NOCASE", "RTRIM")
"""SQLite's own collations."""

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def collation_of(name: str) -> Collation | None:
    """The collation of a name, letter case ignored, if its keys differ from the values."""
    match name.upper():
        case "NOCASE" | "RTRIM" as found:
            return found
    return None


def key_of(collation: Collation, value: Cell) -> Cell:
    """The key of a value."""
    return key_of_text(collation, value) if isinstance(value, str) else value


def key_of_text(collation: Collation, text: str) -> str:
    """The key of a text."""
    if collation == "RTRIM":
        return text.rstrip(" ")
    read, nul, rest = text.partition("\0")
    return read.translate(_SMALL) + "\0" * len((nul + rest).encode("utf-8", "surrogateescape"))


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
