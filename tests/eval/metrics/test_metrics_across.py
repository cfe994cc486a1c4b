"""Metrics of pairs across two dialects: each query on its own engine, and those that there are not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv import cli
from equiv.core.runner import Failure, Result
from equiv.eval.metrics.metric import shown_alike

pytestmark = pytest.mark.long

pytest.importorskip("duckdb")

Run = Callable[..., tuple[int, str]]

ACROSS = ("--dialect", "duckdb", "--gold-dialect", "sqlite", "--schema-dialect", "sqlite")
PAIRS = [
    ("SELECT age // 2 FROM person", "SELECT age / 2 FROM person", True),
    ("SELECT age / 2 FROM person", "SELECT age / 2 FROM person", False),
    ("SELECT SUM(score), AVG(age) FROM person", "SELECT SUM(score), AVG(age) FROM person", True),
    ("SELECT name FROM person WHERE name LIKE 'b%'", "SELECT name FROM person WHERE name LIKE 'b%'", False),
    ("SELECT price FROM person", "SELECT price FROM person", True),
    ("SELECT no_such FROM person", "SELECT 1", False),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("across")
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.executescript(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INT, score REAL, price NUMERIC(8));"
            "INSERT INTO person VALUES (1, 'Bo', 7, 0.1, 5), (2, 'bea', 9, 0.2, 2), (3, 'A', 9, 0.3, NULL);"
        )
    lines = [
        {"question_id": number, "db_id": "shop", "predicted_sql": pred, "gold_sql": gold}
        for number, (pred, gold, _) in enumerate(PAIRS)
    ]
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "out.jsonl"
    arguments = ("eval", pairs, "--db-root", tmp_path, *ACROSS, "--effort", "quick", "--out", out)
    assert cli.run([*map(str, arguments)]) == 0
    return out


def test_execution_accuracy_is_that_of_both_engines(run: Run, results: Path) -> None:
    records = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    wanted = {number: right for number, (_, _, right) in enumerate(PAIRS)}
    assert {record["question_id"]: record["ex"]["ex-bird"] for record in records} == wanted
    code, said = run("report", results, "--db-root", results.parent)
    assert code == 0, said
    assert "em, esm, esm+, etm, ex-trustsql compare texts or trees of one dialect" in said
    right = sum(wanted.values())
    for name in ("ex-bird", "ex-spider", "ex-rose"):
        (line,) = [line for line in said.splitlines() if line.startswith(f"| {name} ") and "." in line][:1]
        assert line.split("|")[2:4] == [f" {right}        ", f" {len(PAIRS)}           "], line
    assert "esm+ " not in said.partition("are not given")[2]


def test_records_of_another_dialect_are_not_measured_in_one(run: Run, results: Path) -> None:
    for arguments, said in (
        (("report", results, "--db-root", results.parent, "--dialect", "duckdb"), "not duckdb"),
        (("report", results, "--db-root", results.parent, "--ablation"), "leave --ablation out"),
        (
            ("suite", results, "--db-root", results.parent, "--out", results.parent / "s"),
            "but this run uses sqlite",
        ),
        (("gold", results, "--db-root", results.parent), "but this run uses sqlite"),
    ):
        code, message = run(*arguments)
        assert code == 2, message
        assert said in message
        assert message.count("\n") == 1, message


def test_a_suite_is_of_one_dialect(run: Run, results: Path) -> None:
    pairs = results.with_name("pairs.jsonl")
    code, message = run(
        "suite", pairs, "--db-root", results.parent, "--out", results.parent / "t", "--gold-dialect", "duckdb"
    )
    assert (code, message.count("\n")) == (2, 1)
    assert "a suite has one dialect" in message


def test_two_runs_say_that_their_dialects_differ(run: Run, results: Path) -> None:
    other = results.with_name("other.jsonl")
    pairs = results.with_name("pairs.jsonl")
    assert run("eval", pairs, "--db-root", results.parent, "--effort", "quick", "--out", other)[0] == 0
    code, said = run("compare", results, other)
    assert code == 0, said
    assert "the dialect differs: duckdb/sqlite/sqlite against sqlite" in said


@given(
    st.lists(st.floats(allow_nan=False) | st.integers(-(2**53), 2**53) | st.text() | st.none(), max_size=4)
)
def test_numbers_of_one_value_are_one_cell(cells: list[float | int | str | None]) -> None:
    one = Result((tuple(cells),), len(cells))
    other = Result((tuple(float(c) if isinstance(c, int) else c for c in cells),), len(cells))
    shown = shown_alike((one, other))
    assert shown[0] == shown[1]
    assert shown_alike((Failure("error", "x"), one))[0] == Failure("error", "x")
