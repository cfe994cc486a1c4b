"""Assertions on transpilers: what changes an answer is shown on both engines, the rest is proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb")

from equiv.dialects.postgres.wire import is_installed
from equiv.errors import InputError
from equiv.testing import TrialOutcome, UnsoundRewriteError, assert_transpiler_sound, check_transpiler
from examples.rewriters import replay_transpiled, sqlglot_transpile

FINDINGS = Path(__file__).resolve().parents[2] / "examples" / "rewriters" / "transpiled"
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR)"
CHEAP: dict[str, Any] = {"tiers": ("rules", "generate"), "timeout": None, "relation": "bag"}


def as_it_is(sql: str) -> str:
    """A careless transpiler: the dialects are the same to it."""
    return sql


def test_a_text_that_both_dialects_take_may_mean_something_else() -> None:
    queries = ["SELECT id, a FROM t WHERE a > 1", "SELECT id, a / 2 FROM t", "SELECT TOTAL(a) FROM t"]
    report = check_transpiler(as_it_is, target="duckdb", schema=DDL, queries=queries, shrink=2, **CHEAP)
    assert [each.outcome for each in report.tried] == [
        TrialOutcome.PROVED,
        TrialOutcome.REFUTED,
        TrialOutcome.NO_QUERY,
    ]
    assert report.smallest[0].before == "SELECT a / 2 FROM t"
    assert report.dialects == ("sqlite", "duckdb")


def test_the_message_shows_both_engines() -> None:
    with pytest.raises(UnsoundRewriteError) as caught:
        assert_transpiler_sound(as_it_is, target="duckdb", schema=DDL, queries="SELECT a / 2 FROM t", **CHEAP)
    told = str(caught.value)
    for part in (
        "the query in SQLite returns",
        "the query in DuckDB returns",
        "INSERT INTO",
        "source='sqlite', target='duckdb'",
        "queries=['SELECT a / 2 FROM t']",
    ):
        assert part in told
    with pytest.raises(UnsoundRewriteError, match="DuckDB says"):
        assert_transpiler_sound(
            as_it_is, target="duckdb", schema=DDL, queries="SELECT TOTAL(a) FROM t", **CHEAP
        )


def test_what_declines_is_not_compared() -> None:
    report = check_transpiler(lambda _: None, target="duckdb", examples=3, **CHEAP)
    assert report.counts[TrialOutcome.UNCHANGED] == 3


def test_queries_are_drawn_in_the_words_of_any_source() -> None:
    report = check_transpiler(lambda _: None, source="duckdb", target="sqlite", examples=5, **CHEAP)
    assert report.counts[TrialOutcome.UNCHANGED] == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"target": "sqlite"}, "the same dialect"),
        ({"target": "duckdb", "dialect": "postgres"}, "source= and target="),
        ({"target": "duckdb", "examples": 0}, "at least 1"),
        ({"target": "duckdb", "queries": ["SELECT 1"]}, "needs schema="),
        ({"target": "nosuch"}, "unknown dialect"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_transpiler(as_it_is, **arguments)


def test_every_finding_shows_a_difference_again() -> None:
    found = 0
    for path in sorted(FINDINGS.glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        if "postgres" in replay_transpiled.dialects(text) and not is_installed():
            continue
        before, after = replay_transpiled.results(text)
        assert sorted(map(repr, before)) != sorted(map(repr, after)), path.stem
        found += 1
    assert found >= 10


def test_what_is_found_is_written_so_that_it_replays(tmp_path: Path) -> None:
    report = check_transpiler(as_it_is, target="duckdb", schema=DDL, queries="SELECT a / 2 FROM t", **CHEAP)
    sqlglot_transpile.save("sqlite:duckdb", report.smallest, tmp_path)
    ((name, before, after),) = replay_transpiled.replayed(tmp_path)
    assert name == "sqlite_to_duckdb_1"
    assert before != after
    with pytest.raises(ValueError, match="no finding"):
        replay_transpiled.results("SELECT 1;")
