"""PostgreSQL itself distinguishes texts that the core cannot run, where no choice of rows explains it."""

from __future__ import annotations

import pytest
from kit.engines import engine_fixture

from equiv.core.query import Query
from equiv.core.runner import Failure, Result
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine
from equiv.verdict import NotEquivalent

DDL = """
CREATE TYPE state AS ENUM ('new', 'paid');
ALTER TYPE state ADD VALUE 'sent';
CREATE TABLE owner (id UUID PRIMARY KEY, name TEXT NOT NULL);
CREATE UNIQUE INDEX own_name ON owner (lower(name));
CREATE TABLE t (
    id INT PRIMARY KEY, x INT, y INT, m JSONB, st state NOT NULL, sts state[] NOT NULL,
    owner UUID NOT NULL REFERENCES owner (id)
);
CREATE FUNCTION unused() RETURNS INT LANGUAGE sql AS 'SELECT 1';
ALTER TYPE state ADD VALUE 'late';
"""
SWAPPED = "SELECT id, CASE WHEN jsonb_typeof(m) = 'object' THEN {} ELSE {} END FROM t"
"""Both queries show values of one type, which only their engine knows."""


def swapped(one: str, other: str) -> tuple[str, str]:
    return SWAPPED.format(one, other), SWAPPED.format(other, one)


APART = (
    swapped("'10.0.0.0/8'::cidr", "'11.0.0.0/8'::cidr"),
    swapped("'[1,2)'::numrange", "'[1,2.5)'::numrange"),
    swapped("tstzrange('2020-01-01', '2021-01-01')", "tstzrange('2020-01-01', NULL)"),
    swapped("'{1}'::numeric[]", "'{10}'::numeric[]"),
    ("SELECT * FROM t WHERE id <> $1 LIMIT 1", "SELECT * FROM t WHERE id = $1 LIMIT 1"),
    (
        "SELECT * FROM t WHERE id <= $1 ORDER BY id LIMIT $2",
        "SELECT * FROM t WHERE id < $1 ORDER BY id LIMIT $2",
    ),
    ("SELECT id, m FROM t ORDER BY id DESC LIMIT 1", "SELECT id, m FROM t ORDER BY id LIMIT 1"),
    ("SELECT id, m FROM t ORDER BY id OFFSET 1", "SELECT id, m FROM t ORDER BY id OFFSET 2"),
    (
        "SELECT DISTINCT ON (x) x, m FROM t ORDER BY x, id DESC",
        "SELECT DISTINCT ON (x) x, m FROM t ORDER BY x, id",
    ),
    ("SELECT id, sts FROM t WHERE st <> 'late'", "SELECT id, sts FROM t WHERE st = 'late'"),
    ("SELECT id, m FROM t WHERE $1 <> ANY (sts)", "SELECT id, m FROM t WHERE $1 = ANY (sts)"),
    (
        "SELECT id, m FROM t WHERE owner <> ALL ($1::uuid[])",
        "SELECT id, m FROM t WHERE owner = ANY ($1::uuid[])",
    ),
    ("SELECT m FROM t WHERE owner = $1", "SELECT m FROM t WHERE owner = $1 AND st = $2"),
    (
        "SELECT o.name, t.m FROM owner o JOIN t ON t.owner = o.id WHERE o.id = $1 AND t.st <> $2",
        "SELECT o.name, t.m FROM owner o JOIN t ON t.owner = o.id WHERE o.id = $1 AND t.st = $2",
    ),
    ("SELECT ARRAY[m] FROM t WHERE x <> 1", "SELECT ARRAY[m] FROM t WHERE x = 1"),
    ("SELECT t FROM t WHERE st <> 'new'", "SELECT t FROM t WHERE st = 'new'"),
    (
        "SELECT m FROM t WHERE ($1::int IS NULL OR x = $1) AND ($2::text = '' OR m ->> 'a' = $2) AND y <> $3",
        "SELECT m FROM t WHERE ($1::int IS NULL OR x = $1) AND ($2::text = '' OR m ->> 'a' = $2) AND y = $3",
    ),
    (
        "SELECT array_agg(m ->> 'a' ORDER BY id) FROM t",
        "SELECT array_agg(m ->> 'a' ORDER BY id DESC) FROM t",
    ),
    ("SELECT id, m FROM t ORDER BY id", "SELECT id, m FROM t ORDER BY id DESC"),
    ("SELECT id, m FROM t ORDER BY x, id", "SELECT id, m FROM t ORDER BY x NULLS FIRST, id"),
    (
        "SELECT id, m FROM t ORDER BY id DESC LIMIT 2",
        "SELECT * FROM (SELECT id, m FROM t ORDER BY id DESC LIMIT 2) AS w ORDER BY id",
    ),
    ("SELECT id, first_value(m) OVER (ORDER BY id) FROM t", "SELECT id, m FROM t"),
    ("SELECT id, m, array_position(sts, NULL) FROM t", "SELECT id, m, NULL::int FROM t"),
    ("SELECT m, cardinality(sts) FROM t", "SELECT m, cardinality(array_remove(sts, NULL)) FROM t"),
    (
        "SELECT t.id, k FROM t, jsonb_object_keys(m) AS k",
        "SELECT t.id, k FROM t LEFT JOIN jsonb_object_keys(m) AS k ON TRUE",
    ),
)
DAYS, MONTHS = "make_interval(days => 30 * x)", "make_interval(months => x)"
SAME = (
    swapped("'[1,2)'::numrange", "'[1.0,2.00)'::numrange"),
    swapped("'{1,2.50}'::numeric[]", "'{1.000,2.5}'::numeric[]"),
    swapped("'10.0.0.1/32'::cidr::inet", "'10.0.0.1'::inet"),
    (SWAPPED.format("'10.0.0.1'::cidr", "'::1'::cidr"), SWAPPED.format("'10.0.0.1'::inet", "'::1'::inet")),
    swapped("'{1 mon}'::interval[]", "'{30 days}'::interval[]"),
    # Equal, and shown otherwise.
    ("SELECT ARRAY[1.0], m FROM t", "SELECT ARRAY[1.00], m FROM t"),
    # Which of tied rows LIMIT, OFFSET or DISTINCT ON keep is nobody's to say.
    ("SELECT id, m FROM t LIMIT 1", "SELECT id, m FROM t ORDER BY id LIMIT 1"),
    ("SELECT id, m FROM t ORDER BY x LIMIT 1", "SELECT id, m FROM t ORDER BY x, id LIMIT 1"),
    ("SELECT id, m FROM t ORDER BY x LIMIT 2", "SELECT id, m FROM t ORDER BY x, id DESC LIMIT 2"),
    ("SELECT id, m FROM t ORDER BY x OFFSET 1", "SELECT id, m FROM t ORDER BY x, id OFFSET 1"),
    (
        "SELECT id, m FROM t ORDER BY x OFFSET 1 LIMIT 1",
        "SELECT id, m FROM t ORDER BY x, y, id OFFSET 1 LIMIT 1",
    ),
    ("SELECT DISTINCT ON (x) x, m FROM t ORDER BY x", "SELECT DISTINCT ON (x) x, m FROM t ORDER BY x, id"),
    ("SELECT DISTINCT ON (x) x, m FROM t", "SELECT DISTINCT ON (x) x, m FROM t ORDER BY x, id DESC"),
    (
        "SELECT id, m FROM t WHERE id = (SELECT id FROM t ORDER BY x LIMIT 1)",
        "SELECT id, m FROM t WHERE id = (SELECT id FROM t ORDER BY x, id LIMIT 1)",
    ),
    (
        "SELECT m FROM (SELECT * FROM t ORDER BY y LIMIT 2) w WHERE x = 1",
        "SELECT m FROM (SELECT * FROM t ORDER BY y, id LIMIT 2) w WHERE x = 1",
    ),
    (
        "WITH w AS (SELECT * FROM t LIMIT 1) SELECT m FROM w",
        "WITH w AS (SELECT * FROM t ORDER BY id LIMIT 1) SELECT m FROM w",
    ),
    (
        "(SELECT id, m FROM t WHERE x = 1) UNION ALL (SELECT id, m FROM t WHERE x = 2) LIMIT 1",
        "(SELECT id, m FROM t WHERE x = 2) UNION ALL (SELECT id, m FROM t WHERE x = 1) LIMIT 1",
    ),
    (
        "SELECT x, m FROM t ORDER BY x NULLS FIRST LIMIT $1",
        "SELECT x, m FROM t ORDER BY x NULLS FIRST, id LIMIT $1",
    ),
    ("SELECT * FROM t WHERE id = $1 LIMIT 1", "SELECT * FROM t WHERE id = $1"),
    ("SELECT * FROM t WHERE owner = ANY ($1::uuid[]) LIMIT 0", "SELECT * FROM t WHERE FALSE"),
    ("SELECT m FROM t WHERE st = 'late' LIMIT NULL", "SELECT m FROM t WHERE st = 'late'"),
    ("SELECT m FROM t WHERE st = $1", "SELECT m FROM t WHERE NOT st <> $1"),
    # Nor in which order they come.
    ("SELECT id, m FROM t ORDER BY x", "SELECT id, m FROM t ORDER BY x, id"),
    ("SELECT id, m FROM t ORDER BY x LIMIT 2", "SELECT id, m FROM t ORDER BY x, y LIMIT 2"),
    ("SELECT x, m FROM t ORDER BY x, id", "SELECT x, m FROM t ORDER BY x"),
    # Nor in which order an aggregate or a window function takes them.
    ("SELECT array_agg(m) FROM t", "SELECT array_agg(m ORDER BY id) FROM t"),
    (
        "SELECT id, m, row_number() OVER (ORDER BY x) FROM t",
        "SELECT id, m, row_number() OVER (ORDER BY x, id) FROM t",
    ),
    # Nor which of several equal values stands for them.
    (
        f"SELECT w::text FROM (SELECT {DAYS} AS w FROM t INTERSECT SELECT {MONTHS} FROM t) s",
        f"SELECT w::text FROM (SELECT {MONTHS} AS w FROM t INTERSECT SELECT {DAYS} FROM t) s",
    ),
)
ROWS = """
INSERT INTO owner VALUES ('00000000-0000-0000-0000-000000000001', 'a');
INSERT INTO t SELECT n, CASE WHEN n < 4 THEN n / 2 END, 0, '{}', 'late', '{}', o.id
FROM generate_series(1, 5) n, owner o;
"""
WATCHED = (
    # x is 0, 1, 1, NULL, NULL, for id from 1 to 5.
    ("SELECT id FROM t ORDER BY x LIMIT 1", 1),
    ("SELECT id FROM t ORDER BY x LIMIT 2", None),
    ("SELECT id FROM t ORDER BY x LIMIT 3", 3),
    ("SELECT id FROM t ORDER BY x LIMIT 4", None),
    ("SELECT id FROM t ORDER BY x OFFSET 1 LIMIT 2", 2),
    ("SELECT id FROM t ORDER BY x OFFSET 2", None),
    ("SELECT x FROM t ORDER BY x OFFSET 2", 3),
    ("SELECT x FROM t ORDER BY x OFFSET 2 LIMIT 1", 1),
    ("SELECT id FROM t LIMIT 5", 5),
    ("SELECT id FROM t LIMIT 9 OFFSET 9", 0),
    ("SELECT id FROM t LIMIT 1", None),
    ("SELECT y FROM t LIMIT 3", 3),
    ("SELECT id FROM t LIMIT 0", 0),
    ("SELECT DISTINCT ON (x) x FROM t", 3),
    ("SELECT DISTINCT ON (x) id FROM t", None),
    ("SELECT DISTINCT ON (x) id FROM t ORDER BY x, id", 3),
    ("SELECT DISTINCT ON (x) id FROM t ORDER BY x, id LIMIT 2", 2),
    ("SELECT DISTINCT x FROM t ORDER BY x LIMIT 2", 2),
    ("SELECT x, count(*) FROM t GROUP BY x ORDER BY count(*) LIMIT 1", 1),
    ("SELECT x, count(*) FROM t GROUP BY x ORDER BY count(*) DESC LIMIT 1", None),
    ("SELECT x FROM t UNION ALL SELECT y FROM t ORDER BY 1 LIMIT 6", 6),
    ("SELECT id FROM t WHERE id IN (SELECT id FROM t ORDER BY x LIMIT 2)", None),
    ("SELECT id FROM t WHERE EXISTS (SELECT id FROM t ORDER BY x LIMIT 1)", 5),
    # What takes rows in an order that is not total.
    ("SELECT array_agg(id) FROM t", None),
    ("SELECT x, array_agg(y) FROM t GROUP BY x", 3),
    ("SELECT array_agg(id ORDER BY x) FROM t", None),
    ("SELECT array_agg(y ORDER BY x) FROM t", 1),
    ("SELECT string_agg(id::text, ',' ORDER BY id) FILTER (WHERE x = 1) FROM t", 1),
    ("SELECT jsonb_agg(id) FILTER (WHERE x = 0) FROM t", 1),
    ("SELECT array_agg(DISTINCT x) FROM t WHERE x = 1", 1),
    ("SELECT json_object_agg(x, id) FROM t WHERE x = 1", None),
    ("SELECT any_value(y), any_value(x) FILTER (WHERE x = 1) FROM t", 1),
    ("SELECT any_value(id) FROM t", None),
    ("SELECT id, row_number() OVER (ORDER BY id) FROM t", 5),
    ("SELECT id, row_number() OVER (ORDER BY x) FROM t", None),
    ("SELECT id, rank() OVER (ORDER BY x), sum(id) OVER (ORDER BY x) FROM t", 5),
    ("SELECT id, sum(id) OVER (ORDER BY x ROWS UNBOUNDED PRECEDING) FROM t", None),
    ("SELECT id, lag(id) OVER (PARTITION BY x ORDER BY id DESC) FROM t", 5),
    ("SELECT w.n FROM (SELECT id, first_value(id) OVER (ORDER BY x) AS n FROM t) AS w WHERE w.id = 1", None),
    ("SELECT id, row_number() OVER () FROM t WHERE id = 1", 1),
    ("SELECT ARRAY(SELECT id FROM t ORDER BY x)", None),
    ("SELECT ARRAY(SELECT y FROM t ORDER BY x)", 1),
    ("SELECT ARRAY(SELECT id FROM t ORDER BY x, id)", 1),
    # What keeps one of several equal values that are not identical.
    *(
        (f"SELECT {shown} FROM (VALUES (1, {one}), (1, {other})) AS v (k, i){rest}", rows)
        for one, other, rows in (
            ("INTERVAL '30 days'", "INTERVAL '1 mon'", None),
            ("INTERVAL '30 days'", "INTERVAL '30 days'", 1),
            ("1.0", "1.00", None),
            ("JSONB '1.0'", "JSONB '1.00'", None),
            ("DATE '2000-01-01'", "DATE '2000-01-01'", 1),
        )
        for shown, rest in (
            ("DISTINCT i", ""),
            ("DISTINCT k, i::text", "") if rows else ("DISTINCT k, i", " LIMIT 1"),
            ("i", " GROUP BY i"),
            ("count(*)", " GROUP BY k, i HAVING count(*) > 0"),
            ("i", f" UNION SELECT {one} WHERE FALSE"),
            ("array_agg(DISTINCT i)", ""),
        )
        if not (one.startswith("JSONB") and shown == "array_agg(DISTINCT i)")
    ),
    ("SELECT max(i) FROM (VALUES (INTERVAL '30 days'), (INTERVAL '1 mon')) AS v (i)", None),
    ("SELECT count(DISTINCT i) FROM (VALUES (INTERVAL '30 days'), (INTERVAL '1 mon')) AS v (i)", 1),
    ("(SELECT INTERVAL '30 days') INTERSECT (SELECT INTERVAL '1 mon')", None),
    ("(SELECT INTERVAL '30 days') EXCEPT ALL (SELECT INTERVAL '1 mon')", None),
)


engine = engine_fixture(DDL, "postgres")


@pytest.mark.parametrize(("pred", "gold"), APART)
def test_postgres_tells_apart(engine: Engine, pred: str, gold: str) -> None:
    found = engine.check(pred, gold)
    assert isinstance(found, NotEquivalent), found


@pytest.mark.long
@pytest.mark.parametrize(("pred", "gold"), SAME)
def test_a_choice_tells_nothing_apart(engine: Engine, pred: str, gold: str) -> None:
    for one, other in ((pred, gold), (gold, pred)):
        found = engine.check(one, other)
        assert not isinstance(found, NotEquivalent), found


@pytest.mark.parametrize(("text", "rows"), WATCHED)
def test_a_watched_text_raises_where_a_choice_shows(text: str, rows: int | None) -> None:
    dialect = dialect_named("postgres")
    schema = dialect.loader.read_ddl(DDL)
    with dialect.engine.empty(schema) as empty:
        query = dialect.reader.read(text, schema, empty)
    assert isinstance(query, Query)
    assert query.watched or (rows is not None and query.is_plain)
    with dialect.engine.replay(dialect.engine.script(schema, ["owner", "t"], {}) + ROWS) as played:
        found = played.run(query.watched or text)
        if rows is None:
            assert isinstance(found, Failure)
            assert found.message == 'invalid input syntax for type boolean: "a choice"'
        else:
            assert isinstance(found, Result), found
            assert len(found.rows) == rows
            plain = played.run(text)
            assert isinstance(plain, Result)
            assert sorted(map(repr, found.rows)) == sorted(map(repr, plain.rows))
