"""The report on a rewriter: one outcome for each query, and how many of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from equiv.verdict import Verdict


class Outcome(StrEnum):
    """The outcome of one query (closed list)."""

    UNCHANGED = "unchanged"
    """The rewriter gave the query back, or None: it declines."""
    PROVED = "proved"
    """The new text is proved to answer the same."""
    REFUTED = "refuted"
    """A database tells the two apart."""
    NO_QUERY = "no query"
    """The new text cannot be prepared on the schema; the old one can."""
    RAISED = "raised"
    """The rewriter raised an exception."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted, for one of the reasons of :class:`~equiv.verdict.Reason`."""
    UNREAD = "unread"
    """The query itself cannot be prepared on the schema: it says nothing of the rewriter."""


FAULTS = frozenset({Outcome.REFUTED, Outcome.NO_QUERY, Outcome.RAISED})
"""The outcomes that show a rewriter to be wrong."""


FEW, FEW_SHARE = 10, 0.25
"""Fewer changed queries than both, of those drawn, say little of a rewriter."""


class FewChangedWarning(UserWarning):
    """A rewriter changed few of the queries that it was put to, or none."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One query and what a rewriter made of it."""

    before: str
    after: str
    outcome: Outcome
    verdict: Verdict | None = None
    """None where the engine was not asked."""
    error: str = ""
    """The exception that the rewriter raised: its type and message."""
    is_changed: bool = False
    """Whether the new text is another query than the old one, not only laid out otherwise."""

    @property
    def is_fault(self) -> bool:
        """Whether it shows the rewriter to be wrong."""
        return self.outcome in FAULTS


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of all queries.

    A rewriter without a fault is *not* thereby sound: ``proved`` says of how many rewrites it is known.
    """

    rewriter: str
    """The name of the function."""
    relation: str
    tried: tuple[Tried, ...]
    seed: int | None
    """What the queries were drawn from; None where they were given."""
    smallest: tuple[Tried, ...] = ()
    """The first faults, each on the smallest query found that still shows one of its kind."""
    dialects: tuple[str, str] | None = None
    """The dialects of queries and new texts, where these differ."""

    @property
    def counts(self) -> Counter[Outcome]:
        """How many queries there are of each outcome."""
        return Counter(each.outcome for each in self.tried)

    @property
    def faults(self) -> tuple[Tried, ...]:
        """The queries that show the rewriter to be wrong."""
        return tuple(each for each in self.tried if each.is_fault)

    @property
    def undecided(self) -> tuple[Tried, ...]:
        """The rewrites of which nothing is known."""
        return tuple(each for each in self.tried if each.outcome is Outcome.UNDECIDED)

    @property
    def changed(self) -> tuple[Tried, ...]:
        """The queries of which the rewriter made other ones, not only another layout or other names."""
        return tuple(each for each in self.tried if each.is_changed)

    @property
    def warning(self) -> str:
        """Of how few queries the report speaks, and what to do about it; '' if of enough, or of a fault.

        Few are fewer than :data:`FEW`, and than :data:`FEW_SHARE` of the queries; of those that the caller
        gave as a list, none.
        """
        changed, total = len(self.changed), len(self.tried)
        enough = min(FEW, FEW_SHARE * total) if self.seed is not None else 1
        if self.faults or changed >= enough or not total:
            return ""
        told = f"only {changed} of {_queries(total)} ({100 * changed / total:.0f} %) were"
        if not changed:
            told = f"none of {_queries(total)} was"
        return (
            f"{self.rewriter}: {told} changed in more than layout and names, which says little of it.  "
            "Give queries= of the sort that it rewrites, a schema= with the columns that it needs, or more "
            "examples="
        )

    @property
    def summary(self) -> str:
        """The counts in one line."""
        counts, total = self.counts, len(self.tried)
        shown = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
        return f"{self.rewriter}: {_queries(total)}: {shown or 'none'}"


def _queries(number: int) -> str:
    return f"{number} {'query' if number == 1 else 'queries'}"
