"""Tier ``proof``: both queries as sums of terms, shown equal; no rewrite rule has a part in it."""

from __future__ import annotations

from collections.abc import Callable

from equiv.answers.pair import Pair
from equiv.smt.prover import BUDGET, budget_for
from equiv.tiers.outcome import Outcome
from equiv.tiers.prove_alone import prove_alone
from equiv.tiers.trial import Steps, Trial
from equiv.verdict import Tier


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

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Try to prove a pair equivalent; the strictest relation that is shown on the way is reported.

        The effort bounds the steps of the solver for each claim; 0 stands for the default.
        """
        return prove_alone(pair, _budget(effort), self._trial, self._watch)

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """Whether a pair is proved from its facts, without trying the steps: for facts that may be spared."""
        return prove_alone(pair, _budget(effort))


def _budget(effort: int) -> int:
    return budget_for(effort) if effort else BUDGET
