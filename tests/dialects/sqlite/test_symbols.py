"""Functions of SQLite that no table describes, and those of JSON, are symbols to proofs."""

from __future__ import annotations

import pytest
from kit.engines import PROVER, assert_not_proved, assert_proved, assert_told_apart, engine_fixture
from kit.sizes import sampled

from equiv.core.functions.catalogue import Known, entries, knowledge
from equiv.core.query import Query
from equiv.engine.pipeline import Engine
from equiv.facts import FactKind
from equiv.verdict import Equivalent

DDL = """
CREATE TABLE t (
    id INTEGER PRIMARY KEY, a TEXT, b TEXT, j TEXT, k TEXT, n INTEGER, r REAL, x NUMERIC, y NUMERIC, z, w,
    c TEXT COLLATE NOCASE, d TEXT COLLATE NOCASE, e TEXT COLLATE RTRIM, f BLOB, g AS (json(a))
);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), a TEXT, z, c TEXT COLLATE NOCASE);
"""
EQUIVALENT = (
    ("SELECT id, j -> 'a' FROM t WHERE id > 3", "SELECT id, j -> 'a' FROM t WHERE 3 < id"),
    (
        "SELECT id FROM t WHERE j ->> '$.a' = 'x' AND n > 1",
        "SELECT id FROM t WHERE 1 < n AND 'x' = j ->> '$.a'",
    ),
    ("SELECT id FROM t WHERE j ->> 'a' = 'x' AND j IS NOT NULL", "SELECT id FROM t WHERE j ->> 'a' = 'x'"),
    (
        "SELECT j || k ->> 'a' FROM t WHERE id = 1 OR id = 2",
        "SELECT (j || k) ->> 'a' FROM t WHERE id IN (1, 2)",
    ),
    ("SELECT json_array(n, json(j)) FROM t WHERE n > 1", "SELECT json_array(n, json(j)) FROM t WHERE 1 < n"),
    ("SELECT id FROM (SELECT id, j ->> 'a' AS v FROM t) WHERE v = 1", "SELECT id FROM t WHERE j ->> 'a' = 1"),
    ("SELECT unistr(a), mod(n, 2) FROM t WHERE n > 1", "SELECT unistr(a), mod(n, 2) FROM t WHERE NOT n <= 1"),
    (
        "SELECT id FROM t WHERE typeof(a) = 'text' AND typeof(b) = 'text' AND a = b AND a ->> '$.p' = 'x'",
        "SELECT id FROM t WHERE typeof(a) = 'text' AND typeof(b) = 'text' AND a = b AND b ->> '$.p' = 'x'",
    ),
)
APART = (
    # Equal, and not identical: 1 and 1.0, 'a' and 'A', 'a' and 'a '.
    ("SELECT id, z ->> '$' FROM t WHERE z = w", "SELECT id, w ->> '$' FROM t WHERE z = w"),
    ("SELECT id, json_type(z) FROM t WHERE z = w", "SELECT id, json_type(w) FROM t WHERE z = w"),
    ("SELECT id, json_array(z) FROM t WHERE z = 1", "SELECT id, json_array(1) FROM t WHERE z = 1"),
    ("SELECT id, json_type(z) FROM t WHERE z = 1", "SELECT id, 'integer' FROM t WHERE z = 1"),
    ("SELECT json_array(1)", "SELECT json_array(1.0)"),
    ("SELECT json_array(n) FROM t", "SELECT json_array(n + 0.0) FROM t"),
    ("SELECT id, json_quote(x) FROM t WHERE x = r", "SELECT id, json_quote(r) FROM t WHERE x = r"),
    ("SELECT id, json_quote(c) FROM t WHERE c = d", "SELECT id, json_quote(d) FROM t WHERE c = d"),
    ("SELECT id, json_quote(c) FROM t WHERE c = 'a'", "SELECT id, json_quote('a') FROM t WHERE c = 'a'"),
    ("SELECT id, json_quote(e) FROM t WHERE e = a", "SELECT id, json_quote(a) FROM t WHERE e = a"),
    (
        "SELECT t.id, json_quote(t.c) FROM t JOIN u ON t.c = u.c",
        "SELECT t.id, json_quote(u.c) FROM t JOIN u ON t.c = u.c",
    ),
    (
        "SELECT t.id, json_quote(t.z) FROM t JOIN u ON t.z = u.z",
        "SELECT t.id, json_quote(u.z) FROM t JOIN u ON t.z = u.z",
    ),
    ("SELECT json_quote(z) FROM t GROUP BY json_quote(z)", "SELECT json_quote(z) FROM t GROUP BY z"),
    ("SELECT count(DISTINCT json_quote(z)) FROM t", "SELECT count(DISTINCT z) FROM t"),
    ("SELECT DISTINCT json_quote(c) FROM t", "SELECT json_quote(c) FROM (SELECT DISTINCT c FROM t)"),
    ("SELECT id, printf('%s', z) FROM t WHERE z = w", "SELECT id, printf('%s', w) FROM t WHERE z = w"),
    ("SELECT id, concat(z) FROM t WHERE z = w", "SELECT id, concat(w) FROM t WHERE z = w"),
    ("SELECT id, octet_length(c) FROM t WHERE c = d", "SELECT id, octet_length(d) FROM t WHERE c = d"),
    ("SELECT id, atan2(0, r * 0.0) FROM t WHERE r < 0", "SELECT id, atan2(0, 0.0) FROM t WHERE r < 0"),
    (
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.z = t.z AND json_quote(u.z) = '1')",
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.z = t.z AND json_quote(t.z) = '1')",
    ),
    (
        "SELECT id, CASE WHEN z = w THEN json_quote(z) END FROM t",
        "SELECT id, CASE WHEN z = w THEN json_quote(w) END FROM t",
    ),
    # A text of JSON, and JSON.
    ("SELECT json_array(j) FROM t", "SELECT json_array(json(j)) FROM t"),
    ("SELECT json_array(j) FROM t WHERE j = json(j)", "SELECT json_array(json(j)) FROM t WHERE j = json(j)"),
    ("SELECT json_array(j) FROM t WHERE j = json(k)", "SELECT json_array(json(k)) FROM t WHERE j = json(k)"),
    ("SELECT json_object('a', j) FROM t", "SELECT json_object('a', j -> '$') FROM t"),
    ("SELECT json_array(json_array(n)) FROM t", "SELECT json_array(json_array(n) || '') FROM t"),
    (
        "SELECT json_array(json_extract(j, '$.a')) FROM t WHERE k = json_extract(j, '$.a')",
        "SELECT json_array(k) FROM t WHERE k = json_extract(j, '$.a')",
    ),
    ("SELECT json_array(x) FROM (SELECT json(j) AS x FROM t)", "SELECT json_array(json(j)) FROM t"),
    (
        "WITH q AS MATERIALIZED (SELECT json(j) AS x FROM t) SELECT json_array(x) FROM q",
        "SELECT json_array(json(j)) FROM t",
    ),
    ("SELECT json_array(g) FROM t", "SELECT json_array(a) FROM t WHERE a = json(a) OR a IS NULL"),
    ("SELECT json_array((SELECT json('[1]')))", "SELECT json_array(json('[1]'))"),
    # NULL, which a function may return of other arguments too.
    ("SELECT id FROM t WHERE j -> 'a' IS NOT NULL", "SELECT id FROM t WHERE j IS NOT NULL"),
    ("SELECT id FROM t WHERE j -> 'a' IS NULL", "SELECT id FROM t WHERE j ->> 'a' IS NULL"),
    ("SELECT id FROM t WHERE j ->> 'a' = 'x' OR NOT j ->> 'a' = 'x'", "SELECT id FROM t"),
    ("SELECT count(j ->> 'a') FROM t", "SELECT count(*) FROM t"),
    ("SELECT count(json_array(j)) FROM t", "SELECT count(j) FROM t"),
    ("SELECT json_object('a', j) IS NULL FROM t", "SELECT j IS NULL FROM t"),
    # Other functions, and other arguments.
    ("SELECT id FROM t WHERE j ->> 'a' = 'b'", "SELECT id FROM t WHERE j ->> 'b' = 'a'"),
    ("SELECT j -> 'a' FROM t", "SELECT j ->> 'a' FROM t"),
    ("SELECT max(j ->> 'a') FROM t", "SELECT max(j) ->> 'a' FROM t"),
    ("SELECT id FROM t WHERE j ->> 'a' = 1", "SELECT id FROM t WHERE j ->> 'a' = '1'"),
    ("SELECT id FROM t WHERE j ->> 'a' = c", "SELECT id FROM t WHERE c = j ->> 'a' COLLATE BINARY"),
    ("SELECT DISTINCT j ->> 'a' FROM t", "SELECT j ->> 'a' FROM t"),
    ("SELECT json_array(n, json_array(n)) FROM t", "SELECT json_array(json_array(n), n) FROM t"),
    ("SELECT json_array(json_array(n, r)) FROM t", "SELECT json_array(json_array(n), r) FROM t"),
)
REFUTED = (
    ("SELECT id FROM t WHERE j ->> '$.a' = 'x'", "SELECT id FROM t WHERE j ->> '$.b' = 'x'"),
    ("SELECT id FROM t WHERE j ->> '$.a.b' > 3", "SELECT id FROM t WHERE j ->> '$.a.b' >= 3"),
    ("SELECT json_extract(j, '$[1]') FROM t", "SELECT json_extract(j, '$[0]') FROM t"),
    ("SELECT j -> 'a' FROM t", "SELECT j ->> 'a' FROM t"),
    ("SELECT json_object('i', j) FROM t", "SELECT json_object('i', json(j)) FROM t"),
)


schema_engine = engine_fixture(DDL, "sqlite")
prover = engine_fixture(DDL, "sqlite", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_a_symbol_is_equal_to_itself(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_proved(schema_engine, pred, gold)


@sampled("pred, gold", APART)
def test_no_more_is_known_of_a_symbol(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


@sampled("pred, gold", REFUTED)
def test_documents_are_made_of_paths(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_told_apart(schema_engine, pred, gold)


def test_a_proof_with_a_symbol_names_that_it_may_raise_an_error(schema_engine: Engine) -> None:
    found = schema_engine.check(
        "SELECT id FROM t WHERE n > 1 AND j ->> 'a' = 1", "SELECT id FROM t WHERE j ->> 'a' = 1 AND n > 1"
    )
    assert isinstance(found, Equivalent)
    assert FactKind.NO_ERROR in {fact.kind for fact in found.facts}


@pytest.mark.parametrize(
    "call", ["a MATCH b", "fts5_insttoken(a)", "json_array(g)", "json_array(likely(json(a)))"]
)
def test_what_asks_for_more_than_its_arguments_is_refused(schema_engine: Engine, call: str) -> None:
    found = schema_engine.read(f"SELECT id FROM t WHERE {call}")
    assert isinstance(found, Query)
    assert found.unsupported is not None


def test_what_sqlite_calls_deterministic_is_known(subtests: pytest.Subtests) -> None:
    for entry in entries():
        if entry.is_scalar:
            with subtests.test(entry.name):
                is_refused = knowledge(entry.name, entry.count) is Known.REFUSED
                assert is_refused != (bool(entry.flags & 0x800) or entry.name.startswith("current_"))
