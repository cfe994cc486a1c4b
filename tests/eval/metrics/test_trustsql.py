"""TrustSQL's execution accuracy, and votes over samples."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from equiv import cli
from equiv.core.runner import Failure, Result
from equiv.eval.metrics.reliability import counted, prepared, same, shown, with_distinct
from equiv.eval.reading.formats import FormatOptions, read_items, winner


def result(*rows: tuple[Any, ...]) -> Result:
    return Result(rows, len(rows[0]) if rows else 1)


def test_the_clock_and_the_bounds_of_vital_signs_are_written_out() -> None:
    sql = "SELECT strftime('%j', current_time), datetime('now') FROM v WHERE x > systolic_bp_lower"
    gold = prepared(sql, "mimic_iv", is_gold=True)
    assert gold == ("SELECT strftime('%J', '2100-12-31 23:59:00'), datetime('now') FROM v WHERE x > 90.0")
    assert "datetime('2100-12-31 23:59:00')" in prepared(sql, "mimic_iv", is_gold=False)
    assert prepared(sql, "atis", is_gold=True) == sql


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ("SELECT a FROM t", "select distinct a from t", "SELECT DISTINCT a FROM t"),
        ("SELECT DISTINCT a FROM t", "SELECT DISTINCT a FROM t", "SELECT DISTINCT a FROM t"),
        ("SELECT a FROM t", "SELECT a FROM t", "SELECT a FROM t"),
        ("WITH x AS (SELECT 1) SELECT 1", "SELECT DISTINCT 1", "WITH x AS (SELECT 1) SELECT 1"),
    ],
)
def test_a_distinct_of_the_gold_query_is_granted(pred: str, gold: str, expected: str) -> None:
    assert with_distinct(pred, gold) == expected


def test_numbers_count_to_three_digits_and_a_hundred_rows_are_compared() -> None:
    assert shown(result((1.23449, "x"), ("2", None)), "atis") == [["1.234", "x"], ["2.0", "None"]]
    assert shown(result(("Y",), ("No",)), "advising") == [["0.0"], ["1.0"]]
    many, other = result(*((n,) for n in range(100, 300))), result(*((n,) for n in range(100, 201)))
    assert same((many, other), "atis", "SELECT a FROM t") is True
    assert same((many, result((1,))), "atis", "SELECT a FROM t") is False
    assert same((Failure("error", "y"), many), "atis", "SELECT a FROM t") is False
    assert same((many, Failure("error", "y")), "atis", "SELECT a FROM t") is None


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ([], "SELECT COUNT(*) FROM t", [["0.0"]]),
        ([], "SELECT a FROM t", []),
        ([["3.0"], ["4.0"]], "SELECT count( * )>0 FROM t", [["2.0"]]),
        ([["1.0"]], "SELECT count(*) > 0 FROM t", [["1.0"]]),
        ([["None"]], "SELECT count(*) > 0 FROM t", [["0.0"]]),
    ],
)
def test_counts(pred: list[list[str]], gold: str, expected: list[list[str]]) -> None:
    assert counted(pred, gold) == expected


@pytest.mark.parametrize(
    ("samples", "least", "chosen"),
    [
        (["SELECT 1", "SELECT  1;", "SELECT 1\n"], 1.0, "SELECT 1"),
        (["SELECT 1", "SELECT 2", "SELECT 1"], 1.0, ""),
        (["SELECT 1", "SELECT 2", "SELECT 1"], 0.6, "SELECT 1"),
        (["", "", "SELECT 1"], 0.5, ""),
        (["null", "null"], 1.0, "null"),
    ],
)
def test_the_query_that_samples_agree_on(samples: list[str], least: float, chosen: str) -> None:
    assert winner(samples, least) == chosen


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A database by the name of TrustSQL's clinical one, questions, and five samples for each."""
    (tmp_path / "mimic_iv").mkdir()
    with sqlite3.connect(tmp_path / "mimic_iv" / "mimic_iv.sqlite") as database:
        database.execute("CREATE TABLE v (id INTEGER PRIMARY KEY, x REAL, day TEXT)")
        database.execute("INSERT INTO v VALUES (1, 0.12341, '2100-12-31'), (2, 99.0, '2100-01-01')")
    gold = {
        "a": "SELECT x FROM v WHERE id = 1",
        "b": "SELECT COUNT(*) FROM v WHERE day = date(current_time)",
        "c": "null",
        "d": "SELECT id FROM v",
    }
    questions = [
        {"id": name, "db_id": "mimic_iv", "question": name, "query": sql} for name, sql in gold.items()
    ]
    votes = {
        "a": ["SELECT x + 0.00001 FROM v WHERE id = 1"] * 5,
        "b": ["SELECT COUNT(*) FROM v WHERE day = date('now')"] * 5,
        "c": ["SELECT 1", *["null"] * 4],
        "d": ["SELECT id FROM v", *["SELECT x FROM v"] * 4],
    }
    (tmp_path / "test.json").write_text(json.dumps(questions))
    (tmp_path / "voting.json").write_text(json.dumps(votes))
    return tmp_path


@pytest.mark.long
def test_votes_and_the_official_accuracy(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = clinic / "out.jsonl"
    files = (str(clinic / "voting.json"), "--gold", str(clinic / "test.json"), "--db-root", str(clinic))
    assert cli.run(["eval", *files, "--vote", "1", "--out", str(out)]) == 0
    records = {r["question_id"]: r for r in map(json.loads, out.read_text().splitlines())}
    assert {name: r["abstained"] for name, r in records.items()} == {
        "a": False,
        "b": False,
        "c": True,
        "d": True,
    }
    capsys.readouterr()
    assert cli.run(["report", str(out), "--db-root", str(clinic), "--right-by", "ex-trustsql"]) == 0
    shown = capsys.readouterr().out
    # Two right by the official comparison, one rightly refused, one unanswered: 3 of 4 for any penalty.
    row = next(line for line in shown.splitlines() if line.startswith("| voting | 4 "))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:5] == ["voting", "4", "75.0", "75.0", "75.0"]
    assert cells[-5:] == ["2", "1", "0", "0", "1"]


def test_lists_without_a_vote_are_faults(clinic: Path) -> None:
    items = list(read_items([clinic / "voting.json"], clinic / "test.json"))
    assert all("a list" in fault.text for item in items for fault in item.faults)
    half = FormatOptions(vote=0.5)
    by_majority = list(read_items([clinic / "voting.json"], clinic / "test.json", reading=half))
    assert [(item.predicted_sql, item.abstained) for item in by_majority][2:] == [
        ("null", True),
        ("SELECT x FROM v", False),
    ]
