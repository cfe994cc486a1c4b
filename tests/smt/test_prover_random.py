"""What is proved holds on random rows, rests on recorded facts alone, and other solvers agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import z3
from smt.random_claims.claims import Claims
from smt.random_claims.world import ABOVE, DERIVED, DISTINCT, EXACT, FACTS, ONE, ROWS, SCHEMA, TWO

from equiv.algebra.evaluate import Evaluator, MeaninglessError
from equiv.algebra.terms import FALSE, Expression
from equiv.algebra.text import text_of
from equiv.algebra.world import Claim, World
from equiv.core.runner import RunnerError
from equiv.facts import Facts
from equiv.smt.prover import Z3Prover

CASES = [(seed, exact) for seed in (1, 2) for exact in (False, True)]


def _facts(*, exact: bool) -> Facts:
    return Facts([*FACTS, *(EXACT if exact else ())])


def _proved(claims: Claims, count: int) -> tuple[Z3Prover, list[tuple[Expression, tuple[Expression, ...]]]]:
    prover = Z3Prover(World(SCHEMA, _facts(exact=claims.exact)))
    made = [claims.claim() for _ in range(count)]
    return prover, [(goal, given) for goal, given in made if prover.proves(Claim(ROWS, given, goal))]


def _counterexample(
    goal: Expression, given: tuple[Expression, ...], tables: Any, random: Random, evaluator: Evaluator
) -> object:
    derived = evaluator.source(DERIVED, {})
    for _ in range(2 if derived else 0):
        rows = {
            ONE: random.choice(tables["child"]),
            TWO: random.choice(tables["child"]),
            ABOVE: random.choice(tables["parent"]),
            DISTINCT: random.choice(derived),
        }
        try:
            if all(evaluator.truth(each, rows) for each in given) and not evaluator.truth(goal, rows):
                return rows
        except (MeaninglessError, RunnerError, OverflowError):
            continue
    return None


@pytest.mark.long
@pytest.mark.parametrize(("seed", "exact"), CASES)
def test_proved_claims_hold_on_random_rows(seed: int, exact: bool) -> None:
    claims = Claims(seed, exact=exact)
    _, proved = _proved(claims, 200)
    databases = [(tables, Evaluator(tables)) for tables in (claims.rows() for _ in range(50))]  # type: ignore[arg-type]
    assert len(proved) > 60
    for goal, given in proved:
        for tables, evaluator in databases:
            found = _counterexample(goal, given, tables, claims.random, evaluator)
            assert found is None, (text_of(goal), [text_of(each) for each in given], found)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "exact"), CASES)
def test_what_sqlite_computes_is_never_contradicted(seed: int, exact: bool) -> None:
    claims = Claims(seed, exact=exact)
    prover = Z3Prover(World(SCHEMA, _facts(exact=exact)))
    tried = 0
    while tried < 150:
        observed = claims.observed()
        tried += 1
        assert not prover.proves(Claim(ROWS, observed, FALSE)), [text_of(each) for each in observed]


@pytest.mark.long
@pytest.mark.parametrize(("seed", "exact"), CASES[:2])
def test_the_recorded_facts_are_enough(seed: int, exact: bool) -> None:
    claims = Claims(seed, exact=exact)
    for _ in range(80):
        goal, given = claims.claim()
        world = World(SCHEMA, _facts(exact=exact))
        if Z3Prover(world).proves(Claim(ROWS, given, goal)):
            again = World(SCHEMA, Facts(world.used))
            assert Z3Prover(again).proves(Claim(ROWS, given, goal)), text_of(goal)


@pytest.mark.parametrize(("seed", "exact"), CASES[2:])
def test_obligations_are_unsatisfiable_elsewhere(seed: int, exact: bool) -> None:
    prover, _ = _proved(Claims(seed, exact=exact), 60)
    assert prover.obligations
    for obligation in prover.obligations:
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(obligation.smtlib)
        assert solver.check() == z3.unsat, obligation.text


@pytest.mark.parametrize(("seed", "exact"), CASES[2:])
def test_cvc5_agrees(seed: int, exact: bool) -> None:
    cvc5 = pytest.importorskip("cvc5")
    prover, _ = _proved(Claims(seed, exact=exact), 40)
    for obligation in prover.obligations:
        solver = cvc5.Solver()
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, obligation.smtlib, "obligation")
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, parser.getSymbolManager())
        assert said.strip() == "unsat", obligation.text


def test_answers_repeat() -> None:
    first, second = (_proved(Claims(5, exact=True), 60) for _ in range(2))
    assert first[1] == second[1]
    assert first[0].obligations == second[0].obligations
