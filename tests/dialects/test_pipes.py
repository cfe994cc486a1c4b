"""A third typed dialect, in one folder beside these tests: what an engine has to bring, and how much."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiv import InputError, check
from equiv.core.runner import Result
from equiv.dialects.registry import dialect_named
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Verdict, Witness

FOLDER = Path(__file__).parent / "pipes"
DDL = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER NOT NULL, city TEXT NOT NULL);
CREATE TABLE visit (id INTEGER PRIMARY KEY, who INTEGER NOT NULL REFERENCES person (id), day TEXT);
"""


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)


def verdict(pred: str, gold: str) -> Verdict:
    return check(pred, gold, schema=DDL, dialect="pipes", timeout=None)


def test_an_engine_brings_far_less_than_the_lines_that_it_may() -> None:
    written = (FOLDER / "pipes.py").read_text(encoding="utf-8").splitlines()
    assert len(written) <= 400
    assert dialect_named("pipes").title == "Pipes"


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (
            "FROM person p |> WHERE NOT p.age < 3 |> SELECT p.id |> DISTINCT",
            "FROM person q |> WHERE q.age >= 3 |> SELECT q.id",
        ),
        ("FROM visit v |> JOIN person p ON p.id = v.who |> SELECT v.day", "FROM visit v |> SELECT v.day"),
        ("FROM person p |> COUNT BY p.city", "FROM person p |> WHERE p.id IS NOT NULL |> COUNT BY p.city"),
        (
            "FROM person p |> WHERE p.city = 'it''s |> |' |> SELECT p.city",
            "FROM person p |> WHERE 'it''s |> |' = p.city |> SELECT 'it''s |> |'",
        ),
    ],
)
def test_pairs_are_proved(pred: str, gold: str) -> None:
    assert isinstance(verdict(pred, gold), Equivalent)


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (
            "FROM person p |> WHERE p.age > 3 |> SELECT p.name",
            "FROM person p |> WHERE p.age >= 3 |> SELECT p.name",
        ),
        ("FROM person p |> SELECT p.city", "FROM person p |> SELECT p.city |> DISTINCT"),
        ("FROM visit v |> COUNT BY v.who", "FROM visit v |> WHERE v.day IS NOT NULL |> COUNT BY v.who"),
    ],
)
def test_pairs_are_refuted_by_the_engines_own_answers(pred: str, gold: str) -> None:
    found = verdict(pred, gold)
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Witness)
    with dialect_named("pipes").engine.replay(found.evidence.sql) as session:
        answers = session.run(pred), session.run(gold)
    assert all(isinstance(each, Result) for each in answers)
    assert answers[0] != answers[1]


def test_what_its_engine_refuses_is_invalid() -> None:
    found = verdict("FROM person p |> WHERE p.age = 'three' |> SELECT p.id", "FROM person p |> SELECT p.id")
    assert isinstance(found, Invalid)
    with pytest.raises(InputError, match="neither INTEGER nor TEXT"):
        dialect_named("pipes").loader.read_ddl("CREATE TABLE t (x REAL)")
