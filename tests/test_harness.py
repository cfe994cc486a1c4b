"""The golden harness itself: an expectation that is not met must fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kit.harness import UnmetError, read_cases, rewritten, run_case

from equiv.rules import RULES

SCHEMA = "schema\nCREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT NOT NULL)\n----\n\n"


def run(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "cases.sql"
    path.write_text(SCHEMA + text)
    return [run_case(case) for case in read_cases(path)]


MET = [
    "algebra expect=fold_comparison_with_itself\nSELECT b = b FROM t",
    "algebra refuse=fold_comparison_with_itself needs=left_is_never_null\nSELECT a = a FROM t",
    "algebra refuse=fold_comparison_with_itself disable=fold_comparison_with_itself\nSELECT b = b FROM t",
    "algebra ruled expect=convert_count_to_sum steps\nSELECT COUNT(a) FROM t",
    "norm refuse=convert_between disable=convert_between\nSELECT id FROM t WHERE a BETWEEN 1 AND 2",
    "norm expect=convert_between\nSELECT id FROM t WHERE a BETWEEN 1 AND 2",
    "norm refuse=convert_between\nSELECT id FROM t WHERE a = 1",
    "norm refuse=fold_null_test needs=operand_is_never_null\nSELECT id FROM t WHERE a IS NULL",
    "decide\nSELECT id FROM t WHERE a >= 1\n----\nSELECT id FROM t WHERE 1 <= a\n----\nequivalent by=rules",
    "decide\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nnot_equivalent",
    "decide tiers=proof\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nundecided NO_PROOF",
    "decide tiers=proof\nSELECT id FROM t\n----\nSELECT t.id FROM t\n----\nequivalent by=proof",
    "decide tiers=proof,generate\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nnot_equivalent by=generate",
]
UNMET = {
    "fold_comparison_with_itself did not fire": (
        "algebra expect=fold_comparison_with_itself\nSELECT a = a FROM t"
    ),
    "fold_comparison_with_itself fired": "algebra refuse=fold_comparison_with_itself\nSELECT b = b FROM t",
    "fold_comparison_with_itself has no guard": (
        "algebra refuse=fold_comparison_with_itself needs=is_wise\nSELECT a = a FROM t"
    ),
    "fold_comparison_with_itself does not fire without": (
        "algebra refuse=fold_comparison_with_itself needs=left_is_never_null\nSELECT a FROM t"
    ),
    "no database shows that columns_are_unique is needed": (
        "algebra refuse=convert_determined_row_to_lookup needs=columns_are_unique\n"
        "SELECT t.id FROM t JOIN t AS s ON s.a = t.a"
    ),
    "there is no rewrite": "algebra expect=convert_between\nSELECT a FROM t",
    "there is nothing to disable": "algebra disable=convert_everything\nSELECT a FROM t",
    "did not fire": "norm expect=convert_between\nSELECT id FROM t WHERE a = 1",
    "convert_between fired": "norm refuse=convert_between\nSELECT id FROM t WHERE a BETWEEN 1 AND 2",
    "has no guard": "norm refuse=convert_between needs=is_wise\nSELECT id FROM t WHERE a = 1",
    "does not fire without": "norm refuse=fold_null_test needs=operand_is_never_null\nSELECT id FROM t",
    "there is no rule": "norm expect=convert_everything\nSELECT id FROM t",
    "there is no tier": "decide tiers=prof\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nundecided",
    "expected 'equivalent by=proof'": (
        "decide tiers=rules\nSELECT id FROM t\n----\nSELECT t.id FROM t\n----\nequivalent by=proof"
    ),
    "takes no": "norm expct=convert_between\nSELECT id FROM t",
    "needs= without refuse=": "norm needs=operand_is_never_null\nSELECT id FROM t",
    "not a query": "norm\nSELECT nothing FROM t",
    "wants two queries": "decide\nSELECT id FROM t\n----\nSELECT id FROM t",
    "wants a query and its normal form": "norm\nSELECT id FROM t\n----\nSELECT id FROM t\n----\nmore",
    "belongs to no case": "# a comment\nSELECT id FROM t",
    "expected 'not_equivalent'": "decide\nSELECT id FROM t\n----\nSELECT t.id FROM t\n----\nnot_equivalent",
    "expected 'equivalent by=data'": (
        "decide\nSELECT id FROM t\n----\nSELECT t.id FROM t\n----\nequivalent by=data"
    ),
    "expected 'equivalent'": "decide\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nequivalent",
}


@pytest.mark.parametrize("text", MET)
def test_met_expectation_passes(tmp_path: Path, text: str) -> None:
    assert len(run(tmp_path, text)) == 1


@pytest.mark.parametrize(("complaint", "text"), UNMET.items())
def test_unmet_expectation_fails(tmp_path: Path, complaint: str, text: str) -> None:
    with pytest.raises(UnmetError, match=complaint):
        run(tmp_path, text)


def test_guard_that_nothing_needs_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from equiv.rules.verification import golden

    def is_tuesday(_node: object, _ctx: object) -> None:
        return None

    timid = tuple(
        replace(rule, needs=(is_tuesday,)) if rule.name == "convert_between" else rule for rule in RULES
    )
    monkeypatch.setattr(golden, "RULES", timid)
    with pytest.raises(UnmetError, match="no database shows that is_tuesday is needed"):
        run(
            tmp_path, "norm refuse=convert_between needs=is_tuesday\nSELECT id FROM t WHERE a BETWEEN 1 AND 2"
        )


def test_case_without_schema_fails(tmp_path: Path) -> None:
    path = tmp_path / "cases.sql"
    path.write_text("norm\nSELECT 1\n")
    with pytest.raises(UnmetError, match="no schema above"):
        run_case(read_cases(path)[0])


NAMED = """# Why it is so: for a reason.
norm expect=convert_between
SELECT id FROM t WHERE a BETWEEN 1 AND 2

norm refuse=fold_null_test needs=operand_is_never_null
SELECT id FROM t WHERE a IS NULL

# The same
decide
SELECT id FROM t
----
SELECT t.id FROM t
----
equivalent

# The same
decide
SELECT a FROM t
----
SELECT t.a FROM t
----
equivalent

decide
SELECT b FROM t
----
SELECT t.b FROM t
----
equivalent

decide relation=set
SELECT b FROM t
----
SELECT t.b FROM t
----
equivalent
"""


def test_cases_are_named_by_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "cases.sql"
    path.write_text(SCHEMA + NAMED)
    assert [case.name for case in read_cases(path)] == [
        "cases: Why it is so",
        "cases: refuse fold_null_test needs operand_is_never_null",
        "cases: The same; SELECT id FROM t",
        "cases: The same; SELECT a FROM t",
        "cases: SELECT b FROM t; SELECT t.b FROM t (1)",
        "cases: SELECT b FROM t; SELECT t.b FROM t (2)",
    ]
    path.write_text(f"# A line more.\n{SCHEMA}{NAMED}")
    assert "cases: Why it is so" in {case.name for case in read_cases(path)}


def test_rewriting_refreshes_normal_forms_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "cases.sql"
    head = SCHEMA + "# Why.\nnorm expect=convert_between\nSELECT id FROM t WHERE a BETWEEN 1 AND 2\n----\n"
    tail = "\n\ndecide\nSELECT id FROM t\n----\nSELECT a FROM t\n----\nequivalent\n"
    path.write_text(head + "SELECT 'stale'" + tail)
    assert rewritten(path) == head + "SELECT t.id FROM t WHERE t.a <= 2 AND t.a >= 1" + tail


def test_a_sweep_has_its_small_size_in_make_test() -> None:
    """What is long as a whole and has two sizes asks the small one a second time."""
    marked = re.compile(r"^@pytest\.mark\.long\n(?:(?!def ).*\n)*?@(?:sized|swept|sampled)\(", re.MULTILINE)
    folder = Path(__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("test_*.py")}
    assert [str(path.relative_to(folder)) for path, text in texts.items() if marked.search(text)] == []
