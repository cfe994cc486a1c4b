"""Symbols of bags and lists, and groups of values that the core only keeps."""

from __future__ import annotations

from kit.engines import PROVER, assert_not_proved, assert_proved, engine_fixture
from kit.sizes import sampled

from equiv.core.functions.symbols import in_words
from equiv.engine.pipeline import Engine

DDL = """
CREATE TYPE state AS ENUM ('new', 'paid');
CREATE TABLE t (
    id INT PRIMARY KEY, a NUMERIC, b NUMERIC, c NUMERIC(10, 2), d NUMERIC(12, 4), f FLOAT8, g FLOAT8, s TEXT,
    u TEXT, cs CHAR(5), cu CHAR(8), i INTERVAL NOT NULL, j INTERVAL, m JSONB, n JSONB,
    r INT[], q INT[], x INT, y INT, ts TIMESTAMP, tz TIMESTAMPTZ, st state, by1 BYTEA, ip INET
);
CREATE TABLE w (
    id INT PRIMARY KEY, t_id INT NOT NULL REFERENCES t (id), v TEXT, k INT NOT NULL UNIQUE, m JSONB
);
"""
EQUIVALENT = (
    ("SELECT jsonb_agg(s) FROM t WHERE x > 1", "SELECT jsonb_agg(s) FROM t WHERE 1 < x"),
    (
        "SELECT x, array_agg(s ORDER BY s) FROM t WHERE y > 1 GROUP BY x",
        "SELECT q.x, array_agg(q.s ORDER BY q.s) FROM (SELECT x, s FROM t WHERE y > 1) q GROUP BY q.x",
    ),
    (
        "SELECT x, array_agg(DISTINCT s) FROM t GROUP BY x",
        "SELECT x, array_agg(DISTINCT s) FROM (SELECT DISTINCT x, s FROM t) q GROUP BY x",
    ),
    (
        "SELECT x, bit_xor(y) FROM t WHERE y > 1 GROUP BY x",
        "SELECT x, bit_xor(y) FILTER (WHERE y > 1) FROM t WHERE y > 1 GROUP BY x",
    ),
    (
        "SELECT x, string_agg(s, ',' ORDER BY id) FROM t GROUP BY x",
        "SELECT x, string_agg(s, ',' ORDER BY id) FROM t WHERE TRUE GROUP BY x",
    ),
    ("SELECT regr_slope(x, y) FROM t", "SELECT regr_slope(x, y) FROM t WHERE TRUE"),
    (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t2.x) FROM t t2",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k) FROM t",
        "SELECT id, ARRAY(SELECT v FROM w WHERE t.id = w.t_id ORDER BY k) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t WHERE x = 1 AND y = 2",
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t WHERE y = 2 AND x = 1",
    ),
    ("SELECT sum(i) FROM t", "SELECT sum(i) FROM t WHERE i IS NOT NULL"),
    (
        "SELECT id, bit_xor(y) OVER (PARTITION BY x) FROM t",
        "SELECT id, bit_xor(y) OVER (PARTITION BY t.x) FROM t WHERE TRUE",
    ),
    (
        "SELECT id, array_agg(s) OVER (PARTITION BY x ORDER BY id) FROM t",
        "SELECT id, array_agg(s) OVER (PARTITION BY t.x ORDER BY t.id) FROM t WHERE TRUE",
    ),
    (
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '1 day' PRECEDING) FROM t WHERE y = 1 AND s = 'a'",
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '1 day' PRECEDING) FROM t WHERE s = 'a' AND y = 1",
    ),
    ("SELECT any_value(s) FROM t WHERE x = 1 AND y = 1", "SELECT any_value(s) FROM t WHERE y = 1 AND x = 1"),
    (
        "SELECT json_object_agg(id, m) FROM t WHERE x = 1 AND y = 1",
        "SELECT json_object_agg(id, m) FROM t WHERE y = 1 AND x = 1",
    ),
    (
        "SELECT t.id, array_agg(w.v ORDER BY w.k, w.v) FROM t JOIN w ON w.t_id = t.id GROUP BY t.id",
        "SELECT w.t_id, array_agg(w.v ORDER BY w.k, w.v) FROM w GROUP BY w.t_id",
    ),
    (
        "SELECT jsonb_agg(to_jsonb(w.v)) FROM w",
        "SELECT jsonb_agg(to_jsonb(w.v)) FROM w JOIN t ON t.id = w.t_id",
    ),
    ("SELECT DISTINCT m FROM t WHERE x > 1", "SELECT DISTINCT m FROM t WHERE 1 < x"),
    ("SELECT m, count(*) FROM t WHERE x > 1 GROUP BY m", "SELECT m, count(*) FROM t WHERE 1 < x GROUP BY m"),
    ("SELECT DISTINCT r FROM t", "SELECT r FROM t GROUP BY r"),
    ("SELECT r FROM t UNION SELECT q FROM t", "SELECT q FROM t UNION SELECT r FROM t"),
    (
        "SELECT m FROM t UNION SELECT n FROM t WHERE x > 1",
        "SELECT m FROM t UNION SELECT n FROM t WHERE 1 < x",
    ),
    ("SELECT id, i FROM t WHERE x > 1 ORDER BY i, id", "SELECT id, i FROM t WHERE 1 < x ORDER BY i, id"),
    (
        "SELECT DISTINCT ON (i) i, id FROM t WHERE x > 1 ORDER BY i, id",
        "SELECT DISTINCT ON (i) i, id FROM t WHERE 1 < x ORDER BY i, id",
    ),
    (
        "SELECT id, row_number() OVER (PARTITION BY m ORDER BY i, id) FROM t WHERE x > 1",
        "SELECT id, row_number() OVER (PARTITION BY m ORDER BY i, id) FROM t WHERE 1 < x",
    ),
    ("SELECT count(DISTINCT m) FROM t WHERE x > 1", "SELECT count(DISTINCT m) FROM t WHERE 1 < x"),
    (
        "SELECT by1, count(*) FROM t GROUP BY by1 HAVING count(*) > 1",
        "SELECT * FROM (SELECT by1, count(*) AS c FROM t GROUP BY by1) q WHERE q.c > 1",
    ),
    (
        "SELECT m ->> 'a', count(*) FROM t GROUP BY m ->> 'a'",
        "SELECT q.k, count(*) FROM (SELECT m ->> 'a' AS k FROM t) q GROUP BY q.k",
    ),
    (
        "SELECT id FROM t WHERE m IS DISTINCT FROM n AND x > 1",
        "SELECT id FROM t WHERE x > 1 AND m IS DISTINCT FROM n",
    ),
    ("SELECT DISTINCT i, x FROM t", "SELECT i, x FROM t GROUP BY i, x"),
    (
        "SELECT ip FROM t EXCEPT SELECT ip FROM t WHERE x > 1",
        "SELECT ip FROM t EXCEPT SELECT ip FROM t WHERE 1 < x",
    ),
    ("SELECT id, m FROM t GROUP BY id, m", "SELECT id, m FROM t"),
)
APART = (
    ("SELECT array_agg(s ORDER BY s) FROM t", "SELECT array_agg(s ORDER BY s DESC) FROM t"),
    ("SELECT array_agg(s ORDER BY s) FROM t", "SELECT array_agg(DISTINCT s ORDER BY s) FROM t"),
    ("SELECT array_agg(s ORDER BY s) FROM t", "SELECT array_agg(s ORDER BY s NULLS FIRST) FROM t"),
    ("SELECT array_agg(s) FROM t", "SELECT array_agg(s) FROM t WHERE s IS NOT NULL"),
    ("SELECT array_agg(s) FROM t", "SELECT array_agg(s ORDER BY s) FROM t"),
    ("SELECT string_agg(s, ',') FROM t", "SELECT string_agg(s, ',') FROM (SELECT s FROM t ORDER BY s) q"),
    ("SELECT array_agg(s) FROM t", "SELECT array_agg(s) FROM (SELECT s FROM t ORDER BY s) q"),
    ("SELECT jsonb_agg(m) FROM t WHERE m = n", "SELECT jsonb_agg(n) FROM t WHERE m = n"),
    ("SELECT sum(i) FROM t WHERE i = j", "SELECT sum(j) FROM t WHERE i = j"),
    ("SELECT sum(i) FROM t WHERE x > 0", "SELECT sum(i) FROM t WHERE x > 0 GROUP BY x"),
    ("SELECT bit_xor(x) FROM t", "SELECT bit_xor(DISTINCT x) FROM t"),
    ("SELECT bit_xor(x) FROM t", "SELECT bit_or(x) FROM t"),
    ("SELECT bit_xor(x) FROM t", "SELECT bit_xor(y) FROM t"),
    ("SELECT bit_xor(x) FROM t WHERE x = y", "SELECT bit_and(y) FROM t WHERE x = y"),
    ("SELECT any_value(s) FROM t", "SELECT min(s) FROM t"),
    ("SELECT any_value(x) FROM t GROUP BY x", "SELECT x FROM t"),
    ("SELECT array_agg(s) FROM t WHERE x = 1", "SELECT array_agg(s) FROM t WHERE x = 2"),
    ("SELECT count(*) FROM t HAVING array_agg(s) IS NULL", "SELECT count(*) FROM t HAVING count(s) = 0"),
    ("SELECT array_agg(s) FROM t WHERE false", "SELECT NULL::text[]"),
    ("SELECT array_agg(s) FROM t GROUP BY x", "SELECT array_agg(s) FROM t GROUP BY x, y"),
    ("SELECT array_agg(s ORDER BY x) FROM t", "SELECT array_agg(s ORDER BY y) FROM t"),
    ("SELECT array_agg(s ORDER BY x, y) FROM t", "SELECT array_agg(s ORDER BY y, x) FROM t"),
    (
        "SELECT id, array_agg(s) OVER (ORDER BY id) FROM t",
        "SELECT id, array_agg(s) OVER (ORDER BY id DESC) FROM t",
    ),
    (
        "SELECT id, array_agg(s) OVER (ORDER BY x) FROM t",
        "SELECT id, array_agg(s) OVER (ORDER BY x ROWS UNBOUNDED PRECEDING) FROM t",
    ),
    ("SELECT id, bit_xor(y) OVER (ORDER BY x) FROM t", "SELECT id, bit_xor(y) OVER (PARTITION BY x) FROM t"),
    (
        "SELECT id, bit_xor(y) OVER (PARTITION BY x) FROM t",
        "SELECT id, bit_xor(y) OVER (PARTITION BY x, y) FROM t",
    ),
    (
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '1 day' PRECEDING) FROM t",
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '2 day' PRECEDING) FROM t",
    ),
    (
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '1 day' PRECEDING) FROM t",
        "SELECT id, sum(x) OVER (ORDER BY ts DESC RANGE '1 day' PRECEDING) FROM t",
    ),
    (
        "SELECT id, sum(x) OVER (ORDER BY ts RANGE '1 day' PRECEDING) FROM t",
        "SELECT id, sum(x) OVER (PARTITION BY s ORDER BY ts RANGE '1 day' PRECEDING) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k) FROM t",
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY v) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k) FROM t",
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k DESC) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k) FROM t",
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k) FROM t",
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id ORDER BY k LIMIT 1) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t",
        "SELECT id, ARRAY(SELECT DISTINCT v FROM w WHERE w.t_id = t.id) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t",
        "SELECT id, (SELECT array_agg(v) FROM w WHERE w.t_id = t.id) FROM t",
    ),
    (
        "SELECT id, ARRAY(SELECT v FROM w WHERE w.t_id = t.id) FROM t",
        "SELECT id, ARRAY(SELECT w.v FROM w) FROM t",
    ),
    (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC) FROM t",
    ),
    (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
        "SELECT percentile_cont(0.4) WITHIN GROUP (ORDER BY x) FROM t",
    ),
    (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) FROM t",
    ),
    ("SELECT mode() WITHIN GROUP (ORDER BY x) FROM t", "SELECT max(x) FROM t"),
    ("SELECT regr_slope(x, y) FROM t", "SELECT regr_slope(y, x) FROM t"),
    ("SELECT regr_count(x, y) FROM t", "SELECT count(*) FROM t"),
    (
        "SELECT t.id, array_agg(w.v) FROM t LEFT JOIN w ON w.t_id = t.id GROUP BY t.id",
        "SELECT w.t_id, array_agg(w.v) FROM w GROUP BY w.t_id",
    ),
    (
        "SELECT t.id, array_agg(w.v) FROM t LEFT JOIN w ON w.t_id = t.id GROUP BY t.id",
        "SELECT t.id, (SELECT array_agg(w.v) FROM w WHERE w.t_id = t.id) FROM t",
    ),
    ("SELECT array_agg(t.s) FROM t", "SELECT array_agg(t.s) FROM t JOIN w ON w.t_id = t.id"),
    ("SELECT jsonb_agg(s) FROM t", "SELECT json_agg(s)::jsonb FROM t"),
    ("SELECT jsonb_agg(x) FROM t", "SELECT jsonb_agg(x::bigint) FROM t"),
    ("SELECT jsonb_object_agg(id, m) FROM t", "SELECT jsonb_object_agg(id, n) FROM t"),
    ("SELECT array_agg(cs) FROM t WHERE cs = cu", "SELECT array_agg(cu) FROM t WHERE cs = cu"),
    ("SELECT array_agg(c) FROM t WHERE c = d", "SELECT array_agg(d) FROM t WHERE c = d"),
    ("SELECT array_agg(a) FROM t", "SELECT array_agg(a) FROM t WHERE TRUE"),
    ("SELECT array_agg(f) FROM t WHERE f = g", "SELECT array_agg(g) FROM t WHERE f = g"),
    ("SELECT max(i) FROM t WHERE i = j", "SELECT max(j) FROM t WHERE i = j"),
    ("SELECT max(i) FROM t", "SELECT i FROM t ORDER BY i DESC LIMIT 1"),
    ("SELECT count(DISTINCT m) FROM t", "SELECT count(m) FROM t"),
    (
        "SELECT x, array_agg(y ORDER BY s), array_agg(y ORDER BY s) FROM t GROUP BY x",
        (
            "SELECT p.x, p.b, q.b FROM (SELECT x, array_agg(y ORDER BY s) b FROM t GROUP BY x) p "
            "JOIN (SELECT x, array_agg(y ORDER BY s) b FROM t GROUP BY x) q ON p.x = q.x"
        ),
    ),
    (
        "SELECT count(*) FROM (SELECT any_value(s) a, any_value(s) b FROM t) q WHERE a = b",
        "SELECT count(*) FROM (SELECT any_value(s) a FROM t) p, (SELECT any_value(s) b FROM t) q WHERE a = b",
    ),
    ("SELECT array_agg(x), array_agg(y) FROM t", "SELECT array_agg(x), (SELECT array_agg(y) FROM t) FROM t"),
    # Equal values are one group, and which of them stands for it is a choice.
    ("SELECT DISTINCT m FROM t", "SELECT m FROM t"),
    ("SELECT m FROM t UNION SELECT n FROM t", "SELECT m FROM t UNION ALL SELECT n FROM t"),
    ("SELECT m FROM t UNION SELECT n FROM t", "SELECT n FROM t UNION SELECT m FROM t WHERE x > 1"),
    ("SELECT m::text FROM (SELECT DISTINCT m FROM t) q", "SELECT DISTINCT m::text FROM t"),
    ("SELECT DISTINCT i::text FROM t", "SELECT i::text FROM t GROUP BY i"),
    ("SELECT count(DISTINCT m) FROM t", "SELECT count(DISTINCT m::text) FROM t"),
    ("SELECT count(DISTINCT i) FROM t", "SELECT count(DISTINCT i::text) FROM t"),
    ("SELECT count(DISTINCT m) FROM t", "SELECT count(DISTINCT n) FROM t"),
    ("SELECT m, max(x) FROM t GROUP BY m", "SELECT m, max(x) FROM t GROUP BY m, x"),
    ("SELECT i::text, count(*) FROM t GROUP BY i", "SELECT i::text, count(*) FROM t GROUP BY i, i::text"),
    ("SELECT i::text, count(*) FROM t GROUP BY i", "SELECT i::text, count(*) FROM t GROUP BY i::text"),
    ("SELECT i::text, max(x) FROM t GROUP BY i", "SELECT i::text, x FROM t"),
    ("SELECT id FROM t ORDER BY i, id", "SELECT id FROM t ORDER BY id"),
    ("SELECT id FROM t ORDER BY i, id", "SELECT id FROM t ORDER BY i DESC, id"),
    ("SELECT id FROM t ORDER BY i, id", "SELECT id FROM t ORDER BY i::text, id"),
    ("SELECT id FROM t ORDER BY m LIMIT 1", "SELECT id FROM t ORDER BY m DESC LIMIT 1"),
    ("SELECT id FROM t ORDER BY m LIMIT 1", "SELECT id FROM t ORDER BY m NULLS FIRST LIMIT 1"),
    ("SELECT id FROM t WHERE m IS DISTINCT FROM n", "SELECT id FROM t WHERE m <> n"),
    (
        "SELECT id FROM t WHERE m IS NOT DISTINCT FROM n",
        "SELECT id FROM t WHERE m::text IS NOT DISTINCT FROM n::text",
    ),
    ("SELECT m FROM t WHERE m IS NOT DISTINCT FROM n", "SELECT n FROM t WHERE m IS NOT DISTINCT FROM n"),
    ("SELECT DISTINCT ON (i) i::text FROM t ORDER BY i", "SELECT DISTINCT i::text FROM t ORDER BY i::text"),
    (
        "SELECT DISTINCT ON (i) i, id FROM t ORDER BY i, id",
        "SELECT DISTINCT ON (i) i, id FROM t ORDER BY i, id DESC",
    ),
    (
        "SELECT id, row_number() OVER (PARTITION BY m ORDER BY id) FROM t",
        "SELECT id, row_number() OVER (PARTITION BY m::text ORDER BY id) FROM t",
    ),
    ("SELECT id, rank() OVER (ORDER BY i) FROM t", "SELECT id, rank() OVER (ORDER BY i::text) FROM t"),
    ("SELECT id, rank() OVER (ORDER BY i) FROM t", "SELECT id, row_number() OVER (ORDER BY i) FROM t"),
    (
        "SELECT i::text FROM (SELECT i FROM t UNION SELECT j FROM t) q",
        "SELECT i::text FROM t UNION SELECT j::text FROM t",
    ),
    ("SELECT r FROM t UNION SELECT q FROM t", "SELECT r FROM t UNION ALL SELECT q FROM t"),
    ("SELECT r FROM t INTERSECT SELECT q FROM t", "SELECT r FROM t"),
    ("SELECT DISTINCT r FROM t", "SELECT r FROM t"),
    ("SELECT DISTINCT m, x FROM t", "SELECT DISTINCT m FROM t"),
    (
        "SELECT count(*) FROM (SELECT DISTINCT m, m::text FROM t) q",
        "SELECT count(*) FROM (SELECT DISTINCT m FROM t) q",
    ),
    (
        "SELECT a.i::text FROM (SELECT DISTINCT i FROM t) a JOIN (SELECT DISTINCT i FROM t) b ON a.i = b.i",
        (
            "SELECT b.i::text FROM (SELECT DISTINCT i FROM t) a JOIN (SELECT DISTINCT i FROM t) b "
            "ON b.i = a.i WHERE a.i::text = b.i::text"
        ),
    ),
    ("SELECT count(*) FROM t GROUP BY m", "SELECT count(*) FROM t GROUP BY n"),
    ("SELECT count(*) FROM t GROUP BY m", "SELECT count(*) FROM t GROUP BY m::text"),
    ("SELECT count(m) FROM t GROUP BY m", "SELECT count(*) FROM t GROUP BY m"),
    (
        "SELECT i FROM t EXCEPT SELECT j FROM t",
        "SELECT i FROM t WHERE i::text NOT IN (SELECT j::text FROM t)",
    ),
)


prover = engine_fixture(DDL, "postgres", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_a_symbol_of_a_bag_is_equal_to_itself(prover: Engine, pred: str, gold: str) -> None:
    assert_proved(prover, pred, gold)


@sampled("pred, gold", APART)
def test_no_more_is_known_of_it(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


def test_a_symbol_is_shown_as_the_dialect_calls_it() -> None:
    scalar = "CORE_STRICT_TEXT_SYMBOL('{0} ->> {1} : (jsonb, text) -> text', t.m, 'it''s, (')"
    assert in_words(f"SELECT {scalar} = 'a'") == "SELECT t.m ->> 'it''s, (' = 'a'"
    rows = f"GROUP_CONCAT(CORE_ELEMENT({scalar}, t.k)) FILTER (WHERE t.x > 1)"
    shown = in_words(f"CORE_TEXT_SYMBOL('array_agg({{0}} ORDER BY {{1}}) : (text, int4) -> _text', {rows})")
    assert shown == "array_agg(t.m ->> 'it''s, (' ORDER BY t.k) FILTER (WHERE t.x > 1)"
    share = (
        "CORE_NUMBER_SYMBOL('percentile_cont({0}) WITHIN GROUP (ORDER BY {1}) : (float8, float8) -> float8', "
    )
    assert (
        in_words(f"{share}'0.5', SUM(CORE_ELEMENT(t.x)))")
        == "percentile_cont('0.5') WITHIN GROUP (ORDER BY t.x)"
    )
    assert in_words("CORE_WHOLE_SYMBOL('f : (int4) -> int4', t.x)") == "f(t.x)"
