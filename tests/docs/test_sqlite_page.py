"""Each row of docs/sqlite.md comes out as the page says."""

from __future__ import annotations

import re
import sqlite3

import pytest
from kit.page_blocks import blocks_of
from kit.pages import ROOT

import equiv

PAGE = "docs/sqlite.md"
ROWS = re.findall(
    r"^\| [a-z -]*\| `(.+?)` and `(.+?)` \| (.) \| (.*) \|$",
    (ROOT / PAGE).read_text(encoding="utf-8"),
    re.MULTILINE,
)
VERSIONS = re.findall(
    r"^\| [a-zA-Z -]*\| `(SELECT .+?)` \| (\w+) \| (\w+) \| .* \|$",
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


def test_all_differences_are_read() -> None:
    assert len(VERSIONS) == 7
