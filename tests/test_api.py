"""The library's entry points."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path

import pytest

import equiv

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);"
PAIRS = [
    ("SELECT a FROM t", "SELECT t.a FROM t"),
    ("SELECT a FROM t WHERE a > 1", "SELECT a FROM t"),
    ("SELECT nope FROM t", "SELECT a FROM t"),
    ("SELECT a FROM t ORDER BY b LIMIT 1", "SELECT a FROM t ORDER BY b, a LIMIT 1"),
]
NAMES = ["equivalent", "not_equivalent", "invalid", "undecided"]


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_many_pairs_in_their_order(timeout: float | None) -> None:
    verdicts = equiv.check_many(PAIRS, schema=DDL, timeout=timeout)
    assert [verdict.name for verdict in verdicts] == NAMES


def test_verdicts_do_not_depend_on_the_number_of_workers() -> None:
    pairs = PAIRS * 3
    one = [repr(_timeless(v)) for v in equiv.check_many(pairs, schema=DDL)]
    two = [repr(_timeless(v)) for v in equiv.check_many(pairs, schema=DDL, workers=2)]
    assert one == two


def _timeless(verdict: equiv.Verdict) -> tuple[object, ...]:
    return (verdict.name, verdict.tier, verdict.facts, getattr(verdict, "evidence", None))


def test_pairs_are_read_as_they_are_needed() -> None:
    def endless() -> Iterator[tuple[str, str]]:
        return ((f"SELECT {n} FROM t", "SELECT 1 FROM t") for n in count())

    found = list(islice(equiv.check_many(endless(), schema=DDL, effort=10), 3))
    assert [verdict.name for verdict in found] == ["not_equivalent", "equivalent", "not_equivalent"]


def test_a_checker_serves_many_pairs_and_can_be_closed_twice() -> None:
    checker = equiv.Checker(DDL)
    with checker:
        assert [checker.check(*pair).name for pair in PAIRS] == NAMES
    checker.close()


def test_an_overstaying_pair_is_undecided_and_the_next_is_served() -> None:
    bomb = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c"
    with equiv.Checker(DDL, timeout=0.3) as checker:
        slow = checker.check(bomb, "SELECT 1")
        assert isinstance(slow, equiv.Undecided)
        assert slow.reason == "TIMEOUT"
    with equiv.Checker(DDL, timeout=30.0) as checker:
        assert checker.check(*PAIRS[0]).name == "equivalent"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give schema, db or both"),
        ({"schema": DDL, "relation": "multiset"}, "unknown relation"),
        ({"schema": DDL, "facts": "all"}, "unknown fact policy"),
        ({"schema": DDL, "effort": "much"}, "unknown effort"),
        ({"schema": "CREATE TABLE t (", "effort": 1}, "CREATE TABLE t \\("),
    ],
)
def test_unusable_arguments_are_one_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(equiv.InputError, match=message):
        equiv.check(*PAIRS[0], **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stored", "dropped", "pred", "gold", "name"),
    [
        (
            "9e999",
            "exact_arithmetic",
            "SELECT id FROM t WHERE r - r = 0",
            "SELECT id FROM t WHERE r IS NOT NULL",
            "not_equivalent",
        ),
        (
            "-9223372036854775808.0), (2, -9223372036854775808",
            "no_overflow",
            "SELECT MIN(typeof(r)) FROM t GROUP BY r",
            "SELECT MAX(typeof(r)) FROM t GROUP BY r",
            "undecided",
        ),
    ],
)
def test_data_that_breaks_a_fact_about_arithmetic_takes_it_from_the_proof(
    tmp_path: Path, stored: str, dropped: str, pred: str, gold: str, name: str
) -> None:
    ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, r NUMERIC)"
    db = tmp_path / "data.sqlite"
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(f"{ddl}; INSERT INTO t VALUES (1, {stored})")
    assert equiv.check(pred, gold, schema=ddl, timeout=None).name == "equivalent"
    verdict = equiv.check(pred, gold, db=db, timeout=None)
    assert verdict.name == name
    assert [str(fact.kind) for fact in verdict.facts_dropped] == [dropped]
