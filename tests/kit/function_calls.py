"""The rows of the table of functions that the SQLite at hand has, and its calls."""

from __future__ import annotations

from equiv.core.functions.own import register
from equiv.core.functions.table import TABLE, call_text
from equiv.core.functions.traits import (
    Function,
    FunctionSort,
)
from equiv.core.runner import Connection, RunnerError

SQLITE = Connection()
register(SQLITE)
KNOWN = {name.upper() for (name,) in SQLITE.execute("SELECT name FROM pragma_function_list")}
CALLED = [row for row in TABLE if row.is_call and (row.sort is FunctionSort.OPERATOR or row.name in KNOWN)]
MOST = 4


def counts(row: Function) -> list[int]:
    """Numbers of arguments that this SQLite takes of those in the row."""
    return [count for count in range(row.least, min(row.most or MOST, MOST) + 1) if is_taken(row, count)]


def is_taken(row: Function, count: int) -> bool:
    try:
        SQLITE.execute(f"EXPLAIN SELECT {call_text(row.name, count)}", [None] * count)
    except RunnerError:
        return False
    return True
