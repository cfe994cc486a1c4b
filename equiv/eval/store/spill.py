"""Temporary tables on disk, for what must not take memory by the number of pairs."""

from __future__ import annotations

import sqlite3

CACHE_KIB = 4096
"""What SQLite may keep of them in memory; the rest goes to a temporary file that nobody else sees."""


def temporary_tables(script: str) -> sqlite3.Connection:
    """A private database that is gone when it is closed.

    Args:
        script: the DDL of its tables.
    """
    connection = sqlite3.connect("", isolation_level=None)
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(script)
    return connection
