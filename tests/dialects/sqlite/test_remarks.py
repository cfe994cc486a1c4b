"""What a verdict says besides itself: ties of the data, names read as strings, foreign dialects."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import equiv
from equiv.eval.summary import Summary
from equiv.records.record import Item, to_record
from equiv.show.page import Text
from equiv.show.verdicts import explanation_of, summary_of
from equiv.verdict import RemarkKind, Verdict

DDL = "CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT, crew INTEGER);"
LAST = "SELECT name FROM boat ORDER BY crew LIMIT 1"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("harbour") / "harbour.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(DDL)
        boats = [(n, f"boat {n}", n // 5) for n in range(20)]
        connection.executemany("INSERT INTO boat VALUES (?, ?, ?)", boats)
    return path


def check(pred: str, gold: str, **more: object) -> Verdict:
    place = more if "db" in more else {"schema": DDL, **more}
    return equiv.check(pred, gold, timeout=None, **place)  # type: ignore[arg-type]


def remarks(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [(str(remark.kind), remark.side, remark.text) for remark in verdict.remarks]


def test_a_tie_that_the_limit_cuts_is_noted_though_the_texts_are_equal(harbour: Path) -> None:
    verdict = check(LAST, LAST, db=harbour)
    assert verdict.name == "equivalent"
    text = "its LIMIT keeps 1 of 5 tied rows of the data, so the answer is not determined"
    assert remarks(verdict) == [("tie", "gold", text)]


def test_each_side_is_noted_where_the_texts_differ(harbour: Path) -> None:
    verdict = check(f"{LAST} OFFSET 0", LAST, db=harbour)
    assert [side for _, side, _ in remarks(verdict)] == ["gold", "pred"]


@pytest.mark.parametrize("query", [
    "SELECT name FROM boat ORDER BY crew, id LIMIT 1",
    "SELECT crew FROM boat ORDER BY crew LIMIT 3",
    "SELECT name FROM boat ORDER BY crew LIMIT 5",
    "SELECT name FROM boat",
])  # fmt: skip
def test_no_tie_is_noted_where_the_answer_is_determined(harbour: Path, query: str) -> None:
    assert remarks(check(query, query, db=harbour)) == []


def test_a_quoted_name_that_is_read_as_a_string_is_noted() -> None:
    verdict = check('SELECT "nmae" FROM boat', "SELECT 'nmae' FROM boat")
    assert verdict.name == "equivalent"
    text = "\"nmae\" is not a column; SQLite reads it as the string 'nmae'"
    assert remarks(verdict) == [("quoted_string", "pred", text)]


def test_a_quoted_name_of_a_column_is_not_noted() -> None:
    assert remarks(check('SELECT "name" AS "n m" FROM boat', "SELECT name FROM boat")) == []


def test_remarks_stand_in_output_record_and_summary() -> None:
    verdict = check('SELECT "nmae" FROM boat', "SELECT name FROM boat")
    line = "Note: the prediction: \"nmae\" is not a column; SQLite reads it as the string 'nmae'"
    for blocks in (summary_of(verdict), explanation_of(verdict, str)):
        assert Text(line) in blocks
    kept = tuple(each for each in verdict.remarks if each.kind is not RemarkKind.REPLAY)
    record = to_record(Item("", None, "", "", ""), replace(verdict, remarks=kept), "k")
    assert [(r["kind"], r["side"]) for r in record["remarks"]] == [("quoted_string", "pred")]
    summary = Summary()
    summary.add(record)
    grids = [block for block in summary.blocks() if getattr(block, "title", "").startswith("remarks:")]
    said = "a name in double quotes is no column, and is read as a string"
    assert [grid.rows for grid in grids] == [(("quoted_string", "1", "100.0 %", said),)]  # type: ignore[union-attr]
