"""Collations, put to SQLite on values that distinguish them: keys, comparisons, orders and groups."""

from __future__ import annotations

import pytest
from algebra.differential import as_bag
from hypothesis import given
from hypothesis import strategies as st

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.cells import Cell
from equiv.core.query import UnsupportedError
from equiv.core.runner import Connection
from equiv.core.single_values import key_of_text, sort_key
from equiv.rules.verification.golden import World as Schematic

DDL = """
CREATE TABLE t (
    id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, s TEXT, r TEXT COLLATE RTRIM, v COLLATE NOCASE
)
"""
WORLD = Schematic(DDL, "intended")
TEXTS = (
    None,
    "",
    "a",
    "A",
    "ab",
    "AB",
    "aB",
    "Z",
    "z",
    "[",
    "_",
    "`",
    "É",
    "é",
    "a ",
    "a\0",
    "A\0b",
    "a\0B",
    "\0",
    "\0é",
    "a\0\0",
    "a  ",
    " a",
)
LITERALS = ("a", "A", "aB", "Z", "[", "_", "é", "", "a ")
COMPARED = """
k = {0}, {0} < k, k <= {0}, k <> {0}, k IS {0}, k BETWEEN {0} AND 'b', k IN ({0}, 'B'), k NOT IN ({0}, NULL)
s = {0} COLLATE NOCASE, s COLLATE NOCASE < {0}, k = {0} COLLATE BINARY, {0} >= k COLLATE NOCASE
CASE k WHEN {0} THEN 1 END, NOT k = {0}, k > {0} OR k = NULL, s = {0}, s = k, s < k, k = s COLLATE BINARY
s IN (SELECT k FROM t AS u WHERE u.id > 2), s IN ({0}, k)
r = {0}, {0} < r, r IS NOT {0}, r IN ({0}, 'b')
"""
FREE = """
k = s, k < s, s <= k COLLATE NOCASE, k = r, r = k, r < s, s > r, k IS r, k = 'a' || s
LOWER(k) = k, CAST(k AS TEXT) = s
k IN (SELECT s FROM t AS u), k IN (SELECT u.s FROM t AS u WHERE u.id <> t.id)
k IN (s, r), r IN (s, k)
s NOT IN (SELECT k FROM t AS u)
k BETWEEN s AND r, CASE k WHEN s THEN 1 WHEN r THEN 2 END, NULLIF(k, s), NULLIF('A', k)
NULLIF(s, k), NULLIF('a', 'A')
v = k, v = s, v < 'b', v = 1, v IN (1, 'A'), k = id, r < id, v BETWEEN 0 AND 'Z'
CAST(v AS BLOB) = s, v = s COLLATE RTRIM
(k, id) = (s, id), (r, k) < (s, s), (k, s) BETWEEN (s, k) AND ('b', 'c')
(k, id) IN (SELECT s, id FROM t AS u WHERE id > 2), (k, s) NOT IN (SELECT r, s FROM t AS u WHERE id > 2)
"""
WHOLE = (
    "SELECT id FROM t WHERE (SELECT k FROM t AS u WHERE u.id = t.id) = s",
    "SELECT COUNT(DISTINCT k), COUNT(DISTINCT r), COUNT(DISTINCT v) FROM t",
    "SELECT COUNT(DISTINCT s COLLATE NOCASE) FROM t",
    "SELECT COUNT(*), MIN(id), SUM(id) FROM t GROUP BY k",
    "SELECT COUNT(DISTINCT k) FROM t GROUP BY r HAVING COUNT(*) > 1",
    "SELECT COUNT(*), COUNT(DISTINCT s) FROM t GROUP BY s COLLATE NOCASE, id % 2",
    "SELECT id FROM t ORDER BY k, id LIMIT 7",
    "SELECT id FROM t ORDER BY r DESC, k, s, id LIMIT 9 OFFSET 2",
    "SELECT DISTINCT s FROM t ORDER BY s",
    "SELECT id, RANK() OVER (ORDER BY k), DENSE_RANK() OVER (ORDER BY r) FROM t",
    "SELECT id, COUNT(*) OVER (PARTITION BY k) FROM t",
    "SELECT id, SUM(id) OVER (PARTITION BY r ORDER BY k), ROW_NUMBER() OVER (ORDER BY v, id) FROM t",
    "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.k = b.s",
    "SELECT a.id, b.id FROM t AS a LEFT JOIN t AS b ON a.k = b.r AND a.id < b.id",
    "SELECT a.id, b.id FROM t AS a JOIN (SELECT id, k AS c FROM t) AS b ON a.s = b.c",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.k = t.k AND u.id <> t.id)",
    "SELECT a.id, b.id FROM t AS a JOIN t AS b USING (k)",
)


TWO_TEXTS = "SELECT CAST(? AS TEXT) AS x, CAST(? AS TEXT) AS y"


def filled() -> Connection:
    connection = Connection()
    connection.execute(DDL)
    rows: list[tuple[Cell, ...]] = []
    rows += [(number, text, text, text, text) for number, text in enumerate(TEXTS)]
    others: list[tuple[Cell, Cell]] = [(1, 1), ("1", "1"), (None, 1.5), ("A", b"a"), ("a", b"A")]
    rows += [(number, text, text, text, value) for number, (text, value) in enumerate(others, len(rows))]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows)
    return connection


def agrees(sql: str, connection: Connection) -> None:
    tree = WORLD.read(sql).tree
    assert tree is not None
    answer = translate(tree, World(WORLD.schema, WORLD.facts))
    found = connection.execute(sql).fetchall()
    ours = Evaluator.of(connection, WORLD.schema).rows(answer)
    assert (ours if answer.directions else as_bag(ours)) == (found if answer.directions else as_bag(found)), (
        sql
    )


@pytest.mark.parametrize("literal", LITERALS)
def test_a_literal_is_compared_as_sqlite_compares_it(literal: str) -> None:
    connection = filled()
    for shown in COMPARED.strip().split("\n"):
        agrees(f"SELECT id, {shown.format(repr(literal))} FROM t ORDER BY id", connection)


@pytest.mark.parametrize("shown", FREE.strip().split("\n"))
def test_values_are_compared_as_sqlite_compares_them(shown: str) -> None:
    agrees(f"SELECT id, {shown} FROM t ORDER BY id", filled())


@pytest.mark.parametrize("sql", WHOLE)
def test_orders_groups_windows_and_joins_compare_as_in_sqlite(sql: str) -> None:
    agrees(sql, filled())


@given(st.lists(st.text(alphabet="aA\0 zZ[é\ud800b", max_size=5), min_size=2, max_size=2))
def test_keys_compare_as_the_collations_do(texts: list[str]) -> None:
    one, two = (text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape") for text in texts)
    asked = [text.encode("utf-8", "surrogateescape") for text in (one, two)]
    for name in ("NOCASE", "RTRIM"):
        sql = f"SELECT x = y COLLATE {name}, x < y COLLATE {name} FROM ({TWO_TEXTS})"
        left, right = (sort_key(key_of_text(name, text)) for text in (one, two))
        assert Connection().execute(sql, asked).fetchone() == (left == right, left < right)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.id FROM (SELECT LOWER(s) AS v FROM t) AS q JOIN t ON q.v = t.k",
        "SELECT k FROM t GROUP BY k",
        "SELECT DISTINCT k FROM t",
        "SELECT k FROM t UNION SELECT s FROM t",
        "SELECT MAX(k) || '' FROM t",
        "SELECT s FROM t WHERE (SELECT s FROM t AS u WHERE u.id = t.id) = k",
        "SELECT MAX(k, s) FROM t",
    ],
)
def test_what_is_not_fixed_is_refused(sql: str) -> None:
    tree = WORLD.read(sql).tree
    assert tree is not None
    with pytest.raises(UnsupportedError):
        translate(tree, World(WORLD.schema, WORLD.facts))
