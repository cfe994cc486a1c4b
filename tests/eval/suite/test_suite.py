"""A suite, judged by scripts that compare as BIRD's and Spider's published evaluation does."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from equiv import cli

DDL = """CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE sale (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
    amount INTEGER CHECK (amount > 0));
CREATE UNIQUE INDEX one_a_day ON sale (customer_id) WHERE amount > 1000;
"""
BIG = "SELECT name FROM customer JOIN sale ON customer.id = customer_id ORDER BY amount DESC LIMIT 1"
QUESTIONS: list[tuple[str, list[str], list[str]]] = [
    (
        "SELECT name FROM customer WHERE city = 'Oslo'",
        ["SELECT c.name FROM customer AS c WHERE 'Oslo' = c.city"],
        ["SELECT name FROM customer", "SELECT name FROM customer WHERE city LIKE 'Oslo%'"],
    ),
    (
        BIG,
        [BIG.replace("customer JOIN sale", "sale JOIN customer")],
        [BIG.replace("DESC", "ASC"), BIG.replace("name", "city", 1)],
    ),
    (
        "SELECT COUNT(*) FROM sale WHERE amount > 10",
        ["SELECT COUNT(id) FROM sale WHERE NOT amount <= 10"],
        ["SELECT COUNT(*) FROM sale WHERE amount >= 10", "SELECT COUNT(DISTINCT customer_id) FROM sale"],
    ),
]
BY_SCRIPT = (
    ("SELECT city, name FROM customer", "SELECT name, city FROM customer", "bird"),
    ("SELECT city FROM customer", "SELECT DISTINCT city FROM customer", "spider"),
    ("SELECT name FROM customer ORDER BY name", "SELECT name FROM customer ORDER BY name DESC", "spider"),
)
"""Gold, prediction, and whose script distinguishes the two."""


def pairs(layout: str) -> dict[bool, list[tuple[str, str]]]:
    """Predictions with their gold queries: what the script must call right, and what wrong."""
    found = {
        True: [(pred, gold) for gold, right, _ in QUESTIONS for pred in right],
        False: [(pred, gold) for gold, _, wrong in QUESTIONS for pred in wrong],
    }
    for gold, pred, tells in BY_SCRIPT:
        found[tells != layout].append((pred, gold))
    return found


def write_predictions(folder: Path) -> tuple[Path, Path]:
    """The prediction file and the schema."""
    golds = [gold for gold, _, _ in (*QUESTIONS, *BY_SCRIPT)]
    every = [pair for pairs_of_kind in pairs("bird").values() for pair in pairs_of_kind]
    records = [
        {"question_id": golds.index(gold), "db_id": "shop", "predicted_sql": pred, "gold_sql": gold}
        for pred, gold in every
    ]
    predictions, schema = folder / "predictions.json", folder / "shop.sql"
    predictions.write_text(json.dumps(records))
    schema.write_text(DDL)
    return predictions, schema


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(sql).fetchall()


def bird(out: Path, pred: str, gold: str) -> bool:
    """Right on every root, each of which is a whole folder of databases for one run."""
    roots = sorted(out.glob("suite-*"))
    assert roots
    files = [root / "shop" / "shop.sqlite" for root in roots]
    return all(set(rows(file, pred)) == set(rows(file, gold)) for file in files)


def spider(out: Path, pred: str, gold: str) -> bool:
    """Right on every file of the folder, under some order of columns."""
    folder = out / "database" / "shop"
    assert (folder / "shop.sqlite").is_file()
    return all(same_for_spider(file, pred, gold) for file in folder.iterdir() if ".sqlite" in file.name)


def same_for_spider(file: Path, pred: str, gold: str) -> bool:
    found, wanted = rows(file, pred), rows(file, gold)
    if not found and not wanted:
        return True
    if len(found) != len(wanted) or len(found[0]) != len(wanted[0]):
        return False
    shape: Callable[[Any], Any] = list if "order by" in gold.lower() else Counter
    orders = permutations(range(len(wanted[0])))
    return any(shape(wanted) == shape([tuple(row[at] for at in order) for row in found]) for order in orders)


@pytest.mark.long
@pytest.mark.parametrize(("layout", "script"), [("bird", bird), ("spider", spider)])
def test_an_unmodified_script_calls_right_what_is_proved_and_wrong_what_is_refuted(
    layout: str,
    script: Callable[[Path, str, str], bool],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    predictions, schema = write_predictions(tmp_path)
    out = tmp_path / "out"
    options = ["--schema", str(schema), "--out", str(out), "--layout", layout, "--mutants", "4"]
    switches = ["--keep-distinct"] if layout == "spider" else []
    command = ["suite", str(predictions), *options, *switches, "--effort", "60"]
    assert cli.run(command) == 0
    known = pairs(layout)
    assert [pair for pair in known[True] if not script(out, *pair)] == []
    assert [pair for pair in known[False] if script(out, *pair)] == []

    report = json.loads((out / "suite.json").read_text())
    wrong = len(known[False])
    assert report["summary"]["refuted"] == {"all": wrong, "killed": wrong}
    assert report["summary"]["right"] == {"all": len(known[True]), "killed": 0}
    assert report["summary"]["mutant"]["killed"] == report["summary"]["mutant"]["all"] > 10
    assert sorted(report["files"]) == sorted(str(f.relative_to(out)) for f in out.rglob("*.sqlite"))
    assert sum(database["kills_first"].get("wrong", 0) for database in report["databases"]) == wrong
    assert "100.0 %" in capsys.readouterr().out
    for name in report["files"]:
        keeps_the_schema(out / name)

    # What was checked is not checked again, and the same suite comes out.
    checked = [(out / name).read_text() for name in ("predictions.jsonl", "mutants.jsonl")]
    assert cli.run([command[0], str(out / "predictions.jsonl"), *command[2:]]) == 0
    assert [(out / name).read_text() for name in ("predictions.jsonl", "mutants.jsonl")] == checked
    assert json.loads((out / "suite.json").read_text()) == report


def keeps_the_schema(file: Path) -> None:
    """Constraints hold and are enforced, and answers to the gold queries do not depend on the plan."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert {"customer", "sale", "one_a_day"} <= names
        for gold, _, _ in QUESTIONS:
            connection.execute("PRAGMA reverse_unordered_selects = OFF")
            forwards = set(connection.execute(gold))
            connection.execute("PRAGMA reverse_unordered_selects = ON")
            assert set(connection.execute(gold)) == forwards


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layout", "oracle"], "unknown layout 'oracle'"),
        (["--keep-distinct"], "--keep-distinct needs --layout spider"),
        (["--effort", "much"], "unknown effort"),
        (["--schema", "missing.sql"], "missing.sql"),
    ],
)
def test_trouble_is_one_line_and_exit_code_2(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions, schema = write_predictions(tmp_path)
    command = ["suite", str(predictions), "--schema", str(schema), "--out", str(tmp_path / "out"), *options]
    assert cli.run(command) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out
