"""The library's entry points."""

from __future__ import annotations

import json
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

import equiv
from equiv.engine import host
from equiv.records.record import Item, to_json, to_record
from equiv.workers.scheduler import Memory

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


@pytest.mark.long
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


@pytest.mark.long
def test_a_checker_serves_many_pairs_and_can_be_closed_twice() -> None:
    checker = equiv.Checker(DDL)
    with checker:
        assert [checker.check(*pair).name for pair in PAIRS] == NAMES
    checker.close()


@pytest.mark.long
def test_an_overstaying_pair_is_undecided_and_the_next_is_served() -> None:
    bomb = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c"
    with equiv.Checker(DDL, timeout=0.3) as checker:
        slow = checker.check(bomb, "SELECT 1")
        assert isinstance(slow, equiv.Undecided)
        assert slow.reason == "TIMEOUT"
    with equiv.Checker(DDL, timeout=30.0) as checker:
        assert checker.check(*PAIRS[0]).name == "equivalent"


def test_what_was_asked_is_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for timeout in (60.0, None):
        first = [equiv.check(*pair, schema=DDL, effort=41, timeout=timeout) for pair in PAIRS]
        assert [verdict.name for verdict in first] == NAMES
        with monkeypatch.context() as patched:
            patched.setattr("equiv.workers.lanes.Lane.submit", None)
            patched.setattr("equiv.engine.pipeline.Engine.check", None)
            again = [equiv.check(*pair, schema=DDL, effort=41, timeout=timeout) for pair in PAIRS]
            assert [id(verdict) for verdict in again] == [id(verdict) for verdict in first]
        with equiv.Checker(DDL, effort=41, timeout=timeout) as checker:
            found = checker.check(*PAIRS[1])
            assert checker.check(*PAIRS[1]) is found


def test_what_counts_is_part_of_the_question(tmp_path: Path) -> None:
    pair = ("SELECT a FROM t", "SELECT a FROM t WHERE a > 1")
    database = tmp_path / "t.sqlite"

    def fill(*values: int) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript("DROP TABLE IF EXISTS t; CREATE TABLE t (a INTEGER)")
            connection.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
            connection.commit()

    fill(5)
    options: dict[str, Any] = {"db": database, "tiers": ("data",)}
    assert equiv.check(*pair, **options).name == "undecided"
    assert equiv.check(*pair, **(options | {"tiers": ("generate",)})).name == "not_equivalent"
    fill(5, 1, 1)
    assert equiv.check(*pair, **options).name == "not_equivalent"
    assert equiv.check("SELECT DISTINCT a FROM t", "SELECT a FROM t", **options).name == "not_equivalent"
    loose = options | {"relation": "set"}
    assert equiv.check("SELECT DISTINCT a FROM t", "SELECT a FROM t", **loose).name == "undecided"


@pytest.mark.long
def test_what_the_moment_decided_is_not_remembered() -> None:
    bomb = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c"
    slow = equiv.check(bomb, "SELECT 1", schema=DDL, timeout=0.3)
    assert isinstance(slow, equiv.Undecided)
    assert slow.reason == "TIMEOUT"
    memory: Memory[equiv.Verdict] = host._alone.memory
    kept = [verdict for verdict, _ in memory._known.values()]
    assert not any(isinstance(v, equiv.Undecided) and v.reason == "TIMEOUT" for v in kept)


def test_memory_is_bounded() -> None:
    memory: Memory[int] = Memory(2)
    for number in range(5):
        memory.keep(number, number)
    assert [memory.recall(number) for number in range(5)] == [None, None, None, 3, 4]


def test_a_repeated_pair_among_many_gets_the_first_verdict() -> None:
    found = list(equiv.check_many([PAIRS[1], PAIRS[0], PAIRS[1]], schema=DDL))
    assert found[2] is found[0]


def test_single_calls_share_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    equiv.check("SELECT 7", "SELECT 7", schema=DDL)
    monkeypatch.setattr("equiv.workers.process.spawn", None)
    other = "CREATE TABLE other (b TEXT)"
    assert equiv.check("SELECT b FROM other", "SELECT b AS c FROM other", schema=other).name == "equivalent"


def test_single_calls_leave_nothing_to_each_other() -> None:
    kills = ("SELECT a FROM t WHERE a > 77 OR b = 'x'", "SELECT a FROM t WHERE a > 78")
    later = ("SELECT a FROM t WHERE a >= 77 OR b = 'x'", "SELECT a FROM t WHERE a > 78")
    equiv.check(*kills, schema=DDL)
    with equiv.Checker(DDL) as checker:
        assert _timeless(equiv.check(*later, schema=DDL)) == _timeless(checker.check(*later))


@pytest.mark.long
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_used_checker_pickles_and_starts_anew(timeout: float | None) -> None:
    with equiv.Checker(DDL, timeout=timeout, relation="set") as checker:
        assert checker.check(*PAIRS[0]).name == "equivalent"
        with pickle.loads(pickle.dumps(checker)) as other:  # noqa: S301 - made here
            assert other.options == checker.options
            assert [other.check(*pair).name for pair in PAIRS] == NAMES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give a schema with schema=, db= or both"),
        ({"schema": DDL, "relation": "multiset"}, "unknown relation"),
        ({"schema": DDL, "facts": "all"}, "unknown fact policy"),
        ({"schema": DDL, "effort": "much"}, "unknown effort"),
        ({"schema": DDL, "assume": None}, "assume takes a sequence of facts as texts"),
        ({"schema": DDL, "assume": (1,)}, "assume takes a sequence of facts as texts"),
        ({"schema": "CREATE TABLE t (", "effort": 1}, "CREATE TABLE t \\("),
    ],
)
def test_unusable_arguments_are_one_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(equiv.InputError, match=message):
        equiv.check(*PAIRS[0], **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (PAIRS[0][0], "pairs must be a list or another iterable, not str"),
        (None, "pairs must be a list or another iterable, not NoneType"),
        (PAIRS[0], "a pair is a prediction and a gold query, not str "),
        ([(PAIRS[0][0], None)], "a query must be a str, not NoneType"),
        ([set(PAIRS[0])], "a pair is a prediction and a gold query, not set "),
    ],
)
def test_what_is_no_list_of_pairs_is_one_clear_error(pairs: Any, message: str) -> None:
    with pytest.raises(equiv.InputError, match=message):
        list(equiv.check_many(pairs, schema=DDL, timeout=None))


@pytest.mark.parametrize("workers", ["2", 1.5, None])
def test_a_number_of_workers_that_is_none_is_one_clear_error(workers: Any) -> None:
    with pytest.raises(equiv.InputError, match="workers must be a whole number"):
        equiv.check_many(PAIRS, schema=DDL, workers=workers)


@pytest.mark.parametrize(
    ("stored", "dropped", "pair", "name"),
    [
        (
            "9e999",
            "exact_arithmetic",
            ("SELECT id FROM t WHERE r - r = 0", "SELECT id FROM t WHERE r IS NOT NULL"),
            "not_equivalent",
        ),
        (
            "-9223372036854775808.0), (2, -9223372036854775808",
            "no_overflow",
            ("SELECT MIN(typeof(r)) FROM t GROUP BY r", "SELECT MAX(typeof(r)) FROM t GROUP BY r"),
            "not_equivalent",
        ),
    ],
)
def test_data_that_breaks_a_fact_about_arithmetic_takes_it_from_the_proof(
    tmp_path: Path, stored: str, dropped: str, pair: tuple[str, str], name: str
) -> None:
    ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, r NUMERIC)"
    db = tmp_path / "data.sqlite"
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(f"{ddl}; INSERT INTO t VALUES (1, {stored})")
    assert equiv.check(*pair, schema=ddl, timeout=None).name == "equivalent"
    verdict = equiv.check(*pair, db=db, timeout=None)
    assert verdict.name == name
    assert [str(fact.kind) for fact in verdict.facts_dropped] == [dropped]


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (
            "SELECT typeof(r) FROM (SELECT DISTINCT r FROM t)",
            "SELECT 'integer' FROM (SELECT DISTINCT r FROM t)",
        ),
        ("SELECT typeof(MAX(r)) FROM t", "SELECT 'integer' FROM t LIMIT 1"),
        ("SELECT typeof(r) FROM t GROUP BY r", "SELECT MIN(typeof(r)) FROM t GROUP BY r"),
    ],
)
def test_which_of_two_equal_numbers_is_kept_is_no_difference_on_data(
    tmp_path: Path, pred: str, gold: str
) -> None:
    db = tmp_path / "data.sqlite"
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, r NUMERIC);"
            "INSERT INTO t VALUES (1, -9223372036854775808.0), (2, -9223372036854775808)"
        )
    assert equiv.check(pred, gold, db=db, tiers=("rules", "data"), timeout=None).name == "undecided"


def test_a_verdict_writes_itself_in_the_words_of_a_record() -> None:
    pred, gold = "SELECT a AS first, upper(b) FROM t", "SELECT a, b FROM t"
    verdict = equiv.check(pred, gold, schema=DDL, effort=60)
    found = verdict.to_dict()
    item = Item("", None, "", pred, gold)
    record = json.loads(to_json(to_record(item, verdict, "")))
    assert found == {name: record[name] for name in found}
    about_the_pair = {
        "key",
        "source",
        "question_id",
        "db_id",
        "question",
        "hint",
        "predicted_sql",
        "gold_sql",
    }
    assert about_the_pair.isdisjoint(found)
    assert json.loads(verdict.to_json()) == found
    assert verdict.to_json().isascii()
    assert "\n" not in verdict.to_json()
    assert type(found["verdict"]) is type(found["tier"]) is str
    assert found["evidence"]["pred_columns"] == ["first", "upper(b)"]
    assert found["evidence"]["gold_columns"] == ["a", "b"]


@pytest.mark.parametrize("pair", PAIRS)
def test_every_verdict_writes_and_shows_itself(pair: tuple[str, str]) -> None:
    verdict = equiv.check(*pair, schema=DDL)
    assert verdict.to_dict()["verdict"] == verdict.name
    assert verdict.name in verdict._repr_html_()


SLOW_DDL = "".join(f"CREATE TABLE t{n} (a REFERENCES t{n - 1} (a));" for n in range(1, 4_000))
"""Takes seconds to read."""


def test_ddl_is_read_within_the_time_of_a_pair() -> None:
    with pytest.raises(equiv.InputError, match=r"the DDL could not be read: no verdict within 0\.2 seconds"):
        equiv.Checker(SLOW_DDL, timeout=0.2)
    with pytest.raises(equiv.InputError, match="the DDL could not be read"):
        next(equiv.check_many(PAIRS, schema=SLOW_DDL, timeout=0.2, workers=2))
