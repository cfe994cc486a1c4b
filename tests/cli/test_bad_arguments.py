"""What a user may get wrong: one clear line on standard error and exit code 2, never a traceback."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import equiv as library
from equiv.errors import InputError

Run = Callable[..., Any]
QUERY = "SELECT name FROM person"
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY)"


@pytest.mark.parametrize(
    "options",
    [
        ("--effort", "²"),
        ("--effort", "9" * 5000),
        ("--timeout", "inf"),
        ("--timeout", "nan"),
        ("--assume", "nonsense"),
        ("--relation", "[red]"),
        ("--db", "../../x.sqlite"),
    ],
)
def test_one_line_and_exit_2(equiv: Run, schema: Path, options: tuple[str, str]) -> None:
    done = equiv("check", QUERY, QUERY, "--schema", schema, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("equiv: ")
    assert done.err.count("\n") == 1


def test_a_damaged_database_is_named(equiv: Run, tmp_path: Path) -> None:
    path = tmp_path / "damaged.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO person VALUES (?, 'a name')", [(n,) for n in range(2000)])
        connection.commit()
    damaged = bytearray(path.read_bytes())
    damaged[4096:16384] = os.urandom(12288)
    path.write_bytes(damaged)
    done = equiv("check", QUERY, QUERY, "--db", path)
    assert (done.code, done.out) == (2, "")
    assert "damaged.sqlite: " in done.err


def test_rows_that_differ_are_shown_however_many_there_are(equiv: Run, tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO person VALUES (?, 'n' || ?)", [(n, n) for n in range(200)])
        connection.commit()
    done = equiv("check", QUERY, f"{QUERY} WHERE id <> 150", "--db", path)
    assert done.code == 1
    assert "'n150'" in done.out
    assert "On a few rows of the database people:" in done.out


@pytest.mark.parametrize("timeout", [None, 10.0])
@pytest.mark.parametrize(
    "wrong",
    [{"pred": None}, {"gold": b"SELECT 1"}, {"schema": 5}, {"effort": 1.5}, {"assume": "not_null(t.id)"}],
)
def test_the_library_names_what_is_wrong(wrong: dict[str, Any], timeout: float | None) -> None:
    given = {"pred": "SELECT 1", "gold": "SELECT 1", "schema": DDL, "timeout": timeout} | wrong
    with pytest.raises(InputError):
        library.check(**given)
    with pytest.raises(InputError):
        library.check("SELECT 1", "SELECT 1", schema=DDL, timeout="5")  # type: ignore[arg-type]


def test_text_of_any_kind_gets_a_verdict() -> None:
    with library.Checker(schema=DDL, timeout=None) as checker:
        for text in (
            "",
            "\0",
            "SELECT \udc80",
            "SELECT " + "(" * 5000,
            "SELECT " + "NOT " * 5000 + "1",
            "'" * 99,
        ):
            assert checker.check(text, "SELECT id FROM t").name == "invalid"
            assert checker.check("SELECT id FROM t", text).name == "undecided"
