"""DuckDB's own answers distinguish texts of lists and choices just where no choice shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from equiv.core.query import Query
from equiv.core.runner import Failure, Result
from equiv.dialects.duckdb.session import DuckdbSession
from equiv.dialects.registry import dialect_named

pytest.importorskip("duckdb")

DUCKDB = dialect_named("duckdb")
DDL = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s VARCHAR, i INTERVAL, d DOUBLE);
CREATE TABLE u (k INTEGER, s VARCHAR);
"""
ROWS = """INSERT INTO t VALUES (1, 1, 1, 'x', '30 days', 0.0), (2, 1, 1, 'y', '1 month', '-0.0'),
    (3, 2, 2, 'x', INTERVAL '1 day', 1.5), (4, NULL, 2, 'x', NULL, 'nan');
INSERT INTO u VALUES (1, 'p'), (1, 'q'), (2, 'r'), (2, 'r');
"""
RAISE = """
SELECT list(s) FROM t
SELECT list(s ORDER BY a) FROM t
SELECT list(id ORDER BY i) FROM t
SELECT list(id ORDER BY d) FROM t
SELECT list(DISTINCT i) FROM t
SELECT list(DISTINCT i ORDER BY i) FROM t
SELECT string_agg(s, '' ORDER BY b) FROM t
SELECT b, first(s ORDER BY b) FROM t GROUP BY b
SELECT b, list(s) FROM t GROUP BY ALL
SELECT arg_max(s, d) FROM t WHERE d = 0
SELECT arg_min(id, s) FROM t
SELECT max_by(id, b, 2) FROM t
SELECT any_value(id) FROM t
SELECT mode(a) FROM t
SELECT max(i) FROM t WHERE a = 1
SELECT max(i, 2) FROM t WHERE a = 1
SELECT min(d)::VARCHAR FROM t
SELECT quantile_disc(i, 0.5) FROM t
SELECT i, count(*) FROM t GROUP BY i
SELECT d::VARCHAR FROM t GROUP BY d
SELECT b, i, count(*) FROM t GROUP BY GROUPING SETS ((b, i), (b))
SELECT DISTINCT i FROM t
SELECT i FROM t UNION SELECT INTERVAL '1 day'
SELECT i FROM t INTERSECT SELECT INTERVAL '1 month'
WITH RECURSIVE w (x) AS (SELECT i FROM t UNION SELECT x FROM w) SELECT x FROM w
SELECT s FROM t LIMIT 1
SELECT s FROM t ORDER BY a LIMIT 1
SELECT id FROM t ORDER BY b DESC OFFSET 1
SELECT DISTINCT ON (b) s FROM t WHERE b = 1
SELECT DISTINCT ON (i) i FROM t ORDER BY b
SELECT s FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY a) = 1
SELECT id, row_number() OVER (ORDER BY i) FROM t
SELECT id, lag(s) OVER (ORDER BY b) FROM t
SELECT id, list(s) OVER (ORDER BY b) FROM t
SELECT id, sum(a) OVER (ORDER BY b ROWS UNBOUNDED PRECEDING) FROM t
SELECT id, (SELECT list(u.s) FROM u WHERE k = b) FROM t
SELECT id, x FROM t, LATERAL (SELECT u.s AS x FROM u WHERE k = b ORDER BY k LIMIT 1)
SELECT count(*) FROM (SELECT s FROM t ORDER BY b LIMIT 1) WHERE s = 'y'
PIVOT t ON b IN (1, 2) USING first(s) GROUP BY a
""".strip().splitlines()
ANSWER = """
SELECT list(s ORDER BY id) FROM t
SELECT list(s ORDER BY id DESC) FROM t GROUP BY b
SELECT list(s ORDER BY b, id) FILTER (WHERE a = 1) FROM t
SELECT list(DISTINCT s ORDER BY s) FROM t
SELECT list(b) FROM t WHERE b = 2
SELECT b, list({'s': s, 'i': i} ORDER BY id) FROM t GROUP BY ALL
SELECT first(s ORDER BY id), last(i ORDER BY id) FROM t
SELECT arg_max(s, id), arg_min(i, id, 2) FROM t
SELECT arg_max(b, s) FROM t WHERE b = 2
SELECT max(i) FROM t WHERE id > 1
SELECT i FROM t WHERE id > 1 GROUP BY i HAVING count(*) > 0 QUALIFY row_number() OVER (ORDER BY i) = 1
SELECT DISTINCT [i] FROM t WHERE id > 1 ORDER BY [i] LIMIT 1
SELECT s FROM t ORDER BY b DESC LIMIT 2
SELECT s FROM t ORDER BY id LIMIT 2 OFFSET 1
SELECT s FROM t LIMIT 0
SELECT DISTINCT ON (b) s FROM t ORDER BY id DESC
SELECT DISTINCT ON (b) b FROM t
SELECT b, list(s ORDER BY id) FROM t GROUP BY ALL ORDER BY ALL LIMIT 1
SELECT id, rank() OVER (ORDER BY b), lag(s) OVER (ORDER BY id) FROM (SELECT DISTINCT id, b, s FROM t) AS q
SELECT id, (SELECT list(u.s) FROM u WHERE k = b) FROM t WHERE b = 2
WITH RECURSIVE w (x) AS (SELECT i FROM t WHERE id > 1 UNION SELECT x FROM w) SELECT list(x ORDER BY x) FROM w
PIVOT t ON b IN (1, 2) USING list(s ORDER BY id) GROUP BY a
""".strip().splitlines()
OPEN_ORDER = """
SELECT s FROM t ORDER BY a
SELECT [id] FROM t ORDER BY i
SELECT DISTINCT s FROM t ORDER BY id
""".strip().splitlines()
FIXED_ORDER = """
SELECT s FROM t ORDER BY id
SELECT b FROM t ORDER BY b DESC
SELECT b, list(s ORDER BY id) FROM t GROUP BY ALL ORDER BY ALL
SELECT a FROM t UNION SELECT k FROM u ORDER BY 1
""".strip().splitlines()


@pytest.fixture(scope="module")
def played() -> Iterator[DuckdbSession]:
    with DUCKDB.engine.replay(DDL + ROWS) as found:
        assert isinstance(found, DuckdbSession)
        yield found


def read(text: str, played: DuckdbSession) -> Query:
    found = DUCKDB.reader.read(text, played.schema, played)
    assert isinstance(found, Query), found
    return found


def test_a_watched_text_raises_where_a_choice_shows(played: DuckdbSession, subtests: pytest.Subtests) -> None:
    for text in RAISE:
        with subtests.test(text):
            query = read(text, played)
            assert query.is_plain
            found = played.run(query.watched)
            assert isinstance(found, Failure), found
            assert "Could not convert string 'a choice' to BOOL" in found.message


def test_else_it_answers_as_the_query_does(played: DuckdbSession, subtests: pytest.Subtests) -> None:
    for text in ANSWER:
        with subtests.test(text):
            query = read(text, played)
            assert query.is_plain
            assert query.watched
            found, seen = played.run(text), played.run(query.watched)
            assert isinstance(found, Result), found
            assert isinstance(seen, Result), seen
            assert sorted(map(repr, seen.rows)) == sorted(map(repr, found.rows))


def test_an_order_that_ties_leave_open_is_none(played: DuckdbSession, subtests: pytest.Subtests) -> None:
    for texts, kind in ((OPEN_ORDER, Failure), (FIXED_ORDER, Result)):
        for text in texts:
            with subtests.test(text):
                order = read(text, played).watched_order
                assert isinstance(played.run(order), kind) if order else kind is Failure
