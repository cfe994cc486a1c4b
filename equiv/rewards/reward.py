"""The reward of one prediction, and how rewards are given: policy, comparison, limits.

Findings are made in a worker, by the engine that is kept for later pairs on their database.  No witness is
made small, and no other version of the engine runs it: that changes no verdict, and a reward is to be quick.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from time import monotonic
from typing import Any

from equiv.core.runner import VERSION
from equiv.dialects.registry import dialect_named
from equiv.engine.host import check_kept, engine_of
from equiv.errors import InputError, suggesting_fields
from equiv.options import MAX_TIMEOUT, ComparisonArguments, ComparisonOptions, Options
from equiv.verdict import Equivalent, Invalid, Naming, NotEquivalent, Reason, Tier, Undecided, Verdict


class Outcome(StrEnum):
    """How a prediction ends (closed list); each has its worth in a :class:`Policy`."""

    PROVED = "proved"
    """Proven equivalent to the gold query."""
    REFUTED = "refuted"
    """A database distinguishes the two that keeps every fact in force."""
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
    """Of an undecided pair, from the closed list of :class:`~equiv.verdict.Reason`; ``DATABASE`` where what
    is given as one leads nowhere."""
    failure_code: str = ""
    """Of a query that is not an usable query, see :class:`~equiv.verdict.FailureCode`."""
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
        """The outcome of the prediction, for which the policy gave the score."""
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
        if not 0 < self.seconds <= MAX_TIMEOUT:
            raise InputError(f"seconds must be positive and at most {MAX_TIMEOUT:,}: {self.seconds}")
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


_OUTCOMES = {
    Reason.NONDETERMINISTIC: Outcome.TIE,
    Reason.TIMEOUT: Outcome.TIMEOUT,
    Reason.RESOURCE: Outcome.TIMEOUT,
    Reason.GOLD_INVALID: Outcome.TROUBLE,
    Reason.INTERNAL: Outcome.TROUBLE,
    Reason.CONFLICT: Outcome.TROUBLE,
}


FURTHER = (Outcome.REFUTED_ELSEWHERE, Outcome.EQUAL_RESULTS)
"""What the given data may make of a finding."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The finding on a pair by its verdict alone, and the seconds that it took."""

    finding: Finding
    seconds: float


def first_look(pickled: bytes, pred: str, gold: str) -> FirstLook:
    """The finding on a pair by its verdict alone."""
    start = monotonic()
    return FirstLook(finding_of(_verdict(pickled, pred, gold)), monotonic() - start)


def _verdict(pickled: bytes, pred: str, gold: str) -> Verdict:
    """The verdict on a pair, which nobody is shown."""
    return check_kept(pickled, pred, gold, elsewhere=False, naming=Naming.UNSHOWN)


def wants_second_look(first: Finding, *, observed: bool, results: bool) -> bool:
    """Whether the given data may tell more.

    Args:
        first: the finding by the verdict alone.
        observed: whether it matters that a witness keeps what is true of the data.
        results: whether to compare results on them where nothing is proved or refuted.
    """
    if first.outcome is Outcome.REFUTED:
        return observed and first.tier != Tier.DATA
    return results and first.outcome is Outcome.UNDECIDED


def second_look(first: Finding, pickled: bytes, observed: bytes | None, pred: str, gold: str) -> Finding:
    """The finding on a pair with what the given data tell.

    Args:
        first: the finding by the verdict alone.
        pickled: the premises.
        observed: the same with what is true of the data as facts, which a witness of a refuted pair may keep.
        pred: the predicted query.
        gold: the gold query.
    """
    if first.outcome is Outcome.REFUTED and observed is not None:
        nearer = _verdict(observed, pred, gold)
        is_elsewhere = not isinstance(nearer, NotEquivalent)
        return replace(first, outcome=Outcome.REFUTED_ELSEWHERE) if is_elsewhere else first
    return replace(first, outcome=Outcome.EQUAL_RESULTS) if _same_rows(pickled, pred, gold) else first


def finding_of(settled: Verdict) -> Finding:
    """The finding that a verdict makes."""
    tier = settled.tier.value if settled.tier is not None else ""
    match settled:
        case Equivalent():
            return Finding(Outcome.PROVED, settled.name, tier)
        case NotEquivalent(difference=difference):
            return Finding(Outcome.REFUTED, settled.name, tier, difference=difference.value)
        case Invalid(failure_code=code, message=message):
            return Finding(Outcome.INVALID, settled.name, tier, failure_code=code.value, detail=message)
        case Undecided(reason=reason, failure_code=code, detail=detail):
            outcome = _OUTCOMES.get(reason, Outcome.UNDECIDED)
            failure = code.value if code is not None else ""
            return Finding(outcome, settled.name, tier, reason.value, failure, detail=detail)
        case _:
            raise AssertionError(settled)


def _same_rows(pickled: bytes, pred: str, gold: str) -> bool:
    """Whether both queries return the same rows on the database, and some; not what chance decides."""
    from equiv.answers.compare import same_result
    from equiv.core.query import Query
    from equiv.core.runner import Result
    from equiv.dialects.crossing.sides import run_both
    from equiv.relation import resolve_relation
    from equiv.tiers.data import CAPS

    engine = engine_of(pickled)
    database, asked, query = engine.open(), engine.read(pred), engine.read(gold, gold=True)
    if database is None or not isinstance(asked, Query) or not isinstance(query, Query):
        return False
    relation = resolve_relation(engine.relation, gold_orders=query.orders)
    if not (asked.is_repeatable and query.is_repeatable and engine.compares_cells(asked, query, relation)):
        return False
    ours, theirs = run_both(database, pred, gold, CAPS)
    if not isinstance(ours, Result) or not isinstance(theirs, Result) or ours.columns != theirs.columns:
        return False
    return bool(theirs.rows) and same_result(ours.rows, theirs.rows, relation)
