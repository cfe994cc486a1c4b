"""Calls, types and parameters that the core has no meaning for are symbols to proofs."""

from __future__ import annotations

from contextlib import closing

import pytest
from kit.engines import (
    PROVER,
    assert_not_proved,
    assert_proved,
    assert_told_apart,
    engine_fixture,
    open_engine,
)
from kit.sizes import sampled

from equiv.core.functions.symbols import symbol_signature
from equiv.core.functions.table import CALLS
from equiv.core.query import Query
from equiv.dialects.postgres.statements import without_locks
from equiv.engine.pipeline import Engine
from equiv.facts import FactKind
from equiv.relation import RELATIONS
from equiv.verdict import Equivalent, NotEquivalent, RemarkKind

DDL = """
CREATE TYPE state AS ENUM ('new', 'paid');
CREATE TABLE span (k INTERVAL PRIMARY KEY, v INT);
CREATE TABLE t (
    id INT PRIMARY KEY, a NUMERIC, b NUMERIC, c NUMERIC(10, 2), d NUMERIC(12, 4), f FLOAT8, g FLOAT8, s TEXT,
    u TEXT, cs CHAR(5), cu CHAR(8), i INTERVAL NOT NULL REFERENCES span (k), j INTERVAL, m JSONB, n JSONB,
    r INT[], q INT[], e INTERVAL, o INTERVAL, x INT, y INT, ts TIMESTAMP, tz TIMESTAMPTZ, st state,
    CHECK (e = o)
)
"""
EQUIVALENT = (
    ("SELECT id, m FROM t WHERE id > 3", "SELECT id, m FROM t WHERE 3 < id"),
    ("SELECT id FROM t WHERE m ->> 'a' = 'b' AND x > 1", "SELECT id FROM t WHERE 1 < x AND m ->> 'a' = 'b'"),
    ("SELECT id FROM t WHERE s = u AND md5(s) = 'x'", "SELECT id FROM t WHERE s = u AND md5(u) = 'x'"),
    ("SELECT id FROM (SELECT id, md5(s) AS h FROM t) w WHERE h = 'x'", "SELECT id FROM t WHERE md5(s) = 'x'"),
    ("SELECT id FROM t WHERE x = ANY (r) AND y > 2", "SELECT id FROM t WHERE y > 2 AND x = ANY (r)"),
    ("SELECT id, ARRAY[x, y] FROM t WHERE x = y", "SELECT id, ARRAY[y, x] FROM t WHERE x = y"),
    ("SELECT id FROM t WHERE md5(s) IN ('a', 'b')", "SELECT id FROM t WHERE md5(s) = 'a' OR md5(s) = 'b'"),
    ("SELECT id FROM t WHERE md5(s) = 'a' AND s IS NOT NULL", "SELECT id FROM t WHERE md5(s) = 'a'"),
    ("SELECT id FROM t WHERE x = ANY ($1::int[])", "SELECT id FROM t WHERE x = ANY ($1::int[]) AND TRUE"),
    ("SELECT id FROM t WHERE st = $1 AND x > 1", "SELECT id FROM t WHERE x > 1 AND st = $1"),
    ("SELECT id FROM t ORDER BY id LIMIT $1", "SELECT id FROM t WHERE TRUE ORDER BY id LIMIT $1"),
)
APART = (
    # Equal, and not identical: what a function makes of one it need not make of the other.
    (
        "SELECT id FROM t WHERE a = b AND md5(a::text) = 'x'",
        "SELECT id FROM t WHERE a = b AND md5(b::text) = 'x'",
    ),
    ("SELECT id, scale(a) FROM t WHERE a = 1", "SELECT id, scale(1) FROM t WHERE a = 1"),
    ("SELECT scale(1.0) + x FROM t", "SELECT scale(1.00) + x FROM t"),
    ("SELECT id, scale(c) FROM t WHERE c = d", "SELECT id, scale(d) FROM t WHERE c = d"),
    ("SELECT id, m::text FROM t WHERE m = n", "SELECT id, n::text FROM t WHERE m = n"),
    ("SELECT id, m FROM t WHERE m = n", "SELECT id, n FROM t WHERE m = n"),
    ("SELECT id, i::text FROM t WHERE i = j", "SELECT id, j::text FROM t WHERE i = j"),
    (
        "SELECT id FROM t WHERE i::text = '9'",
        "SELECT id FROM t WHERE i::text = '9' AND EXISTS (SELECT 1 FROM span WHERE k::text = '9')",
    ),
    ("SELECT id, i::text FROM t", "SELECT id, k::text FROM t JOIN span ON k = i"),
    ("SELECT id, f::text FROM t WHERE f = g", "SELECT id, g::text FROM t WHERE f = g"),
    ("SELECT id, octet_length(cs) FROM t WHERE cs = cu", "SELECT id, octet_length(cu) FROM t WHERE cs = cu"),
    ("SELECT id, e::text FROM t WHERE e IS NOT NULL", "SELECT id, o::text FROM t WHERE e IS NOT NULL"),
    # NULL, which a strict function may return of other arguments too.
    ("SELECT id FROM t WHERE substring(s, 'a') IS NOT NULL", "SELECT id FROM t WHERE s IS NOT NULL"),
    ("SELECT id FROM t WHERE (m ->> 'a') IS NULL", "SELECT id FROM t WHERE m IS NULL"),
    ("SELECT id FROM t WHERE x = ANY (r) OR NOT x = ANY (r)", "SELECT id FROM t"),
    ("SELECT count(md5(s)) FROM t", "SELECT count(*) FROM t"),
    # Other functions, and other arguments.
    ("SELECT id FROM t WHERE m ->> 'a' = 'b'", "SELECT id FROM t WHERE m ->> 'b' = 'a'"),
    ("SELECT id FROM t WHERE m @> n", "SELECT id FROM t WHERE n @> m"),
    ("SELECT id FROM t WHERE x = ANY (r)", "SELECT id FROM t WHERE x = ALL (r)"),
    ("SELECT id FROM t WHERE x <> ALL (r)", "SELECT id FROM t WHERE NOT x = ALL (r)"),
    ("SELECT id FROM t WHERE r = q", "SELECT id FROM t WHERE r @> q"),
    ("SELECT max(md5(s)) FROM t", "SELECT md5(max(s)) FROM t"),
    ("SELECT id, tz::text FROM t", "SELECT id, ts::text FROM t"),
    ("SELECT DISTINCT s, md5(s) FROM t", "SELECT s, md5(s) FROM t"),
)
REFUTED = (
    (
        "SELECT id FROM t WHERE m ->> 'a' = 'b' AND id > 3",
        "SELECT id FROM t WHERE m ->> 'a' = 'b' AND id >= 3",
    ),
    ("SELECT id, m FROM t WHERE id > 3", "SELECT id, m FROM t WHERE id >= 3"),
    ("SELECT id FROM t WHERE x = ANY ($1::int[])", "SELECT id FROM t WHERE x <> ALL ($1::int[])"),
    ("SELECT id FROM t WHERE st = $1", "SELECT id FROM t WHERE st <> $1"),
)


schema_engine = engine_fixture(DDL, "postgres")
prover = engine_fixture(DDL, "postgres", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_a_symbol_is_equal_to_itself(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_proved(schema_engine, pred, gold)


@sampled("pred, gold", APART)
def test_no_more_is_known_of_a_symbol(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


@sampled("pred, gold", REFUTED)
def test_databases_tell_apart_what_surrounds_a_symbol(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_told_apart(schema_engine, pred, gold)


def test_a_label_with_a_comma_is_one_value_of_a_parameter() -> None:
    ddl = "CREATE TYPE place AS ENUM ('Bern, CH', 'x'); CREATE TABLE t (id INT PRIMARY KEY, p place)"
    with closing(open_engine(ddl, "postgres")) as engine:
        found = engine.check("SELECT id FROM t WHERE p = $1", "SELECT id FROM t WHERE p = $1 AND p = 'x'")
    assert isinstance(found, NotEquivalent), found
    assert found.evidence.binding is not None
    assert found.evidence.binding.values == (("$1", "Bern, CH"),)


def test_an_instant_is_bound_with_its_offset(schema_engine: Engine) -> None:
    found = schema_engine.check("SELECT id FROM t WHERE tz > $1", "SELECT id FROM t WHERE tz >= $1")
    assert isinstance(found, NotEquivalent), found
    binding = found.evidence.binding
    assert binding is not None
    assert str(binding.values[0][1]).endswith("+00")
    assert "+00'" in binding.pred_sql


def test_a_proof_with_a_symbol_names_that_it_may_raise_an_error(schema_engine: Engine) -> None:
    found = schema_engine.check(
        "SELECT id FROM t WHERE x > 1 AND s ~ u", "SELECT id FROM t WHERE s ~ u AND x > 1"
    )
    assert isinstance(found, Equivalent)
    assert FactKind.NO_ERROR in {fact.kind for fact in found.facts}


def test_facts_that_call_values_equal_leave_a_symbol_alone(schema_engine: Engine) -> None:
    text = "SELECT id FROM t WHERE isfinite(i)"
    query = schema_engine.read(text)
    assert isinstance(query, Query)
    pair = schema_engine.pair(query, query, RELATIONS[0])
    assert any(fact.kind is FactKind.INCLUSION for fact in pair.facts)
    assert not any(fact.kind is FactKind.INCLUSION for fact in pair.for_proofs.facts)


def test_a_query_without_a_meaning_for_databases_has_one_for_proofs(schema_engine: Engine) -> None:
    found = schema_engine.read("SELECT md5(s), m FROM t")
    assert isinstance(found, Query)
    assert found.tree is None
    assert found.core_text == ""
    assert found.with_symbols is not None
    assert found.with_symbols.passed_on == {("t", "m")}
    assert found.may_fail


@pytest.mark.parametrize(
    "text",
    [
        "SELECT set_config('a.b', s, false) FROM t",
        "SELECT pg_relation_size('t'), s FROM t",
        "SELECT random() < f FROM t",
        "SELECT statement_timestamp() > tz FROM t",
        "SELECT n FROM t EXCEPT SELECT m FROM t",
        "SELECT n FROM t INTERSECT ALL SELECT m FROM t",
        "SELECT m, max(x) FROM t GROUP BY m",
        "SELECT m, x FROM t GROUP BY ROLLUP (m, x)",
    ],
)
def test_what_is_no_function_of_its_arguments_is_no_symbol(schema_engine: Engine, text: str) -> None:
    found = schema_engine.read(text)
    assert isinstance(found, Query)
    assert found.tree is None
    assert found.with_symbols is None


def test_the_clauses_that_lock_rows_are_taken_out() -> None:
    assert without_locks("SELECT id FROM t FOR UPDATE") == ("SELECT id FROM t", ("FOR UPDATE",))
    assert without_locks("SELECT 'for update' FROM t for  no key update OF t nowait") == (
        "SELECT 'for update' FROM t",
        ("FOR NO KEY UPDATE OF T NOWAIT",),
    )
    for kept in ("SELECT id FROM t FOR UPDATE SKIP LOCKED", 'SELECT id FROM t FOR SHARE OF "T"', "SELECT 1"):
        assert without_locks(kept) == (kept, ())


def test_rows_are_compared_and_locks_are_told(schema_engine: Engine) -> None:
    found = schema_engine.check("SELECT id FROM t WHERE id > 3 FOR UPDATE", "SELECT id FROM t WHERE 3 < id")
    assert isinstance(found, Equivalent)
    (said,) = (
        each.text for each in found.remarks if each.kind is RemarkKind.DIALECT and "locks" in each.text
    )
    assert said.endswith("FOR UPDATE and nothing")


@pytest.mark.parametrize("name", [name for name in CALLS if name.endswith("_SYMBOL")])
def test_a_symbol_has_one_value_for_the_same_arguments(name: str) -> None:
    called = CALLS[name].code
    assert called is not None
    signature = symbol_signature("f", ["int4", "text"], "uuid")
    values = {called(signature, number, text) for number in range(4) for text in ("", "a")}
    assert len(values) > 1
    assert called(signature, 1, "a") == called(signature, 1, "a")
    assert called(signature, 0.0) == called(signature, -0.0)
    assert (called(signature, None, "a") is None) or "STRICT" not in name
