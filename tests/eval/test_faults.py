"""Faults of single items, several golds and a headline, through the entry point: nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from equiv import cli

DDL = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"
MANY = "SELECT name FROM animal WHERE legs >= 4"
ALSO_MANY = "SELECT name FROM animal WHERE NOT legs < 4"
FEW = "SELECT name FROM animal WHERE legs < 4"
ALL = "SELECT name FROM animal"

RECORDS: list[Any] = [
    {"question_id": 1, "db_id": "zoo", "predicted_sql": ALSO_MANY, "gold_sql": [FEW, MANY, ALSO_MANY]},
    {"question_id": 2, "db_id": "zoo", "predicted_sql": ALL, "gold_sql": [FEW, MANY]},
    {"question_id": 3, "db_id": "zoo", "predicted_sql": 0, "gold_sql": MANY},
    {"question_id": 4, "db_id": "zoo", "predicted_sql": MANY, "gold_sql": None},
    {"question_id": 5, "db_id": "gone", "predicted_sql": MANY, "gold_sql": MANY},
    {"question_id": 6, "db_id": "\ud800", "predicted_sql": None, "gold_sql": MANY},
    {"question_id": 7, "db_id": "zoo", "predicted_sql": MANY, "gold_sql": ALSO_MANY, "difficulty": "easy"},
    {"question_id": 7, "db_id": "zoo", "predicted_sql": "SELEC", "gold_sql": ALSO_MANY, "difficulty": "easy"},
    "no record",
]
EXPECTED = {
    1: ("equivalent", None, None, 1),
    2: ("not_equivalent", None, None, 0),
    3: ("invalid", None, "PRED_EMPTY", 0),
    4: ("undecided", "GOLD_INVALID", "GOLD_EMPTY", None),
    5: ("undecided", "GOLD_INVALID", None, None),
    6: ("invalid", None, "PRED_EMPTY", 0),
    "entry 8": ("undecided", "GOLD_INVALID", "GOLD_EMPTY", None),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a populated database and a prediction file."""
    with closing(sqlite3.connect(tmp_path / "zoo.sqlite")) as connection, connection:
        connection.execute(DDL)
        connection.execute("INSERT INTO animal VALUES (1, 'ant', 6), (2, 'hen', 2)")
    (tmp_path / "system.json").write_text(json.dumps(RECORDS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_every_fault_is_recorded_told_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    views = ["--rose-results", "eval_results.json", "--fail-under", "50"]
    assert cli.run(["eval", "system.json", "--db-root", ".", "--out", "out.jsonl", *views]) == 1
    told = capsys.readouterr()
    records = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert len(records) == len(RECORDS)
    by_id = {record["question_id"]: record for record in records}
    names = ("verdict", "reason", "failure_code", "score")
    assert {key: tuple(by_id[key][name] for name in names) for key in EXPECTED} == EXPECTED
    assert by_id[3]["detail"] == "the prediction is a number, 0"
    assert by_id[4]["detail"] == "the gold query is null"
    assert by_id[5]["detail"] == "no database or schema for db_id 'gone'"
    assert by_id["entry 8"]["detail"] == "entry 8: not a JSON object"
    assert (by_id[1]["gold_sql"], [gold["same_as"] for gold in by_id[1]["golds"]]) == (MANY, [None, None, 1])
    assert [gold["verdict"] for gold in by_id[2]["golds"]] == ["not_equivalent"] * 2
    assert [by_id[key]["ex"].get("ex-bird") for key in (1, 2, 3, 4, 5)] == [True, False, False, None, None]
    first = told.out.splitlines()[0]
    assert first.startswith("score 33.3 [9.7, 70.0] %  2 right of 6 scored")
    assert "without score: 3 items; of all 9 between 22.2 and 55.6 %" in told.out
    assert "undecided: 3 (33.3 %), by database: " in told.out
    for line in ("all of them recorded and counted", "repeated_id", "no_database", "by difficulty"):
        assert line in told.out
    assert "in 1 some of them are proved equal" in told.out
    assert told.out.index("score 33.3") < told.out.index("verdicts by tier")
    assert "below 50 %: system (22.2 % of all 9 items)" in told.err
    rose = json.loads((folder / "eval_results.json").read_text())
    assert [entry["question_id"] for entry in rose] == [1, 2, 3, 4, 5, 6, 7, 7, "entry 8"]
    _resumes_and_explains(by_id, capsys)


def _resumes_and_explains(by_id: dict[Any, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """What stands in the file is not done again, and each record of it can be looked at."""
    assert cli.run(["eval", "system.json", "--db-root", ".", "--out", "out.jsonl", "--fail-under", "20"]) == 0
    assert "9 records resumed from out.jsonl, 0 appended" in capsys.readouterr().err
    codes = {1: 0, 2: 1, 3: 2, 5: 2, 7: 2}
    for number, code in codes.items():
        assert cli.run(["explain", "out.jsonl", by_id[number]["key"][:12]]) == code
        shown = capsys.readouterr().out
        assert by_id[number]["key"] in shown
        assert by_id[number]["verdict"] in shown
    assert cli.run(["explain", "out.jsonl", by_id[2]["key"]]) == 1
    assert "On a few rows of the database" in capsys.readouterr().out
    assert cli.run(["explain", "out.jsonl", "no such key"]) == 2
    assert (
        "no record has the question id 'no such key' or a key that starts with it" in capsys.readouterr().err
    )
