"""Every rule is documented, tried and refused, and its documentation is true."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from harness import GOLDEN, Case, World, all_cases, read_cases

from equiv.relation import Rows
from equiv.rewrite.rule import Rule
from equiv.sqlite.printing.trees import key
from equiv.tiers.outcome import Refuted
from rules import RULES
from rules.document import PAGE, document

HEADINGS = ("Before:", "After:", "Refuse:", "Sound:")
VERBS = (
    "convert",
    "eliminate",
    "fold",
    "inline",
    "merge",
    "pull",
    "push",
    "reduce",
    "reject",
    "rename",
    "sort",
)
BEYOND_GENERATION = {
    ("convert_average_to_quotient", "arithmetic_is_exact"): "AVG and SUM part only past 2**53",
    ("reduce_exists_on_reference", "key_and_reference_compare_alike"): (
        "a reference that its key converts to one of the parent's compares equal to that, too"
    ),
    ("convert_like_anything", "subject_is_text_or_number"): "BLOBs match in the usual build of SQLite",
}
"""Guards that no generated database shows to be needed, each with the reason."""

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def section(rule: Rule, heading: str) -> str:
    """The text under a heading of a rule's documentation, on one line."""
    others = "|".join(HEADINGS)
    found = re.search(rf"{heading}(.*?)(?=\n\s*(?:{others})|\Z)", rule.doc, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def golden_world(rule: Rule) -> World:
    """In the golden file of the rule's module, the schema under which the rule fires first."""
    cases = read_cases(GOLDEN / "rules" / f"{rule.module.rpartition('.')[2]}.sql")
    firing = [case for case in cases if rule.name in case.options.get("expect", ())]
    world = (firing or cases)[0].world
    assert world is not None
    return world


def refusals(name: str) -> list[Case]:
    return [case for case in all_cases() if name in case.options.get("refuse", ())]


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


@each_rule
def test_name_is_verb_and_noun(rule: Rule) -> None:
    verb, _, noun = rule.name.partition("_")
    assert verb in VERBS
    assert noun


@each_rule
def test_documentation_has_its_headings(rule: Rule) -> None:
    assert [heading for heading in HEADINGS if not section(rule, heading)] == []
    assert rule.doc.partition("\n")[0].endswith(".")


@each_rule
def test_documentation_shows_what_the_rule_does(rule: Rule) -> None:
    world = golden_world(rule)
    rows = Rows.LIST if rule.under is Rows.LIST else rule.under
    before, after = section(rule, "Before:"), section(rule, "After:")
    found = world.norm(before, (rule,), rows)
    assert rule.name in [step.rule for step in found.steps]
    assert key(found.tree) == key(world.norm(after, (), rows).tree)
    assert not isinstance(world.generator().settle(world.pair(before, after, rows), 60), Refuted)


@each_rule
def test_rule_has_a_firing_case(rule: Rule) -> None:
    assert any(rule.name in case.options.get("expect", ()) for case in all_cases())


@each_rule
def test_rule_has_a_refusal(rule: Rule) -> None:
    assert refusals(rule.name)


@each_rule
def test_every_need_has_a_refusal_that_shows_it(rule: Rule) -> None:
    shown = {case.option("needs") for case in refusals(rule.name)}
    needs = {need.__name__ for need in rule.needs if (rule.name, need.__name__) not in BEYOND_GENERATION}
    assert needs - shown == set()


def test_every_rule_of_esm_plus_that_is_a_rewrite_is_there() -> None:
    by_parsing_or_comparison = {10, 14}
    assert {rule.esm_plus for rule in RULES} >= set(range(1, 21)) - by_parsing_or_comparison


def test_page_of_rules_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(RULES), "run python -m rules.document"
