"""Laws that hold for every query: golden inputs, the examples of the rules, and random queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from random import Random

import pytest
from drawing.queries import DDL, Maker, fill
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.harness import Case, UnmetError, World, first_proofs, golden_runs, runs_of
from kit.sizes import sized

import equiv
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

EFFORT = 40
"""How many databases try to break each law."""
QUICK_EFFORT = 15
"""How many try each step in ``make test``."""
SHARE, QUERY_SHARE = 32, 16
"""One pair in so many is swapped in ``make test``, and one query in so many obeys the other laws."""


@dataclass(frozen=True)
class Written:
    """A supported query of the golden files or of the rules' documentation."""

    name: str
    """Where it stands first."""
    world: World
    sql: str
    rows: Rows
    """How its case compares results."""


@cache
def queries(run: str) -> tuple[Written, ...]:
    """The queries of a run of golden cases or of rules, each once."""
    found: dict[tuple[World, str], Written] = {}

    def add(name: str, world: World, sql: str, rows: Rows) -> None:
        found.setdefault((world, sql), Written(name, world, sql, rows))

    for case in CASES.get(run, ()):
        assert case.world is not None
        if case.world.dialect:  # Its texts are not the core's.
            continue
        for number, sql in enumerate(case.parts[: 1 if case.command == "norm" else 2], 1):
            if case.command == "norm" or case.world.supports(sql):
                add(f"{case.name}, query {number}", case.world, sql, Rows(case.option("rows", "list")))
    for rule in DOCUMENTED.get(run, ()):
        for heading in ("Before:", "After:"):
            add(f"{rule.name}, {heading[:-1]}", book_of(rule).world, section(rule, heading), rule.under)
    return tuple(found.values())


def pairs(run: str) -> Iterator[tuple[Case, World]]:
    """The cases of two supported queries, with their world."""
    for case in CASES[run]:
        world = case.world
        assert world is not None
        if world.dialect:  # Its texts are not the core's.
            continue
        if case.command != "norm" and all(map(world.supports, case.parts[:2])) and len(case.parts) > 1:
            yield case, world


CASES = golden_runs()
DOCUMENTED = runs_of(("documentation", rule) for rule in RULES)

each_run = pytest.mark.parametrize("run", [*CASES, *DOCUMENTED])


@each_run
@sized("share", QUERY_SHARE, 6)
def test_normalising_twice_is_normalising_once(run: str, share: int, subtests: pytest.Subtests) -> None:
    for query in queries(run)[::share]:
        with subtests.test(query.name):
            once = query.world.norm(query.sql).tree
            twice = normalise(once, RuleSet(RULES), query.world.context()).tree
            assert (key(once) == key(twice)) == (query.name not in TAKES_STEPS_LATER)


@each_run
@sized("share", QUERY_SHARE, 6)
def test_no_step_changes_the_possible_answers(run: str, share: int, subtests: pytest.Subtests) -> None:
    """Steps of all rules under the comparison of the case, each attacked by a few databases."""
    for query in queries(run)[::share]:
        with subtests.test(query.name):
            for step, pair in steps_of(query, ((RULES, query.rows),)):
                assert not is_broken(query.world.generator().attack(pair, QUICK_EFFORT)), step


@pytest.mark.long
@each_run
def test_no_step_of_some_rules_does_however_ties_fall(run: str, subtests: pytest.Subtests) -> None:
    """Steps of all rules and of a random half, attacked by more databases, and near those that show a tie."""
    for query in queries(run)[::12]:
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
    """Whether rows tell a step apart: what may raise an error may be moved, and verdicts name that."""
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
@sized("count", 60, 200)
def test_random_queries_keep_their_results(policy: str, count: int) -> None:
    world, connection = World(DDL, policy), random_database()

    @settings(max_examples=count)
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
@pytest.mark.parametrize("run", CASES)
@sized("share", SHARE, 10)
def test_swapping_the_sides_keeps_the_verdict(run: str, share: int, subtests: pytest.Subtests) -> None:
    """Under one relation, drawn by the name of the case."""
    for case, world in islice(pairs(run), 0, None, share):
        with subtests.test(case.name), first_proofs():
            pred, gold = case.parts[:2]
            relation = Random(case.name).choice(("list", "bag", "set"))
            checker = checker_of(world, relation)
            names = [checker.check(*sides).name for sides in ((pred, gold), (gold, pred))]
            if names[0] != names[1] and "undecided" in names:
                checker = checker_of(world, relation, effort=600)
                names = [checker.check(*sides).name for sides in ((pred, gold), (gold, pred))]
            assert names[0] == names[1]


@each_run
@sized("share", QUERY_SHARE, 6)
def test_a_query_is_equivalent_to_itself(run: str, share: int, subtests: pytest.Subtests) -> None:
    for query in queries(run)[::share]:
        with subtests.test(query.name):
            checker = checker_of(query.world, "sql")
            assert checker.check(query.sql, query.sql).name == "equivalent"


@lru_cache(maxsize=8)
def checker_of(world: World, relation: str, effort: int = 60) -> equiv.Checker:
    """A checker for a world, made once for what is asked of it in a row."""
    return equiv.Checker(
        schema=world.ddl,
        relation=relation,
        facts=world.policy,
        assume=world.assume,
        rounding=world.rounding,
        effort=effort,
        timeout=None,
    )
