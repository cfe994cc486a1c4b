"""Each row of docs/sqlite.md comes out as the page says."""

from __future__ import annotations

import re
import sqlite3

import pytest
from kit.page_blocks import blocks_of
from kit.pages import ROOT

import equiv
from equiv.core.runner import connect_memory
from equiv.dialects.sqlite.versions import CHANGE_ANSWERS

PAGE = "docs/sqlite.md"
ROWS = re.findall(
    r"^\| [a-z -]*\| `(.+?)` and `(.+?)` \| (.) \| (.*) \|$",
    (ROOT / PAGE).read_text(encoding="utf-8"),
    re.MULTILINE,
)
VERSIONS = re.findall(
    r"^\| [a-zA-Z -]*(?:\(\*refused\*\) )?\| `(SELECT .+?)` \| (\w+) \| (\w+) \| .* \|$",
    (ROOT / PAGE).read_text(encoding="utf-8"),
    re.MULTILINE,
)
BUILD = re.findall(
    r"^\| `(\w+)`.* \| `((?:SELECT|PRAGMA) .+?)` \| ([^|]+) \| .* \|$",
    (ROOT / PAGE).read_text(encoding="utf-8"),
    re.MULTILINE,
)
SIGNS = {"equivalent": "=", "not_equivalent": "≠", "undecided": "?"}


@pytest.mark.parametrize(("pred", "gold", "sign", "why"), ROWS)
def test_row_is_so(pred: str, gold: str, sign: str, why: str) -> None:
    ddl = next(block.text for block in blocks_of(PAGE) if block.mark == "file")
    verdict = equiv.check(
        pred.replace("\\|", "|"),
        gold.replace("\\|", "|"),
        schema=ddl,
        timeout=None,
        facts="declared" if "--facts declared" in why else "intended",
        rounding="ignore" if "--rounding ignore" in why else "",
        tiers=equiv.Options().tiers if sign == "=" else ("generate",),
        effort="normal" if sign == "=" else "quick",
    )
    assert SIGNS[verdict.name] == sign
    if sign == "?":
        assert isinstance(verdict, equiv.Undecided)
        assert verdict.reason == "NONDETERMINISTIC"


def test_rows_of_every_sign_are_read() -> None:
    assert len(ROWS) > 25
    assert {sign for _, _, sign, _ in ROWS} == {"=", "≠", "?"}


@pytest.mark.parametrize(("query", "early", "late"), VERSIONS)
def test_the_version_at_hand_answers_so(query: str, early: str, late: str) -> None:
    *_, script = (block.text for block in blocks_of(PAGE) if block.mark == "file")
    connection = sqlite3.connect(":memory:")
    connection.executescript(script)
    (found,) = connection.execute(query).fetchone()
    shown = "NULL" if found is None else str(found)
    assert shown == early if sqlite3.sqlite_version_info < (3, 41) else shown in (early, late)
    core = connect_memory()
    core.run_script(script)
    (found,) = core.execute(query).fetchone()
    assert ("NULL" if found is None else str(found)) == late


@pytest.mark.parametrize(("option", "query", "here"), BUILD)
def test_the_core_is_built_so(option: str, query: str, here: str) -> None:
    assert option in CHANGE_ANSWERS
    assert str(connect_memory().execute(query).fetchone()[0]) == here


def test_all_differences_are_read() -> None:
    assert (len(VERSIONS), len(BUILD)) == (9, 11)


def test_every_option_of_the_core_that_changes_answers_stands_on_the_page() -> None:
    core = {row[0].split("=")[0] for row in connect_memory().execute("PRAGMA compile_options")}
    page = set(re.findall(r"\w+", (ROOT / PAGE).read_text(encoding="utf-8")))
    assert core & CHANGE_ANSWERS.keys() <= page
    said = re.search(r"that change answers: (\d+), with", (ROOT / PAGE).read_text(encoding="utf-8"))
    assert said is not None
    assert len(CHANGE_ANSWERS) == int(said[1])
