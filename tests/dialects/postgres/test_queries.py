"""Queries whose translation changes their shape: PostgreSQL and the core give the same rows."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from kit.engines import read_text

from equiv.answers.compare import same_bag
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named

POSTGRES = dialect_named("postgres")
DDL = """CREATE TABLE t (id integer, a integer, n numeric(6, 2), c char(3), f boolean);
CREATE TABLE u (id integer, t_id integer, a integer, c char(3));"""
QUERIES = (
    "SELECT a FROM t EXCEPT ALL SELECT a FROM u",
    "SELECT a FROM t INTERSECT ALL SELECT a FROM u ORDER BY 1 DESC",
    "SELECT a, c FROM t EXCEPT ALL SELECT a, c FROM u ORDER BY 2, a",
    "SELECT a FROM t INTERSECT ALL (SELECT a FROM u EXCEPT ALL SELECT id FROM t) LIMIT 100",
    "SELECT n FROM t EXCEPT ALL SELECT a FROM u UNION ALL SELECT a FROM u",
    "SELECT COUNT(*) FROM (SELECT c FROM t EXCEPT ALL SELECT c FROM u) z",
    "SELECT id, SUM(n) OVER (ORDER BY id, a, n, c, f ROWS UNBOUNDED PRECEDING) FROM t",
    "SELECT id, COUNT(*) OVER (ORDER BY a, id, n, c, f ROWS 1 PRECEDING) FROM t",
    "SELECT id, SUM(a) OVER (ORDER BY a RANGE UNBOUNDED PRECEDING EXCLUDE TIES) FROM t",
    "SELECT t.id, z.n, z.m FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n, MAX(a) AS m FROM u WHERE u.t_id = t.id) z",
    "SELECT t.id, z.n FROM t LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) z ON true WHERE z.n < 2",
    "SELECT z.n, SUM(z.n) FROM t, LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.a = t.a) z GROUP BY z.n",
    "SELECT t.id, z.a FROM t LEFT JOIN LATERAL (SELECT u.a FROM u WHERE u.t_id = t.id AND u.a > 1) z ON true",
    "SELECT t.id, z.b FROM t JOIN LATERAL (SELECT u.a + t.a AS b FROM u WHERE u.t_id = t.id) z ON z.b > 1",
    "SELECT t.id, z.b FROM t, LATERAL (SELECT u.a + t.a AS b FROM u, t AS y WHERE u.t_id = y.id AND y.a = t.a) z",
    "SELECT t.id, z.a FROM t LEFT JOIN LATERAL (SELECT u.a FROM u WHERE u.t_id = t.id ORDER BY u.a DESC LIMIT 1) z ON true",
    "SELECT t.id, y.b FROM t CROSS JOIN LATERAL (SELECT t.a + 1 AS b) z CROSS JOIN LATERAL (SELECT z.b * 2 AS b) y",
    "SELECT x.id, y.n FROM u x RIGHT JOIN t ON x.a = t.a LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = x.id) y ON true",
    "SELECT t.id, w.n FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) z CROSS JOIN LATERAL (SELECT SUM(u.a) AS n FROM u WHERE u.id > z.n) w",
    "SELECT (SELECT count(t.a)), (SELECT count(*) FILTER (WHERE t.n > 1)) FROM t",
    "SELECT c, (SELECT max(u.a) FROM u WHERE u.id = count(t.a)), count(*) FROM t WHERE f GROUP BY c",
    "SELECT c FROM t GROUP BY c HAVING EXISTS (SELECT 1 FROM u WHERE u.c = t.c AND u.a < sum(t.a)) ORDER BY (SELECT max(t.n)), c LIMIT 2",
    "SELECT (SELECT sum(u.a) FROM u HAVING count(t.a) > 1), (SELECT count(*) FROM u HAVING count(*) > count(t.a)) FROM t",
    "SELECT DISTINCT (SELECT count(DISTINCT t.a)) FROM t GROUP BY c",
    "SELECT id, (SELECT (SELECT count(u.a)) FROM u WHERE u.t_id = t.id) FROM t",
    "SELECT (SELECT sum(u.a + (SELECT count(t.a))) FROM u) FROM t",
    "SELECT (SELECT sum(t.a + u.a) FROM u), (SELECT count(*) FROM u) FROM t",
    "SELECT c, sum((SELECT count(t.a))) OVER () FROM t GROUP BY c",
    "SELECT max(a) FROM t HAVING EXISTS (SELECT 1 FROM u WHERE u.a = count(t.a))",
)  # fmt: skip
REFUSED = (
    "SELECT t.id, z.a, z.c FROM t LEFT JOIN LATERAL (SELECT u.a, u.c FROM u WHERE u.t_id = t.id LIMIT 1) z ON true",
    "SELECT t.id, z.n FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id GROUP BY u.a) z",
    "SELECT y.id, z.n FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) z RIGHT JOIN t y ON y.a = z.n",
    "SELECT t.id, z.b FROM t LEFT JOIN LATERAL (SELECT u.a + 1 AS b FROM u WHERE u.t_id = t.id) z ON true",
)  # fmt: skip
# ruff: noqa: E501 - a query stands on one line


@cache
def _filled(seed: int) -> Session:
    random = Random(seed)

    def rows(*columns: tuple[str, ...]) -> str:
        number = random.choice((1, 2, 4, 6))
        return ", ".join(f"({', '.join(map(random.choice, columns))})" for _ in range(number))

    few = ("0", "1", "2", "NULL")
    texts = ("'a'", "'b '", "NULL")
    t = rows(few, few, ("1.5", "1", "2.00", "NULL"), texts, ("true", "false", "NULL"))
    return POSTGRES.engine.replay(
        f"{DDL} INSERT INTO t VALUES {t}; INSERT INTO u VALUES {rows(few, few, few, texts)};"
    )


def _read(text: str) -> Query:
    query = read_text("postgres", DDL, text)
    assert isinstance(query, Query), query
    return query


@pytest.mark.parametrize("text", QUERIES)
def test_postgres_and_the_core_return_the_same_rows(text: str) -> None:
    query = _read(text)
    assert query.unsupported is None, query.unsupported
    seen = 0
    for seed in range(12):
        session = _filled(seed)
        theirs, ours = session.run(query.sql), session.core.run(query.core_sql)
        assert isinstance(theirs, Result), theirs
        assert isinstance(ours, Result), ours
        assert same_bag(theirs.rows, ours.rows), (seed, theirs.rows, ours.rows, query.core_sql)
        seen += bool(theirs.rows)
    assert seen


@pytest.mark.parametrize("text", REFUSED)
def test_a_lateral_subquery_that_nothing_else_says_is_refused(text: str) -> None:
    assert "LATERAL: a column of another item of FROM" in str(_read(text).unsupported)


def test_a_word_for_today_counts_in_a_text_alone() -> None:
    read = _read("SELECT id FROM t WHERE c = 'a' AND now()::date = current_date AND c < 'b'")
    assert read.unsupported is None
    assert "current time" in str(_read("SELECT id FROM t WHERE date 'today' > '2000-01-01'").unsupported)
