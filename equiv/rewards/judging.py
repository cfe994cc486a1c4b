"""Findings on pairs, in a worker: by the engine that is kept for later pairs on their database.

No other version of the engine runs a witness: that changes no verdict, and a reward is to be quick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

from equiv.engine.host import check_kept, engine_of
from equiv.rewards.reward import Finding, Outcome
from equiv.verdict import Equivalent, Invalid, Naming, NotEquivalent, Reason, Tier, Undecided, Verdict

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
    return check_kept(pickled, pred, gold, elsewhere=False, naming=Naming.ENOUGH)


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
