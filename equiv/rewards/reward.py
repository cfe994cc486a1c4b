"""The reward of one prediction, and how rewards are given: policy, comparison, limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from equiv.core.runner import VERSION
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError, suggesting_fields
from equiv.options import ComparisonArguments, ComparisonOptions, Options


class Outcome(StrEnum):
    """How a prediction ends (closed list); each has its worth in a :class:`Policy`."""

    PROVED = "proved"
    """Proven equivalent to the gold query."""
    REFUTED = "refuted"
    """A database tells the two apart that keeps every fact in force."""
    REFUTED_ELSEWHERE = "refuted_elsewhere"
    """As ``refuted``, but each such database found breaks something that is true of the given one. Told apart
    from ``refuted`` only where the policy gives the two another worth."""
    TIE = "tie"
    """The two part only in which of several tied rows they pick."""
    EQUAL_RESULTS = "equal_results"
    """Neither proved nor refuted; the results on the given database are equal, and not empty."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted, and nothing else is known. Told apart from ``equal_results`` only where
    the policy gives the two another worth."""
    INVALID = "invalid"
    """The prediction is no query that SQLite would run on this schema."""
    NO_QUERY = "no_query"
    """There is no prediction: no text, or nothing in it."""
    TIMEOUT = "timeout"
    """The item's or the batch's time was up, or the memory."""
    TROUBLE = "trouble"
    """The fault is not the prediction's: the gold query, the database, or the set-up; logged once each."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The worth of each :class:`Outcome`.

    By default nothing but a proof is worth anything: whatever else is rewarded, a policy under training
    will find.  Equal results on one database are what execution accuracy rewards, and what queries that
    copy its constants have, too.
    """

    proved: float = 1.0
    refuted: float = 0.0
    refuted_elsewhere: float = 0.0
    tie: float = 0.0
    equal_results: float = 0.0
    undecided: float = 0.0
    invalid: float = 0.0
    no_query: float = 0.0
    timeout: float = 0.0
    trouble: float = 0.0

    def worth(self, outcome: Outcome) -> float:
        """The worth of an outcome."""
        return float(getattr(self, outcome.value))


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


SECONDS = 10.0
BATCH_SECONDS = 300.0


@suggesting_fields
@dataclass(frozen=True, slots=True)
class Settings(ComparisonOptions):
    """How rewards are given: :class:`~equiv.options.ComparisonOptions`, and those below; hashable, picklable.

    Attributes:
        seconds: after which a prediction is given up and its worker killed.
        batch_seconds: after which what is left of a batch is given up.
        workers: processes that the predictions of a batch are shared out to, for each process that asks.
        remembered: how many findings a process remembers.
        extract: take the query out of a completion: fences, tags, prose.
        policy: what each outcome is worth.

    Raises:
        InputError: a setting has no such value.
    """

    seconds: float = SECONDS
    batch_seconds: float = BATCH_SECONDS
    workers: int = 1
    remembered: int = 65_536
    extract: bool = True
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        ComparisonOptions.__post_init__(self)
        if self.workers < 1 or self.remembered < 0 or self.batch_seconds <= 0:
            raise InputError("workers must be at least 1, batch_seconds positive, remembered not negative")
        dialect_named(self.options.pair_dialect)

    @property
    def options(self) -> Options:
        """How pairs are compared."""
        return Options(**self.compared(), timeout=self.seconds)


class SettingArguments(ComparisonArguments, total=False):
    """The fields of :class:`Settings` as keyword arguments."""

    seconds: float
    batch_seconds: float
    workers: int
    remembered: int
    extract: bool
    policy: Policy
