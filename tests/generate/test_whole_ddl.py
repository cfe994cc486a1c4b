"""Rows are made against the whole DDL, whatever way the schema came in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import RunnerError
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.pragmas import load_sqlite
from equiv.engine.pipeline import Engine
from equiv.generate.database import Arena
from equiv.generate.plan import databases
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.tiers.generate import GenerateTier
from equiv.verdict import NotEquivalent, Witness

INDEXED = """
CREATE TABLE a (k INTEGER PRIMARY KEY, y TEXT, z INT, UNIQUE (z, y COLLATE NOCASE));
CREATE UNIQUE INDEX folded ON a (y COLLATE NOCASE) WHERE z > 2;
CREATE UNIQUE INDEX sizes ON a (abs(k - 10));
CREATE TABLE b (id INTEGER PRIMARY KEY, f INT REFERENCES a (k), u INT);
CREATE UNIQUE INDEX some ON b (f) WHERE u = 1;
"""
COMPUTED = """
CREATE TABLE a (k INTEGER PRIMARY KEY, y TEXT, z INT, g TEXT AS (upper(y)) UNIQUE, h INT AS (z % 5) NOT NULL,
    CHECK (h <> 3 OR g IS NULL));
CREATE TABLE b (id INTEGER PRIMARY KEY, f INT REFERENCES a (k), u INT, o INT, CHECK (o IS NOT NULL));
"""
QUERY = "SELECT a.y, COUNT(*) FROM a LEFT JOIN b ON b.f = a.k AND b.u = 1 WHERE a.z > 1 GROUP BY a.y"


def pair_of(ddl: str, policy: str = "intended") -> Pair:
    schema = load_ddl(ddl)
    facts = facts_for(schema, policy)
    with closing(Engine(schema, facts, (), relation="bag", effort=0, tiers=())) as engine:
        query = engine.read(QUERY)
    assert isinstance(query, Query)
    return Pair(query, query, schema, facts, Relation(Rows.BAG))


@pytest.mark.parametrize("policy", ["intended", "declared"])
@pytest.mark.parametrize("ddl", [INDEXED, COMPUTED])
def test_every_made_database_is_one_of_the_ddl(ddl: str, policy: str) -> None:
    pair = pair_of(ddl, policy)
    tier = GenerateTier(pair.schema, pair.facts)
    made = list(databases(pair, 80))
    assert all(tier.bench.load(pair, database) for database in made)
    assert sum(database.size > 4 for database in made) > 20


def test_rows_that_break_an_index_are_never_loaded() -> None:
    arena = Arena(load_ddl(INDEXED))
    rows = "INSERT INTO a (k, y, z) VALUES "
    arena.connection.execute(f"{rows} (1, 'x', 3)")
    for row in ("(2, 'X', 4)", "(19, 'q', 1)"):
        with pytest.raises(RunnerError, match="UNIQUE"):
            arena.connection.execute(rows + row)


def test_a_witness_from_a_file_carries_its_indexes_and_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(INDEXED)
    gold = "SELECT f FROM b WHERE u >= 1 AND f IS NOT NULL"
    pred = gold.replace("SELECT", "SELECT DISTINCT")
    verdict = equiv.check(pred, gold, db=path, timeout=None, tiers=("generate",))
    assert isinstance(verdict, NotEquivalent)
    assert isinstance(verdict.evidence, Witness)
    assert "CREATE UNIQUE INDEX some" in verdict.evidence.sql
    inserts = [line for line in verdict.evidence.sql.splitlines() if line.startswith("INSERT")]
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(inserts))
        assert len(connection.execute(pred).fetchall()) < len(connection.execute(gold).fetchall())
    bound = equiv.check(pred.replace(">=", "="), gold.replace(">=", "="), db=path, timeout=None)
    assert not isinstance(bound, NotEquivalent)


def test_a_schema_read_from_a_file_says_the_same_as_its_ddl(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(INDEXED)
    assert load_sqlite(path).tables == load_ddl(INDEXED).tables
