"""The command line and the library with ``--dialect postgres``: what PostgreSQL itself shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from equiv import check
from equiv.core.runner import Result
from equiv.dialects.registry import dialect_named
from equiv.verdict import Invalid, NotEquivalent, Verdict, Witness

ROOT = Path(__file__).resolve().parents[3]

DDL = """
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE dept (id serial PRIMARY KEY, name varchar(20) UNIQUE, budget numeric(10, 2), founded date);
CREATE TABLE emp (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, dept_id int NOT NULL REFERENCES dept, m mood,
  at timestamp, flag boolean NOT NULL, code char(3), twice int GENERATED ALWAYS AS (dept_id * 2) STORED,
  tags text[], u uuid,
  CHECK (dept_id < 1000)
);
CREATE UNIQUE INDEX ON emp (code) WHERE flag;
CREATE VIEW flagged AS SELECT id, at FROM emp WHERE flag;
"""


def verdict(pred: str, gold: str, **options: Any) -> Verdict:
    return check(pred, gold, schema=DDL, dialect="postgres", **options)


@pytest.mark.parametrize(("pred", "gold"), [
    ("SELECT DISTINCT name FROM dept", "SELECT name FROM dept"),
    ("SELECT name FROM dept WHERE budget > 10", "SELECT name FROM dept WHERE budget >= 10"),
    ("SELECT tags[1] FROM emp", "SELECT tags[2] FROM emp"),
    ("SELECT id FROM flagged", "SELECT id FROM emp"),
    ("SELECT u FROM emp WHERE u IS NOT NULL", "SELECT u FROM emp"),
    ("SELECT at FROM emp WHERE at > '2012-01-01'", "SELECT at FROM emp WHERE at >= '2012-01-01'"),
    ("SELECT m FROM emp WHERE m > 'sad'", "SELECT m FROM emp"),
    ("SELECT code FROM emp WHERE code ~ '^a'", "SELECT code FROM emp WHERE code LIKE '%a%'"),
    ("SELECT id, name FROM dept", "SELECT id FROM dept"),
    ("SELECT 1 / count(*), 2 FROM dept", "SELECT 1 FROM dept"),
    ("SELECT twice FROM emp WHERE twice > 4", "SELECT twice FROM emp"),
])  # fmt: skip
def test_a_difference_is_shown_by_a_script_that_a_fresh_server_runs(pred: str, gold: str) -> None:
    found = verdict(pred, gold)
    assert isinstance(found, NotEquivalent), found
    assert isinstance(found.evidence, Witness)
    with dialect_named("postgres").engine.replay(found.evidence.sql) as played:
        results = played.run(pred), played.run(gold)
    assert all(isinstance(result, Result) for result in results)
    assert results[0] != results[1] or ", name" in pred


@pytest.mark.parametrize(("pred", "gold", "relation", "name"), [
    ("SELECT flag FROM emp", "SELECT flag::int FROM emp", "bag", "not_equivalent"),
    ("SELECT id::text FROM dept", "SELECT id FROM dept", "bag", "not_equivalent"),
    ("SELECT founded FROM dept", "SELECT founded::text FROM dept", "bag", "not_equivalent"),
    ("SELECT founded FROM dept", "SELECT founded::timestamp FROM dept", "bag", "not_equivalent"),
    ("SELECT true", "SELECT 1", "bag", "not_equivalent"),
    ("SELECT true", "SELECT 1", "bird", "equivalent"),
    ("SELECT NULL::boolean FROM dept", "SELECT NULL::int FROM dept", "bag", "equivalent"),
])  # fmt: skip
def test_values_of_types_that_postgresql_tells_apart_are_never_equal(
    pred: str, gold: str, relation: str, name: str
) -> None:
    found = verdict(pred, gold, relation=relation)
    assert found.name == name, found


@pytest.mark.parametrize("pred", [
    "SELECT name FROM dept LIMIT 1", "SELECT random()", "SELECT 'today'::date",
    "SELECT current_user", "SELECT row_number() OVER () FROM dept", "SELECT 'dept'::regclass",
    "SELECT ctid FROM dept", "SELECT '[1.0]'::jsonb FROM dept", "SELECT tags FROM emp",
])  # fmt: skip
def test_what_leaves_a_choice_or_asks_the_server_is_refuted_by_no_database(pred: str) -> None:
    found = verdict(pred, f"{pred} -- again")
    assert found.name in ("undecided", "equivalent"), found


def test_the_time_of_a_statement_is_one_value_that_no_column_is() -> None:
    assert verdict("SELECT now() FROM dept", "SELECT CURRENT_TIMESTAMP FROM dept").name == "equivalent"
    assert verdict("SELECT now() FROM dept", "SELECT name FROM dept").name == "not_equivalent"
    soon = "SELECT name FROM dept WHERE now() < TIMESTAMPTZ '2000-01-01'"
    assert verdict(soon, "SELECT name FROM dept WHERE false").name != "equivalent"


@pytest.mark.parametrize(("pred", "code"), [
    ("SELECT nope FROM dept", "PRED_NO_TABLE_OR_COLUMN"), ("SELECT 1 FROM nope", "PRED_NO_TABLE_OR_COLUMN"),
    ("SELECT nope(1)", "PRED_NO_FUNCTION"), ("SELECT 1; SELECT 2", "PRED_NOT_A_QUERY"), ("", "PRED_EMPTY"),
    ("DELETE FROM dept", "PRED_NOT_A_QUERY"), ("SELECT FROM WHERE", "PRED_SYNTAX"),
    ("SELECT name FROM dept GROUP BY budget", "PRED_SYNTAX"), ("SELECT 1 + 'x'", "PRED_SYNTAX"),
])  # fmt: skip
def test_what_postgresql_does_not_take_is_invalid(pred: str, code: str) -> None:
    found = verdict(pred, "SELECT name FROM dept")
    assert isinstance(found, Invalid), found
    assert found.failure_code == code


@pytest.mark.long
def test_the_command_line_names_the_engine_and_replays(tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(DDL, encoding="utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "equiv", "check", *arguments, "--schema", "shop.sql"]
        return subprocess.run(
            [*command, "--dialect", "postgres"], capture_output=True, text=True, check=False, cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    version = dialect_named("postgres").engine.version
    texts = ("SELECT DISTINCT name FROM dept", r"SELECT name FROM dept -- \! id")
    shown = run(*texts, "--emit-sql", "it.sql")
    assert shown.returncode == 1, shown.stderr
    assert shown.stdout.endswith("Replay: psql -X -f it.sql\n")
    script = (tmp_path / "it.sql").read_text(encoding="utf-8")
    assert script.startswith(f"-- The queries differ here on PostgreSQL {version}.\n")
    assert "left out" in script or r"\!" not in script
    record = json.loads(run(*texts, "--json").stdout)
    assert record["versions"]["postgres"] == version
    assert record["verdict"] == "not_equivalent"


def test_tables_of_one_name_in_two_schemas_are_two_tables() -> None:
    """A reader finds a table by its schema, too: ``core_table(schema, namespace, name)``."""
    ddl = "CREATE TABLE t (a int NOT NULL); CREATE SCHEMA sales; CREATE TABLE sales.t (a int);"
    ddl += "CREATE TABLE sales.u (b int)"
    for pred, gold in (
        ("SELECT a FROM sales.t", "SELECT a FROM t"),
        ("SELECT count(a) FROM sales.t", "SELECT count(*) FROM sales.t"),
        ("SELECT b FROM u", "SELECT DISTINCT b FROM sales.u"),
    ):
        found = check(pred, gold, schema=ddl, dialect="postgres")
        assert found.name in ("not_equivalent", "undecided"), (pred, found)


@pytest.mark.parametrize(("pred", "gold", "name", "reason"), [
    ("SELECT code FROM emp WHERE flag AND code > 'a'",
     "SELECT DISTINCT code FROM emp WHERE flag AND code > 'a'", "undecided", "NO_PROOF"),
    ("SELECT code FROM emp WHERE NOT flag", "SELECT DISTINCT code FROM emp WHERE NOT flag",
     "not_equivalent", ""),
    ("SELECT code FROM emp WHERE flag", "SELECT DISTINCT code FROM emp WHERE flag", "not_equivalent", ""),
])  # fmt: skip
def test_generated_rows_keep_a_key_of_some_rows(pred: str, gold: str, name: str, reason: str) -> None:
    found = verdict(pred, gold)
    assert (found.name, str(getattr(found, "reason", ""))) == (name, reason), found
    said = any("CREATE UNIQUE INDEX emp_code_idx" in remark.text for remark in found.remarks)
    assert said is (name == "undecided")
