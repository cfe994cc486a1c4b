"""The reward policy: the worth of each outcome."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
