"""The reward of one prediction: its score, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from equiv.core.runner import VERSION
from equiv.rewards.policy import Outcome, Policy


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding on a prediction, before a policy gives it a worth."""

    outcome: Outcome
    verdict: str = "undecided"
    """``equivalent``, ``not_equivalent``, ``undecided`` or ``invalid``."""
    tier: str = ""
    """The tier that settled the pair; '' if none did."""
    reason: str = ""
    """Of an undecided pair, from the closed list of :class:`~equiv.verdict.Reason`."""
    failure_code: str = ""
    """Of a query that is no usable query, see :class:`~equiv.verdict.FailureCode`."""
    difference: str = ""
    """What a witness shows, see :class:`~equiv.verdict.Difference`."""
    detail: str = ""
    """One line: an error, or what was not found."""


@dataclass(frozen=True, slots=True)
class Reward:
    """The score of one prediction, and its components."""

    score: float
    finding: Finding

    @property
    def outcome(self) -> Outcome:
        """What the prediction came to, which the policy gave the score for."""
        return self.finding.outcome

    @classmethod
    def of(cls, finding: Finding, policy: Policy) -> Reward:
        """The reward of a finding under a policy."""
        return cls(policy.worth(finding.outcome), finding)

    def to_dict(self) -> dict[str, Any]:
        """Flat, with every field always there and of one type, as loggers of trainers want it."""
        found = {**asdict(self.finding), "outcome": self.finding.outcome.value}
        return {"score": self.score, **found, "sqlite": VERSION}
