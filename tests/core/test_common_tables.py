"""Common table expressions that are read twice have rows of their own in each place."""

from __future__ import annotations

from equiv.core.query import Query
from equiv.core.reading.goals import Leaf
from equiv.core.reading.queries import PairReading, read_pair
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query

SCHEMA = load_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT)")


def reading(sql: str) -> PairReading:
    probe = Connection()
    probe.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT)")
    query = read_query(sql, SCHEMA, probe)
    assert isinstance(query, Query)
    assert query.tree is not None
    before = query.tree.sql()
    found = read_pair([(sql, query.tree)], SCHEMA)
    assert query.tree.sql() == before
    return found


def test_each_reading_has_rows_of_its_own() -> None:
    found = reading("WITH c AS (SELECT a, b FROM t) SELECT x.b FROM c x JOIN c y ON x.a = 1 AND y.a = 2")
    assert found.slots.tables == ["t", "t"]
    assert {goal.places for goal in found.goals[0] if isinstance(goal, Leaf)} == {((0, "a"),), ((1, "a"),)}


def test_one_within_another_too() -> None:
    text = "WITH c AS (SELECT a FROM t), d AS (SELECT a FROM c WHERE a > 1) SELECT x.a FROM d x, d y, c z"
    assert reading(text).slots.tables == ["t", "t", "t"]


def test_what_is_read_once_stays() -> None:
    assert reading("WITH c AS (SELECT a FROM t) SELECT c.a FROM c").slots.tables == ["t"]


def test_what_grows_large_stays() -> None:
    parts = ["c0 AS (SELECT a FROM t)"]
    parts += [f"c{n} AS (SELECT x.a FROM c{n - 1} x, c{n - 1} y)" for n in range(1, 7)]
    assert reading(f"WITH {', '.join(parts)} SELECT a FROM c6").slots.tables == ["t"]
