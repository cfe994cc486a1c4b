"""Functions that return rows, and subqueries that look beside, in proofs and as the core never runs them."""

from __future__ import annotations

import pytest
from kit.engines import PROVER, assert_not_proved, assert_proved, engine_fixture
from kit.sizes import sampled

from equiv.core.claims.blocks import looks_beside, reads_numbers
from equiv.core.model import NUMBERS
from equiv.core.query import Query
from equiv.engine.pipeline import Engine
from equiv.relation import RELATIONS
from equiv.verdict import Equivalent, NotEquivalent

DDL = """
CREATE TABLE t (
    id INT PRIMARY KEY, s TEXT, tags TEXT[], more TEXT[], j JSONB, k INT, n NUMERIC, m NUMERIC
);
CREATE TABLE u (id INT PRIMARY KEY, t_id INT REFERENCES t, v INT, w TEXT);
CREATE TABLE d (a INT, b INT)
"""
FIRST = "(SELECT u.v FROM u WHERE u.t_id = d.a ORDER BY u.id LIMIT 2) s"
NUMBERED = "unnest(tags) WITH ORDINALITY AS x(y, o)"
GIVEN = "unnest($1::text[]) WITH ORDINALITY"
ANY = "(SELECT u.v FROM u LIMIT 1)"
GROUPS = "(SELECT u.w, count(*) AS c FROM u WHERE u.t_id = d.a GROUP BY u.w) s"
RECORDS = "jsonb_to_recordset(t.j) AS r(a int, b text)"
EQUIVALENT = (
    ("SELECT id, unnest(tags) FROM t", "SELECT t.id, x FROM t, unnest(t.tags) x"),
    (
        "SELECT unnest(t.tags), unnest(t.more) FROM t",
        "SELECT x, y FROM t CROSS JOIN LATERAL ROWS FROM (unnest(t.tags), unnest(t.more)) AS s(x, y)",
    ),
    (
        "SELECT a, b FROM unnest($1::text[], $2::int[]) s(a, b)",
        "SELECT unnest($1::text[]), unnest($2::int[])",
    ),
    (
        "SELECT id FROM t WHERE s IN (SELECT unnest($1::text[]))",
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) x WHERE x = t.s)",
    ),
    (
        "SELECT id, e.value FROM t, jsonb_each(t.j) e WHERE e.key = 'a'",
        "SELECT id, e.value FROM t JOIN LATERAL jsonb_each(j) e ON 'a' = key",
    ),
    (
        f"SELECT id, r.a FROM t, {RECORDS} WHERE k = 1",
        f"SELECT id, a FROM t CROSS JOIN {RECORDS} WHERE 1 = k",
    ),
    (
        f"SELECT id FROM t LEFT JOIN LATERAL {NUMBERED} ON o > 1",
        f"SELECT id FROM t LEFT JOIN LATERAL (SELECT FROM {NUMBERED} WHERE 1 < o) z ON true",
    ),
    (
        "SELECT unnest(tags), count(*) FROM t GROUP BY 1",
        "SELECT x, count(*) FROM t, unnest(tags) x GROUP BY x",
    ),
    (
        "SELECT unnest(tags), (SELECT count(*) FROM unnest(tags)) FROM t",
        "SELECT x, (SELECT count(*) FROM unnest(t.tags)) FROM t, unnest(tags) x",
    ),
    # A row's number is its key.
    (f"SELECT DISTINCT id, o FROM t, {NUMBERED}", f"SELECT id, o FROM t, {NUMBERED}"),
    (
        f"SELECT a.x FROM {GIVEN} a(x, o) JOIN {GIVEN} b(x, o) ON a.o = b.o",
        "SELECT unnest($1::text[])",
    ),
    (
        "SELECT id, x FROM t, LATERAL (VALUES (k), (1)) v(x)",
        "SELECT id, k FROM t UNION ALL SELECT id, 1 FROM t",
    ),
    ("SELECT id, l FROM t, lower(t.s) l", "SELECT id, lower(s) FROM t"),
    (
        f"SELECT d.a, s.v FROM d JOIN LATERAL {FIRST} ON d.b > 1",
        f"SELECT d.a, s.v FROM d, LATERAL {FIRST} WHERE 1 < d.b",
    ),
    (
        f"SELECT d.a, s.c FROM d LEFT JOIN LATERAL {GROUPS} ON s.c > 1",
        f"SELECT d.a, s.c FROM d LEFT JOIN LATERAL (SELECT * FROM {GROUPS} WHERE s.c > 1) s ON true",
    ),
    (
        "SELECT d.a, s.c FROM d CROSS JOIN LATERAL (SELECT d.b AS c UNION ALL SELECT d.a) s",
        "SELECT a, b FROM d UNION ALL SELECT a, a FROM d",
    ),
    (
        "SELECT d.a, s.v, s.id FROM d, LATERAL (SELECT u.v, t.id FROM u FULL JOIN t ON u.t_id = d.a) s",
        "SELECT d.a, s.v, s.id FROM d, LATERAL (SELECT u.v, t.id FROM u FULL JOIN t ON d.a = u.t_id) s",
    ),
)
APART = (
    # As many rows as there are, and NULL for those without one.
    ("SELECT id, x FROM t, unnest(tags) x", "SELECT id, x FROM t LEFT JOIN LATERAL unnest(tags) x ON true"),
    ("SELECT id FROM t, unnest(tags)", "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM unnest(tags))"),
    ("SELECT DISTINCT id, unnest(tags) FROM t", "SELECT id, unnest(tags) FROM t"),
    (
        "SELECT id, (SELECT count(*) FROM unnest(tags)) FROM t",
        "SELECT id, (SELECT count(x) FROM unnest(tags) x) FROM t",
    ),
    ("SELECT unnest(tags), unnest(more) FROM t", "SELECT x, y FROM t, unnest(tags) x, unnest(more) y"),
    ("SELECT unnest(tags), unnest(more) FROM t", "SELECT unnest(tags), NULL FROM t"),
    ("SELECT unnest($1::text[]) AS x, unnest($2::int[])", "SELECT x, NULL FROM unnest($1::text[]) x"),
    ("SELECT id, unnest(tags) FROM t LIMIT 2", "SELECT id, unnest(tags) FROM (SELECT * FROM t LIMIT 2) t"),
    (
        "SELECT o FROM t, unnest(tags) WITH ORDINALITY x(y, o)",
        "SELECT o - 1 FROM t, unnest(tags) WITH ORDINALITY x(y, o)",
    ),
    ("SELECT upper(unnest(ARRAY['a', 'b']))", "SELECT upper('a')"),
    ("SELECT unnest(tags), count(*) FROM t GROUP BY 1", "SELECT unnest(tags), 1 FROM t"),
    (
        "SELECT unnest(tags), count(*) FROM t GROUP BY 1",
        "SELECT unnest(tags), count(*) FROM t GROUP BY 1, id",
    ),
    (f"SELECT DISTINCT o FROM t, {NUMBERED}", f"SELECT o FROM t, {NUMBERED}"),
    (f"SELECT a.x FROM {GIVEN} a(x, o) JOIN {GIVEN} b(x, o) ON a.x = b.x", "SELECT unnest($1::text[])"),
    # Other functions, other arguments, other columns.
    ("SELECT x FROM t, unnest(tags) x", "SELECT x FROM t, unnest(more) x"),
    ("SELECT g FROM t, generate_series(k, 1) g", "SELECT g FROM t, generate_series(1, k) g"),
    ("SELECT e.key FROM t, jsonb_each(j) e", "SELECT e.key FROM t, jsonb_each_text(j) e"),
    (f"SELECT r.a FROM t, {RECORDS}", "SELECT r.a FROM t, jsonb_to_recordset(t.j) AS r(a bigint, b text)"),
    (f"SELECT r.b FROM t, {RECORDS}", "SELECT r.b FROM t, jsonb_to_recordset(t.j) AS r(a text, b text)"),
    (f"SELECT r.a FROM t, {RECORDS}", "SELECT r.a FROM t, jsonb_to_record(t.j) AS r(a int, b text)"),
    # Equal, and not identical.
    (
        "SELECT g::text FROM t, generate_series(n, 5) g WHERE n = m",
        "SELECT g::text FROM t, generate_series(m, 5) g WHERE n = m",
    ),
    # Rows beside: how many are chosen, before and after a condition, and of which the join keeps none.
    (f"SELECT d.a, s.v FROM d, LATERAL {FIRST}", f"SELECT d.a, s.v FROM d LEFT JOIN LATERAL {FIRST} ON true"),
    (f"SELECT d.a, s.v FROM d, LATERAL {FIRST}", f"SELECT DISTINCT d.a, s.v FROM d, LATERAL {FIRST}"),
    (
        f"SELECT d.a, s.v FROM d JOIN LATERAL {FIRST} ON s.v > 1",
        f"SELECT d.a, s.v FROM d, LATERAL {FIRST.replace('ORDER', 'AND u.v > 1 ORDER')}",
    ),
    (
        f"SELECT d.a, s.v FROM d LEFT JOIN LATERAL {FIRST} ON s.v > 1",
        f"SELECT d.a, s.v FROM d LEFT JOIN LATERAL {FIRST} ON true WHERE s.v > 1",
    ),
    (
        f"SELECT d.a, s.v FROM d, LATERAL {ANY} s, LATERAL {ANY} r WHERE s.v = r.v",
        f"SELECT d.a, s.v FROM d, LATERAL {ANY} s WHERE s.v IS NOT NULL",
    ),
    (
        f"SELECT d.a, s.c FROM d, LATERAL {GROUPS}",
        "SELECT d.a, count(*) FROM d JOIN u ON u.t_id = d.a GROUP BY d.a, u.w",
    ),
    (
        "SELECT d.a, s.c FROM d, LATERAL (SELECT d.b AS c UNION ALL SELECT d.a) s",
        "SELECT d.a, s.c FROM d, LATERAL (SELECT d.b AS c UNION SELECT d.a) s",
    ),
    (
        "SELECT d.a, s.v, s.id FROM d, LATERAL (SELECT u.v, t.id FROM u FULL JOIN t ON u.t_id = d.a) s",
        "SELECT d.a, s.v, s.id FROM d, LATERAL (SELECT u.v, t.id FROM u LEFT JOIN t ON u.t_id = d.a) s",
    ),
)


schema_engine = engine_fixture(DDL, "postgres")
prover = engine_fixture(DDL, "postgres", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_what_says_the_same_of_rows_is_proved(prover: Engine, pred: str, gold: str) -> None:
    assert_proved(prover, pred, gold)


@sampled("pred, gold", APART)
def test_near_misses_are_not_proved(prover: Engine, pred: str, gold: str) -> None:
    for text in (pred, gold):
        assert isinstance(prover.read(text), Query), text
    assert_not_proved(prover, pred, gold)


def test_a_function_of_rows_that_differ_is_told_apart_by_a_database(schema_engine: Engine) -> None:
    found = schema_engine.check(
        "SELECT id, x FROM t, unnest(tags) x", "SELECT id, x FROM t LEFT JOIN LATERAL unnest(tags) x ON true"
    )
    assert isinstance(found, NotEquivalent)


def test_rows_of_a_function_are_counted_by_a_table_that_proofs_alone_have(schema_engine: Engine) -> None:
    query = schema_engine.read("SELECT x FROM t, unnest(tags) x")
    assert isinstance(query, Query)
    assert query.tree is None
    assert query.with_symbols is not None
    assert reads_numbers(query.with_symbols.tree)
    pair = schema_engine.pair(query, query, RELATIONS[0])
    assert pair.schema.table(NUMBERS.name) is None
    assert pair.for_proofs.schema.table(NUMBERS.name) is NUMBERS


def test_what_is_true_of_the_numbers_of_rows_is_no_fact_of_the_schema(schema_engine: Engine) -> None:
    found = schema_engine.check(
        f"SELECT DISTINCT id, o FROM t, {NUMBERED}", f"SELECT id, o FROM t, {NUMBERED}"
    )
    assert isinstance(found, Equivalent)
    assert {fact.table for fact in found.facts} == {"t", ""}


def test_what_looks_beside_has_no_text_for_databases_of_the_core(schema_engine: Engine) -> None:
    query = schema_engine.read(f"SELECT d.a, s.v FROM d, LATERAL {FIRST}")
    assert isinstance(query, Query)
    assert query.tree is None
    assert query.core_text == ""
    assert query.with_symbols is not None
    assert query.with_symbols.tree is not None
    assert looks_beside(query.with_symbols.tree)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT g FROM t, generate_series(n, 3) g",
        "SELECT unnest(array_agg(s)) FROM t GROUP BY k",
        "SELECT unnest(tags), unnest(more), count(*) FROM t GROUP BY 1, more",
        "SELECT unnest(tags), row_number() OVER (ORDER BY id) FROM t",
        "SELECT jsonb_each(j) FROM t",
        "SELECT * FROM pg_timezone_names()",
    ],
)
def test_rows_that_arguments_do_not_fix_are_no_symbol(schema_engine: Engine, text: str) -> None:
    query = schema_engine.read(text)
    assert isinstance(query, Query)
    assert query.tree is None
    assert query.with_symbols is None


def test_a_function_that_is_called_for_what_it_does_is_named(schema_engine: Engine) -> None:
    query = schema_engine.read("SELECT pg_notify(s, 'x') FROM t")
    assert isinstance(query, Query)
    assert str(query.unsupported) == "function: pg_notify: called for its side effect, not for a value"
    assert not query.is_repeatable


def test_equal_texts_of_records_are_one_query_unless_a_function_is_volatile(schema_engine: Engine) -> None:
    for text, is_one in (("SELECT ROW(id, s) FROM t", True), ("SELECT ROW(random()) FROM t", False)):
        assert isinstance(schema_engine.check(text, text), Equivalent) is is_one, text
