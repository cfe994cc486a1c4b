"""Scripts that may come from anybody, run on the core's runner."""

from __future__ import annotations

import apsw

from equiv.core.runner import Guarded

_WHAT_A_WITNESS_DOES = frozenset(
    (
        *(apsw.SQLITE_CREATE_TABLE, apsw.SQLITE_CREATE_INDEX, apsw.SQLITE_CREATE_VIEW),
        *(apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_READ, apsw.SQLITE_SELECT),
        *(apsw.SQLITE_FUNCTION, apsw.SQLITE_TRANSACTION, apsw.SQLITE_REINDEX),
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
    engine.connection.run_script(script)


def _allow(action: int, *_what: str | None) -> int:
    return apsw.SQLITE_OK if action in _WHAT_A_WITNESS_DOES else apsw.SQLITE_DENY
