"""What is damaged, endless or no text gets one clear line and exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

from equiv.core.runner import MAX_STATEMENT
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.errors import InputError
from equiv.records.record import fault_of, to_json
from equiv.schema.policy import parse_fact

from .conftest import Done

Equiv = Callable[..., Done]
PAIR = {"question_id": 1, "db_id": "t", "predicted_sql": "SELECT a FROM t", "gold_sql": "SELECT a FROM t"}
DDL = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)"


def refused(done: Done, said: str) -> None:
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert "unexpected" not in done.err


DAMAGED: dict[str, dict[str, Any]] = {
    "a list for a verdict": {"verdict": []},
    "half a character for a key": {"key": "\ud800"},
    "a number for a key": {"key": 1},
    "a list for a reason": {"reason": ["TIMEOUT"]},
    "a list for a database": {"db_id": ["t"]},
    "a text for a score": {"score": "1"},
    "a text for facts": {"facts": "none"},
    "evidence without rows": {"evidence": {"kind": "witness", "sql": ""}},
    "a cell that is none": {"evidence": {"kind": "witness", "sql": "", "pred_rows": [[{}]], "gold_rows": []}},
    "milliseconds in words": {"ms": {"rules": "one"}},
}


@pytest.mark.parametrize("what", DAMAGED)
@pytest.mark.parametrize("command", ["report", "merge", "explain"])
def test_a_damaged_record_is_refused(command: str, what: str, equiv: Equiv, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(to_json(result_record() | DAMAGED[what]) + "\n")
    more: dict[str, list[object]] = {"merge": ["--out", tmp_path / "all.jsonl"], "explain": ["x"]}
    done = equiv(command, path, *more.get(command, []))
    if command == "merge" and what not in list(DAMAGED)[:4]:
        # It copies lines, and looks at what tells which of two counts.
        assert (done.code, "unexpected" in done.err) == (0, False)
        return
    refused(done, "not a record of equiv eval")


@pytest.mark.parametrize("field", ["verdict", "key", "reason"])
def test_eval_resumes_from_no_damaged_record(field: str, equiv: Equiv, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps([PAIR]))
    (tmp_path / "s.sql").write_text(DDL)
    (tmp_path / "out.jsonl").write_text(to_json(result_record() | {field: ["x"]}) + "\n")
    arguments = ("eval", tmp_path / "p.json", "--schema", tmp_path / "s.sql", "--out", tmp_path / "out.jsonl")
    refused(equiv(*arguments), "out.jsonl:1: not a record of equiv eval; nothing was written")


@pytest.mark.parametrize("verdict", ["equivalent", "not_equivalent", "undecided", "invalid"])
def test_a_record_as_written_has_no_fault(verdict: str) -> None:
    assert fault_of(result_record(verdict, judge="m")) == ""


def test_an_endless_file_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps([PAIR]))
    (tmp_path / "s.sql").write_text(DDL)
    command = ["eval", "p.json", "--schema", "s.sql", "--out", "/dev/full"]
    program = f"import cli; raise SystemExit(cli.run({command!r}))"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "equiv: /dev/full: not a regular file\n")


@pytest.mark.parametrize("text", ["CREATE TABLE t (a\x00 TEXT)", "CREATE TABLE t (a TEXT DEFAULT '\ud800')"])
def test_ddl_that_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not valid text: it holds NUL or an unpaired surrogate"):
        load_ddl(text)


@pytest.mark.parametrize(
    "damage",
    [
        {"table_names_original": [{}, "u"]},
        {"table_names_original": ["t\ud800", "u"]},
        {"column_types": ["text", [], "text"]},
        {"db_id": {}},
        {"db_id": "t\x00"},
    ],
)
def test_a_tables_json_with_names_that_are_none_is_refused(
    damage: dict[str, Any], equiv: Equiv, tmp_path: Path
) -> None:
    entry: dict[str, Any] = {
        "db_id": "t",
        "table_names_original": ["t", "u"],
        "column_types": ["text", "number", "text"],
    }
    entry["column_names_original"] = [[-1, "*"], [0, "a"], [1, "b"]]
    path = tmp_path / "tables.json"
    path.write_text(json.dumps([entry | damage]))
    refused(equiv("check", "SELECT a FROM t", "SELECT 1", "--schema", path), "not of the form of tables.json")


def test_a_table_without_a_column_is_none(equiv: Equiv, tmp_path: Path) -> None:
    entry: dict[str, Any] = {
        "db_id": "t",
        "table_names_original": ["t", "u"],
        "column_types": ["text", "number"],
    }
    entry["column_names_original"] = [[-1, "*"], [0, "a"]]
    path = tmp_path / "tables.json"
    path.write_text(json.dumps([entry]))
    assert equiv("check", "SELECT a FROM t", "SELECT a + 0 FROM t", "--schema", path).code == 0
    done = equiv("check", "SELECT * FROM u", "SELECT 1", "--schema", path)
    assert (done.code, "NO_TABLE_OR_COLUMN" in done.out) == (2, True)


@pytest.mark.parametrize("text", ["check(t: a > '\x00')", "unique(t.\ud800)"])
def test_a_fact_that_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a fact: it holds a NUL character"):
        parse_fact(text, load_ddl(DDL))


def test_ddl_longer_than_sqlite_takes_is_refused(equiv: Equiv, tmp_path: Path) -> None:
    path = tmp_path / "s.sql"
    path.write_text(f"CREATE TABLE t (a INTEGER, CHECK (a <> '{'x' * MAX_STATEMENT}'))")
    done = equiv("check", "SELECT a FROM t", "SELECT a + 0 FROM t", "--schema", path)
    refused(done, "DDL statement rejected (string or blob too big)")


def test_a_schema_that_grows_when_it_is_written_out_is_refused(equiv: Equiv, tmp_path: Path) -> None:
    path = tmp_path / "s.sql"
    columns = ",".join(f"c{number} COLLATE nocase CHECK(1)" for number in range(1_990))
    path.write_text(f"CREATE TABLE t (a,{columns},CHECK(a<>'{'x' * (MAX_STATEMENT - len(columns) - 60)}'))")
    done = equiv("check", "SELECT a FROM t", "SELECT a + 0 FROM t", "--schema", path)
    refused(done, "rejected (")


def test_facts_that_contradict_each_other_prove_nothing(equiv: Equiv, tmp_path: Path) -> None:
    (tmp_path / "s.sql").write_text(DDL)
    pair = ("SELECT a FROM t WHERE a > 0", "SELECT a FROM t WHERE a >= 1", "--schema", tmp_path / "s.sql")
    none = ("--assume", "check(t: 0)")
    assert equiv("check", *pair, *none, "--certificate", tmp_path / "c.json").code == 0
    done = equiv("check", *pair, *none, "--tiers", "proof")
    assert (done.code, "NO_PROOF" in done.out, "INTERNAL" in done.out) == (3, True, False)
    certificate = json.loads((tmp_path / "c.json").read_text())
    certificate["facts"] = [{"fact": "check(t: 0)", "grade": "assumed", "used": True}]
    (tmp_path / "c.json").write_text(json.dumps(certificate))
    done = equiv("recheck", tmp_path / "c.json", "--solver", "z3")
    assert (done.code, done.err) == (2, "")
    assert done.out.startswith("open")
