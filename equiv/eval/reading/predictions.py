"""The predictions of a file, on disk, and which questions of a gold book they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from equiv.eval.reading.entries import db_of, source_of
from equiv.eval.reading.gold_book import Mark
from equiv.eval.reading.loading import Entry
from equiv.eval.store.temporary_tables import as_bytes, as_text, packed, temporary_tables, unpacked

_TABLES = """
CREATE TABLE entry (
    place INTEGER PRIMARY KEY, system INTEGER, location BLOB, id BLOB, database BLOB, entry BLOB
);
CREATE INDEX by_system ON entry (system, place);
CREATE TABLE meant (gold INTEGER, entry INTEGER, several INTEGER);
CREATE INDEX by_gold ON meant (gold, entry);
"""
_MARKS = "SELECT place, location, id, database FROM entry WHERE system = ? ORDER BY place"
_MEANT = """
SELECT place, entry.entry, several FROM meant JOIN entry ON place = meant.entry WHERE gold IS ? ORDER BY place
"""

Lookup = Callable[[str], list[Mark]]
"""The questions that an id may mean."""

Match = tuple[str, str, str]
"""Where a prediction stands, the database that it names or '', and that of its question."""


@dataclass(frozen=True, slots=True)
class PredictionMark:
    """The key by which a prediction is joined to a question."""

    place: int
    where: str
    id: str
    database: str


class Predictions:
    """Entries of a prediction file.

    Args:
        entries: in order.
        source: what the system is called that they do not name.
    """

    def __init__(self, entries: Iterable[Entry], source: str) -> None:
        self._tables = temporary_tables(_TABLES)
        self.systems: dict[str, int] = {}
        """Numbers by name, in order of appearance."""
        self.have_ids = False
        """Whether any of them has an id."""
        self._by_position = False
        for entry in entries:
            self._add(entry, source)

    def _add(self, entry: Entry, source: str) -> None:
        system, name = None, entry.id
        if not entry.trouble:
            system = self.systems.setdefault(source_of(entry.fields, source), len(self.systems))
        self.have_ids = self.have_ids or name is not None
        values = as_bytes(entry.where), as_bytes(name or ""), as_bytes(db_of(entry.fields)), packed(entry)
        self._tables.execute(
            "INSERT INTO entry (system, location, id, database, entry) VALUES (?, ?, ?, ?, ?)",
            (system, *values),
        )

    def __len__(self) -> int:
        (count,) = self._tables.execute("SELECT count(*) FROM entry").fetchone()
        return int(count)

    def go_by_position(self) -> None:
        """Take their positions for ids."""
        self._by_position = True

    def unreadable(self) -> Iterator[Entry]:
        """The predictions that could not be read."""
        rows = self._tables.execute("SELECT entry FROM entry WHERE system IS NULL ORDER BY place")
        return (unpacked(found) for (found,) in rows)

    def marks(self, source: str) -> Iterator[PredictionMark]:
        """The join keys of a system's predictions."""
        for place, where, name, database in self._tables.execute(_MARKS, (self.systems[source],)):
            id_ = str(place - 1) if self._by_position else as_text(name)
            yield PredictionMark(place, as_text(where), id_, as_text(database))

    def match(self, source: str, lookup: Lookup) -> Iterator[Match]:
        """Note what those of a system mean; each that means something, with the first of these."""
        self._tables.execute("DELETE FROM meant")
        for mark in self.marks(source):
            meant = lookup(mark.id)
            golds: list[int | None] = [gold for gold, _ in meant]
            rows = [(gold, mark.place, len(meant)) for gold in golds or [None]]
            self._tables.executemany("INSERT INTO meant VALUES (?, ?, ?)", rows)
            if meant:
                yield mark.where, mark.database, meant[0][1]

    def any_matched(self) -> bool:
        """Whether one of those noted means something."""
        found = self._tables.execute("SELECT 1 FROM meant WHERE gold IS NOT NULL LIMIT 1")
        return found.fetchone() is not None

    def for_gold(self, place: int | None) -> Iterator[tuple[Entry, int]]:
        """Of those noted, the ones that mean a question, each with how many it may mean."""
        for position, found, several in self._tables.execute(_MEANT, (place,)):
            entry: Entry = unpacked(found)
            if self._by_position:
                entry = replace(entry, fields={**entry.fields, "question_id": position - 1})
            yield entry, several

    def for_none(self) -> Iterator[Entry]:
        """Of those noted, the ones that mean no question."""
        return (entry for entry, _ in self.for_gold(None))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._tables.close()


def is_same_database(own: str, name: str) -> bool:
    """Whether a prediction on a database may be for a question on another; '' where one names none."""
    return not name or own in ("", name)
