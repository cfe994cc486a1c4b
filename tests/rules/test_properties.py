"""Laws that hold for every query: golden inputs, the examples of the rules, and random queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TypeVar

import pytest
from drawing.queries import DDL, Maker, fill
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.harness import NORMAL, UnmetError, World, all_cases, checker_of, first_proofs
from kit.sizes import sized

from equiv import Checker
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.core.printing import key, to_sql
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.render import create_statements
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.verification.verify import book_of, section
from equiv.tiers.outcome import Refuted, TierOutcome
from equiv.verdict import Difference, Step

T = TypeVar("T")

EFFORT = 40
"""How many databases try to break each law."""
QUICK_EFFORT = 15
"""How many try each step in ``make test``."""
QUICK_SHARE, SHARE = 17, 7
"""One query in so many obeys the laws in ``make test`` and in the sweep, odd as queries stand by twos."""


@dataclass(frozen=True)
class Written:
    """A text of the golden files or of the rules' documentation."""

    name: str
    """Where it stands first."""
    world: World
    sql: str
    rows: Rows
    """How its case compares results."""


@cache
def written() -> tuple[Written, ...]:
    """The texts of the golden files and of the rules' documentation in the core's words, each once."""
    found: dict[tuple[World, str], Written] = {}

    def add(name: str, world: World, sql: str, rows: Rows) -> None:
        found.setdefault((world, sql), Written(name, world, sql, rows))

    for case in all_cases():
        assert case.world is not None
        if case.world.dialect:
            continue
        for number, sql in enumerate(case.parts[: 1 if case.command in NORMAL else 2], 1):
            add(f"{case.name}, query {number}", case.world, sql, Rows(case.option("rows", "list")))
    for rule in RULES:
        for heading in ("Before:", "After:"):
            add(f"{rule.name}, {heading[:-1]}", book_of(rule).world, section(rule, heading), rule.under)
    return tuple(found.values())


def queries(block: int, share: int) -> Iterator[Written]:
    """Of one query in so many the supported ones that stand in a block."""
    for query in block_of(written()[::share], block):
        if query.world.supports(query.sql):
            yield query


def block_of(things: Sequence[T], block: int) -> Sequence[T]:
    """What stands together in one of the blocks, so that what is made for a world serves its neighbours."""
    return things[len(things) * block // BLOCKS : len(things) * (block + 1) // BLOCKS]


BLOCKS = 24
each_block = pytest.mark.parametrize("block", range(BLOCKS))


@each_block
@sized("share", QUICK_SHARE, SHARE)
def test_normalising_twice_is_normalising_once(block: int, share: int, subtests: pytest.Subtests) -> None:
    for query in queries(block, share):
        with subtests.test(query.name):
            once = query.world.norm(query.sql).tree
            twice = normalise(once, RuleSet(RULES), query.world.context()).tree
            assert (key(once) == key(twice)) == (query.name not in TAKES_STEPS_LATER)


@each_block
@sized("share", QUICK_SHARE, SHARE)
def test_no_step_changes_the_possible_answers(block: int, share: int, subtests: pytest.Subtests) -> None:
    """Steps of all rules under the comparison of the case, each attacked by a few databases."""
    for query in queries(block, share):
        with subtests.test(query.name):
            for step, pair in steps_of(query, ((RULES, query.rows),)):
                assert not is_broken(query.world.generator().attack(pair, QUICK_EFFORT)), step


@pytest.mark.long
@each_block
def test_no_step_of_some_rules_does_however_ties_fall(block: int, subtests: pytest.Subtests) -> None:
    """Steps of all rules and of a random half, attacked by more databases, and near those that show a tie."""
    for query in queries(block, 13):
        chosen = Random(query.name)
        some = tuple(rule for rule in RULES if chosen.random() < 0.5)
        with subtests.test(query.name):
            for step, pair in steps_of(query, ((RULES, Rows.LIST), (RULES, Rows.SET), (some, Rows.LIST))):
                assert not is_broken(query.world.generator().settle(pair, EFFORT)), step


TAKES_STEPS_LATER = frozenset(
    (
        "truth_test_under_a_collation: Nor is it a column of that value, query 1",
        "truth_test_under_a_collation: A column of that name comes before the word, query 1",
    )
)
"""Queries of which each step is refused at first, and not of what comes back: their IS has a COLLATE."""


def is_broken(outcome: TierOutcome) -> bool:
    """Whether rows distinguish a step: what may raise an error may be moved, and verdicts name that."""
    return isinstance(outcome, Refuted) and outcome.difference is not Difference.ERROR


def steps_of(query: Written, sets: tuple[tuple[tuple[Rule, ...], Rows], ...]) -> Iterator[tuple[Step, Pair]]:
    """The different steps that sets of rules take, each with the queries before and after it."""
    tried = set()
    for rules, rows in sets:
        before = query.sql
        for step in query.world.norm(query.sql, rules, rows).steps:
            if (before, step.after) not in tried:
                tried.add((before, step.after))
                yield step, query.world.pair(before, step.after, Rows(step.under))
            before = step.after


@pytest.mark.long
@pytest.mark.parametrize("policy", ["intended", "declared"])
def test_random_queries_keep_their_results(policy: str) -> None:
    world, connection = World(DDL, policy), random_database()

    @settings(max_examples=200)
    @given(random=st.randoms(use_true_random=False))
    def keeps_its_results(random: Random) -> None:
        sql = Maker(random).query()
        try:
            normal = to_sql(world.norm(sql).tree)
        except UnmetError:
            return
        for _ in range(8):
            fill(connection, random, conforming=policy == "intended")
            try:
                expected = connection.execute(sql).fetchall()
            except RunnerError:
                continue
            assert same_result(connection.execute(normal).fetchall(), expected, Relation(Rows.BAG)), normal

    keeps_its_results()


def random_database() -> Connection:
    connection = Connection()
    for statement in create_statements(World(DDL).schema):
        connection.execute(statement)
    return connection


@pytest.mark.long
@each_block
def test_swapping_the_sides_keeps_the_verdict(block: int, subtests: pytest.Subtests) -> None:
    """Under one relation, drawn by the name of the case."""
    decided = [case for case in all_cases() if case.command == "decide"]
    for case in block_of(decided[::10], block):
        pred, gold = case.parts[:2]
        world = case.world
        assert world is not None
        # Other texts are not the core's.
        if world.dialect or not world.supports(pred) or not world.supports(gold):
            continue
        with subtests.test(case.name), first_proofs():
            relation = Random(case.name).choice(("list", "bag", "set"))
            names = _verdicts(checker_of(world, relation, 60), pred, gold)
            if names[0] != names[1] and "undecided" in names:
                names = _verdicts(checker_of(world, relation, 600), pred, gold)
            assert names[0] == names[1]


def _verdicts(checker: Checker, pred: str, gold: str) -> list[str]:
    """The verdict on a pair, and that with its sides swapped."""
    return [checker.check(*sides).name for sides in ((pred, gold), (gold, pred))]


@each_block
@sized("share", QUICK_SHARE, SHARE)
def test_a_query_is_equivalent_to_itself(block: int, share: int, subtests: pytest.Subtests) -> None:
    for query in queries(block, share):
        with subtests.test(query.name):
            checker = checker_of(query.world, "sql", 60)
            assert checker.check(query.sql, query.sql).name == "equivalent"
