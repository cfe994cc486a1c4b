"""SQLite as a format of files of our own: caches and spilled tables, in which no query of a user runs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

Store = sqlite3.Connection
StoreError = sqlite3.Error


def open_store(path: str | Path, patience: float = 5.0) -> Store:
    """The tables in a file; under the path '' private ones, gone when they are closed.

    Every statement is committed by itself, and several threads may take turns.

    Args:
        path: the file.
        patience: how many seconds to wait for another process that writes.
    """
    return sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
