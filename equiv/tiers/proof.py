"""Tier ``proof``: both queries as sums of terms, shown equal; no rewrite rule has a part in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from equiv.answers.pair import Pair
from equiv.facts import Fact, FactKind, Facts, Grade, Watched
from equiv.relation import Relation, Rows
from equiv.smt.prover import BUDGET, Z3Solver, budget_for
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.tiers.proof_trial import Steps, Trial
from equiv.tiers.prove_alone import Attempt, attempt
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
        if isinstance(made.outcome, Open):
            made = self._made_from_fewer(pair, effort, made)
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
        return self._made(pair, effort, strictest=False).outcome

    def show_again(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of :meth:`settle`: names in a shown proof depend on all that was tried before."""
        return self.settle(pair, effort)

    def _made_from_fewer(self, pair: Pair, effort: int, failed: Attempt) -> Attempt:
        """An attempt from fewer facts that proves the pair; the failed one if none does.

        A fact steers the normal form of each query, and may lead two that were one apart.  What is proved
        from fewer facts holds under more.
        """
        if failed.steps is None:
            return failed
        left = MORE_WORK * failed.work
        for facts in _fewer(pair, failed.steps):
            made = self._made(replace(pair, facts=facts), effort)
            if isinstance(made.outcome, Proved):
                return made
            left -= made.work
            if left < 0:
                break
        return failed

    def _made(self, pair: Pair, effort: int, *, strictest: bool = True) -> Attempt:
        if self._case is None or not self._case.is_of(pair):
            self._case = _Case(pair)
        return self._case.attempt(pair, budget_for(effort) if effort else BUDGET, strictest=strictest)


@dataclass(frozen=True, slots=True)
class _Made:
    """An attempt, and what it was made from: it would be the same from facts that answer as these did."""

    relation: Relation
    budget: int
    strictest: bool
    facts: Watched
    attempt: Attempt

    def serves(self, pair: Pair, budget: int, *, strictest: bool) -> bool:
        """Whether it is what an attempt at the pair would be, or says as much.

        An attempt looks at queries, schema, facts, relation and budget, and asks for each fact that it looks
        at.  It tries relations of rows, the strictest first, up to the first that it shows.
        """
        if (self.relation.columns, self.budget) != (pair.relation.columns, budget):
            return False
        return self._tried(pair.relation.rows, strictest=strictest) and self.facts.answered_as(pair.facts)

    def _tried(self, rows: Rows, *, strictest: bool) -> bool:
        if not self.strictest:
            return rows is self.relation.rows and (rows is Rows.LIST or not strictest)
        outcome = self.attempt.outcome
        if isinstance(outcome, Proved):
            return (outcome.strongest or self.relation).rows.implies(rows)
        return rows.implies(self.relation.rows)


MORE_WORK = 6
"""Attempts from fewer facts may take so many times the steps of the one that failed, all together."""

STEERING = (FactKind.UNIQUE, FactKind.NOT_NULL)
"""The kinds of facts without which a proof that failed is tried again."""


def _fewer(pair: Pair, failed: Steps) -> Iterator[Facts]:
    """The facts of a pair without some that steered an attempt that failed.

    Left out are all of a kind, each key by itself, and those that speak of a generated column, which is read
    as its expression only if no fact but a CHECK speaks of it; whoever vouches for them, and however often.
    In the end all of a kind are left out of which one steered it, since others may steer what is left.
    """
    steered = dict.fromkeys(fact for step in failed.applied for fact in step.facts)
    of_kinds = [[fact for fact in steered if fact.kind is kind] for kind in STEERING]
    keys = [[fact] for fact in of_kinds[0]]
    whole = [list(pair.facts.of(kind)) for kind, own in zip(STEERING, of_kinds, strict=True) if own]
    generated = {
        (t.name.lower(), c.name.lower()) for t in pair.schema.tables for c in t.columns if c.generated
    }
    computed = [fact for fact in pair.facts if fact.kind is not FactKind.CHECK and fact.places & generated]
    tried: list[set[Fact]] = []
    for dropped in (*of_kinds, computed, *keys, *whole):
        if dropped and set(dropped) not in tried:
            tried.append(set(dropped))
            promises = {replace(fact, grade=Grade.ASSUMED) for fact in dropped}
            yield Facts(fact for fact in pair.facts if replace(fact, grade=Grade.ASSUMED) not in promises)


_MORE = 2000
"""A proof from fewer facts may take twice as many steps as the one that there is, and so many more."""


@dataclass
class _Case:
    """The state that attempts at one pair share, whatever facts each has: the solver, and attempts made."""

    pair: Pair
    solver: Z3Solver = field(default_factory=Z3Solver)
    made: list[_Made] = field(default_factory=list)

    def is_of(self, pair: Pair) -> bool:
        """Whether a pair has the same queries and the same schema."""
        mine = self.pair
        return pair.pred is mine.pred and pair.gold is mine.gold and pair.schema is mine.schema

    def attempt(self, pair: Pair, budget: int, *, strictest: bool) -> Attempt:
        """An attempt at the pair; what would end as one that was made is not made again.

        Args:
            pair: its queries and schema are those of the case.
            budget: the solver's resource units for each claim.
            strictest: whether stricter relations are tried first.
        """
        for each in reversed(self.made):
            if each.serves(pair, budget, strictest=strictest):
                return each.attempt
        facts = Watched(pair.facts)
        limit = None if strictest else self._limit
        made = attempt(replace(pair, facts=facts), budget, self.solver, strictest=strictest, limit=limit)
        if not made.is_cut_off:
            self.made.append(_Made(pair.relation, budget, strictest, facts, made))
        return made

    @property
    def _limit(self) -> int | None:
        """How many steps an attempt from fewer facts may take; None if there is no proof of the pair."""
        works = [each.attempt.work for each in self.made if isinstance(each.attempt.outcome, Proved)]
        return 2 * max(works) + _MORE if works else None
