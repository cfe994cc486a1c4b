"""Every rule is documented, tried and refused, and its documentation is true."""

from __future__ import annotations

from collections import Counter

import pytest
from kit.harness import Case, all_cases
from kit.verbs import VERBS

from equiv.core.printing import key
from equiv.relation import Rows
from equiv.rules import RULES
from equiv.rules.document import PAGE, document
from equiv.rules.verification.verify import BEYOND_GENERATION, HEADINGS, book_of, section
from equiv.tiers.outcome import Refuted


def refusals(name: str) -> list[Case]:
    return [case for case in all_cases() if name in case.options.get("refuse", ())]


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


def test_names_are_verb_and_noun() -> None:
    words = {rule.name: rule.name.partition("_") for rule in RULES}
    assert [name for name, (verb, _, noun) in words.items() if verb not in VERBS or not noun] == []


def test_documentation_has_its_headings() -> None:
    missing = {rule.name: [heading for heading in HEADINGS if not section(rule, heading)] for rule in RULES}
    assert {name: headings for name, headings in missing.items() if headings} == {}
    assert [rule.name for rule in RULES if not rule.doc.partition("\n")[0].endswith(".")] == []


@pytest.mark.long
def test_documentation_shows_what_the_rule_does(subtests: pytest.Subtests) -> None:
    for rule in RULES:
        with subtests.test(rule.name):
            world = book_of(rule).world
            rows = Rows.LIST if rule.under is Rows.LIST else rule.under
            before, after = section(rule, "Before:"), section(rule, "After:")
            found = world.norm(before, (rule,), rows)
            assert rule.name in [step.rule for step in found.steps]
            assert key(found.tree) == key(world.norm(after, (), rows).tree)
            assert not isinstance(world.generator().settle(world.pair(before, after, rows), 60), Refuted)


def test_every_rule_has_a_firing_case() -> None:
    fired = {name for case in all_cases() for name in case.options.get("expect", ())}
    assert [rule.name for rule in RULES if rule.name not in fired] == []


def test_every_rule_has_a_refusal() -> None:
    assert [rule.name for rule in RULES if not refusals(rule.name)] == []


def test_every_need_has_a_refusal_that_shows_it() -> None:
    needs = {(rule.name, need.__name__) for rule in RULES for need in rule.needs} - BEYOND_GENERATION.keys()
    shown = {(rule.name, case.option("needs")) for rule in RULES for case in refusals(rule.name)}
    assert needs - shown == set()


def test_every_rule_of_esm_plus_that_is_a_rewrite_is_there() -> None:
    by_parsing_or_comparison = {10, 14}
    assert {rule.esm_plus for rule in RULES} >= set(range(1, 21)) - by_parsing_or_comparison


def test_page_of_rules_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(RULES), "run python -m equiv.rules.document"
