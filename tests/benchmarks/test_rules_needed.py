"""Each rule has a reason to be there, and the page of the reasons is of the rules as they are."""

from __future__ import annotations

import re

from benchmarks import ROOT
from benchmarks.outcomes.rules_needed import KEPT, Uses, table
from equiv.rules import RULES

PAGE = (ROOT / "benchmarks" / "outcomes" / "rules_needed.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\w+) \| ([^|]+) \|", PAGE, re.MULTILINE))
"""Each rule of the page, with what it stays for."""


def test_the_page_has_every_rule_and_no_other() -> None:
    assert sorted(name for name in ROWS if name != "rule") == sorted(rule.name for rule in RULES)


def test_every_rule_stays_for_a_reason() -> None:
    assert [name for name, reason in ROWS.items() if reason == "nothing"] == []


def test_reasons_are_of_rules_that_are_there() -> None:
    assert set(KEPT) <= {rule.name for rule in RULES}


def test_a_rule_that_nothing_needs_is_shown_as_such() -> None:
    found = Uses(pairs=1, derived=1)
    found.needed["fold_not_literal"] = 1
    lines = table(found).splitlines()
    assert "| fold_not_literal | derivations | 1 | 0 | 0 | 0 |" in lines
    assert "| convert_between | ESM+ 19 | 0 | 0 | 0 | 0 |" in lines
    assert any(line.endswith("| nothing | 0 | 0 | 0 | 0 |") for line in lines)
