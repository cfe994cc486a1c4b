"""Published pairs in the words of DuckDB: what is written, what is repaired, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.outcomes.replay_witnesses import replay_on_duckdb
from benchmarks.pairs import transpiled

pytest.importorskip("duckdb")

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, day DATE, rate REAL);"


def made(tmp_path: Path, pairs: list[tuple[str, str]]) -> tuple[dict[str, int], list[dict[str, object]]]:
    (tmp_path / "bird" / "ddl").mkdir(parents=True)
    (tmp_path / "bird" / "ddl" / "one.sql").write_text(DDL)
    (tmp_path / "rose-bench").mkdir()
    lines = ({"db_id": "one", "predicted_sql": pred, "gold_sql": gold} for pred, gold in pairs)
    (tmp_path / "rose-bench" / "pairs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    counts = transpiled.convert("rose-bench-duckdb", tmp_path, tmp_path / "out")
    text = (tmp_path / "out" / "rose-bench-duckdb" / "pairs.jsonl").read_text()
    return counts, [json.loads(line) for line in text.splitlines()]


def test_pairs_are_written_once_and_what_duckdb_refuses_is_repaired(tmp_path: Path) -> None:
    pairs = [
        ('SELECT id FROM t WHERE name = "x"', "SELECT SUM(name) FROM t"),
        ('SELECT id FROM t WHERE name = "x"', "SELECT SUM(name) FROM t"),
        ("SELECT id FROM t WHERE day LIKE '2020%'", "SELECT id FROM t"),
        ("SELECT id FROM t", "SELECT id FROM t"),
        ("SELECT FROM WHERE (", "SELECT id FROM t"),
    ]
    counts, kept = made(tmp_path, pairs)
    assert [pair["predicted_sql"] for pair in kept] == [
        "SELECT id FROM t WHERE name = 'x'",
        "SELECT id FROM t WHERE CAST(day AS TEXT) LIKE '2020%'",
    ]
    assert kept[0]["gold_sql"] == "SELECT SUM(CAST(name AS DOUBLE)) FROM t"
    assert counts == {"read": 4, "number_of_text": 1, "text_of_date": 1, "sqlglot does not read it": 1}
    ddl = (tmp_path / "out" / "rose-bench-duckdb" / "ddl" / "one.sql").read_text()
    assert '"rate" DOUBLE' in ddl or "rate DOUBLE" in ddl
    assert "PRIMARY KEY" in ddl


def record(pred: str, gold: str) -> dict[str, object]:
    script = "CREATE TABLE t (a INTEGER, b DECIMAL(4, 1));\nINSERT INTO t VALUES (1, 2.5), (1, 2.5);\n"
    return {
        "predicted_sql": pred,
        "gold_sql": gold,
        "relation": "bag",
        "evidence": {"kind": "witness", "sql": script},
    }


def test_a_witness_of_duckdb_is_replayed_by_a_bare_duckdb() -> None:
    assert replay_on_duckdb(record("SELECT b FROM t", "SELECT DISTINCT b FROM t")) == (2, "")
    assert replay_on_duckdb(record("SELECT b FROM t", "SELECT 2.5 FROM t"))[1]
