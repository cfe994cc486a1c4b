"""What misses lack to be equivalent, looked for when all verdicts of an evaluation stand."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from equiv import cli

DDL = "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);"
PAIRS = {
    "kept": ("SELECT COUNT(name) FROM pet", "SELECT COUNT(*) FROM pet"),
    "violated": ("SELECT COUNT(kind) FROM pet", "SELECT COUNT(*) FROM pet"),
    "never": ("SELECT id FROM pet WHERE id > 1", "SELECT id FROM pet WHERE id > 2"),
    "same": ("SELECT id FROM pet WHERE id > 1", "SELECT id FROM pet WHERE 1 < id"),
    "invalid": ("SELECT nmae FROM pet", "SELECT name FROM pet"),
}
MISSES = ("kept", "violated", "never")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working folder, with a database and predictions of it."""
    with closing(sqlite3.connect(tmp_path / "zoo.sqlite")) as connection, connection:
        connection.executescript(DDL)
        connection.executemany("INSERT INTO pet VALUES (?, ?, ?)", [(1, "a", "x"), (2, "b", None)])
    fields = ({"question_id": q, "predicted_sql": p, "gold_sql": g} for q, (p, g) in PAIRS.items())
    lines = [json.dumps({"db_id": "zoo", **own}) for own in fields]
    (tmp_path / "system.jsonl").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)


def evaluate(*arguments: str, out: str = "out.jsonl") -> list[dict[str, Any]]:
    """The lines of the results file of a run."""
    options = ("--db-root", ".", "--out", out, "--conditions", "--condition-seconds", "300")
    assert cli.run(["eval", "system.jsonl", *options, *arguments]) == 0
    return records_in(out)


def records_in(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(out).read_text().splitlines()]


def conditions(records: list[dict[str, Any]]) -> dict[str, list[tuple[str, bool, bool]]]:
    return {
        one["question_id"]: [(c["fact"], c["satisfied"], c["observed"]) for c in one["equivalent_if"]]
        for one in records
    }


NONE: dict[str, list[tuple[str, bool, bool]]] = {name: [] for name in PAIRS}
FOUND = NONE | {
    "kept": [("not_null(pet.name)", True, True)],
    "violated": [("not_null(pet.kind)", False, False)],
}


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_a_record_that_is_explained_on_its_data_is_told_in_full() -> None:
    plain = {one["question_id"]: one for one in evaluate("--no-conditions")}
    assert conditions(list(plain.values())) == NONE
    cli.run(["explain", "out.jsonl", "kept", "--db", ".", "--relation", "set"])
    assert records_in("out.jsonl") == list(plain.values()), "a record of other options stands"
    for name in ("kept", "same"):
        cli.run(["explain", "out.jsonl", name, "--db", "."])
    told = {one["question_id"]: one for one in records_in("out.jsonl")}
    assert list(told) == list(plain)
    assert conditions(list(told.values())) == NONE | {"kept": FOUND["kept"]}
    assert [name for name, one in told.items() if "conditions" in one["ms"]] == ["kept"]
    spent = ("ms", "attempts", "equivalent_if")
    for one in (*told.values(), *plain.values()):
        for name in spent:
            del one[name]
    assert told == plain


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_a_miss_says_under_which_facts_it_would_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    records = evaluate()
    assert [one["question_id"] for one in records] == list(PAIRS)
    assert conditions(records) == FOUND
    told = capsys.readouterr()
    title = "misses that further facts would make equivalent: 2; --facts observed proves 1 of them"
    assert title in told.out
    assert "| not_null(pet.kind) | violated     | 1     |" in told.out
    assert "next: equiv explain out.jsonl kept" in told.err
    assert cli.run(["explain", "out.jsonl", "kept"]) == 1
    last = capsys.readouterr().out.splitlines()[-3:]
    assert last == [
        "They would be equivalent if",
        "  not_null(pet.name)   -- the given data satisfies it",
        "Your data meets it: --facts observed proves the pair.",
    ]
    assert {one["verdict"] for one in evaluate("--facts", "observed", out="observed.jsonl")[:1]} == {
        "equivalent"
    }


def bare(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records without times and without what is found for misses."""
    left_out = ("ms", "attempts", "equivalent_if")
    return [{name: own for name, own in one.items() if name not in left_out} for one in records]


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_verdicts_and_keys_are_those_of_a_run_without() -> None:
    assert bare(evaluate()) == bare(evaluate("--no-conditions", out="without.jsonl"))


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_a_rerun_looks_at_what_is_left_and_at_nothing_twice(capsys: pytest.CaptureFixture[str]) -> None:
    before = evaluate("--condition-seconds", "0")
    assert conditions(before) == NONE
    told = capsys.readouterr().err
    searched = "searched 0 of 3 misses for facts that make them equivalent"
    assert f"{searched}; run again for the others" in told
    after = evaluate()
    assert conditions(after) == FOUND
    assert bare(before) == bare(after)
    assert "5 records resumed" in capsys.readouterr().err
    again = Path("out.jsonl").read_bytes()
    assert evaluate() == after
    assert Path("out.jsonl").read_bytes() == again
    looked = [
        one["question_id"]
        for one in after
        if sum("with further facts" in attempt["reason"] for attempt in one["attempts"]) == 1
    ]
    assert sorted(looked) == sorted(MISSES)


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_the_page_of_the_run_has_them() -> None:
    pytest.importorskip("jinja2")
    evaluate("--report", "report.html")
    page = Path("report.html").read_text()
    assert "not_null(pet.name)" in page
    assert "the given data satisfies it; --facts observed proves the pair" in page
