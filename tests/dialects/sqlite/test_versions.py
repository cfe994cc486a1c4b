"""The table of what versions of SQLite answer otherwise: true of that at hand, and told beside verdicts."""

from __future__ import annotations

import sqlite3
import time

import pytest

import equiv
from equiv.core.runner import VERSION, connect_memory
from equiv.dialects.sqlite.versions import CHANGES, Change, Effect, changes_in
from equiv.verdict import RemarkKind, Verdict

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


@pytest.mark.parametrize("part", ["ROUND(", "(", "ROUND(1, 2) ", "strftime('%F', ", "'", "CAST("])
def test_long_texts_take_time_in_proportion(part: str) -> None:
    start = time.perf_counter()
    changes_in((part * 100_000)[:100_000])
    assert time.perf_counter() - start < 60
