"""What ``eval`` says beside its tables: the habit of the files' format, and which command shows more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long

GOLD = "SELECT name FROM person\tpeople\nSELECT id FROM person\tpeople\n"
BIRD = {"0": "SELECT name FROM person\t----- bird -----\tpeople", "1": "SELECT age FROM person"}


@pytest.fixture
def folder(schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working folder, with gold queries and predictions in BIRD's and in Spider's form."""
    (tmp_path / "ddl").mkdir()
    (tmp_path / "ddl" / "people.sql").write_text(schema.read_text())
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / "bird.json").write_text(json.dumps(BIRD))
    (tmp_path / "spider.sql").write_text("SELECT name FROM person\nSELECT age FROM person\n")
    fields = {"db_id": "people", "gold_sql": "SELECT id FROM person", "question_id": 7}
    (tmp_path / "own.jsonl").write_text(json.dumps({**fields, "predicted_sql": "SELECT age FROM person"}))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
def test_the_relation_of_bird_and_spider_is_suggested_where_none_is_named(equiv: Callable[..., Any]) -> None:
    def said(*arguments: str) -> list[str]:
        done = equiv("eval", *arguments, "--schema", "ddl", "--no-conditions")
        assert done.code == 0
        return [line for line in done.err.splitlines() if "--relation" in line]

    gold = ("--gold", "gold.txt")
    (bird,) = said("bird.json", *gold)
    assert bird.startswith(
        "equiv: predictions in BIRD's format: --relation bird compares as BIRD's script does"
    )
    (spider,) = said("spider.sql", *gold)
    assert "--relation spider" in spider
    assert said("bird.json", *gold, "--relation", "bird") == []
    assert said("spider.sql", *gold, "--relation", "sql") == []
    assert said("own.jsonl") == []


@pytest.mark.usefixtures("folder")
def test_the_next_command_is_named_and_runs(equiv: Callable[..., Any]) -> None:
    options = ("--gold", "gold.txt", "--schema", "ddl", "--relation", "bird")
    done = equiv("eval", "bird.json", "spider.sql", *options, "--out", "out.jsonl")
    steps = [line.removeprefix("equiv: next: equiv ") for line in done.err.splitlines() if "next: " in line]
    assert steps == ["explain out.jsonl 1 --system bird", "report out.jsonl --html report.html"]
    explained = equiv(*steps[0].split())
    assert (explained.code, "SELECT age" in explained.out) == (1, True)
    pytest.importorskip("jinja2")
    again = equiv("eval", "bird.json", *options, "--out", "bird.jsonl", "--report", "page.html")
    assert "report written to page.html: open it in a browser" in again.err
    assert "next: equiv explain bird.jsonl 1\n" in again.err
    assert "--html" not in again.err
    assert "next:" not in equiv("eval", "bird.json", *options).err


@pytest.mark.usefixtures("folder")
def test_a_record_is_explained_by_its_question_id(equiv: Callable[..., Any]) -> None:
    options = ("--gold", "gold.txt", "--schema", "ddl", "--relation", "bird", "--out", "out.jsonl")
    equiv("eval", "bird.json", "spider.sql", *options)
    both = equiv("explain", "out.jsonl", "1")
    assert (both.code, both.out) == (2, "")
    assert "2 records match '1'; name the system or a key: " in both.err
    assert "(bird, people)" in both.err
    assert equiv("explain", "out.jsonl", "0", "--system", "spider").code == 0
    assert equiv("explain", "out.jsonl", "1", "--system", "spider").code == 1
    nobody = equiv("explain", "out.jsonl", "1", "--system", "nobody")
    assert "no record of the system 'nobody'; the systems are bird, spider" in nobody.err
    key = json.loads(Path("out.jsonl").read_text().splitlines()[0])["key"]
    assert equiv("explain", "out.jsonl", key[:12]).code == 0


@pytest.mark.usefixtures("folder")
def test_why_a_gold_query_cannot_be_prepared_is_said_once(equiv: Callable[..., Any]) -> None:
    fields = {"db_id": "gone", "gold_sql": "SELECT 1", "predicted_sql": "SELECT 1", "question_id": "g"}
    with Path("own.jsonl").open("a") as file:
        file.write(f"\n{json.dumps(fields)}\n")
    equiv("eval", "own.jsonl", "--schema", "ddl", "--out", "out.jsonl")
    done = equiv("explain", "out.jsonl", "g")
    assert done.code == 2
    assert (done.out + done.err).count("no database or schema for db_id 'gone'") == 1
