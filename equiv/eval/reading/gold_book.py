"""The questions of a gold file, on disk: in their order, and by what predictions may call them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from equiv.eval.reading.entries import db_of
from equiv.eval.reading.loading import Entry
from equiv.eval.store.temporary_tables import as_bytes, as_text, digest_of, packed, temporary_tables, unpacked

_TABLES = """
CREATE TABLE gold (place INTEGER PRIMARY KEY, question BLOB UNIQUE, id BLOB, database BLOB, gold BLOB);
CREATE INDEX by_id ON gold (id, place);
CREATE TABLE position (name BLOB PRIMARY KEY, gold INTEGER) WITHOUT ROWID;
"""
_MARKS = "SELECT place, database FROM gold WHERE id = ? ORDER BY place"
_MARK = "SELECT place, database FROM gold WHERE place = (SELECT gold FROM position WHERE name = ?)"

Mark = tuple[int, str]
"""Where a question stands in a book, and the name of its database."""


@dataclass(frozen=True, slots=True)
class Gold:
    """One question of a gold file."""

    entry: Entry
    """Its fields; ``gold_sql`` holds the query, or the list of queries that are right."""
    positions: tuple[int, ...]
    """Where it stands in the file, from 0."""

    @property
    def id(self) -> str:
        """The id of the question as text; its position if it has none."""
        return self.entry.id or str(self.positions[0])

    @property
    def db_id(self) -> str:
        """The name of its database, or ''."""
        return db_of(self.entry.fields)


class GoldBook:
    """Questions, of which several of one id, database and question text are one: each query is right.

    Args:
        golds: in order; None is a blank line, the end of an interaction.
    """

    def __init__(self, golds: Iterable[Gold | None]) -> None:
        self._tables = temporary_tables(_TABLES)
        for gold in golds:
            self._add(gold)

    def _add(self, gold: Gold | None) -> None:
        if gold is None:
            self._tables.execute("INSERT INTO gold DEFAULT VALUES")
            return
        question = _question(gold)
        row = self._tables.execute("SELECT place, gold FROM gold WHERE question = ?", (question,)).fetchone()
        if row is None:
            values = question, as_bytes(gold.id), as_bytes(gold.db_id), packed(gold)
            added = "INSERT INTO gold (question, id, database, gold) VALUES (?, ?, ?, ?)"
            place = self._tables.execute(added, values).lastrowid
        else:
            place = row[0]
            both = packed(_merged(unpacked(row[1]), gold))
            self._tables.execute("UPDATE gold SET gold = ? WHERE place = ?", (both, place))
        names = ((as_bytes(str(position)), place) for position in gold.positions)
        self._tables.executemany("INSERT INTO position VALUES (?, ?)", names)

    def __iter__(self) -> Iterator[Gold | None]:
        rows = self._tables.execute("SELECT gold FROM gold ORDER BY place")
        return (None if found is None else unpacked(found) for (found,) in rows)

    def __len__(self) -> int:
        """How many questions and blank lines there are."""
        return self._count("SELECT count(*) FROM gold")

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return self._count("SELECT count(*) FROM gold WHERE gold IS NOT NULL")

    @property
    def positions(self) -> int:
        """How many entries these questions were."""
        return self._count("SELECT count(*) FROM position")

    @property
    def databases(self) -> set[str]:
        """The names of their databases."""
        rows = self._tables.execute("SELECT DISTINCT database FROM gold WHERE gold IS NOT NULL")
        return {as_text(name) for (name,) in rows}

    def placed(self) -> Iterator[tuple[int, Gold]]:
        """The questions with their places."""
        rows = self._tables.execute("SELECT place, gold FROM gold WHERE gold IS NOT NULL ORDER BY place")
        return ((place, unpacked(found)) for place, found in rows)

    def of_id(self, name: str) -> list[Mark]:
        """The questions of an id."""
        return [
            (place, as_text(database)) for place, database in self._tables.execute(_MARKS, (as_bytes(name),))
        ]

    def at_position(self, name: str) -> list[Mark]:
        """The question that stands at a position, which is given as text."""
        return [
            (place, as_text(database)) for place, database in self._tables.execute(_MARK, (as_bytes(name),))
        ]

    def _count(self, query: str) -> int:
        (count,) = self._tables.execute(query).fetchone()
        return int(count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._tables.close()


def _question(gold: Gold) -> bytes | None:
    """What entries of one question have in common; None if it is a question of its own."""
    if gold.entry.id is None or gold.entry.trouble:
        return None
    text = gold.entry.fields.get("question")
    named = gold.entry.id, gold.db_id, text if isinstance(text, str) else ""
    return digest_of(named)


def _merged(earlier: Gold, gold: Gold) -> Gold:
    queries = [*_queries(earlier.entry.fields), *_queries(gold.entry.fields)]
    entry = replace(earlier.entry, fields={**earlier.entry.fields, "gold_sql": queries})
    return Gold(entry, (*earlier.positions, *gold.positions))


def _queries(fields: Mapping[str, Any]) -> list[Any]:
    value = fields.get("gold_sql")
    return value if isinstance(value, list) else [value]
