"""Large groups whose every row meets conditions that few rows meet, with keys that differ."""

from __future__ import annotations

import pytest

from equiv import check
from equiv.verdict import NotEquivalent

DDL = """CREATE TABLE c (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE o (id INTEGER PRIMARY KEY, c INTEGER NOT NULL REFERENCES c (id), code TEXT, amount INTEGER);
CREATE TABLE l (o INTEGER NOT NULL REFERENCES o (id), n INTEGER NOT NULL, q INTEGER, PRIMARY KEY (o, n));"""
RARE = "o.id % 97 = 5 AND o.code LIKE 'ab%z' AND EXISTS (SELECT 1 FROM l WHERE l.o = o.id AND l.q > 10)"


@pytest.mark.parametrize("rows", [2, 13, 100])
@pytest.mark.parametrize(
    "text",
    [
        "SELECT o.c FROM o WHERE {rare} GROUP BY o.c HAVING COUNT(*) > {rows}",
        "SELECT o.c, SUM(o.amount) FROM o WHERE {rare} GROUP BY o.c HAVING COUNT(*) > {rows}",
        "SELECT name FROM c JOIN o ON o.c = c.id WHERE {rare} GROUP BY c.id, name HAVING COUNT(*) > {rows}",
    ],
)
@pytest.mark.parametrize("change", [("> {rows}", ">= {rows}"), ("COUNT(*)", "COUNT(DISTINCT o.code)")])
def test_a_group_of_rare_rows_is_made(text: str, rows: int, change: tuple[str, str]) -> None:
    pred, gold = (each.format(rare=RARE, rows=rows) for each in (text.replace(*change), text))
    assert isinstance(check(pred, gold, schema=DDL, timeout=20), NotEquivalent)


def test_a_condition_of_one_query_alone_fails_on_a_whole_group() -> None:
    text = f"SELECT o.c FROM o WHERE {RARE} GROUP BY o.c HAVING COUNT(*) > 20"
    assert isinstance(check(text.replace("> 10", ">= 10"), text, schema=DDL, timeout=20), NotEquivalent)
