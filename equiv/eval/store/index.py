"""The index of results files: for each key, which record counts and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from equiv.eval.store.temporary_tables import temporary_tables

_TABLES = """
CREATE TABLE entry (key TEXT PRIMARY KEY, file INTEGER, place INTEGER, worth INTEGER, leaves INTEGER)
"""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry of the index: the place of a record, and the fields needed without reading it again."""

    place: int
    """The byte at which its line begins."""
    worth: int
    """Beside other records of its key; see :func:`equiv.records.record.worth`."""
    leaves_database: bool = False
    """Whether a generated database told its queries apart, which the next predictions are tried on."""
    file: int = 0
    """The number of its file, where there are several."""


class Index:
    """Entries by key; of two for one key the one worth more stands, of equals the later one."""

    def __init__(self) -> None:
        self._tables = temporary_tables(_TABLES)

    def enter(self, key: str, entry: IndexEntry) -> None:
        """Put an entry in, unless a better one stands."""
        self._tables.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET file = excluded.file, place = excluded.place,"
            " worth = excluded.worth, leaves = excluded.leaves"
            " WHERE excluded.worth >= worth",
            (key, entry.file, entry.place, entry.worth, entry.leaves_database),
        )

    def get(self, key: str) -> IndexEntry | None:
        """The entry that stands for a key."""
        found = self._tables.execute(
            "SELECT place, worth, leaves, file FROM entry WHERE key = ?", (key,)
        ).fetchone()
        return IndexEntry(found[0], found[1], bool(found[2]), found[3]) if found else None

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        """The keys, in the order of their records."""
        return (key for (key,) in self._tables.execute("SELECT key FROM entry ORDER BY file, place"))

    def __len__(self) -> int:
        (count,) = self._tables.execute("SELECT count(*) FROM entry").fetchone()
        return int(count)

    def close(self) -> None:
        """Drop it."""
        self._tables.close()
