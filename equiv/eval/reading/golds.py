"""Files of gold queries: dev.json and its kind, JSON objects by id, tables, and lines ``SQL<tab>db_id``.

Their questions are kept on disk: in their order, and by what predictions may call them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from equiv.errors import InputError
from equiv.eval.reading.entries import abstains, db_of
from equiv.eval.reading.loading import (
    Entry,
    entries_of_lines,
    entries_of_list,
    entries_of_object,
    load,
    mapped,
)
from equiv.eval.reading.tables import entries_of_table, is_parquet, is_table
from equiv.eval.reading.text_file import TextFile, joined_operators, without_ends
from equiv.eval.store.temporary_tables import (
    Spool,
    as_bytes,
    as_text,
    digest_of,
    packed,
    temporary_tables,
    unpacked,
)

_TABLES = """
CREATE TABLE gold (place INTEGER PRIMARY KEY, question BLOB UNIQUE, id BLOB, database BLOB, gold BLOB);
CREATE INDEX by_id ON gold (id, place);
CREATE TABLE position (name BLOB PRIMARY KEY, gold INTEGER) WITHOUT ROWID;
"""
_MARKS = "SELECT place, database FROM gold WHERE id = ? ORDER BY place"
_MARK = "SELECT place, database FROM gold WHERE place = (SELECT gold FROM position WHERE name = ?)"

BookMark = tuple[int, str]
"""Where a question stands in a book, and the name of its database."""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
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

    def __init__(self, golds: Iterable[GoldQuestion | None]) -> None:
        self._tables = temporary_tables(_TABLES)
        for gold in golds:
            self._add(gold)

    def _add(self, gold: GoldQuestion | None) -> None:
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

    def __iter__(self) -> Iterator[GoldQuestion | None]:
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

    def placed(self) -> Iterator[tuple[int, GoldQuestion]]:
        """The questions with their places."""
        rows = self._tables.execute("SELECT place, gold FROM gold WHERE gold IS NOT NULL ORDER BY place")
        return ((place, unpacked(found)) for place, found in rows)

    def of_id(self, name: str) -> list[BookMark]:
        """The questions of an id."""
        return [
            (place, as_text(database)) for place, database in self._tables.execute(_MARKS, (as_bytes(name),))
        ]

    def at_position(self, name: str) -> list[BookMark]:
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


def _question(gold: GoldQuestion) -> bytes | None:
    """What entries of one question have in common; None if it is a question of its own."""
    if gold.entry.id is None or gold.entry.trouble:
        return None
    text = gold.entry.fields.get("question")
    named = gold.entry.id, gold.db_id, text if isinstance(text, str) else ""
    return digest_of(named)


def _merged(earlier: GoldQuestion, gold: GoldQuestion) -> GoldQuestion:
    queries = [*_queries(earlier.entry.fields), *_queries(gold.entry.fields)]
    entry = replace(earlier.entry, fields={**earlier.entry.fields, "gold_sql": queries})
    return GoldQuestion(entry, (*earlier.positions, *gold.positions))


def _queries(fields: Mapping[str, Any]) -> list[Any]:
    value = fields.get("gold_sql")
    return value if isinstance(value, list) else [value]


NAMES = ("gold_sql", "gold", "query", "sql")
"""Fields that may hold a gold query, best first; Spider's ``sql`` is a parse beside the ``query``."""

RECORD_FIELDS = frozenset({"predicted_sql", "gold_sql", "db_id", "question_id", "query", "pred_sqls"})
"""One of these among the keys of a JSON object: it is a record, and no dict of queries."""


def read_gold(path: Path, mapping: Mapping[str, str], encoding: str = "") -> GoldBook:
    """The questions of a file, in order; several entries of one question are one.

    A blank line among lines of queries, the end of an interaction, reads as None.

    Raises:
        InputError: the file cannot be read, or has none of the forms.
    """
    if is_table(path):
        return _questions(path, entries_of_table(path, parquet=is_parquet(path), encoding=encoding), mapping)
    text = TextFile(path, encoding)
    head = text.head
    if head.startswith("["):
        return _questions(path, entries_of_list(path, load(path, text.whole())), mapping)
    if not head.startswith("{"):
        return _gold_lines(path, text.lines())
    if is_record_line(head):
        return _questions(path, entries_of_lines(path, text.lines()), mapping)
    value = load(path, text.whole())
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        return _questions(path, entries_of_list(path, value), mapping)
    return _questions(path, entries_of_object(path, value, "gold_sql"), mapping)


def is_record_line(text: str) -> bool:
    """Whether the first line is a JSON object with the fields of a record."""
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and not RECORD_FIELDS.isdisjoint(name.strip().lower() for name in first)


def _questions(path: Path, entries: Iterable[Entry], mapping: Mapping[str, str]) -> GoldBook:
    with Spool(map(_with_query, mapped(entries, mapping))) as found:
        any_query = tells = False
        for entry in found:
            any_query = any_query or "gold_sql" in entry.fields
            tells = tells or _is_null(entry.fields.get("gold_sql"))
        if not any_query:
            raise InputError(f"{path}: no entry has a gold query ({', '.join(NAMES)}; see --map)")
        told = map(_with_feasibility, found) if tells else found
        return GoldBook(GoldQuestion(entry, (n,)) for n, entry in enumerate(told))


def _with_query(entry: Entry) -> Entry:
    """The entry with its query, or queries, as ``gold_sql``."""
    at_hand = [entry.fields[name] for name in NAMES if name in entry.fields]
    texts = [value for value in at_hand if isinstance(value, str) or _is_list_of_text(value)]
    fields = {name: value for name, value in entry.fields.items() if name not in NAMES}
    if "question_id" not in fields and "id" in fields:
        fields["question_id"] = fields["id"]
    if at_hand:
        fields["gold_sql"] = (texts or at_hand)[0]
    return replace(entry, fields=fields)


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(text, str) for text in value)


def _with_feasibility(entry: Entry) -> Entry:
    """A question with what it is, in a file with TrustSQL's ``null`` for questions without an answer."""
    return replace(entry, fields={"feasible": not _is_null(entry.fields.get("gold_sql")), **entry.fields})


def _is_null(value: object) -> bool:
    return isinstance(value, str) and abstains(value)


def _gold_lines(path: Path, lines: Iterable[str]) -> GoldBook:
    """One gold query a line; None for a blank line, which ends an interaction."""
    with Spool(without_ends(lines)) as found:
        talks = any(not line.strip() for line in found)
        return GoldBook(_golds_in(path, found, talks=talks))


def _golds_in(path: Path, lines: Iterable[str], *, talks: bool) -> Iterator[GoldQuestion | None]:
    position = blank = bad = first_bad = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank += 1
            yield None
            continue
        sql, tab, db_id = line.rpartition("\t")
        if not tab or not sql.strip() or not db_id.strip():
            bad, first_bad = bad + 1, first_bad or number
        whole = joined_operators(sql if tab else line)
        fields: dict[str, Any] = {"gold_sql": whole, "db_id": db_id.strip() if tab else ""}
        if talks:
            fields["interaction"] = blank
        yield GoldQuestion(Entry(f"line {number}", fields), (position,))
        position += 1
    if not position:
        raise InputError(f"{path}: no gold query in it")
    if bad == position:
        raise InputError(f"{path}:{first_bad}: not a gold query, a tab and a db_id")
