"""The page on rewards: its code runs, and it names every outcome."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from equiv.rewards import Outcome, Policy

PAGE = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.partition("\n")[0])
def test_its_code_runs(block: str) -> None:
    exec(compile(block, "docs/rewards.md", "exec"), {"__name__": "page"})  # noqa: S102 - our own page


def test_every_outcome_stands_in_the_table_and_has_a_worth() -> None:
    table = PAGE.partition("| outcome |")[2].partition("\n\n")[0]
    assert {name for name in Outcome if f"`{name}`" in table} == set(Outcome)
    assert [Policy().worth(outcome) for outcome in Outcome] == [1.0] + [0.0] * (len(Outcome) - 1)
