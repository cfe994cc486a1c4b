"""The pinned SQLite beside DuckDB on random queries: SQLite answers none wrongly, and would be told of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

pytest.importorskip("duckdb")

from benchmarks.attacks import differences
from benchmarks.attacks.differences import Batch, Engines, compare
from equiv.cells import Row


def test_sqlite_answers_as_duckdb_does() -> None:
    found = compare(Batch(3, 0, 60))
    assert not found["told"], found["told"][0]
    assert found["asked"] > 55
    assert found["rows"] > 20
    assert found["asked"] + found["refused"].total() == 60


def test_an_engine_that_loses_a_row_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Losing(Engines):
        def of_sqlite(self, sql: str) -> Sequence[Row] | str:
            rows = super().of_sqlite(sql)
            return rows if isinstance(rows, str) or "LEFT" not in sql else rows[1:]

    monkeypatch.setattr(differences, "Engines", Losing)
    monkeypatch.setattr(differences, "TRIED", 12)
    found = compare(Batch(3, 1, 12))
    assert found["wrong"]["SQLite"]
    assert not found["wrong"]["DuckDB"]
    told = next(each for each in found["told"] if "the wrong answer is SQLite's" in each)
    assert "LEFT JOIN" in told
    assert "INSERT INTO" in told
