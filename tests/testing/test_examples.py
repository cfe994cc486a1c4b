"""The worked examples: their findings show a difference on the SQLite at hand, and the page runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlglot import exp

from equiv.engine.make import all_rules
from equiv.testing import TrialOutcome, asserts, check_rewrite
from equiv.testing.schema_facts import SHOP
from examples.rewriters import evaluation_scripts, own_rules, replay, sqlglot_passes

ROOT = Path(__file__).resolve().parent.parent.parent
FINDINGS = ROOT / "examples" / "rewriters" / "findings"
PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
CHEAP = {"timeout": None, "tiers": ("generate",)}


def test_every_finding_shows_a_difference_again() -> None:
    found = list(replay.replayed(FINDINGS))
    assert len(found) >= 4
    for name, before, after in found:
        assert sorted(map(repr, before)) != sorted(map(repr, after)), name


def test_a_script_without_two_queries_is_no_finding() -> None:
    with pytest.raises(ValueError, match="no finding"):
        replay.results("SELECT 1;")


def test_what_a_pass_is_blamed_for_is_written_as_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_distinct(tree: exp.Expr) -> exp.Expr:
        for select in tree.find_all(exp.Select):
            select.set("distinct", None)
        return tree

    monkeypatch.setitem(sqlglot_passes.PASSES, "without_distinct", without_distinct)
    monkeypatch.setattr(sqlglot_passes, "PROBES", ("SELECT DISTINCT city FROM shop", "SELECT 1"))
    report = sqlglot_passes.try_pass("without_distinct", 1, 0, **CHEAP)  # type: ignore[arg-type]
    sqlglot_passes.save("without_distinct", sqlglot_passes.findings(report), tmp_path)
    ((name, before, after),) = replay.replayed(tmp_path)
    assert name == "without_distinct_1"
    assert len(before) < len(after)


@pytest.mark.parametrize("rewrite", evaluation_scripts.REWRITERS)
def test_what_evaluation_scripts_do_to_texts_changes_answers(rewrite: Callable[[str], str]) -> None:
    report = check_rewrite(
        rewrite,
        schema=SHOP,
        queries=evaluation_scripts.QUERIES,
        relation="set",
        shrink=0,
        **CHEAP,  # type: ignore[arg-type]
    )
    assert report.counts[TrialOutcome.REFUTED] + report.counts[TrialOutcome.NO_QUERY] >= 1


def test_a_rule_alone_is_a_rewriter() -> None:
    rule = next(rule for rule in all_rules() if rule.name == "eliminate_distinct_on_key")
    rewrite = own_rules.rewriter(rule)
    assert "DISTINCT" not in (rewrite("SELECT DISTINCT id, city FROM shop") or "DISTINCT")
    assert rewrite("SELECT DISTINCT city FROM shop") is None


@pytest.mark.long
def test_the_page_runs_and_shows_the_failure_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asserts, "TIMEOUT", None)
    for text in re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(text, "docs/testing.md", "exec"), {"__name__": "page"})  # noqa: S102 - the page is ours
    printed = capsys.readouterr().out.rstrip()
    shown = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0].rstrip()
    summary, _, failure = printed.partition("\n")
    assert summary.startswith("in_parentheses: 6 queries: ")
    assert failure == shown
