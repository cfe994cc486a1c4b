"""The page on the papers' numbers: how numbers stand, and that what needs no data is fresh on it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import ROOT
from benchmarks.seeds import nl2sqlbench, published_esm_plus, rose, spider_scores, trustsql
from benchmarks.seeds.__main__ import PAPERS, main, page_of
from benchmarks.seeds.table import Basis, Cell, Paper, Standing, Table, numbers, rows_of

PAGE = ROOT / "benchmarks" / "seeds.md"


@pytest.mark.parametrize(
    ("paper", "ours", "standing"),
    [
        (80.5, 80.54, Standing.MET),
        (80.5, 81.5, Standing.NEAR),
        (80.5, 79.4, Standing.OFF),
        (80.5, None, Standing.ABSENT),
        (None, 1.0, None),
    ],
)
def test_how_a_number_stands(paper: float | None, ours: float | None, standing: Standing | None) -> None:
    table = Table("Table 1", "", "", (), rounding=0.051, near=1.0)
    assert table.standing(Cell("a", "b", paper, ours)) is standing


def test_every_number_counts_once() -> None:
    cells = (Cell("a", "x", 1.0, 1.0), Cell("a", "y", 2.0, None), Cell("b", "x", None, 3.0))
    table = Table("Table 1", "about", "how", cells, more=4, missing="logs.")
    assert table.counts() == {Standing.MET: 1, Standing.ABSENT: 5}
    page = "\n".join(page_of([(Paper("P", "S", lambda: [table]), (table,))]))
    assert "| P | 6 | data | 1 (17 %) | 0 (0 %) | 0 (0 %) | 5 (83 %) |" in page
    assert "| a | 1.0 / 1.0 = | 2.0 / ? · |" in page
    assert "| b | ? / 3.0 |" in page
    assert "Not at hand (5 numbers): logs." in page


def test_numbers_as_tables_print_them() -> None:
    assert list(rows_of("a 1 -2.5K\nb 3\n")) == [("a", ["1", "-2.5K"]), ("b", ["3"])]
    assert numbers(["1", "-2.5K"]) == [1.0, -2500.0]


@pytest.mark.parametrize("paper", [nl2sqlbench.PAPER, trustsql.PAPER], ids=["nl2sqlbench", "trustsql"])
def test_what_follows_from_a_papers_own_numbers_is_fresh(paper: Paper) -> None:
    tables = tuple(paper.tables())
    part = "\n".join(page_of([(paper, tables)]))
    section = part[part.index(f"## {paper.name}") :].strip()
    assert section in PAGE.read_text(encoding="utf-8"), "run python -m benchmarks.seeds > benchmarks/seeds.md"


def test_the_definitions_of_reliability_are_trustsqls() -> None:
    """Of 451 scores that its counts give, no more than a dozen are off: misprints, each a row."""
    found = [t for t in trustsql.tables() if t.basis is Basis.PAPER]
    counts = {each: sum(table.counts()[each] for table in found) for each in Standing}
    assert counts[Standing.MET] > 400
    assert counts[Standing.OFF] <= 12


def test_the_definitions_of_revision_are_nl2sqlbenchs() -> None:
    found = [t for t in nl2sqlbench.tables() if t.basis is Basis.PAPER]
    counts = {each: sum(table.counts()[each] for table in found) for each in Standing}
    assert counts[Standing.MET] > 140
    assert counts[Standing.OFF] <= 4


def test_data_that_is_not_at_hand_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rose, "BENCH", ROOT / "no such file")
    (table,) = rose.tables()
    assert table.counts().keys() == {Standing.ABSENT}


SCRIPT = {
    "esmp_process_sql.py": """
def get_sql(database, sql, rules):
    assert rules == list(range(1, 21))
    print("applying rules")
    if "CASE" in sql:
        raise KeyError(sql)
    return {"sql": sql.lower()}
""",
    "ESMp.py": """
import sqlite3


def isValidSQL(sql, database):
    try:
        sqlite3.connect(database).execute(sql)
    except sqlite3.Error:
        return False
    return True


class Evaluator:
    def eval_exact_match(self, pred, gold, disable_distinct):
        return int(pred == gold)
""",
}
"""A script with the functions of ESM+'s, which compares texts."""


def test_a_checkout_of_the_script_of_esm_plus_is_run_pair_by_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in SCRIPT.items():
        (tmp_path / name).write_text(text)
    predictions = (
        "select a from t",
        "SELECT b FROM t",
        "SELECT CASE WHEN a THEN 1 END FROM t",
        "SELECT c FROM t",
    )
    (tmp_path / "gold.txt").write_text("SELECT A FROM t\tbare\n" * 4)
    (tmp_path / "one.txt").write_text("".join(f"{sql}\tbare\n" for sql in predictions))
    schema = {
        "db_id": "bare",
        "table_names_original": ["t", "u"],
        "column_names_original": [[-1, "*"], [0, "a"], [0, "b"], [1, "a"]],
        "column_types": ["text", "number", "text", "number"],
        "primary_keys": [1],
        "foreign_keys": [[3, 1]],
    }
    (tmp_path / "tables.json").write_text(json.dumps([schema]))
    for module in (published_esm_plus, spider_scores):
        monkeypatch.setattr(module, "SPIDER", tmp_path)
    monkeypatch.setattr(published_esm_plus, "WITHOUT_ROWS", "bare")
    monkeypatch.setattr(published_esm_plus, "SPIDER_MODELS", ("one",))
    monkeypatch.setattr(published_esm_plus, "KEPT", tmp_path / "kept.jsonl")
    monkeypatch.setattr(sys, "argv", ["published_esm_plus", str(tmp_path)])
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert published_esm_plus.kept() == {}
    assert published_esm_plus.main() == 0
    assert published_esm_plus.kept() == {"one": [True, False, False, False]}
    assert capsys.readouterr().out == ""


def test_one_paper_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trustsql"]) == 0
    shown = capsys.readouterr().out
    assert "## TrustSQL" in shown
    assert "## ROSE" not in shown
    assert set(PAPERS) == {"nl2sqlbench", "esm-plus", "rose", "trustsql"}
