"""Laws that hold for every query: golden inputs, the examples of the rules, and random queries."""

from __future__ import annotations

import sqlite3
from functools import cache
from random import Random

import pytest
from drawing.queries import DDL, Maker, fill
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.harness import UnmetError, World, all_cases

import equiv
from equiv.answers.compare import same_result
from equiv.core.printing.trees import key, to_sql
from equiv.dialects.sqlite.schema.render import create_statements
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.tiers.outcome import Refuted
from rules import RULES
from rules.verification.instances import book_of, section

EFFORT = 40
"""How many databases try to break each law."""


@cache
def queries() -> dict[str, tuple[World, str]]:
    """Every supported query of the golden files and of the rules' documentation, by where it stands."""
    found = {}
    for case in all_cases():
        assert case.world is not None
        for number, sql in enumerate(case.parts[: 1 if case.command == "norm" else 2]):
            if case.command == "norm" or case.world.supports(sql):
                found[f"{case.name}.{number}"] = (case.world, sql)
    for rule in RULES:
        for heading in ("Before:", "After:"):
            found[f"{rule.name}.{heading[:-1]}"] = (book_of(rule).world, section(rule, heading))
    return found


def decisions() -> list[str]:
    return [name for name in queries() if name.endswith(".1") and f"{name[:-1]}0" in queries()]


each_query = pytest.mark.parametrize("name", queries())


@each_query
def test_normalising_twice_is_normalising_once(name: str) -> None:
    world, sql = queries()[name]
    once = world.norm(sql).tree
    twice = normalise(once, RuleSet(RULES), world.context()).tree
    assert key(once) == key(twice)


@each_query
def test_no_step_changes_the_possible_answers(name: str) -> None:
    world, sql = queries()[name]
    chosen = Random(name)
    some = tuple(rule for rule in RULES if chosen.random() < 0.5)
    tried = set()
    for rules, rows in ((RULES, Rows.LIST), (RULES, Rows.SET), (some, Rows.LIST)):
        before = sql
        for step in world.norm(sql, rules, rows).steps:
            if (before, step.after) not in tried:
                tried.add((before, step.after))
                pair = world.pair(before, step.after, Rows(step.under))
                assert not isinstance(world.generator().settle(pair, EFFORT), Refuted), step
            before = step.after


@pytest.mark.parametrize("policy", ["intended", "declared"])
@settings(max_examples=400)
@given(random=st.randoms(use_true_random=False))
def test_random_queries_keep_their_results(policy: str, random: Random) -> None:
    world = World(DDL, policy)
    sql = Maker(random).query()
    try:
        normal = to_sql(world.norm(sql).tree)
    except UnmetError:
        return
    connection = random_database()
    for _ in range(8):
        fill(connection, random, conforming=policy == "intended")
        try:
            expected = connection.execute(sql).fetchall()
        except sqlite3.OperationalError:
            continue
        assert same_result(connection.execute(normal).fetchall(), expected, Relation(Rows.BAG)), normal


@cache
def random_database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for statement in create_statements(World(DDL).schema):
        connection.execute(statement)
    return connection


@pytest.mark.parametrize("name", decisions())
def test_swapping_the_sides_keeps_the_verdict(name: str) -> None:
    """Under one relation, drawn by the name of the case."""
    world, gold = queries()[name]
    pred = queries()[f"{name[:-1]}0"][1]
    relation = Random(name).choice(("list", "bag", "set"))
    names = [checker_of(world, relation).check(*sides).name for sides in ((pred, gold), (gold, pred))]
    if names[0] != names[1] and "undecided" in names:
        checker = checker_of(world, relation, effort=600)
        names = [checker.check(*sides).name for sides in ((pred, gold), (gold, pred))]
    assert names[0] == names[1]


@each_query
def test_a_query_is_equivalent_to_itself(name: str) -> None:
    world, sql = queries()[name]
    assert checker_of(world, "sql").check(sql, sql).name == "equivalent"


@cache
def checker_of(world: World, relation: str, effort: int = 60) -> equiv.Checker:
    """A checker for a world, made once."""
    return equiv.Checker(
        schema=world.ddl,
        relation=relation,
        facts=world.policy,
        assume=world.assume,
        strict_float=world.strict_float,
        effort=effort,
        timeout=None,
    )
