"""What an effort bounds."""

from __future__ import annotations

import pytest

import equiv
from equiv.answers.pair import Pair
from equiv.smt.prover import Z3Solver
from equiv.tiers.outcome import Open
from equiv.tiers.proof import ProofAttempt

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)"


@pytest.mark.parametrize(
    ("effort", "units"),
    [("quick", 60_000), ("normal", 300_000), ("thorough", 3_000_000), (1, 60_000), (700, 700_000)],
)
def test_an_effort_bounds_the_steps_of_the_solver_for_a_claim(
    effort: str | int, units: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def attempt(pair: Pair, budget: int, solver: Z3Solver, **more: object) -> ProofAttempt:
        del pair, solver, more
        asked.append(budget)
        return ProofAttempt(Open())

    monkeypatch.setattr("equiv.tiers.proof.attempt", attempt)
    pred, gold = "SELECT id FROM t WHERE a > 3", "SELECT id FROM t WHERE a >= 4"
    for confirm in (False, True):
        tiers = ("rules",) if confirm else ("proof",)
        equiv.check(pred, gold, schema=DDL, effort=effort, tiers=tiers, confirm=confirm, timeout=None)
    assert asked == [units, units]
