"""Scripts that may come from anybody, run on the core's runner."""

from __future__ import annotations

import sqlite3

from equiv.core.runner import Guarded

_WHAT_A_WITNESS_DOES = frozenset(
    (
        *(sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_CREATE_VIEW),
        *(sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT),
        *(sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_REINDEX),
    )
)


def run_script(engine: Guarded, script: str) -> None:
    """Create tables, indexes and views and insert rows, as a witness's script does, and nothing besides.

    From then on the connection takes nothing else either.

    Raises:
        RunnerError: the script does anything else, or fails.
        ValueError: it is no text that the runner takes.
    """
    engine.connection.set_authorizer(_allow)
    try:
        engine.connection.executescript(script)
    except sqlite3.Warning as error:
        raise sqlite3.ProgrammingError(str(error)) from None


def _allow(action: int, *_what: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _WHAT_A_WITNESS_DOES else sqlite3.SQLITE_DENY
