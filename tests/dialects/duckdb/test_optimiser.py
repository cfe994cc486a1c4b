"""Where DuckDB answers otherwise without its optimiser there is no witness, and the verdict says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import equiv
from equiv.core.runner import Failure, Limits, Result
from equiv.verdict import Equivalent, Undecided

pytest.importorskip("duckdb")

import duckdb

from equiv.dialects.duckdb.database import DuckdbDatabase

DDL = "CREATE TABLE t (a INTEGER)"
SAID = "DuckDB gives another answer with its optimiser switched off"

KEPT = "9999"
"""What is in queries of which it loses no row."""


@pytest.fixture(autouse=True)
def _optimiser_that_loses_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    run = DuckdbDatabase.run

    def odd(self: DuckdbDatabase, text: str, limits: Limits, *, optimised: bool = True) -> Result | Failure:
        loses = optimised and KEPT not in text
        return run(self, f"SELECT * FROM ({text}) LIMIT 0" if loses else text, limits)

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


def test_on_the_users_own_rows_it_neither_refutes_nor_contradicts_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "rows.duckdb"
    duckdb.connect(str(file)).execute("CREATE TABLE t AS SELECT 7 AS a").close()
    seven = f"SELECT a FROM t WHERE a = 7 AND a < {KEPT}"
    with equiv.Checker(db=file, dialect="duckdb", timeout=None) as checker:
        same = checker.check("SELECT a FROM t WHERE a = 7", seven)
        other = checker.check("SELECT a FROM t WHERE list_contains([a], 7)", seven)
    assert isinstance(same, Equivalent)
    assert any(SAID in attempt.reason for attempt in other.attempts)
