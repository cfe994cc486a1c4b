"""Further facts under which a pair would be equivalent."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.engine.host import completed, is_repeatable
from equiv.show.verdicts import summary_of
from equiv.workers.lanes import Crashed, Timeout

DDL = """
CREATE TABLE place (name TEXT PRIMARY KEY, zip TEXT);
CREATE TABLE person (
    id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born TEXT, city TEXT REFERENCES place(name)
);
CREATE TABLE pet (owner INTEGER, kind TEXT);
"""

Wanted = list[tuple[str, bool | None]]


def conditions(pred: str, gold: str, db: Path | None = None) -> Wanted:
    verdict = equiv.check(pred, gold, schema=DDL, db=db, conditions=True, timeout=None)
    assert isinstance(verdict, equiv.NotEquivalent | equiv.Undecided)
    return [(str(one.fact), one.satisfied) for one in verdict.equivalent_if]


@pytest.mark.parametrize(
    ("pred", "gold", "facts"),
    [
        ("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person", ["not_null(person.name)"]),
        (
            "SELECT name FROM person WHERE born LIKE '1990-%'",
            "SELECT name FROM person WHERE strftime('%Y', born) = '1990'",
            ["iso_date(person.born)"],
        ),
        (
            "SELECT person.id FROM person JOIN place ON person.city = place.name",
            "SELECT id FROM person",
            ["not_null(person.city)"],
        ),
        (
            "SELECT person.id FROM person JOIN pet ON pet.owner = person.id",
            "SELECT owner FROM pet WHERE owner IS NOT NULL",
            ["inclusion(pet.owner -> person.id)"],
        ),
        ("SELECT DISTINCT kind FROM pet", "SELECT kind FROM pet", ["not_null(pet.kind)", "unique(pet.kind)"]),
        # not_null(person.age) would leave both queries without any row: another is looked for.
        (
            "SELECT COUNT(name), born FROM person WHERE age IS NULL GROUP BY born",
            "SELECT COUNT(*), born FROM person WHERE age IS NULL GROUP BY born",
            ["not_null(person.name)"],
        ),
        ("SELECT id FROM person WHERE age IS NULL AND id > 3", "SELECT id FROM person WHERE age IS NULL", []),
        # There a query has no row without it either.
        (
            "SELECT id FROM person WHERE age IS NULL",
            "SELECT id FROM person WHERE 0",
            ["not_null(person.age)"],
        ),
    ],
)
def test_the_facts_that_are_wanting_are_named_and_no_other(pred: str, gold: str, facts: list[str]) -> None:
    assert conditions(pred, gold) == [(fact, None) for fact in facts]


def test_the_setting_that_decides_is_named_although_further_facts_steer_the_proof_away() -> None:
    day = "SELECT id FROM orders WHERE placed::date = DATE '2025-03-01'"
    span = "SELECT id FROM orders WHERE placed >= '2025-03-01' AND placed < '2025-03-02'"
    ddl = """
        CREATE TYPE stage AS ENUM ('open', 'paid');
        CREATE TABLE orders (id uuid PRIMARY KEY, at stage NOT NULL, placed timestamptz NOT NULL);
    """
    verdict = equiv.check(day, span, schema=ddl, dialect="postgres", conditions=True, timeout=None)
    assert isinstance(verdict, equiv.Undecided)
    assert [str(one.fact) for one in verdict.equivalent_if] == ["setting(TimeZone = 'UTC')"]


def test_nothing_is_said_where_no_natural_fact_would_help() -> None:
    assert conditions("SELECT id FROM person WHERE age > 3", "SELECT id FROM person WHERE age > 4") == []
    assert conditions("SELECT id, age FROM person", "SELECT id FROM person") == []


@pytest.fixture
def filled(tmp_path: Path) -> Callable[[str], Path]:
    """A database with one person."""

    def make(row: str) -> Path:
        path = tmp_path / "people.sqlite"
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(DDL)
            connection.execute(f"INSERT INTO person (id, name, age) VALUES {row}")
        return path

    return make


def test_each_fact_is_held_against_the_given_data(filled: Callable[[str], Path]) -> None:
    pair = ("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person")
    assert conditions(*pair, filled("(1, 'a', 3)")) == [("not_null(person.name)", True)]


def test_a_fact_that_the_data_violates_is_named_as_violated(filled: Callable[[str], Path]) -> None:
    pair = ("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person")
    assert conditions(*pair, filled("(1, NULL, 3)")) == [("not_null(person.name)", False)]


LINKS = """
CREATE TABLE trait (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE has (hero INTEGER, trait INTEGER REFERENCES trait(id), size INTEGER);
"""
COUNTS = tuple(
    f"SELECT COUNT({counted}) FROM has JOIN trait ON has.trait = trait.id WHERE trait.name = 'Strength'"
    for counted in ("DISTINCT has.hero", "has.hero")
)


@pytest.fixture
def links(tmp_path: Path) -> Path:
    """A database in which a hero has several traits, and each of them once."""
    path = tmp_path / "links.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(LINKS)
        connection.executemany("INSERT INTO trait VALUES (?, ?)", [(1, "Strength"), (2, "Speed")])
        connection.executemany("INSERT INTO has VALUES (?, ?, 1)", [(1, 1), (1, 2), (2, 1)])
    return path


@pytest.mark.long
def test_what_the_data_keeps_goes_before_what_it_violates(links: Path) -> None:
    verdict = equiv.check(*COUNTS, db=links, conditions=True, timeout=None)
    assert isinstance(verdict, equiv.NotEquivalent)
    found = {str(one.fact): (one.satisfied, one.observed) for one in verdict.equivalent_if}
    assert found == {"unique(has.hero, has.trait)": (True, True), "unique(trait.name)": (True, True)}
    assert equiv.check(*COUNTS, db=links, facts="observed", timeout=None).name == "equivalent"
    assert "Your data meets them: --facts observed proves the pair." in str(summary_of(verdict))


def test_conditions_that_the_data_violates_come_last_and_are_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(f"{DDL} INSERT INTO pet VALUES (1, 'cat'), (2, 'cat')")
    verdict = equiv.check(
        "SELECT DISTINCT kind FROM pet", "SELECT kind FROM pet", db=path, conditions=True, timeout=None
    )
    assert isinstance(verdict, equiv.NotEquivalent)
    found = [(str(one.fact), one.satisfied, one.observed) for one in verdict.equivalent_if]
    assert found == [("not_null(pet.kind)", True, False), ("unique(pet.kind)", False, False)]
    assert "The given data violates them" in str(summary_of(verdict))


def test_facts_that_were_given_up_are_candidates(filled: Callable[[str], Path]) -> None:
    pair = ("SELECT id FROM person WHERE age >= 18", "SELECT id FROM person WHERE age > 17")
    assert conditions(*pair, filled("(1, 'a', 'old')")) == [("type(person.age)", False)]


def test_they_are_looked_for_only_if_asked() -> None:
    verdict = equiv.check(
        "SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person", schema=DDL, timeout=None
    )
    assert isinstance(verdict, equiv.NotEquivalent)
    assert verdict.equivalent_if == ()


@pytest.mark.long
def test_they_come_with_a_worker_process_and_for_many_pairs_too() -> None:
    pairs = [("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person"), ("SELECT 1", "SELECT 1")]
    for workers in (1, 2):
        first, second = equiv.check_many(pairs, schema=DDL, conditions=True, workers=workers)
        assert isinstance(first, equiv.NotEquivalent)
        assert [str(one.fact) for one in first.equivalent_if] == ["not_null(person.name)"]
        assert second.name == "equivalent"


def test_the_facts_make_the_pair_equivalent() -> None:
    pair = ("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person")
    verdict = equiv.check(*pair, schema=DDL, assume=("not_null(person.name)",), timeout=None)
    assert verdict.name == "equivalent"


@pytest.mark.parametrize(
    ("pred", "gold", "fact"),
    [
        (
            "SELECT id FROM person WHERE age * 0.1 = 0.3",
            "SELECT id FROM person WHERE age = 3",
            "exact_arithmetic",
        ),
        (
            "SELECT id FROM person WHERE age * 2 / 2 = age",
            "SELECT id FROM person WHERE age IS NOT NULL",
            "no_overflow",
        ),
    ],
)
def test_facts_about_arithmetic_are_candidates_without_them(
    pred: str, gold: str, fact: str, tmp_path: Path
) -> None:
    db = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(f"{DDL} INSERT INTO person (age) VALUES (3), (9223372036854775807)")
    verdict = equiv.check(pred, gold, db=db, conditions=True, rounding="strict", timeout=None)
    assert isinstance(verdict, equiv.NotEquivalent)
    # What is stored keeps the fact, and what the queries compute does not.
    assert [(str(one.fact), one.satisfied) for one in verdict.equivalent_if] == [(fact, None)]


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Timeout(30), "TIMEOUT with further facts: no verdict within 30 seconds"),
        (Crashed("memory", "out of memory"), "RESOURCE with further facts: out of memory"),
    ],
)
def test_a_search_that_is_cut_short_says_so(outcome: Timeout | Crashed, reason: str) -> None:
    known = equiv.check(
        "SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person", schema=DDL, timeout=None
    )
    cut = completed(known, outcome)
    assert (cut.attempts[:-1], cut.attempts[-1].reason) == (known.attempts, reason)
    assert (is_repeatable(known), is_repeatable(cut)) == (True, False)
    assert f"was cut short: {reason.partition(': ')[2]}." in str(summary_of(cut))
    assert "cut short" not in str(summary_of(known))


def test_a_worker_that_is_killed_leaves_the_verdict_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equiv.engine.host.CONDITION_SECONDS", 0.001)
    with equiv.Checker(DDL, conditions=True, timeout=30) as checker:
        verdict = checker.check("SELECT COUNT(name) FROM person", "SELECT COUNT(*) FROM person")
    assert isinstance(verdict, equiv.NotEquivalent)
    assert (verdict.equivalent_if, verdict.attempts[-1].outcome) == ((), "failed")
