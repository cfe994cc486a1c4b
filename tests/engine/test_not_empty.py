"""That a table is not empty: assumed, observed, given up, kept by witnesses, and named as what is wanting."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for, parse_fact
from equiv.tiers.outcome import Refuted
from equiv.tiers.search import SearchTier
from equiv.verdict import Witness

DDL = """
CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT, weight REAL, breed INTEGER REFERENCES breed (id));
CREATE TABLE breed (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE show (day TEXT NOT NULL, dog INTEGER NOT NULL REFERENCES dog (id));
CREATE VIEW big AS SELECT * FROM dog WHERE weight > 40;
"""
HEAVIEST = ("SELECT MAX(weight) FROM dog", "SELECT weight FROM dog ORDER BY weight DESC LIMIT 1")
"""Figure 1b of ESM+ (arXiv 2407.07313)."""


@pytest.fixture
def kennel(tmp_path: Path) -> Callable[[str], Path]:
    """A database of two breeds, with some dogs and no show."""

    def make(dogs: str = "(1, 'Rex', 30.5, 1), (2, NULL, NULL, NULL)") -> Path:
        path = tmp_path / "kennel.sqlite"
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(DDL)
            connection.execute("INSERT INTO breed VALUES (1, 'collie'), (2, 'pug')")
            if dogs:
                connection.execute(f"INSERT INTO dog VALUES {dogs}")
        return path

    return make


def told(pred: str, gold: str, **options: object) -> equiv.Verdict:
    return equiv.check(pred, gold, schema=DDL, timeout=None, **options)  # type: ignore[arg-type]


def facts_of(facts: object) -> list[str]:
    assert isinstance(facts, tuple)
    return [str(fact) for fact in facts]


def rows(witness: object, table: str) -> int:
    """How many rows the script of a witness puts into a table."""
    assert isinstance(witness, Witness)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(witness.sql)
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("tiers", [("rules",), ("proof",)])
def test_figure_1b_is_proved_under_it(tiers: tuple[str, ...]) -> None:
    verdict = told(*HEAVIEST, assume=("not_empty(dog)",), tiers=(*tiers, "generate"))
    assert isinstance(verdict, equiv.Equivalent)
    assert "not_empty(dog)" in facts_of(verdict.facts)


def test_figure_1b_is_proved_on_a_filled_database(kennel: Callable[[str], Path]) -> None:
    for db in (kennel("(1, 'Rex', 30.5, 1), (2, NULL, NULL, NULL)"),):
        verdict = equiv.check(*HEAVIEST, db=db, facts="observed", timeout=None)
        assert isinstance(verdict, equiv.Equivalent)
        assert [(f.kind, f.grade) for f in verdict.facts if f.table == "dog"] == [("not_empty", "observed")]


def test_without_it_the_empty_table_tells_them_apart() -> None:
    verdict = told(*HEAVIEST, conditions=True)
    assert isinstance(verdict, equiv.NotEquivalent)
    assert [str(one.fact) for one in verdict.equivalent_if] == ["not_empty(dog)"]


@pytest.mark.parametrize("facts", ["intended", "observed"])
def test_it_is_given_up_where_the_data_has_no_row(kennel: Callable[[str], Path], facts: str) -> None:
    verdict = equiv.check(
        *HEAVIEST, db=kennel(""), assume=("not_empty(dog)",), facts=facts, conditions=True, timeout=None
    )
    assert isinstance(verdict, equiv.NotEquivalent)
    assert facts_of(verdict.facts_dropped) == ["not_empty(dog)"]
    assert [(str(c.fact), c.satisfied) for c in verdict.equivalent_if] == [("not_empty(dog)", False)]


KEPT = {
    "a filter leaves no row": (
        "SELECT MAX(weight) FROM dog WHERE name = 'x'",
        "SELECT weight FROM dog WHERE name = 'x' ORDER BY weight DESC LIMIT 1",
    ),
    "a view leaves no row": (
        "SELECT MAX(weight) FROM big",
        "SELECT weight FROM big ORDER BY weight DESC LIMIT 1",
    ),
    "a join leaves no row": (
        "SELECT COUNT(*) FROM dog JOIN breed ON dog.breed = breed.id",
        "SELECT SUM(1) FROM dog JOIN breed ON dog.breed = breed.id",
    ),
    "a query of its own is empty": (
        "SELECT name FROM dog WHERE EXISTS (SELECT 1 FROM dog LIMIT 1 OFFSET 2)",
        "SELECT name FROM dog",
    ),
    "NULL comes first": (
        "SELECT MIN(weight) FROM dog",
        "SELECT weight FROM dog ORDER BY weight LIMIT 1",
    ),
    "other columns": ("SELECT name, weight FROM dog", "SELECT name FROM dog"),
}


@pytest.mark.parametrize("name", KEPT)
def test_every_witness_keeps_it(name: str) -> None:
    assumed = ("not_empty(dog)", "not_empty(breed)", "not_empty(show)")
    verdict = told(*KEPT[name], assume=assumed)
    assert isinstance(verdict, equiv.NotEquivalent)
    assert all(rows(verdict.evidence, table) for table in ("dog", "breed", "show"))


def test_what_is_observed_of_tables_that_nobody_reads_fills_no_witness(
    kennel: Callable[[str], Path],
) -> None:
    pair = ("SELECT name FROM dog WHERE weight > 3", "SELECT name FROM dog WHERE weight > 2")
    verdict = equiv.check(*pair, db=kennel("(7, 'Rex', 30.5, NULL)"), facts="observed", timeout=None)
    assert isinstance(verdict, equiv.NotEquivalent)
    assert isinstance(verdict.evidence, Witness)
    assert list(verdict.evidence.tables) == ["dog"]


def test_a_symbolic_database_has_a_row_of_each_such_table() -> None:
    schema = load_ddl(DDL)
    assumed = [parse_fact(f"not_empty({name})", schema) for name in ("dog", "show")]
    facts = facts_for(schema, "intended", assumed)
    with closing(Connection()) as probe:
        probe.run_script(DDL)
        found = [read_query(sql, schema, probe) for sql in KEPT["a filter leaves no row"]]
    pred, gold = (query for query in found if isinstance(query, Query))
    outcome = SearchTier(schema, facts).settle(Pair(pred, gold, schema, facts, Relation(Rows.BAG)), 300)
    assert isinstance(outcome, Refuted)
    assert rows(outcome.evidence, "dog")
    assert rows(outcome.evidence, "show")


def test_the_symbolic_search_does_not_empty_the_table() -> None:
    schema = load_ddl(DDL)
    facts = facts_for(schema, "intended", [parse_fact("not_empty(dog)", schema)])
    with closing(Connection()) as probe:
        probe.run_script(DDL)
        found = [read_query(sql, schema, probe) for sql in HEAVIEST]
    pred, gold = (query for query in found if isinstance(query, Query))
    outcome = SearchTier(schema, facts).settle(Pair(pred, gold, schema, facts, Relation(Rows.BAG)), 100)
    assert not isinstance(outcome, Refuted)
