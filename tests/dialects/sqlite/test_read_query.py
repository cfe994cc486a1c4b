"""What is a query, what is not, and that no text whatever raises."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.core.runner import Connection
from equiv.core.texts import MAX_BYTES
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query

BROKEN = {
    "": "EMPTY",
    " \n\t": "EMPTY",
    "-- nothing": "EMPTY",
    "/* nothing": "EMPTY",
    ";": "EMPTY",
    "; -- ;": "EMPTY",
    "SELECT": "SYNTAX",
    "SELECT * FORM t": "SYNTAX",
    "(SELECT 1)": "SYNTAX",
    "hello": "SYNTAX",
    "WITH": "SYNTAX",
    "'": "SYNTAX",
    "SELECT 'unclosed": "SYNTAX",
    "SELECT ?0": "SYNTAX",
    "SELECT : name": "SYNTAX",
    "SELECT 1\x00": "SYNTAX",
    "SELECT '\ud800'": "SYNTAX",
    "SELECT b FROM t, u": "SYNTAX",
    "SELECT a FROM t UNION SELECT 1, 2": "SYNTAX",
    "SELECT count(*) FROM t WHERE count(*) > 1": "SYNTAX",
    "SELECT nope FROM t": "NO_TABLE_OR_COLUMN",
    "SELECT t.nope FROM t": "NO_TABLE_OR_COLUMN",
    "SELECT 1 FROM nope": "NO_TABLE_OR_COLUMN",
    "SELECT nope(1)": "NO_FUNCTION",
    "SELECT abs()": "NO_FUNCTION",
    "SELECT 'a' REGEXP 'b'": "NO_FUNCTION",
    "SELECT 1; SELECT 2": "NOT_A_QUERY",
    "; SELECT 1": "NOT_A_QUERY",
    "SELECT 1; garbage": "NOT_A_QUERY",
    "INSERT INTO t VALUES (1, 2, 3, 4)": "NOT_A_QUERY",
    "WITH c AS (SELECT 1) DELETE FROM t": "NOT_A_QUERY",
    "ATTACH 'x.db' AS x": "NOT_A_QUERY",
    "PRAGMA table_info(t)": "NOT_A_QUERY",
    "explain SELECT 1": "NOT_A_QUERY",
    "EXPLAIN QUERY PLAN SELECT 1": "NOT_A_QUERY",
    "CREATE TABLE z (a)": "NOT_A_QUERY",
    "DROP TABLE t": "NOT_A_QUERY",
    "VACUUM INTO 'x.db'": "NOT_A_QUERY",
    "BEGIN": "NOT_A_QUERY",
}


@pytest.mark.parametrize("sql", BROKEN)
def test_says_what_is_broken(sql: str, schema: Schema, probe: Connection) -> None:
    found = read_query(sql, schema, probe)
    assert isinstance(found, Broken)
    assert found.cause == BROKEN[sql]
    assert probe.execute("SELECT count(*) FROM t").fetchone() == (0,)


@pytest.mark.parametrize(
    "sql",
    ["SELECT 1;", "SELECT 1 ; ;", "-- first\nSELECT 1 -- last", "/* ; */ SELECT 1; /* ; */ -- ;", "select 1"],
)
def test_comments_and_closing_semicolons_are_dropped(sql: str, read: Callable[[str], Query]) -> None:
    assert read(sql).sql.upper() == "SELECT 1"


@pytest.mark.parametrize("sql", ["SELECT ';'", 'SELECT 1 AS ";"', "SELECT 1 /* ; */ + 1", "SELECT 1 AS [;]"])
def test_a_semicolon_inside_quotes_or_comments_ends_nothing(sql: str, read: Callable[[str], Query]) -> None:
    assert read(sql).columns == 1


@pytest.mark.parametrize(
    ("sql", "columns", "orders"),
    [
        ("SELECT * FROM t", 4, False),
        ("SELECT * FROM t ORDER BY a", 4, True),
        ("SELECT 1 UNION SELECT 2 ORDER BY 1", 1, True),
        ("SELECT a, b FROM (SELECT * FROM t ORDER BY a)", 2, False),
        ("SELECT rank() OVER (ORDER BY a) FROM t", 1, False),
        ("WITH c AS (SELECT 1 ORDER BY 1) SELECT * FROM c LIMIT 0", 1, False),
        ("VALUES (1, 2, 3)", 3, False),
        ("SELECT a FROM t WHERE 0", 1, False),
        ('SELECT a AS "order", b FROM t', 2, False),
        (
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c) SELECT n, n FROM c ORDER BY 1",
            2,
            True,
        ),
        ("SELECT random(), x'ff00' FROM t", 2, False),
    ],
)
def test_counts_columns_and_sees_order(
    sql: str, columns: int, orders: bool, read: Callable[[str], Query]
) -> None:
    found = read(sql)
    assert (found.columns, found.orders) == (columns, orders)


def nested(depth: int) -> list[str]:
    return [
        "SELECT " + "(" * depth + "1" + ")" * depth,
        "SELECT " + "- " * depth + "1",
        "SELECT " + "NOT " * depth + "1",
        "SELECT " + "abs(" * depth + "1" + ")" * depth,
        "SELECT " + "1 + " * depth + "1",
        "SELECT 1 WHERE " + "1 OR " * depth + "1",
        "SELECT " + "CASE WHEN 1 THEN " * depth + "1" + " END" * depth,
        "SELECT * FROM (" * depth + "SELECT 1" + ")" * depth,
        "SELECT 1" + " UNION SELECT 1" * depth,
        "SELECT 1 WHERE 1 IN (" + "1," * depth + "1)",
        "SELECT 1 FROM t" + ", t" * depth,
        "WITH c0 AS (SELECT 1)"
        + "".join(f", c{n} AS (SELECT * FROM c{n - 1})" for n in range(1, depth))
        + f" SELECT * FROM c{depth - 1}",
        "SELECT 1 ORDER BY " + "1" * depth,
        "SELECT 1 GROUP BY " + "1" * depth,
        "SELECT 1 LIMIT " + "1" * depth,
        "SELECT 0x" + "1" * depth,
        "[" * depth,
        "/*" * depth,
        "'" * (depth + 1),
        "SELECT 1 AS (" + "(" * depth,
    ]


@pytest.mark.parametrize("depth", [50, 500, 10_000])
def test_depth_and_length_never_raise(depth: int, schema: Schema, probe: Connection) -> None:
    for sql in nested(depth):
        started = time.process_time()
        assert isinstance(read_query(sql, schema, probe), Broken | Query)
        assert time.process_time() - started < 5


def test_a_long_text_is_refused(schema: Schema, probe: Connection) -> None:
    found = read_query("SELECT '" + "é" * 500_000 + "'", schema, probe)
    assert found == Broken("SYNTAX", f"query longer than {MAX_BYTES} bytes")


@pytest.mark.parametrize(
    "body", ["SELECT x.k FROM c{0} x, c{0} y", "SELECT k FROM c{0} UNION ALL SELECT k FROM c{0}"]
)
def test_common_table_expressions_that_double_are_refused(
    body: str, schema: Schema, probe: Connection
) -> None:
    parts = ["c0 AS (SELECT 1 AS k)", *(f"c{n} AS ({body.format(n - 1)})" for n in range(1, 40))]
    for members in (parts, parts[::-1]):
        found = read_query(f"WITH {', '.join(members)} SELECT * FROM c39", schema, probe)
        assert isinstance(found, Broken)
        assert "expand" in found.message


def test_a_qualifier_reads_no_rows(schema: Schema, probe: Connection) -> None:
    columns = ", ".join(f"c{{0}}.k AS k{n}" for n in range(20))
    chain = [f"c{n} AS (SELECT {columns.format(n - 1)}, c{n - 1}.k FROM c{n - 1})" for n in range(1, 6)]
    found = read_query(f"WITH c0 AS (SELECT 1 AS k), {', '.join(chain)} SELECT * FROM c5", schema, probe)
    assert isinstance(found, Query)


PIECES = st.sampled_from(
    [
        *[
            "SELECT",
            "FROM",
            "t",
            "u",
            "w",
            "WHERE",
            "a",
            "b",
            "x",
            "id",
            "ORDER",
            "BY",
            "GROUP",
            "LIMIT",
            "UNION",
            "ALL",
            "JOIN",
            "LEFT",
            "NATURAL",
            "ON",
            "USING",
            "WITH",
            "AS",
        ],
        *[
            "c",
            "VALUES",
            "IN",
            "NOT",
            "NULL",
            "IS",
            "LIKE",
            "BETWEEN",
            "AND",
            "OR",
            "CASE",
            "WHEN",
            "THEN",
            "END",
            "EXISTS",
            "OVER",
            "PARTITION",
            "DISTINCT",
        ],
        *[
            "count(",
            "max(",
            "CAST(",
            "(",
            ")",
            ",",
            ".",
            "*",
            "=",
            "<",
            "||",
            "-",
            "+",
            "1",
            "'k'",
            '"a"',
            '"nope"',
            ";",
            "--",
            "/*",
            "*/",
            "?",
            "\x00",
            "[",
            "`",
            "x'0",
            "1e",
            "é",
        ],
    ]
)


@pytest.mark.long
@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=60))
@example("SELECT a FROM t ORDER BY")
@example("SELECT 1 FROM t NATURAL")
@example("WITH c AS")
def test_no_text_raises(sql: str) -> None:
    schema, probe = _arena()
    assert isinstance(read_query(sql, schema, probe), Broken | Query)


_made: list[tuple[Schema, Connection]] = []


def _arena() -> tuple[Schema, Connection]:
    if not _made:
        ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT); CREATE TABLE u (a INT, x TEXT)"
        probe = Connection()
        probe.run_script(ddl)
        _made.append((load_ddl(ddl), probe))
    return _made[0]
