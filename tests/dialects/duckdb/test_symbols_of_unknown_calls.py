"""Calls and types that the core has no meaning for are symbols to proofs on DuckDB."""

from __future__ import annotations

from contextlib import closing

import duckdb
from kit.engines import PROVER, assert_not_proved, assert_proved, assert_told_apart, engine_fixture
from kit.sizes import sampled

from equiv.core.functions.symbols import symbol_signature
from equiv.core.functions.table import CALLS
from equiv.core.query import Query
from equiv.dialects.duckdb.values import core_type, family_of
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine
from equiv.verdict import Undecided

DDL = """
CREATE TABLE t (
    id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s VARCHAR, u VARCHAR, f DOUBLE, g DOUBLE, d DECIMAL(5, 2),
    e DECIMAL(7, 4), l INTEGER[], m INTEGER[], r STRUCT(a INTEGER, b VARCHAR), q STRUCT(a INTEGER, b VARCHAR),
    j JSON, k JSON, w UUID, ts TIMESTAMP, dt DATE, i INTERVAL, o INTERVAL, n VARCHAR COLLATE NOCASE
)
"""
EQUIVALENT = (
    ("SELECT id, l FROM t WHERE id > 3", "SELECT id, l FROM t WHERE 3 < id"),
    ("SELECT id FROM t WHERE j ->> 'a' = 'b' AND a > 1", "SELECT id FROM t WHERE 1 < a AND j ->> 'a' = 'b'"),
    ("SELECT id FROM t WHERE s = u AND md5(s) = 'x'", "SELECT id FROM t WHERE s = u AND md5(u) = 'x'"),
    ("SELECT id FROM (SELECT id, md5(s) AS h FROM t) v WHERE h = 'x'", "SELECT id FROM t WHERE md5(s) = 'x'"),
    ("SELECT id FROM t WHERE l[1] = 2 AND b > 2", "SELECT id FROM t WHERE b > 2 AND l[1] = 2"),
    ("SELECT id, [a, b], {'x': a} FROM t WHERE a = b", "SELECT id, [b, a], {'x': b} FROM t WHERE a = b"),
    ("SELECT id, t.r.b FROM t WHERE r.a > 1", "SELECT id, r.b FROM t WHERE 1 < t.r.a"),
    ("SELECT id FROM t WHERE md5(s) = 'a' AND s IS NOT NULL", "SELECT id FROM t WHERE md5(s) = 'a'"),
    # DuckDB's own macros of lists: list_aggr(l, 'sum'), l[:-:-1].
    ("SELECT list_avg(l) FROM t WHERE list_sum(l) > 3", "SELECT list_avg(t.l) FROM t WHERE 3 < list_sum(l)"),
    ("SELECT list_max([a]) FROM t WHERE a = b", "SELECT list_max([b]) FROM t WHERE b = a"),
    ("SELECT list_reverse(l) FROM t WHERE id > 3", "SELECT list_reverse(t.l) FROM t WHERE 3 < id"),
    # Aliases of aggregates.
    ("SELECT max_by(a, b) FROM t WHERE id > 3", "SELECT argmax(a, b) FROM t WHERE 3 < id"),
    ("SELECT s, fsum(a) FROM t GROUP BY s", "SELECT s, kahan_sum(a) FROM t GROUP BY s"),
)
APART = (
    # Equal, and not identical: what a function makes of one it need not make of the other.
    ("SELECT id, md5(d::VARCHAR) FROM t WHERE d = e", "SELECT id, md5(e::VARCHAR) FROM t WHERE d = e"),
    ("SELECT id, hash(a) FROM t", "SELECT id, hash(a::BIGINT) FROM t"),
    ("SELECT id, typeof(a) FROM t WHERE a = d", "SELECT id, typeof(d) FROM t WHERE a = d"),
    ("SELECT id, f::VARCHAR FROM t WHERE f = g", "SELECT id, g::VARCHAR FROM t WHERE f = g"),
    ("SELECT id, list_first([f]) FROM t WHERE f = g", "SELECT id, list_first([g]) FROM t WHERE f = g"),
    (
        "SELECT id, list_string_agg([i]) FROM t WHERE i = o",
        "SELECT id, list_string_agg([o]) FROM t WHERE i = o",
    ),
    ("SELECT id, list_first(l) FROM t", "SELECT id, list_last(l) FROM t"),
    ("SELECT id, list_count(l) FROM t WHERE l = m", "SELECT id, list_count(l) FROM t"),
    ("SELECT id, [f]::VARCHAR FROM t WHERE f = g", "SELECT id, [g]::VARCHAR FROM t WHERE f = g"),
    ("SELECT id, i::VARCHAR FROM t WHERE i = o", "SELECT id, o::VARCHAR FROM t WHERE i = o"),
    ("SELECT id, upper(n) FROM t WHERE n = 'a'", "SELECT id, upper('a') FROM t WHERE n = 'a'"),
    ("SELECT id, epoch(dt) FROM t WHERE dt = ts", "SELECT id, epoch(ts) FROM t WHERE dt = ts"),
    # NULL, which a strict function may return of other arguments too, and another may not.
    ("SELECT id FROM t WHERE l[1] IS NOT NULL", "SELECT id FROM t WHERE l IS NOT NULL"),
    ("SELECT id FROM t WHERE hash(s) IS NULL", "SELECT id FROM t WHERE s IS NULL"),
    ("SELECT id FROM t WHERE [s] IS NULL", "SELECT id FROM t WHERE s IS NULL"),
    ("SELECT id FROM t WHERE l = m", "SELECT id FROM t WHERE l IS NOT DISTINCT FROM m"),
    ("SELECT id FROM t WHERE [a] = [b]", "SELECT id FROM t WHERE a = b"),
    (
        "SELECT t.id, [x.s] FROM t LEFT JOIN t x ON t.a = x.id",
        "SELECT t.id, [x.s] FROM t JOIN t x ON t.a = x.id",
    ),
    ("SELECT count(md5(s)) FROM t", "SELECT count(*) FROM t"),
    # Other functions, other arguments, other types.
    ("SELECT id, {'x': a} FROM t", "SELECT id, {'y': a} FROM t"),
    ("SELECT id, l[1:2] FROM t", "SELECT id, l[2:1] FROM t"),
    ("SELECT id FROM t WHERE list_contains(l, a)", "SELECT id FROM t WHERE list_contains(m, a)"),
    ("SELECT id, s::INTEGER[] FROM t", "SELECT id, s::VARCHAR[] FROM t"),
    ("SELECT id, date_trunc('week', ts) FROM t", "SELECT id, date_trunc('quarter', ts) FROM t"),
    ("SELECT DISTINCT s, md5(s) FROM t", "SELECT s, md5(s) FROM t"),
    ("SELECT max(md5(s)) FROM t", "SELECT md5(max(s)) FROM t"),
)
REFUTED = (
    (
        "SELECT id FROM t WHERE j ->> 'a' = 'b' AND id > 3",
        "SELECT id FROM t WHERE j ->> 'a' = 'b' AND id >= 3",
    ),
    ("SELECT id, l FROM t WHERE id > 3", "SELECT id, l FROM t WHERE id >= 3"),
    ("SELECT id, [a] FROM t", "SELECT id, [b] FROM t"),
    (
        "SELECT id FROM t WHERE list_contains(l, 7)",
        "SELECT id FROM t WHERE list_contains(l, 7) AND l[2] > 1",
    ),
    ("SELECT id, r.a FROM t WHERE r IS NOT NULL", "SELECT id, r.a FROM t WHERE r.b = 'a'"),
    # Fields that are NULL; lists of the same elements in another order, twice, beside NULL.
    ("SELECT id, r.a FROM t WHERE r IS NOT NULL", "SELECT id, r.a FROM t WHERE r.a IS NOT NULL"),
    ("SELECT id FROM t WHERE l = m", "SELECT id FROM t WHERE list_sort(l) = list_sort(m)"),
    ("SELECT id FROM t WHERE len(l) = 2", "SELECT id FROM t WHERE len(l) = 2 AND list_count(l) = 2"),
    ("SELECT list_max(l) FROM t", "SELECT list_sum(l) FROM t"),
    # A subquery that aggregates the list of the row around it.
    (
        "SELECT id, (SELECT sum(x) FROM unnest(l) v (x)) FROM t",
        "SELECT id, (SELECT max(x) FROM unnest(l) v (x)) FROM t",
    ),
    (
        "SELECT id FROM t WHERE (SELECT count(*) FROM unnest(l) v (x) WHERE x > a) = 1",
        "SELECT id FROM t WHERE (SELECT count(*) FROM unnest(l) v (x) WHERE x >= a) = 1",
    ),
)
REFUSED = (
    "SELECT random()",
    "SELECT id, current_localtimestamp() FROM t",
    "SELECT alias(a) FROM t",
    "SELECT nextval('x') FROM t",
    "SELECT sleep_ms(a) FROM t",
    "SELECT isnan(f) FROM t",
    "SELECT DISTINCT n FROM t",
)
"""What depends on more than values, changes something, or sees what equal floats need not share."""


schema_engine = engine_fixture(DDL, "duckdb")
prover = engine_fixture(DDL, "duckdb", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_a_symbol_is_equal_to_itself(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_proved(schema_engine, pred, gold)


@sampled("pred, gold", APART)
def test_no_more_is_known_of_a_symbol(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


@sampled("pred, gold", REFUTED)
def test_databases_tell_apart_what_surrounds_a_symbol(schema_engine: Engine, pred: str, gold: str) -> None:
    assert_told_apart(schema_engine, pred, gold)


def test_a_choice_among_the_elements_of_a_list_tells_nothing_apart(schema_engine: Engine) -> None:
    one, two = (
        f"SELECT id, (SELECT {name}(x) FROM unnest(l) v (x)) FROM t" for name in ("first", "any_value")
    )
    assert isinstance(schema_engine.check(one, two), Undecided)


@sampled("text", REFUSED)
def test_what_is_no_function_of_values_is_no_symbol(text: str) -> None:
    dialect = dialect_named("duckdb")
    schema = dialect.loader.read_ddl(DDL)
    with dialect.engine.empty(schema) as empty:
        found = dialect.reader.read(text, schema, empty)
    assert not isinstance(found, Query) or (found.tree is None and found.with_symbols is None)


def test_duckdb_computes_a_symbol_while_its_session_is_open() -> None:
    dialect = dialect_named("duckdb")
    schema = dialect.loader.read_ddl(DDL)
    named = (
        ("md5({0})", ("text",), "text", ("a",), "0cc175b9c0f1b6a831c399e269772661"),
        ("list_extract({0}, {1})", ("INTEGER[]", "BIGINT"), "INTEGER", ("[7, 8]", 2), 8),
        ("list_value({0}, {1})", ("INTEGER", "INTEGER"), "INTEGER[]", (1, None), "[1, NULL]"),
        ("CAST({0} AS INTEGER[])", ("text",), "INTEGER[]", ("no list",), None),
    )
    text = "SELECT md5(s), l[1], [a, b], s::INTEGER[] FROM t"
    with dialect.engine.empty(schema) as empty:
        found = dialect.reader.read(text, schema, empty)
        assert isinstance(found, Query)
        assert found.with_symbols is not None
        for name, kinds, result, values, wanted in named:
            sort = "WHOLE" if result == "INTEGER" else "TEXT"
            code = CALLS[f"CORE_{sort}_SYMBOL"].code
            assert code is not None
            assert code(symbol_signature(name, kinds, result), *values) == wanted


def test_aliases_of_aggregates_give_the_same_of_the_same_rows() -> None:
    names = """SELECT DISTINCT function_name, alias_of FROM duckdb_functions()
        WHERE internal AND alias_of <> '' AND function_type = 'aggregate' ORDER BY 1"""
    rows = "(VALUES (1, 2, 'x'), (NULL, 9, 'y'), (4, 7, NULL), (4, NULL, 'x'), (-3, 2, '')) v (a, b, s)"
    arguments = {"string_agg": "s, ';'", "arg_max": "a, b", "arg_min": "a, b", "quantile_disc": "a, 0.5"}
    arguments |= {"count_if": "a > 1"}
    with closing(duckdb.connect()) as connection:
        aliases = connection.execute(names).fetchall()
        assert len(aliases) > 10
        for name, of in aliases:
            given = arguments.get(of, "a")
            calls = ", ".join(
                f"{each}({given} {order})" for each in (name, of) for order in ("", "ORDER BY b, a")
            )
            found = connection.execute(f"SELECT {calls} FROM {rows}").fetchall()[0]
            assert found[:2] == found[2:], name


def test_nested_types_have_values_and_are_told_apart_by_their_parts() -> None:
    assert core_type('STRUCT(a INTEGER, "b c" VARCHAR[])').samples == (
        "{'a': 1, 'b c': []}",
        "{'a': 0, 'b c': ['a']}",
        "{'a': 2, 'b c': ['b']}",
        "{'a': NULL, 'b c': []}",
        "{'a': 1, 'b c': NULL}",
    )
    assert family_of("INTEGER[]") == family_of("DECIMAL(5,2)[]") == "LIST of number"
    assert family_of("STRUCT(a DATE)") != family_of("STRUCT(b DATE)")
    assert family_of("UNION(a INTEGER)").startswith("type ")
