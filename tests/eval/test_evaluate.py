"""``equiv eval`` through its entry point."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from equiv import cli

ROOT = Path(__file__).resolve().parent.parent.parent

GOLD = {
    1: "SELECT name FROM animal WHERE legs >= 4",
    2: "SELECT count(*) FROM animal",
    3: "SELECT name FROM animal ORDER BY legs LIMIT 1",
}
PREDICTIONS = [
    (1, "SELECT name FROM animal WHERE NOT legs < 4", "equivalent"),
    (1, "SELECT name FROM animal WHERE legs > 4", "not_equivalent"),
    (1, "SELECT DISTINCT name FROM animal WHERE legs >= 4", "not_equivalent"),
    (2, "SELECT count(id) FROM animal", "equivalent"),
    (2, "SELECT count(name) FROM animal", "not_equivalent"),
    (2, "SELEC count(*) FROM animal", "invalid"),
    (2, 0, "invalid"),
    (3, "SELECT name FROM animal LIMIT 1", "undecided"),
]


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A folder of DDL files, one per database."""
    folder = tmp_path / "ddl"
    folder.mkdir()
    ddl = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"
    (folder / "zoo.sql").write_text(ddl)
    return folder


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """A ROSE list; question ids repeat, as they do where several systems answer."""
    path = tmp_path / "system.json"
    records = [
        {"question_id": f"{q}.{n}", "db_id": "zoo", "predicted_sql": sql, "gold_sql": GOLD[q]}
        for n, (q, sql, _) in enumerate(PREDICTIONS)
    ]
    path.write_text(json.dumps(records))
    return path


@pytest.fixture
def trouble_folder(schema: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with two more prediction files."""
    monkeypatch.chdir(schema.parent)
    Path("empty.jsonl").write_text("\n")
    record = {"db_id": "../ddl/zoo", "predicted_sql": "SELECT 1", "gold_sql": "SELECT 1"}
    Path("climbs.jsonl").write_text(json.dumps(record))
    return schema.parent


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_times(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records in a fixed order, less what no two runs share."""
    attempts = [[{**a, "ms": 0} for a in record["attempts"]] for record in records]
    bare = [{**record, "ms": 0, "attempts": tried} for record, tried in zip(records, attempts, strict=True)]
    return sorted(bare, key=lambda record: str(record["key"]))


def evaluate(*arguments: object) -> int:
    return cli.run(["eval", *map(str, arguments)])


@pytest.mark.long
def test_every_pair_gets_its_record(
    predictions: Path, schema: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert evaluate(predictions, "--schema", schema, "--out", out) == 0
    found = {record["question_id"]: record["verdict"] for record in records_of(out)}
    assert found == {f"{q}.{n}": verdict for n, (q, _, verdict) in enumerate(PREDICTIONS)}
    captured = capsys.readouterr()
    assert "verdicts by tier" in captured.out
    assert "PRED_EMPTY" in captured.out
    assert captured.err.splitlines() == [
        f"equiv: 0 records resumed from {out}, 8 appended",
        f"equiv: next: equiv explain {out} 1.1",
        f"equiv: next: equiv report {out} --html report.html",
    ]


@pytest.mark.long
def test_verdicts_do_not_depend_on_the_number_of_workers(
    predictions: Path, schema: Path, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert evaluate(predictions, "--schema", schema, "--out", one) == 0
    assert evaluate(predictions, "--schema", schema, "--out", two, "--workers", 2) == 0
    assert without_times(records_of(one)) == without_times(records_of(two))


def test_a_rerun_resumes_and_a_cut_off_line_is_done_again(
    predictions: Path, schema: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert evaluate(predictions, "--schema", schema, "--out", out) == 0
    whole = out.read_bytes()
    out.write_bytes(whole[:-200])
    assert evaluate(predictions, "--schema", schema, "--out", out) == 0
    assert without_times(records_of(out)) == without_times(
        [json.loads(line) for line in whole.decode().splitlines()]
    )
    assert "7 records resumed" in capsys.readouterr().err


@pytest.mark.long
def test_other_options_resume_nothing(predictions: Path, schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    for relation in ("bag", "set", "bag"):
        arguments = ("--schema", schema, "--out", out, "--relation", relation, "--effort", 5)
        assert evaluate(predictions, *arguments, "--limit", 2) == 0
    assert [record["relation"] for record in records_of(out)] == ["bag", "bag", "set", "set"]


def test_a_limit_takes_the_first_pairs(predictions: Path, schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert evaluate(predictions, "--schema", schema, "--out", out, "--limit", 2) == 0
    assert [record["question_id"] for record in records_of(out)] == ["1.0", "1.1"]


def test_a_database_and_a_schema_serve_together(tmp_path: Path, schema: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "farm.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE cow (name TEXT)")
        connection.execute("INSERT INTO cow VALUES ('Rosa')")
    (tmp_path / "gold.txt").write_text("SELECT name FROM cow\tfarm\nSELECT id FROM animal\tzoo\n")
    (tmp_path / "pred.txt").write_text("SELECT name FROM cow WHERE name <> 'Rosa'\nSELECT id FROM animal\n")
    arguments = ("--gold", tmp_path / "gold.txt", "--db-root", tmp_path, "--schema", schema)
    out = tmp_path / "out.jsonl"
    assert evaluate(tmp_path / "pred.txt", *arguments, "--out", out, "--relation", "spider") == 0
    assert [(r["verdict"], r["tier"]) for r in records_of(out)] == [
        ("not_equivalent", "data"),
        ("equivalent", "rules"),
    ]


@pytest.mark.usefixtures("trouble_folder")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.json", "--schema", "ddl"], "none.json: No such file"),
        (["system.json"], "give schemas with --db-root, --schema or both"),
        (["system.json", "--db-root", "nowhere"], "nowhere: no such folder"),
        (["system.json", "--db-root", "."], "no database or schema for db_id 'zoo'"),
        (["system.json", "--schema", "ddl", "--format", "xml"], "unknown format 'xml'"),
        (["system.json", "--schema", "ddl", "--format", "bird"], "--gold"),
        (["system.json", "--schema", "ddl", "--out", "system.json"], "not a record"),
        (["empty.jsonl", "--schema", "ddl", "--format", "jsonl"], "the file has no pairs"),
        (["climbs.jsonl", "--schema", "ddl"], "no database or schema for db_id '../ddl/zoo'"),
        (["system.json", "--schema", "ddl", "--assume", "not_null(cow.name)"], "cow"),
    ],
)
def test_trouble_is_exit_2_before_anything_runs(
    predictions: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    before = predictions.read_text()
    assert evaluate(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert predictions.read_text() == before


def test_an_interrupt_keeps_what_was_written(schema: Path, tmp_path: Path) -> None:
    rows = "SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1e12"
    bomb = f"WITH RECURSIVE r(n) AS ({rows}) SELECT count(*) FROM r"
    pairs = [("SELECT id FROM animal", "SELECT id FROM animal"), (bomb, f"{bomb} WHERE n > 1")]
    lines = [json.dumps({"db_id": "zoo", "predicted_sql": pred, "gold_sql": gold}) for pred, gold in pairs]
    (tmp_path / "system.jsonl").write_text("\n".join(lines))
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "equiv", "eval", str(tmp_path / "system.jsonl"), "--schema", str(schema)]
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 20
    while not (out.exists() and out.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    # The signal may come between the record and its being counted.
    first, *rest = err.splitlines()
    assert first in [f"equiv: interrupted after {n} of 2 pairs; run again to resume" for n in (0, 1)]
    assert rest == [f"equiv: 0 records resumed from {out}, 1 appended"]
    assert [record["verdict"] for record in records_of(out)] == ["equivalent"]
