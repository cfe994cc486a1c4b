"""``equiv schema``: what is read from DDL, a database or a dump, and one line for what cannot be read."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

DUMP = """--
-- PostgreSQL database dump
--
SET client_encoding = 'UTF8';
\\connect shop
CREATE TABLE public.parent (id integer NOT NULL, "createdAt" timestamp NOT NULL);
COPY public.parent (id, "createdAt") FROM stdin;
1\t2026-01-01 00:00:00
\\.
CREATE TABLE public.child (
    parent_id integer REFERENCES public.parent (id),
    vague public.nope
);
CREATE TRIGGER audit AFTER INSERT ON public.parent EXECUTE FUNCTION public.audit();
ALTER TABLE ONLY public.parent ADD CONSTRAINT parent_pkey PRIMARY KEY (id);
"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sql"
    path.write_text(DUMP)
    return path


def test_a_dump_is_read_by_its_own_dialect(equiv: Run, dump: Path) -> None:
    done = equiv("schema", dump)
    assert (done.code, done.err) == (0, "")
    assert f"{dump}: PostgreSQL, 1 table, 2 objects skipped" in done.out
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.out.splitlines() if "|" in line]
    assert ["parent", "2", "id", ""] in [row[:4] for row in rows]
    table, trigger = (row for row in rows if row[0].isdigit())
    assert table[:3] == ["10", "table public.child", 'type "public.nope" does not exist']
    assert trigger[:2] == ["14", "trigger audit on public.parent"]


def test_a_table_is_shown_with_its_columns_and_facts(equiv: Run, dump: Path) -> None:
    done = equiv("schema", dump, "parent")
    assert done.code == 0
    lines = [" ".join(line.replace("|", " ").split()) for line in done.out.splitlines()]
    assert "id integer not null, unique" in lines
    assert "createdAt timestamp without time zone not null, iso timestamp (assumed)" in lines
    assert any("the trigger audit was skipped" in line for line in lines)
    missing = equiv("schema", dump, "parents")
    assert (missing.code, missing.err) == (2, "equiv: no table parents; did you mean parent?\n")


def test_all_that_was_read_is_json(equiv: Run, dump: Path) -> None:
    found = json.loads(equiv("schema", dump, "--json", "--facts", "declared").out)
    assert found["dialect"] == "postgres"
    (parent,) = found["tables"]
    assert parent["columns"][1] == {
        "name": "createdAt",
        "type": "timestamp without time zone",
        "core_type": "TIMESTAMP TEXT",
    }
    assert {"fact": "unique(parent.id)", "grade": "declared"} in parent["facts"]
    assert [(each["kind"], each["line"]) for each in found["passed_over"]] == [("table", 10), ("trigger", 14)]


def test_a_database_is_read_with_what_is_true_of_it(equiv: Run, tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, city TEXT); INSERT INTO person VALUES (1, 'x')"
        )
    done = equiv("schema", path, "person", "--facts", "observed")
    assert "not null (observed)" in done.out
    assert f"{path}: SQLite, 1 table\n" in equiv("schema", path).out


def test_what_cannot_be_read_gets_one_line_and_exit_2(equiv: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.sql").write_text("CREATE TABLE t (a uuid, EXCLUDE USING gist (a WITH =))")
    (tmp_path / "none.sql").write_text("\n\n\nCREATE TABLE t (a uuidrange);")
    (tmp_path / "good.sql").write_text("CREATE TABLE t (a int)")
    good, bad, none = (tmp_path / f"{name}.sql" for name in ("good", "bad", "none"))
    for arguments, line in (
        ((bad,), "--dialect postgres reads PostgreSQL"),
        (
            (none, "--dialect", "postgres"),
            f'{none}: no table was created: type "uuidrange" does not exist (line 4); tables that use',
        ),
        ((tmp_path,), "a folder; name one of its files"),
        (("nowhere.sql",), "nowhere.sql: no such file"),
        (("nowhere",), "unknown database 'nowhere'"),
        ((none, "--dialect", "duckdb", "--facts", "some"), "none.sql: "),
        ((good, "--facts", "some"), "unknown fact policy 'some'"),
    ):
        done = equiv("schema", *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done
        assert line in done.err


@pytest.mark.long
def test_the_command_as_a_user_runs_it(dump: Path) -> None:
    command = [sys.executable, "-m", "equiv", "schema", str(dump)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Skipped: 2" in done.stdout


def test_check_says_once_that_objects_were_passed_over(equiv: Run, dump: Path) -> None:
    queries = ("SELECT id FROM parent", "SELECT ID FROM parent")
    done = equiv("check", *queries, "--schema", dump, "--dialect", "postgres")
    assert done.code == 0
    assert done.err == "equiv: shop: 2 objects were skipped; run 'equiv schema' for the list\n"


def test_macros_functions_and_unique_indexes_are_shown(equiv: Run, tmp_path: Path) -> None:
    made = tmp_path / "made.sql"
    made.write_text("CREATE TABLE t (a int, b text); CREATE UNIQUE INDEX few ON t (b) WHERE a > 1")
    for dialect in ("sqlite", "postgres"):
        for shown in (equiv("schema", made, "--dialect", dialect), equiv("schema", made, "t")):
            assert "CREATE UNIQUE INDEX few ON" in shown.out
    made.write_text(
        "CREATE TABLE t (a int); CREATE MACRO clean(s) AS lower(s); CREATE MACRO few() AS TABLE FROM t"
    )
    assert "Macros: clean, few\n" in equiv("schema", made, "--dialect", "duckdb").out
    made.write_text(
        "CREATE TABLE t (a int); CREATE FUNCTION f(x int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT x'"
    )
    assert "Functions: f (immutable)\n" in equiv("schema", made, "--dialect", "postgres").out
    found = json.loads(equiv("schema", made, "--dialect", "postgres", "--json").out)
    assert (found["functions"], found["macros"], found["extensions"]) == (["f (immutable)"], [], [])


def test_a_dump_of_a_system_that_no_dialect_reads_is_told_so(equiv: Run, tmp_path: Path) -> None:
    made = tmp_path / "shop.sql"
    made.write_text(
        "CREATE TABLE `shop` (`id` int NOT NULL AUTO_INCREMENT, PRIMARY KEY (`id`)) ENGINE=InnoDB;"
    )
    said = "AUTO_INCREMENT looks like MySQL; it is read as SQLite, without types, collations and options"
    assert f"Note: {said}" in " ".join(equiv("schema", made).out.split())
    assert json.loads(equiv("schema", made, "--json").out)["notes"][0].startswith(said)
