"""The pairs of an evaluation, in file order and by gold query, kept on disk: any number of them.

For several machines, each takes one part of the gold queries.  Temporary tables are for whatever must not
take memory by the number of pairs.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Generic, Self, TypeVar

from equiv.errors import InputError
from equiv.eval.plan import Job, JobGroup, JobState, Setting, key_of, to_do
from equiv.records.record import Item
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


_TABLES = """
CREATE TABLE target (number INTEGER PRIMARY KEY, digest BLOB UNIQUE);
CREATE TABLE item (
    place INTEGER PRIMARY KEY, key TEXT UNIQUE, database INTEGER, target INTEGER, item BLOB, part INTEGER
);
CREATE INDEX by_target ON item (database, target, place);
"""
_NEXT = "SELECT place, item FROM item WHERE place > ? ORDER BY place LIMIT ?"
_AT_ONCE = 256
"""Rows that are read at a time."""


class PairStore:
    """The items of an evaluation on disk: first all are added, then they get keys, then they are read."""

    def __init__(self) -> None:
        self._tables = temporary_tables(_TABLES)
        self._databases: dict[str, int] = {}

    @classmethod
    def of(cls, items: Iterable[Item], settings: Mapping[str, Setting]) -> Self:
        """A ledger of some items, with their keys."""
        ledger = cls()
        for item in items:
            ledger.add(item)
        ledger.give_keys(lambda item: key_of(item, settings))
        return ledger

    def add(self, item: Item) -> None:
        """Take an item in."""
        self._add(item, None)

    def add_part(self, job: Job) -> None:
        """Take in one of several checks that an item needs, which itself is left out of the groups."""
        self._add(job.item, job.key)

    def _add(self, item: Item, part: str | None) -> None:
        digest = target_digest(item)
        self._tables.execute("INSERT OR IGNORE INTO target (digest) VALUES (?)", (digest,))
        database = self._databases.setdefault(item.db_id, len(self._databases))
        self._tables.execute(
            "INSERT INTO item (key, part, database, target, item)"
            " VALUES (?, ?, ?, (SELECT number FROM target WHERE digest = ?), ?)",
            (part, part is not None, database, digest, packed(item)),
        )

    @property
    def databases(self) -> tuple[str, ...]:
        """The databases of the items, in order of appearance."""
        return tuple(self._databases)

    def give_keys(self, key: Callable[[Item], str]) -> int:
        """Give each item its key, and leave out those that stand twice; how many these were."""
        place = 0
        while rows := self._tables.execute(_NEXT, (place, _AT_ONCE)).fetchall():
            for place, stored in rows:
                key_and_place = key(_item(stored)), place
                self._tables.execute("UPDATE OR IGNORE item SET key = ? WHERE place = ?", key_and_place)
        return self._tables.execute("DELETE FROM item WHERE key IS NULL").rowcount

    def __len__(self) -> int:
        (count,) = self._tables.execute("SELECT count(*) FROM item WHERE NOT part").fetchone()
        return int(count)

    def jobs(self) -> Iterator[Job]:
        """A job for each item, in file order."""
        rows = self._tables.execute("SELECT key, item FROM item WHERE NOT part ORDER BY place")
        return (Job(_item(found), key) for key, found in rows)

    def by_database(self) -> Iterator[Job]:
        """The jobs grouped by database and gold query, in order of appearance."""
        return (job for job, is_part in self._by_target() if not is_part)

    def _by_target(self) -> Iterator[tuple[Job, bool]]:
        rows = self._tables.execute("SELECT key, item, part FROM item ORDER BY database, target, place")
        return ((Job(_item(found), key), bool(part)) for key, found, part in rows)

    def all_keys(self) -> Iterator[str]:
        """The keys, in file order."""
        return (key for (key,) in self._tables.execute("SELECT key FROM item WHERE NOT part ORDER BY place"))

    def groups(
        self,
        standing: Callable[[str], JobState] = lambda _: JobState.OPEN,
        is_pair: Callable[[Job], bool] = lambda job: job.item.is_pair,
    ) -> Iterator[JobGroup]:
        """The pairs to do, by gold query; those of one database stand together, in order of appearance.

        Settled ones are left out, but for those whose generated database the
        next job of their group would have been tried on: a resumed run gives
        the verdicts of an uninterrupted one.

        Args:
            standing: what stands for a key.
            is_pair: whether there are two queries to compare.
        """
        checked = (job for job, is_part in self._by_target() if is_part or not job.item.alternatives)
        for _, jobs in groupby(checked, key=lambda job: job.item.target):
            if group := to_do(filter(is_pair, jobs), standing):
                yield group

    def close(self) -> None:
        """Drop it."""
        self._tables.close()


def target_digest(item: Item) -> bytes:
    """SHA-256 of what the prediction is measured against: the same in every file and on every machine."""
    return digest_of(item.target)


def _item(found: bytes) -> Item:
    item: Item = unpacked(found)
    return item


_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``number``-th of ``count`` parts, from 1.

    All predictions for one gold query, and so all those of a question, fall to
    one part.  Which one follows from the gold query and the name of its
    database alone: not from the file, its order or the machine.
    """

    number: int = 1
    count: int = 1

    def holds(self, item: Item) -> bool:
        """Whether an item falls to this part."""
        if self.count == 1:
            return True
        return int.from_bytes(target_digest(item)[:8], "big") % self.count == self.number - 1


WHOLE = Shard()
"""All of it."""


def shard_named(text: str) -> Shard:
    """The part that ``i/n`` means; '' means all.

    Raises:
        InputError: it means none.
    """
    if not text:
        return WHOLE
    found = _SHARD.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise InputError(f"--shard takes i/n with i from 1 to n, as in 2/8, not {text!r}")
    return Shard(int(found[1]), int(found[2]))
