"""Questions to which one system gives several different predictions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from equiv.eval.store.temporary_tables import digest_of, packed, temporary_tables, unpacked
from equiv.records.item import Fault, FaultKind, Item

_TABLES = """
CREATE TABLE item (place INTEGER PRIMARY KEY, question BLOB, prediction BLOB, item BLOB);
CREATE INDEX by_question ON item (question, prediction);
CREATE TABLE repeated (question BLOB PRIMARY KEY, several INTEGER) WITHOUT ROWID;
"""
_REPEATED = """
INSERT INTO repeated SELECT question, count(DISTINCT prediction) AS several FROM item
GROUP BY question HAVING several > 1
"""


def with_repeats(items: Iterable[Item]) -> Iterator[Item]:
    """The items; where one system predicts several different queries for a question, they carry a fault."""
    with closing(temporary_tables(_TABLES)) as tables:
        rows = ((digest_of(_question(item)), digest_of(item.predicted_sql), packed(item)) for item in items)
        tables.executemany("INSERT INTO item (question, prediction, item) VALUES (?, ?, ?)", rows)
        tables.execute(_REPEATED)
        query = "SELECT item, several FROM item LEFT JOIN repeated USING (question) ORDER BY place"
        for found, several in tables.execute(query):
            item: Item = unpacked(found)
            yield item if several is None else _repeated(item, several)


def _question(item: Item) -> object:
    return item.source, json.dumps(item.question_id), item.target


def _repeated(item: Item, several: int) -> Item:
    text = f"the id stands with {several} different predictions; each is counted"
    return replace(item, faults=(*item.faults, Fault(FaultKind.REPEATED_ID, text)))
