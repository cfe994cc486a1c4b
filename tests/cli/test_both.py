"""``check --both FILE``: two statements in one file, the prediction first."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from equiv.core.texts import bare_statements

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        (
            "-- first; pred\nSELECT ';' AS a /* ; */ ;\n-- gold\nSELECT \"a;b\" ;;",
            ["SELECT ';' AS a", 'SELECT "a;b"'],
        ),
        (
            "SELECT 'it''s; one'; SELECT [x;y], `;`;\n-- end; of file",
            ["SELECT 'it''s; one'", "SELECT [x;y], `;`"],
        ),
        (";;\n--;\n", []),
        ("", []),
        ("SELECT 1 -- ; SELECT 2", ["SELECT 1"]),
        ("SELECT 1; SELECT 'never closed; SELECT 3", ["SELECT 1", "SELECT 'never closed; SELECT 3"]),
    ],
)
def test_semicolons_end_statements_but_in_strings_names_and_comments(text: str, found: list[str]) -> None:
    assert bare_statements(text) == found


def test_the_first_is_the_prediction(equiv: Run, tmp_path: Path, schema: Path) -> None:
    pair = tmp_path / "pair.sql"
    pair.write_text(
        "-- ours;\nSELECT DISTINCT city FROM person WHERE name <> ';';\nSELECT city FROM person;\n"
    )
    done = equiv("check", "--both", pair, "--schema", schema, "--effort", 40, "--json", "--no-conditions")
    assert done.code == 1
    assert '"predicted_sql": "SELECT DISTINCT city FROM person WHERE name <> \';\'"' in done.out
    assert '"gold_sql": "SELECT city FROM person"' in done.out


def test_it_may_be_standard_input(equiv: Run, monkeypatch: pytest.MonkeyPatch, schema: Path) -> None:
    given = io.TextIOWrapper(io.BytesIO(b"SELECT id FROM person; SELECT DISTINCT id FROM person"))
    monkeypatch.setattr("sys.stdin", given)
    assert equiv("check", "--both", "-", "--schema", schema).code == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT 1; SELECT 2; SELECT 3", "but found 3 statements"),
        ("SELECT 1 /* ; SELECT 2", "but found 1 statement"),
        ("-- nothing; here", "but found no statement"),
    ],
)
def test_another_number_of_statements_is_refused(
    equiv: Run, tmp_path: Path, schema: Path, text: str, says: str
) -> None:
    pair = tmp_path / "pair.sql"
    pair.write_text(text)
    done = equiv("check", "--both", pair, "--schema", schema)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


@pytest.mark.parametrize(
    ("queries", "says"),
    [
        ((), "both queries are missing"),
        (("SELECT 1",), "the gold query is missing"),
        (("SELECT 1", "SELECT 1", "--both", "x.sql"), "--both FILE gives both queries"),
        (("SELECT 1", "--both", "x.sql"), "--both FILE gives both queries"),
        (("--both", "missing.sql"), "missing.sql: "),
        (("-", "-"), "only one of the two"),
    ],
)
def test_queries_are_given_once(equiv: Run, schema: Path, queries: tuple[str, ...], says: str) -> None:
    done = equiv("check", *queries, "--schema", schema)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
