"""What README.md and docs/judge.md say in figures and show is what was measured; ``tests/docs`` runs them."""

from __future__ import annotations

import re
import shlex
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from kit.page_blocks import blocks_of, commands_of, is_commands

from benchmarks.service.picture import answered, drawn
from equiv import cli
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.pragmas import load_sqlite

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHIPPED = ROOT / "dev_databases" / "card_games"


def test_both_different_queries_return_as_many_rows_as_it_says() -> None:
    with closing(sqlite3.connect(SHIPPED / "card_games.sqlite")) as connection:
        results = [
            sorted(connection.execute((ROOT / f"examples/different_{side}.sql").read_text()).fetchall())
            for side in ("pred", "gold")
        ]
    assert results[0] == results[1]
    assert f"the same {len(results[0]):,} rows" in README


def test_the_missing_fact_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    commands = [one for block in blocks_of("README.md") if is_commands(block) for one in commands_of(block)]
    (command,) = (one for one in commands if "COUNT(name)" in shlex.join(one.words))
    assert cli.run(list(command.words[1:])) == command.code
    assert "not_null(sets.name)" in capsys.readouterr().out


@pytest.mark.long
def test_the_picture_shows_what_the_command_prints() -> None:
    assert _words_of((ROOT / "docs/pictures/check.svg").read_text(encoding="utf-8")) == _words_of(
        drawn(answered())
    )


def _words_of(picture: str) -> list[str]:
    return unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", picture, flags=re.DOTALL)).split()


def test_the_schema_file_is_that_of_the_database() -> None:
    tables = load_sqlite(SHIPPED / "card_games.sqlite").tables
    assert [t.name for t in load_ddl((SHIPPED / "schema.sql").read_text()).tables] == [t.name for t in tables]


def test_quoted_options_exist(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("check", "eval"):
        assert cli.run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    quoted = set(re.findall(r"`(--[a-z-]+)", README))
    assert {option for option in quoted if option not in shown} == set()


def test_figures_of_agreement_are_those_that_were_measured() -> None:
    """Of the page that ``python -m benchmarks.judging.rose_cost`` wrote."""
    page = (ROOT / "benchmarks/judging/rose_cost.md").read_text(encoding="utf-8")
    table = page.partition("### Without a judge: equivalence alone")[2].partition("\n### ")[0]
    alone, equal = (
        re.search(rf"^\| {row}.*?\| (\d+) of (\d+) \| (\d+) of (\d+) \| ([\d.]+)", table, re.MULTILINE)
        for row in ("proven equivalent", "of equal results")
    )
    assert alone is not None
    assert equal is not None
    kappa = float(alone[5])
    text = " ".join((ROOT / "docs/judge.md").read_text(encoding="utf-8").split())
    assert f"a kappa of {kappa:.0f}: {alone[1]} of the {alone[2]} proven pairs" in text
    assert f"{alone[3]} of the other {alone[4]}" in text
    assert f"{int(equal[2]) - int(equal[1])} of the {equal[2]} predictions with equal results" in text
    overruled = re.search(
        r"accepts [\d,]+ of the ([\d,]+) pairs, and overrules a shown difference on (\d+)", page
    )
    less = re.search(r"^\| execution \|.*?\| (\d+ %) \|", page, re.MULTILINE)
    assert overruled is not None
    assert less is not None
    assert f"({overruled[1]} published predictions) it saves {less[1]} of the calls" in text
    assert f"shows on {overruled[2]} pairs" in text


def test_figures_of_triage_are_those_that_were_measured() -> None:
    """Of the same page, where the table of thresholds over ``none`` comes first, then that over ``all``."""
    page = (ROOT / "benchmarks/judging/rose_cost.md").read_text(encoding="utf-8")
    docs = (ROOT / "docs" / "judge.md").read_text(encoding="utf-8")
    tables = page.partition("#### Triage of ROSE-VEC")[2].split("| no triage")[1:]
    row = r"\| `(all,)?triage` \| ([\d.]+, [\d.]+) \| (\d+)[^|]*\| (\d+) \| ([\d.]+) \| ([\d.]+) \|"
    rows = re.findall(f"^{row}", docs, re.MULTILINE)
    assert len(rows) == 4
    for on_top, thresholds, scored, calls, kappa, accuracy in rows:
        given = re.escape(thresholds)
        counts = r"(\d+) \(\d+\) \| (\d+) \(\d+\) \| (\d+) \| ([\d.]+) \[.*?\] \| ([\d.]+) "
        found = re.search(rf"^\| {given} \| {counts}", tables[1 if on_top else 0], re.MULTILINE)
        assert found is not None
        assert (int(found[1]) + int(found[2]), *found.groups()[2:]) == (int(scored), calls, kappa, accuracy)
