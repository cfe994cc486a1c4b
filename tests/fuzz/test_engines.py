"""The pinned SQLite beside DuckDB on random queries: SQLite answers none wrongly, and would be told of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

pytest.importorskip("duckdb")

from benchmarks.attacks import differences
from benchmarks.attacks.differences import Batch, Engines, compare
from equiv.cells import Row
from equiv.testing.making.reductions import reduced


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
    told = next(each for each in found["told"] if "wrong: SQLite" in each)
    assert "LEFT JOIN" in told
    assert "INSERT INTO" in told


def test_a_query_with_a_join_in_parentheses_becomes_smaller() -> None:
    sql = "SELECT a.x FROM (t AS a LEFT JOIN u ON a.x = u.x) JOIN v ON 1 = 0 RIGHT JOIN w ON a.x = 1"
    small = "SELECT a.x FROM (t AS a JOIN u ON a.x) JOIN v ON 1 RIGHT JOIN w ON a.x"
    assert reduced(sql, lambda text: "(t AS a" in text and "JOIN v" in text and "RIGHT" in text, 200) == small
