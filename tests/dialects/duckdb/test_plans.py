"""What bound plans say: whether two are one, and whether a query has one answer and rounds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from equiv.core.query import Query
from equiv.dialects.registry import dialect_named

pytest.importorskip("duckdb")

from equiv.dialects.duckdb.resolving.printing import difference

DUCKDB = dialect_named("duckdb")
DDL = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, r DOUBLE, s FLOAT,
    z VARCHAR COLLATE NOCASE, l INTEGER[]);
CREATE TABLE u (id INTEGER PRIMARY KEY, a INTEGER, n DECIMAL(8, 2));
CREATE VIEW few AS SELECT a FROM t LIMIT 1"""
ALONE = """
SELECT a, count(*), sum(a) FROM t GROUP BY a ORDER BY a
SELECT sum(n), max(n) - min(n) FROM u
SELECT DISTINCT b FROM t
SELECT a FROM t WHERE a > (SELECT max(a) FROM u) AND NOT EXISTS (FROM u WHERE u.a = t.a)
SELECT list_contains([a, 1], 2), {'k': a}.k, l[1] FROM t
SELECT unnest([a, 1]) FROM t
SELECT TRY_CAST(b AS DOUBLE), r::VARCHAR FROM t
WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 3) SELECT n FROM k
PIVOT u ON a IN (1) USING sum(n) GROUP BY id
SELECT sum(a) OVER (ORDER BY id), max(l) OVER (PARTITION BY b), rank() OVER (ORDER BY l DESC) FROM t
SELECT lag(r) OVER (PARTITION BY b ORDER BY id DESC), sum(a) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t
""".strip().splitlines()
WATCHED = """
SELECT a FROM t LIMIT 1
SELECT a FROM few
SELECT DISTINCT ON (a) a, b FROM t
SELECT first(a) FROM t
SELECT any_value(a) FROM t
SELECT arg_max(a, id) FROM t
SELECT list(a) FROM t
SELECT string_agg(b, ',') FROM t
SELECT mode(a) FROM t
SELECT row_number() OVER () FROM t
SELECT row_number() OVER (ORDER BY a) FROM t
SELECT row_number() OVER (ORDER BY id) FROM (SELECT a AS id FROM t)
SELECT row_number() OVER (ORDER BY t.id) FROM t JOIN u ON t.a = u.a
SELECT sum(a) OVER (ORDER BY a ROWS UNBOUNDED PRECEDING) FROM t
SELECT list(b) OVER (ORDER BY a) FROM t
SELECT a, min(r) FROM t GROUP BY a
SELECT r FROM t GROUP BY r
SELECT INTERVAL '1 day' * a AS i FROM t UNION SELECT INTERVAL '1 month'
SELECT arg_max(r, a) FROM t QUALIFY row_number() OVER () = 1
SELECT a, list(b) FROM t GROUP BY ALL
SELECT last(r ORDER BY id), any_value(l ORDER BY a) FROM t
""".strip().splitlines()
"""Texts that choose: their watched twins tell where it shows."""
CHOOSING = """
SELECT a FROM t USING SAMPLE 1 ROWS
SELECT sum(a) OVER (ORDER BY a RANGE UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) FROM t
SELECT sum(r) OVER (ORDER BY id) FROM t
SELECT avg(a) OVER (PARTITION BY a) FROM t
SELECT percent_rank() OVER (ORDER BY id) FROM t
SELECT max(z) OVER (PARTITION BY a) FROM t
SELECT t.a FROM t POSITIONAL JOIN u
SELECT t.a FROM t ASOF JOIN u ON t.a >= u.a
SELECT DISTINCT z FROM t
SELECT max(z) FROM t
SELECT avg(a) FROM t
SELECT sum(r) FROM t
SELECT r + 1 FROM t
SELECT s * 2 FROM t
SELECT a / 2 FROM t
SELECT id FROM t WHERE ln(r) > 1
SELECT median(a) FROM t
SELECT now()
SELECT id FROM t WHERE current_date > '2020-01-01'
SELECT random()
SELECT a FROM t LIMIT 40%
SELECT a FROM t LIMIT (SELECT 1)
SELECT a, r FROM t UNION BY NAME SELECT a FROM u
SELECT list(now()) FROM t
SELECT first(z) FROM t
SELECT list(a) FROM t WHERE id = $1
SELECT list(r + 1) FROM t
SELECT DISTINCT a FROM t ORDER BY id LIMIT 1
SELECT list(a), approx_quantile(a, 0.5) FROM t
""".strip().splitlines()


@pytest.fixture(scope="module")
def read() -> Iterator[Callable[[str], Query]]:
    schema = DUCKDB.loader.read_ddl(DDL)
    with DUCKDB.engine.empty(schema) as empty:

        def found(text: str) -> Query:
            query = DUCKDB.reader.read(text, schema, empty)
            assert isinstance(query, Query), query
            return query

        yield found


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [(ALONE, (True, False)), (WATCHED, (True, True)), (CHOOSING, (False, False))],
    ids=["alone", "watched", "choosing"],
)
def test_what_has_one_answer(
    read: Callable[[str], Query], texts: list[str], wanted: tuple[bool, bool], subtests: pytest.Subtests
) -> None:
    for text in texts:
        with subtests.test(text):
            found = read(text)
            assert (found.is_plain, bool(found.watched)) == wanted


def _plan(*numbers: int) -> list[dict[str, Any]]:
    return [{"type": "LOGICAL_GET", "table_index": number, "names": ["x"]} for number in numbers]


def test_numbers_of_steps_are_matched_one_to_one() -> None:
    assert not difference(_plan(1, 2, 1), _plan(5, 3, 5))
    assert difference(_plan(1, 2), _plan(5, 5)) == "table_index"
    assert difference(_plan(1, 1), _plan(5, 6)) == "table_index"


def _projection(places: list[int], below: dict[str, Any]) -> dict[str, Any]:
    shown = [{"expression_class": "BOUND_REF", "index": place} for place in places]
    return {"type": "LOGICAL_PROJECTION", "expressions": shown, "children": [below]}


def test_a_projection_that_copies_another_is_none() -> None:
    table = {"type": "LOGICAL_GET", "children": []}
    below = _projection([1, 0], table)
    assert not difference(_projection([0, 1], below), below)
    assert difference(_projection([1, 0], below), below)
    assert difference(_projection([0], below), below)
    assert difference(_projection([0, 1], table), table)
