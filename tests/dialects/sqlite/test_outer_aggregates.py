"""Whose aggregate a call is: as SQLite has it, which makes one row of a query that aggregates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query

DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE u (id INTEGER PRIMARY KEY, y INTEGER);
CREATE TABLE s (id INTEGER PRIMARY KEY, x INTEGER);
"""
SCHEMA = load_ddl(DDL)
NESTED = (
    *(
        "COUNT(t.x)",
        "COUNT(u.y)",
        "COUNT(t.x + u.y)",
        "COUNT(1)",
        "COUNT(*)",
        "COUNT(DISTINCT u.y)",
        "MAX(u.y)",
    ),
    *("COUNT(u.y) FILTER (WHERE t.x > 0)", "COUNT(t.x) FILTER (WHERE u.y > 0)"),
    *("COUNT(*) FILTER (WHERE u.y > 0)", "COUNT(*) FILTER (WHERE t.x > 0)", "COUNT(u.y) FILTER (WHERE 1)"),
    *("COUNT(u.y) FILTER (WHERE EXISTS (SELECT 1 FROM s WHERE s.id = t.id))",),
    *("COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM s WHERE s.id = u.id))",),
    *("COUNT((SELECT s.x FROM s WHERE s.id = t.id))", "COUNT((SELECT s.x FROM s WHERE s.id = u.id))"),
    *("GROUP_CONCAT(u.y, t.x)", "SUM(u.y) + COUNT(t.x)", "COUNT(u.y) OVER ()", "MAX(u.y, t.x)"),
)
TAILS = ("HAVING COUNT(u.y) > 0", "HAVING COUNT(t.x) > 0", "WHERE t.x = COUNT(u.y)", "ORDER BY COUNT(t.x)")
QUERIES = (
    *(f"SELECT (SELECT {call} FROM t) FROM u" for call in NESTED),
    *(f"SELECT (SELECT COUNT(*) FROM t {tail}) FROM u" for tail in TAILS),
    "SELECT (SELECT COUNT(*) FROM t JOIN s ON s.x = COUNT(u.y)) FROM u",
    "SELECT (SELECT COUNT(*) FROM t LEFT JOIN s ON s.x = COUNT(u.y)) FROM u",
)


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with closing(Connection()) as connection:
        connection.run_script(DDL)
        for table in ("t", "u", "s"):
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(1, 1), (2, 2), (3, None)])
        yield connection


@pytest.mark.parametrize("sql", QUERIES)
def test_aggregates_of_outer_rows_are_told(connection: Connection, sql: str) -> None:
    query = read_query(sql, SCHEMA, connection)
    assert isinstance(query, Query)
    is_outer = len(connection.execute(sql).fetchall()) == 1
    assert ("outer query" in str(query.unsupported)) is is_outer
