"""``equiv gold`` as a user meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

ROOT = Path(__file__).resolve().parents[2]
DDL = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"
ANIMALS = [(1, "ant", 6), (2, "bee", 6), (3, "cow", 4), (4, "\x1b[2Jdog", 4)]
TIED = "SELECT name FROM animal ORDER BY legs DESC LIMIT 1"
HOSTILE = "SELECT name FROM animal ORDER BY legs LIMIT 1"
Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a populated database below ``db`` and its schema in ``ddl``."""
    for name in ("db", "ddl"):
        (tmp_path / name).mkdir()
    (tmp_path / "ddl" / "zoo.sql").write_text(DDL)
    with closing(sqlite3.connect(tmp_path / "db" / "zoo.sqlite")) as connection, connection:
        connection.execute(DDL)
        connection.executemany("INSERT INTO animal VALUES (?, ?, ?)", ANIMALS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_a_gold_file_is_audited_and_a_rerun_appends_nothing(folder: Path, equiv: Run) -> None:
    golds = [TIED, HOSTILE, "SELECT nme FROM animal", "SELECT name FROM animal WHERE id = 9", "SELECT 1"]
    Path("gold.txt").write_text("".join(f"{sql}\tzoo\n" for sql in golds) + "SELECT 1\tnowhere\n")
    Path("out.jsonl").write_text('{"ke')
    done = equiv("gold", "gold.txt", "--db-root", "db", "--out", "out.jsonl")
    assert (done.code, "\x1b" in done.out) == (0, False)
    assert "6 gold queries; findings in 4 of them." in done.out
    assert (
        "findings appended to out.jsonl: a query may have several, and signs and 'unsupported' count"
        in done.err
    )
    assert "not audited: no database or schema for db_id 'nowhere'" in done.err
    found = lines(folder / "out.jsonl")
    assert [(record["kind"], record["question_id"]) for record in found] == [
        ("tie", 0),
        ("tie", 1),
        ("does_not_run", 2),
        ("empty", 3),
    ]
    assert sorted(row[0] for row in found[0]["rows"]) == ["ant", "bee"]
    assert found[0] | {"db_id": "zoo", "gold_sql": TIED, "basis": "data"} == found[0]
    again = equiv("gold", "gold.txt", "--db-root", "db", "--out", "out.jsonl", "--workers", 2, "--json")
    assert again.code == 0
    assert "0 findings appended" in again.err
    told = json.loads(again.out)
    assert told["kinds"]["tie"] == {"found_in": 2, "asked": 5, "not_asked": 1, "unfinished": 0}
    findings = sorted(told["findings"], key=lambda record: str(record["question_id"]))
    assert [{name: record[name] for name in found[0]} for record in findings] == found
    assert lines(folder / "out.jsonl") == found


def predictions() -> list[dict[str, Any]]:
    """Three systems on two questions: against the first gold query two agree, and none meets it."""
    asked = [
        (
            1,
            "SELECT count(name) FROM animal WHERE legs > 3",
            "a",
            "SELECT count(*) FROM animal WHERE legs >= 3",
        ),
        (
            1,
            "SELECT count(name) FROM animal WHERE legs > 3",
            "b",
            "SELECT count(*) FROM animal WHERE NOT legs < 3",
        ),
        (1, "SELECT count(name) FROM animal WHERE legs > 3", "c", "SELECT max(legs) FROM animal"),
        (2, "SELECT legs FROM animal", "a", "SELECT legs FROM animal WHERE legs = legs"),
        (2, "SELECT legs FROM animal", "b", "SELECT id FROM animal"),
    ]
    names = ("question_id", "gold_sql", "method", "predicted_sql")
    return [{"db_id": "zoo", **dict(zip(names, one, strict=True))} for one in asked]


@pytest.mark.long
def test_systems_that_agree_against_a_gold_query_are_told(folder: Path, equiv: Run) -> None:
    path = write_lines(folder / "all.jsonl", predictions())
    kinds = "unsolved,outvoted"
    done = equiv("gold", path, "--schema", "ddl", "--kinds", kinds, "--effort", "quick", "--json")
    found = {record["kind"]: record for record in json.loads(done.out)["findings"]}
    assert done.code == 0
    assert {record["question_id"] for record in found.values()} == {1}
    assert found["outvoted"]["systems"] == ["a", "b"]
    assert found["unsolved"]["detail"] == "none of 3 systems answers it correctly"
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(found["outvoted"]["witness"])
        results = [
            connection.execute(found["outvoted"][name]).fetchall() for name in ("gold_sql", "other_sql")
        ]
    assert results[0] != results[1]


def test_records_of_eval_spare_the_engine_and_a_judge_is_heard(folder: Path, equiv: Run) -> None:
    fault = {"overturn": False, "reason": "it counts \x1b[2Jlegs", "ambiguity": "none", "gold_correct": False}
    sound = {**fault, "gold_correct": True}
    judged = [
        result_record(source=name, judge="m", refuter_result=reply)
        for name, reply in (("a", fault), ("b", sound), ("c", None))
    ]
    write_lines(folder / "judged.jsonl", judged)
    results = [result_record("not_equivalent", source=name, evidence=None) for name in "ab"]
    results.append(result_record("undecided", source="c", question_id=2))
    write_lines(folder / "results.jsonl", results)
    kinds = "outvoted,contradicted"
    done = equiv(
        *("gold", "results.jsonl", "--schema", "ddl", "--judged", "judged.jsonl"),
        *("--kinds", kinds, "--out", "found.jsonl"),
    )
    assert (done.code, "\x1b" in done.out) == (0, False)
    assert [
        (record["kind"], record["detail"], record["systems"]) for record in lines(folder / "found.jsonl")
    ] == [
        ("outvoted", "2 of 2 systems agree on a query that a database refutes (it differs)", ["a", "b"]),
        ("contradicted", "1 of 2 replies call it faulty: it counts \x1b[2Jlegs", []),
    ]


@pytest.mark.usefixtures("folder")
def test_kinds_that_need_data_are_not_asked_without(equiv: Run) -> None:
    Path("dev.json").write_text(json.dumps([{"question_id": "q", "db_id": "zoo", "SQL": TIED}]))
    done = equiv("gold", "dev.json", "--schema", "ddl", "--kinds", "tie,empty,does_not_run", "--json")
    kinds = json.loads(done.out)["kinds"]
    assert {kind: counts["asked"] for kind, counts in kinds.items()} == {
        "does_not_run": 1,
        "empty": 0,
        "tie": 0,
    }
    assert "no data for 1 of 1 gold queries" in done.err


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_a_query_that_cannot_be_stopped_is_killed_and_told(equiv: Run) -> None:
    slow = "SELECT instr(zeroblob(9999999), CAST(zeroblob(5000000) || x'01' AS BLOB))"
    Path("gold.txt").write_text(f"{slow}\tzoo\nSELECT 1 WHERE 0\tzoo\n")
    done = equiv("gold", "gold.txt", "--db-root", "db", "--kinds", "empty", "--timeout", 1, "--json")
    told = json.loads(done.out)
    assert done.code == 0
    assert told["kinds"]["empty"] == {"found_in": 1, "asked": 2, "not_asked": 0, "unfinished": 1}


TROUBLES = [
    (("gold.txt", "--db-root", "db", "--kinds", "odd"), "unknown kind 'odd'"),
    (("gold.txt",), "give schemas with --db-root, --schema or both"),
    (("gold.txt", "--db-root", "ddl"), "no database or schema for db_id 'zoo'"),
    (("missing.txt", "--db-root", "db"), "missing.txt: "),
    (("empty.json", "--db-root", "db"), "empty.json: the file has no pairs"),
    (
        ("gold.txt", "--db-root", "db", "--out", "gold.txt"),
        "gold.txt:1: not a record of 'equiv gold'",
    ),
    (("gold.txt", "--db-root", "db", "--judged", "gold.txt"), "gold.txt:1: not a record of equiv eval"),
]


@pytest.mark.parametrize(("arguments", "message"), TROUBLES)
def test_trouble_is_one_line_and_exit_2(
    arguments: tuple[str, ...], message: str, folder: Path, equiv: Run
) -> None:
    Path("gold.txt").write_text(f"{TIED}\tzoo\n")
    Path("empty.json").write_text("[]")
    done = equiv("gold", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert (folder / "gold.txt").read_text() == f"{TIED}\tzoo\n"


@pytest.mark.long
def test_an_interrupt_keeps_what_was_found(folder: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    Path("gold.txt").write_text(f"{TIED}\tzoo\n{endless}\tzoo\n")
    command = [
        sys.executable,
        str(ROOT / "cli.py"),
        "gold",
        "gold.txt",
        "--db-root",
        "db",
        "--out",
        "o.jsonl",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        out = folder / "o.jsonl"
        while not (out.exists() and out.read_bytes().endswith(b"\n")) and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in errors
    assert [record["kind"] for record in lines(out)] == ["tie"]


@pytest.mark.long
def test_columns_have_the_names_that_they_are_given_and_replies_are_taken_apart(
    folder: Path, equiv: Run
) -> None:
    rows = [{"nr": 1, "db_id": "zoo", "truth": "SELECT nme FROM animal"}]
    write_lines(folder / "gold.jsonl", rows)
    done = equiv("gold", "gold.jsonl", "--map", "nr=id,truth=gold", "--db-root", "db", "--json")
    assert (done.code, json.loads(done.out)["golds"]) == (0, 1), done.err
    done = equiv("gold", "gold.jsonl", "--map", "nr=id,truth=gold,answer=pred", "--db-root", "db")
    assert (done.code, done.err) == (2, "equiv: --map: no record has a field 'answer'\n")
    fenced = "So:\n```sql\nSELECT name FROM animal WHERE legs = 6\n```"
    answers = [
        {"nr": 1, "db_id": "zoo", "truth": "SELECT name FROM animal", "answer": fenced, "method": system}
        for system in ("a", "b")
    ]
    write_lines(folder / "answers.jsonl", answers)
    command = ("gold", "answers.jsonl", "--map", "nr=id,truth=gold,answer=pred", "--schema", "ddl")
    done = equiv(*command, "--kinds", "outvoted", "--extract", "--json")
    assert done.code == 0, done.err
    (finding,) = json.loads(done.out)["findings"]
    assert (finding["kind"], finding["gold_sql"]) == ("outvoted", "SELECT name FROM animal")
    done = equiv(*command, "--kinds", "outvoted", "--json")
    assert json.loads(done.out)["findings"] == [], "a reply in words is no query"
    assert equiv("gold", "answers.jsonl", "--map", "nr", "--schema", "ddl").code == 2


def test_gold_queries_are_ranked_on_screen_in_json_and_in_a_file(folder: Path, equiv: Run) -> None:
    golds = [
        {"question_id": 1, "db_id": "zoo", "question": "Names of all?", "SQL": "SELECT name FROM animal"},
        {
            "question_id": 2,
            "db_id": "zoo",
            "question": "Name of the animal with the most legs, blue or green?",
            "SQL": "SELECT name FROM animal WHERE name = 'blue' OR name = 'green' AND legs > 3 LIMIT 1",
        },
    ]
    Path("dev.json").write_text(json.dumps(golds))
    done = equiv("gold", "dev.json", "--schema", "ddl", "--ranking", "ranked.jsonl")
    assert done.code == 0
    assert "most likely to be faulty" in done.out
    order = lines(folder / "ranked.jsonl")
    assert [one["question_id"] for one in order] == [2, 1]
    assert order[0]["probability"] > order[1]["probability"]
    assert "AND and OR are mixed" in order[0]["reasons"][0]
    told = json.loads(equiv("gold", "dev.json", "--schema", "ddl", "--json").out)
    assert told["ranking"] == order
    assert told["found_in"] == 0
    assert {record["probability"] for record in told["findings"]} == {order[0]["probability"]}


@pytest.mark.usefixtures("folder")
def test_the_page_has_every_gold_query_and_needs_its_folder_before_the_run(folder: Path, equiv: Run) -> None:
    Path("gold.txt").write_text(f"{TIED}\tzoo\nSELECT 1\tzoo\n")
    done = equiv("gold", "gold.txt", "--db-root", "db", "--html", "page.html")
    text = (folder / "page.html").read_text()
    assert done.code == 0
    assert re.findall(r'class="where">(zoo \d)</span>', text) == ["zoo 0", "zoo 1"]
    assert "its LIMIT takes 1 of 2 tied rows of the data" in text
    refused = equiv("gold", "gold.txt", "--db-root", "db", "--html", "none/page.html")
    assert (refused.code, refused.out) == (2, "")
    assert "there is no folder none" in refused.err


@pytest.mark.usefixtures("folder")
def test_a_ranking_of_some_kinds_is_refused(equiv: Run) -> None:
    Path("gold.txt").write_text(f"{TIED}\tzoo\n")
    done = equiv("gold", "gold.txt", "--schema", "ddl", "--kinds", "tie", "--ranking", "r.jsonl")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "--ranking needs all kinds" in done.err
