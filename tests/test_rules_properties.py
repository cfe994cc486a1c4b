"""Laws that hold for every query: on all inputs of the golden files and all examples of the rules."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from harness import World, all_cases
from test_rules_catalogue import golden_world, section

import equiv
from equiv.relation import Rows
from equiv.sql import key
from equiv.tiers.outcome import Refuted
from rules import RULES

EFFORT = 40
"""How many databases try to break each law."""


@cache
def queries() -> dict[str, tuple[World, str]]:
    """Every query of the golden files and of the rules' documentation, by where it stands."""
    found = {}
    for case in all_cases():
        assert case.world is not None
        for number, sql in enumerate(case.parts[: 1 if case.command == "norm" else 2]):
            found[f"{case.name}.{number}"] = (case.world, sql)
    for rule in RULES:
        for heading in ("Before:", "After:"):
            found[f"{rule.name}.{heading[:-1]}"] = (golden_world(rule), section(rule, heading))
    return found


def decisions() -> list[str]:
    return [name for name in queries() if name.endswith(".1")]


each_query = pytest.mark.parametrize("name", queries())


@each_query
def test_normalising_twice_is_normalising_once(name: str) -> None:
    world, sql = queries()[name]
    once = world.norm(sql).tree
    from equiv.normalise import RuleSet, normalise

    twice = normalise(once, RuleSet(RULES), world.context()).tree
    assert key(once) == key(twice)


@each_query
@pytest.mark.parametrize("rows", [Rows.LIST, Rows.SET])
def test_no_step_changes_the_possible_answers(name: str, rows: Rows) -> None:
    world, sql = queries()[name]
    chosen = Random(name)
    some = tuple(rule for rule in RULES if chosen.random() < 0.5)
    for rules in (RULES, some):
        found = world.norm(sql, rules, rows)
        seen = sql
        for step in found.steps:
            outcome = world.generator().settle(world.pair(seen, step.after, Rows(step.under)), EFFORT)
            assert not isinstance(outcome, Refuted), f"{step.rule}: {seen} -> {step.after}"
            seen = step.after


@pytest.mark.parametrize("name", decisions())
def test_swapping_the_sides_keeps_the_verdict(name: str) -> None:
    world, gold = queries()[name]
    pred = queries()[f"{name[:-1]}0"][1]
    for relation in ("list", "bag", "set"):
        with equiv.Checker(
            schema=world.ddl,
            relation=relation,
            facts=world.policy,
            assume=world.assume,
            strict_float=world.strict_float,
            timeout=None,
        ) as checker:
            assert checker.check(pred, gold).name == checker.check(gold, pred).name


@each_query
def test_a_query_is_equivalent_to_itself(name: str) -> None:
    world, sql = queries()[name]
    with equiv.Checker(schema=world.ddl, effort=20, timeout=None) as checker:
        assert checker.check(sql, sql).name == "equivalent"
