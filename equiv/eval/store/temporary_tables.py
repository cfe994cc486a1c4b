"""Temporary tables on disk, for what must not take memory by the number of pairs."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

from equiv.storage import Store, open_store

T = TypeVar("T")

CACHE_KIB = 4096
"""What SQLite may keep of them in memory; the rest goes to a temporary file that nobody else sees."""


def temporary_tables(script: str) -> Store:
    """A private database that is gone when it is closed.

    Args:
        script: the DDL of its tables.
    """
    connection = open_store("")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(script)
    return connection


def packed(value: object) -> bytes:
    """A value as it lies in such a table.

    Raises:
        RecursionError: it is nested beyond reason.
    """
    return pickle.dumps(value)


def unpacked(found: bytes) -> Any:
    """The value that :func:`packed` made bytes of."""
    return pickle.loads(found)  # noqa: S301 - this very process wrote it, where no other can


def as_bytes(text: str) -> bytes:
    """A text as a key of such a table, which takes no text with lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def as_text(found: bytes) -> str:
    """The text that a key was."""
    return found.decode("utf-8", "surrogatepass")


def digest_of(value: object) -> bytes:
    """A digest that tells a JSON value from others: SHA-256, the same on every machine."""
    return hashlib.sha256(json.dumps(value).encode()).digest()


class Spool(Generic[T]):
    """Values in the order in which they come, on disk; they are read as often as wanted."""

    def __init__(self, values: Iterable[T]) -> None:
        self._tables = temporary_tables("CREATE TABLE value (place INTEGER PRIMARY KEY, value BLOB)")
        rows = ((packed(value),) for value in values)
        self._length = self._tables.executemany("INSERT INTO value (value) VALUES (?)", rows).rowcount

    def __len__(self) -> int:
        return max(self._length, 0)

    def __iter__(self) -> Iterator[T]:
        rows = self._tables.execute("SELECT value FROM value ORDER BY place")
        return (unpacked(value) for (value,) in rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._tables.close()
