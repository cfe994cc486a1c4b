"""Arithmetic that keeps the facts: as SQLite has it where nothing rounds, and refused where a fact breaks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from equiv.answers import choices as choice_functions
from equiv.answers.exact import BEGIN, exact
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, n INTEGER, r REAL, s TEXT);"
ROWS = """
INSERT INTO t VALUES
    (1, 1, NULL, NULL, NULL), (2, 1, 3, 0.5, '7'), (3, 1, -3, 2.0, 'a'), (4, 2, 3, -0.25, '1e2'),
    (5, 2, 4, 1, x'3132'), (6, NULL, 9007199254740993, 1e15, ''), (7, NULL, -7, NULL, '9'),
    (8, 3, NULL, NULL, 'z');
"""
FRAMES = (
    "",
    "ORDER BY id",
    "PARTITION BY g ORDER BY id DESC",
    "ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING",
    "ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
    "ORDER BY id ROWS BETWEEN 3 PRECEDING AND 5 PRECEDING",
    "ORDER BY g RANGE BETWEEN 1 PRECEDING AND 1 PRECEDING",
    "ORDER BY g GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING EXCLUDE TIES",
    "ORDER BY id ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE CURRENT ROW",
    "PARTITION BY g ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP",
)
FILTERS = ("", "FILTER (WHERE n > 3)", "FILTER (WHERE 0)", "FILTER (WHERE r IS NULL)")


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(Connection()) as found:
        choice_functions.register(found)
        found.run_script(DDL + ROWS)
        yield found


def kept(connection: Connection, sql: str, *, rounds: bool = False, bounded: bool = True) -> list[object]:
    """The rows of a query in arithmetic that keeps the facts."""
    query = read_query(sql, load_ddl(DDL), connection)
    assert isinstance(query, Query)
    assert query.tree is not None, query.unsupported
    connection.execute(f"SELECT {BEGIN}(?, ?, 0)", (not rounds, bounded)).close()
    return connection.execute(to_sql(exact(query.tree, rounds=rounds))).fetchall()


@pytest.mark.parametrize("where", FILTERS)
@pytest.mark.parametrize("frame", FRAMES)
def test_sums_over_windows_are_those_of_sqlite_where_nothing_rounds(
    connection: Connection, frame: str, where: str
) -> None:
    calls = [f"{name}({column})" for name in ("SUM", "TOTAL", "AVG") for column in ("g", "r", "s")]
    outputs = ", ".join(f"{call} {where} OVER ({frame})" for call in calls)
    sql = f"SELECT id, {outputs} FROM t ORDER BY id"
    assert repr(kept(connection, sql)) == repr(connection.execute(sql).fetchall())


@pytest.mark.parametrize("where", FILTERS)
@pytest.mark.parametrize("grouped", ["FROM t", "FROM t WHERE 0", "FROM t GROUP BY g ORDER BY g"])
def test_sums_of_groups_are_those_of_sqlite_where_nothing_rounds(
    connection: Connection, grouped: str, where: str
) -> None:
    calls = [
        f"{name}({column}) {where}" for name in ("SUM", "TOTAL", "AVG") for column in ("g", "r", "s", "id")
    ]
    sql = f"SELECT {', '.join(calls)} {grouped}"
    assert repr(kept(connection, sql)) == repr(connection.execute(sql).fetchall())


def test_one_frame_does_not_go_on_from_that_of_an_earlier_query(connection: Connection) -> None:
    sql = "SELECT SUM(n * 0.1) OVER (ORDER BY id) FROM t WHERE id < 5"
    first = kept(connection, sql)
    connection.execute("UPDATE t SET n = 5 WHERE id = 4")
    assert kept(connection, sql)[:3] == first[:3]
    assert kept(connection, sql)[3] == (0.5,)


@pytest.mark.parametrize(
    "excluded",
    [
        "9223372036854775807 + n",
        "-9223372036854775807 - n",
        "n * 9223372036854775807",
        "-(n - 3 - 9223372036854775807 - 1)",
        "(n - 3 - 9223372036854775807 - 1) / -1",
        "CAST(n * 1e300 AS INTEGER)",
    ],
)
@pytest.mark.parametrize("rounds", [False, True])
def test_an_integer_that_overflows_is_refused(connection: Connection, excluded: str, *, rounds: bool) -> None:
    sql = f"SELECT {excluded} FROM t WHERE id = 2"
    with pytest.raises(ArithmeticError):
        kept(connection, sql, rounds=rounds)
    assert kept(connection, sql, rounds=True, bounded=False) == connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    "excluded",
    [
        "CAST(n AS REAL)",
        "n + 0.0",
        "AVG(n)",
        "TOTAL(n) OVER ()",
        "r * 1e300",
        "r / 1e-300",
        "r + 1e-30",
        "CAST('9e999' AS REAL)",
        "'9e999' - 1",
        "SUM('9e999')",
        "1.0 / 3 = 0.3333333333333333",
    ],
)
def test_a_real_that_rounds_away_what_tells_or_is_infinite_is_refused(
    connection: Connection, excluded: str
) -> None:
    with pytest.raises(ArithmeticError):
        kept(connection, f"SELECT {excluded} FROM t WHERE id = 6")


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("SELECT CAST(3 * 0.29 * 100 AS INTEGER)", 87),
        ("SELECT CAST(-0.29 * 100 AS INTEGER)", -29),
        ("SELECT CAST(0.1 + 0.2 AS TEXT) = '0.3'", 1),
        ("SELECT 3 * 0.1 = 0.3", 1),
        ("SELECT 1e15 + 0.5 > 1e15", 1),
        ("SELECT -9223372036854775808 < -9223372036854775807", 1),
        ("SELECT 10 / 3.0 * 3 = 10", 1),
    ],
)
def test_exact_numbers_are_computed(connection: Connection, sql: str, number: int) -> None:
    assert kept(connection, sql) == [(number,)]
