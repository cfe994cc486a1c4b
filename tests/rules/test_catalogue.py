"""Every rule is documented, tried and refused, and its documentation is true."""

from __future__ import annotations

from collections import Counter

import pytest
from kit.harness import Case, all_cases
from kit.verbs import VERBS

from equiv.core.printing.trees import key
from equiv.relation import Rows
from equiv.rewrite.rule import Rule
from equiv.tiers.outcome import Refuted
from rules import RULES
from rules.document import PAGE, document
from rules.verification.instances import HEADINGS, book_of, section
from rules.verification.verify import BEYOND_GENERATION

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


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
    world = book_of(rule).world
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
