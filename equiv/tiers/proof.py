"""Tier ``proof``: both queries as sums of terms, shown equal; no rewrite rule has a part in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from equiv.answers.pair import Pair
from equiv.facts import Fact
from equiv.relation import Relation
from equiv.smt.prover import BUDGET, budget_for
from equiv.smt.solver import Solver
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.tiers.prove_alone import Attempt, attempt
from equiv.tiers.trial import Steps, Trial
from equiv.verdict import Reason, Tier


class ProofTier:
    """Settles as equivalent what the algebra and the solver show to be equal on every allowed database."""

    tier = Tier.PROOF

    def __init__(self, trial: Trial | None = None, watch: Callable[[Steps], None] | None = None) -> None:
        """Make the tier.

        Args:
            trial: what a proof must withstand before it is given; None: nothing.
            watch: is shown what each attempt went through, whether it proved anything or not.
        """
        self._trial = trial
        self._watch = watch
        self._case: _Case | None = None

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Try to prove a pair equivalent; the strictest relation that is shown on the way is reported.

        The effort bounds the steps of the solver for each claim; 0 stands for the default.
        """
        made = self._made(pair, effort)
        if made.steps is None:
            return made.outcome
        if self._watch is not None:
            self._watch(made.steps)
        if isinstance(made.outcome, Proved) and self._trial is not None:
            broken = self._trial.run(pair, made.steps)[1]
            if broken:
                return Open(Reason.CONFLICT, f"a step of the proof is false: {broken}")
        return made.outcome

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """Whether a pair is proved from its facts, without trying the steps: for facts that may be spared."""
        return self._made(pair, effort).outcome

    def _made(self, pair: Pair, effort: int) -> Attempt:
        if self._case is None or not self._case.is_of(pair):
            self._case = _Case(pair)
        return self._case.attempt(pair, budget_for(effort) if effort else BUDGET)


@dataclass
class _Case:
    """What attempts at one pair share, whatever facts each has: the solver, and the proofs that were made."""

    pair: Pair
    solver: Solver = field(default_factory=Solver)
    proofs: dict[tuple[tuple[Fact, ...], Relation, int], Attempt] = field(default_factory=dict)

    def is_of(self, pair: Pair) -> bool:
        """Whether a pair has the same queries and the same schema."""
        mine = self.pair
        return pair.pred is mine.pred and pair.gold is mine.gold and pair.schema is mine.schema

    def attempt(self, pair: Pair, budget: int) -> Attempt:
        """An attempt at the pair; a proof from the same facts is not made twice."""
        asked = tuple(pair.facts), pair.relation, budget
        if asked in self.proofs:
            return self.proofs[asked]
        made = attempt(pair, budget, self.solver)
        if isinstance(made.outcome, Proved):
            self.proofs[asked] = made
        return made
