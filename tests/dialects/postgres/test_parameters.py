"""A parameter's value means in the core what it means in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from equiv.cells import Cell
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.registry import dialect_named

DIALECT = dialect_named("postgres")
SCHEMA = DIALECT.loader.read_ddl(
    "CREATE TABLE t (id int PRIMARY KEY, a int, big bigint, n numeric(8, 2), r double precision, name text,"
    " short varchar(9), active boolean, d date, at timestamp)"
)
ROWS: tuple[tuple[Cell, ...], ...] = (
    (1, 1, 10, 1.5, 0.5, "a", "a", 1, "2020-02-29", "2020-02-29 12:30:00"),
    (2, -3, 2**40, -2, 2.5, "A%", "", 0, "1999-12-31", "2020-02-29 12:30:00.5"),
    (3, 0, 0, 0, -1, "", "ab", None, None, None),
    (4, None, None, None, None, None, None, 1, "2020-03-01", "2021-01-01 00:00:00"),
    (5, 7, 7, 7.25, 7, "1", "1", 0, "2020-02-28", "2020-02-28 23:59:59"),
)
NAMES = ("id", "a", "big", "n", "r", "name", "short", "active", "d", "at")
VALUES: dict[str, tuple[Cell, ...]] = {
    "integer": (None, 0, 1, -3, 7),
    "number": (None, 0, 1.5, -2, 7.25),
    "float": (None, 0, 0.5, 2.5),
    "boolean": (None, 0, 1),
    "text": (None, "", "a", "A%", "%", "a_", "1", "it's", "\\%"),
    "date": (None, "2020-02-29", "1999-12-31", "2020-03-01"),
    "timestamp": (None, "2020-02-29 12:30:00", "2020-02-29 12:30:00.5"),
}
TEXTS = (
    "SELECT id FROM t WHERE a > $1 OR big / 3 = $1",
    "SELECT id, a + $1, a * $1 FROM t WHERE a BETWEEN $1 - 5 AND $1",
    "SELECT id FROM t WHERE n >= $1 OR n * 2 < $1",
    "SELECT id, n / 4 + $1::numeric FROM t",
    "SELECT id FROM t WHERE r <= $1",
    "SELECT id, name || $1, upper($1), length($1) FROM t WHERE name <> $1 OR $1 = ''",
    "SELECT id FROM t WHERE name LIKE $1",
    "SELECT id FROM t WHERE name NOT ILIKE $1",
    "SELECT id FROM t WHERE short IN ($1, 'ab')",
    "SELECT id, COALESCE($1, name), NULLIF(name, $1), GREATEST(name, $1) FROM t",
    "SELECT id FROM t WHERE active = $1 OR NOT $1",
    "SELECT id FROM t WHERE active IS DISTINCT FROM $1",
    "SELECT id, CASE WHEN $1 THEN 1 ELSE 2 END FROM t",
    "SELECT id, d - $1, d >= $1 FROM t",
    "SELECT id, extract(year FROM $1::date), to_char($1::date, 'YYYY-MM') FROM t",
    "SELECT id, date_trunc('month', $1::timestamp) FROM t WHERE at > $1",
    "SELECT $1::text, count(*) FROM t GROUP BY a > 0, $1::text",
    "SELECT a, sum(big) FILTER (WHERE a < $1) FROM t GROUP BY a HAVING count(*) > $1 - 3",
)


@pytest.fixture(scope="module")
def session() -> Iterator[PostgresSession]:
    script = DIALECT.engine.script(SCHEMA, ["t"], {"t": (NAMES, ROWS)})
    with DIALECT.engine.replay(script) as played:
        assert isinstance(played, PostgresSession)
        yield played


@pytest.mark.parametrize("text", TEXTS)
def test_values_mean_the_same(text: str, session: PostgresSession) -> None:
    with DIALECT.engine.empty(SCHEMA) as empty:
        query = DIALECT.reader.read(text, SCHEMA, empty)
    assert isinstance(query, Query)
    assert query.unsupported is None, query.unsupported
    (kind,) = query.parameter_types
    for value in VALUES[kind]:
        theirs = session.run(text, values={"$1": value})
        ours = session.core.run(query.core_sql, values={"1": value})
        assert isinstance(theirs, Result), theirs
        assert isinstance(ours, Result), ours
        assert sorted(theirs.rows, key=repr) == sorted(ours.rows, key=repr), (value, theirs, ours)
