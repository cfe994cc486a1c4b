"""Each row of docs/sqlite.md comes out as the page says."""

from __future__ import annotations

import re

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
SIGNS = {"equivalent": "=", "not_equivalent": "≠", "undecided": "?"}


@pytest.mark.parametrize(("pred", "gold", "sign", "why"), ROWS)
def test_row_is_so(pred: str, gold: str, sign: str, why: str) -> None:
    (ddl,) = (block.text for block in blocks_of(PAGE) if block.mark == "file")
    verdict = equiv.check(
        pred,
        gold,
        schema=ddl,
        timeout=None,
        facts="declared" if "--facts declared" in why else "intended",
        strict_float="--strict-float" in why,
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
