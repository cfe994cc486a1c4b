"""The table of what versions of SQLite answer otherwise: true of that at hand, and told beside verdicts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

import equiv
from equiv.core.runner import VERSION, Failure, Limits, Result, connect_memory
from equiv.dialects.sqlite.dialect import SQLITE
from equiv.dialects.sqlite.versions import (
    CHANGE_ANSWERS,
    CHANGE_NEITHER,
    CHANGE_TEXT,
    CHANGES,
    Change,
    Effect,
    changes_in,
    changing_answers,
    run_elsewhere,
)
from equiv.tiers.witness import replay_elsewhere
from equiv.verdict import NotEquivalent, RemarkKind, Verdict, Witness

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, s TEXT, d DATE)"


def by_name(part: str) -> Change:
    return next(change for change in CHANGES if part in change.name)


def told(verdict: Verdict) -> list[tuple[str, str]]:
    found = [each for each in verdict.remarks if each.kind is RemarkKind.VERSION]
    return [(each.side, each.text.split(":")[0]) for each in found]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_the_core_and_the_sqlite_at_hand_answer_as_the_table_says(change: Change) -> None:
    try:
        found = repr(sqlite3.connect(":memory:").execute(change.example).fetchone()[0])
    except sqlite3.Error:
        found = ""
    assert found == (change.after if sqlite3.sqlite_version_info >= (*change.since, 0) else change.before)
    assert repr(connect_memory().execute(change.example).fetchone()[0]) == change.after
    assert (change.before == "") == (change.effect is Effect.REFUSED)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_each_example_is_seen(change: Change) -> None:
    assert change in changes_in(change.example)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT ROUND(r) FROM t",
        "SELECT 'ROUND(r, 2)' FROM t -- ROUND(r, 2)",
        "SELECT IIF(r > 1, 2, 3) FROM t",
        "SELECT SUM(r) FROM t ORDER BY 1",
        "SELECT GROUP_CONCAT((SELECT s FROM t ORDER BY 1)) FROM t",
        "SELECT REPLACE(s, 'a', 'b') FROM t",
        'SELECT CAST(r AS INTEGER), round, "CONCAT" FROM t',
        "SELECT SUM(r) OVER (ORDER BY id) FROM t",
        ")))((( ROUND(",
        "",
    ],
)
def test_nothing_else_is_seen(sql: str) -> None:
    assert not changes_in(sql)


def test_calls_are_counted_wherever_they_stand() -> None:
    found = changes_in("SELECT ROUND(ROUND(r, 2) + round (r , 1), 0) FROM t WHERE strftime('%F %V', d) = 'x'")
    assert found[by_name("ROUND")] == 3
    assert {by_name("%F"), by_name("%V"), by_name("a day")} < set(found)


def test_a_verdict_says_what_another_version_may_answer_otherwise() -> None:
    found = equiv.check("SELECT ROUND(r, 2) FROM t", "SELECT r FROM t", schema=DDL, conditions=False)
    assert told(found) == [("pred", "ROUND to some digits")]
    assert any(VERSION in each.text for each in found.remarks)


def test_what_both_queries_have_alike_is_passed_over() -> None:
    found = equiv.check(
        "SELECT ROUND(r, 2) FROM t WHERE 1", "SELECT ROUND(r, 2) FROM t", schema=DDL, conditions=False
    )
    assert told(found) == []


def test_a_query_that_older_versions_refuse_says_which_take_it() -> None:
    found = equiv.check("SELECT IIF(r > 1, 2) FROM t", "SELECT r FROM t", schema=DDL, conditions=False)
    assert found.name == "not_equivalent"
    assert told(found) == [("pred", "IIF of two arguments or of more than three")]


@pytest.mark.parametrize("library", [connect_memory, lambda: sqlite3.connect(":memory:")])
def test_every_compile_option_at_hand_is_classed(library: Callable[[], sqlite3.Connection]) -> None:
    options = {row[0].split("=")[0] for row in library().execute("PRAGMA compile_options")}
    assert options <= CHANGE_ANSWERS.keys() | CHANGE_TEXT.keys() | CHANGE_NEITHER


def test_no_compile_option_is_classed_twice() -> None:
    assert not (CHANGE_ANSWERS.keys() & CHANGE_TEXT.keys() | CHANGE_NEITHER & CHANGE_ANSWERS.keys())
    assert not CHANGE_NEITHER & CHANGE_TEXT.keys()
    assert changing_answers(["DQS=0", "THREADSAFE=1", "COMPILER=gcc", "NEW"]) == {"DQS=0", "NEW"}


def replayed(verdict: Verdict) -> list[str]:
    return [each.text for each in verdict.remarks if each.kind is RemarkKind.REPLAY]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> str:
    """The version of Python's own SQLite, made to be none of the core's."""
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.0.0")
    return "SQLite " + VERSION


def refuted(pred: str, gold: str) -> NotEquivalent:
    found = equiv.check(pred, gold, schema=DDL, conditions=False, timeout=None)
    assert isinstance(found, NotEquivalent)
    return found


def of_rows(verdict: NotEquivalent, rows: str) -> Verdict:
    """A verdict with other rows in its witness."""
    assert isinstance(verdict.evidence, Witness)
    return replace(verdict, evidence=replace(verdict.evidence, sql=f"{DDL}; {rows}"))


def told_of(verdict: Verdict, pred: str, gold: str) -> str:
    (remark,) = replay_elsewhere(verdict, SQLITE, (pred, gold))
    return remark.text


def test_another_version_runs_a_witness_too(elsewhere: str) -> None:
    both = f"it distinguishes the queries on {elsewhere} and on 3.0.0, Python's own"
    assert replayed(refuted("SELECT id FROM t WHERE r > 1", "SELECT id FROM t")) == [both]
    assert replayed(refuted("SELECT id FROM t WHERE r > ?", "SELECT id FROM t WHERE r < ?")) == [both]
    raising = "SELECT id FROM t WHERE abs(-9223372036854775808) = 1"
    assert replayed(refuted(raising, "SELECT id FROM t")) == [both]


def test_a_witness_that_does_not_hold_elsewhere_stays_and_says_so(elsewhere: str) -> None:
    texts = "SELECT id FROM t WHERE r > 1", "SELECT id FROM t"
    only = f"it distinguishes the queries on {elsewhere}, not on 3.0.0, Python's own: "
    found = refuted(*texts)
    assert told_of(of_rows(found, ""), *texts) == only + "there both return the same rows"
    assert told_of(found, "SELECT lacking(1)", texts[1]).startswith(
        only + "the prediction fails there (no such function"
    )
    assert told_of(of_rows(found, "CREATE TABLE t"), *texts).startswith(only + "the prediction fails")


def test_nothing_is_said_of_the_same_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version", VERSION)
    assert replayed(refuted("SELECT id FROM t WHERE r > 2", "SELECT id FROM t")) == []


def test_untrusted_queries_are_guarded_elsewhere() -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n"
    texts = [endless, many, "ATTACH ':memory:' AS b", "SELECT * FROM sqlite_schema", "SELECT 1; SELECT 2"]
    found = run_elsewhere(DDL, [*texts, "SELECT CAST(x'41ff' AS TEXT)"], Limits(seconds=0.1, rows=5))
    kinds = [each.kind if isinstance(each, Failure) else "" for each in found]
    assert kinds == ["timeout", "resource", "error", "error", "error", ""]
    assert found[-1] == Result((("A\udcff",),), 1)


@pytest.mark.parametrize("part", ["ROUND(", "(", "ROUND(1, 2) ", "strftime('%F', ", "'", "CAST("])
def test_long_texts_take_time_in_proportion(part: str) -> None:
    start = time.perf_counter()
    changes_in((part * 100_000)[:100_000])
    assert time.perf_counter() - start < 60
