"""The collation and the conversion of every comparing place are those that SQLite uses."""

from __future__ import annotations

import pytest
from kit.harness import World

from equiv.core.claims.comparisons import comparisons
from equiv.core.claims.value_types import Applied
from equiv.core.runner import Connection

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, i INTEGER, s TEXT, b TEXT, u)"
ROW = "INSERT INTO t VALUES (1, 'a', 5, '5', 'a', '5')"

FOLDS = {
    "n = 'A'": True,
    "'A' = n": True,
    "n = UPPER(b)": True,
    "UPPER(b) = n": True,
    "s || 'A' = b || 'a'": False,
    "CASE WHEN 1 THEN n END = 'A'": False,
    "COALESCE(n, 1) = 'A'": False,
    "IIF(1, n, '') = 'A'": False,
    "(SELECT n) = 'A'": False,
    "(SELECT b COLLATE NOCASE) = 'A'": False,
    "CAST(n AS TEXT) = 'A'": True,
    "n || '' = 'A'": False,
    "b COLLATE NOCASE = 'A'": True,
    "n COLLATE BINARY = 'A'": False,
    "n = 'A' COLLATE BINARY": False,
    "n IS 'A'": True,
    "n BETWEEN 'A' AND 'A'": True,
    "'A' BETWEEN n AND n": True,
    "n IN ('A', 'B')": True,
    "'A' IN (n, 'c')": False,
    "b IN ('A' COLLATE NOCASE)": False,
    "b IN ('A' COLLATE NOCASE, 'z')": False,
    "'A' IN (SELECT n FROM t)": True,
    "'A' IN (SELECT CASE WHEN 1 THEN n END FROM t)": False,
    "(n, 1) = ('A', 1)": True,
    "(n, 1) IN (SELECT 'A', 1)": True,
    "CASE n WHEN 'A' THEN 1 END": True,
    "NULLIF(n, 'A') IS NULL": True,
    "NULLIF('A', n) IS NULL": True,
    "EXISTS (SELECT 1 FROM (SELECT n AS x FROM t) AS q WHERE q.x = 'A')": True,
    "EXISTS (SELECT 1 FROM (SELECT n || '' AS x FROM t) AS q WHERE q.x = UPPER(t.n))": False,
    "EXISTS (SELECT 1 FROM (SELECT UPPER(n) AS x FROM t) AS q WHERE q.x = t.n)": False,
}
"""Comparisons of 'a' with 'A', and whether they are equal."""

CONVERTS = {
    "i = '5'": True,
    "'5' = i": True,
    "s = 5": True,
    "u = 5": False,
    "u = i": True,
    "u = s": False,
    "CASE WHEN 1 THEN i END = '5'": False,
    "MAX(i, i) = '5'": False,
    "(SELECT i) = '5'": True,
    "CAST(i AS INTEGER) = '5'": True,
    "i IN ('5', '6')": True,
    "'5' IN (i, 7)": False,
    "5 IN (s, 9)": False,
    "i IN (SELECT s FROM t)": True,
    "'5' IN (SELECT i FROM t)": True,
    "(i, 1) = ('5', 1)": True,
    "i BETWEEN '5' AND '5'": True,
    "CASE i WHEN '5' THEN 1 END": True,
    "NULLIF(i, '5') IS NULL": False,
    "EXISTS (SELECT 1 FROM (SELECT i AS x FROM t) AS q WHERE q.x = '5')": True,
    "EXISTS (SELECT 1 FROM (SELECT i + 0 AS x FROM t) AS q WHERE q.x = '5')": False,
}
"""Comparisons of 5 with '5', and whether one of the two is converted."""


def is_true(condition: str) -> bool:
    connection = Connection()
    connection.execute(DDL)
    connection.execute(ROW)
    [(found,)] = connection.execute(f"SELECT {condition} FROM t").fetchall()
    connection.close()
    return bool(found == 1)


@pytest.mark.parametrize(("condition", "folds"), FOLDS.items())
def test_the_collation_of_a_comparison_is_that_of_sqlite(condition: str, folds: bool) -> None:
    world = World(DDL)
    tree = world.read(f"SELECT {condition} FROM t").tree
    assert tree is not None
    assert is_true(condition) is folds
    assert any(each.collation == "NOCASE" for each in comparisons(tree, world.context())) is folds


@pytest.mark.parametrize(("condition", "converts"), CONVERTS.items())
def test_the_conversion_of_a_comparison_is_that_of_sqlite(condition: str, converts: bool) -> None:
    world = World(DDL)
    tree = world.read(f"SELECT {condition} FROM t").tree
    assert tree is not None
    if "u = s" not in condition:  # Equal as they are.
        assert is_true(condition) is converts
    assert any(each.conversion is not Applied.NONE for each in comparisons(tree, world.context())) is converts


@pytest.mark.parametrize(
    ("query", "collations"),
    [
        ("SELECT DISTINCT n, s FROM t", ["NOCASE", "BINARY"]),
        ("SELECT COUNT(DISTINCT CASE WHEN i THEN n END), COUNT(DISTINCT n) FROM t", ["BINARY", "NOCASE"]),
        ("SELECT 1 FROM t GROUP BY n, n || ''", ["NOCASE", "BINARY"]),
        ("SELECT n FROM t ORDER BY n, b COLLATE RTRIM", ["NOCASE", "RTRIM"]),
        ("SELECT n FROM t UNION SELECT b FROM t", ["NOCASE"]),
        ("SELECT b FROM t UNION ALL SELECT n FROM t ORDER BY 1", ["BINARY"]),
        ("SELECT 'a' FROM t INTERSECT SELECT n FROM t", ["NOCASE"]),
        ("SELECT MAX(n), MIN(IFNULL(n, '')) FROM t", ["NOCASE", "BINARY"]),
        ("SELECT ROW_NUMBER() OVER (PARTITION BY n ORDER BY s) FROM t", ["NOCASE", "BINARY"]),
    ],
)
def test_what_is_told_apart_or_sorted_has_its_own_collation(query: str, collations: list[str]) -> None:
    world = World(DDL)
    tree = world.read(query).tree
    assert tree is not None
    assert sorted(each.collation for each in comparisons(tree, world.context())) == sorted(collations)
