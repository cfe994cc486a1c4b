"""Where DuckDB answers otherwise without its optimiser there is no witness, and the verdict says so."""

from __future__ import annotations

import pytest

import equiv
from equiv.core.runner import Failure, Limits, Result
from equiv.verdict import Undecided

pytest.importorskip("duckdb")

from equiv.dialects.duckdb.database import DuckdbDatabase

DDL = "CREATE TABLE t (a INTEGER)"
SAID = "DuckDB gives another answer with its optimiser switched off"


@pytest.fixture(autouse=True)
def _optimiser_that_loses_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    run = DuckdbDatabase.run

    def odd(self: DuckdbDatabase, text: str, limits: Limits, *, optimised: bool = True) -> Result | Failure:
        return run(self, f"SELECT * FROM ({text}) LIMIT 0" if optimised else text, limits)

    monkeypatch.setattr(DuckdbDatabase, "run", odd)


def _verdict(pred: str, gold: str) -> equiv.Verdict:
    with equiv.Checker(schema=DDL, dialect="duckdb", timeout=None) as checker:
        return checker.check(pred, gold)


@pytest.mark.long
def test_what_the_core_tells_apart_does_not_replay() -> None:
    found = _verdict("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a > 2")
    assert isinstance(found, Undecided)
    assert found.reason == "UNREPLAYED"
    assert SAID in found.detail


def test_what_duckdb_alone_runs_is_no_witness_either() -> None:
    found = _verdict(
        "SELECT a FROM t WHERE list_contains([a, 1], 2)", "SELECT a FROM t WHERE list_contains([a, 1], 3)"
    )
    assert isinstance(found, Undecided)
    assert any(SAID in attempt.reason for attempt in found.attempts)
