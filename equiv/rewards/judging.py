"""The tasks of a worker: findings on pairs, by engines that are kept for later pairs on their database."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from equiv.engine.premises import Premises
from equiv.rewards.reward import Finding, Outcome
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Reason, Tier, Undecided, Verdict

if TYPE_CHECKING:
    from equiv.engine.engine import Engine

ENGINES = 8
"""For how many databases a worker keeps what it knows: schema, facts, gold queries, databases that told."""

_OUTCOMES = {
    Reason.NONDETERMINISTIC: Outcome.TIE,
    Reason.TIMEOUT: Outcome.TIMEOUT,
    Reason.RESOURCE: Outcome.TIMEOUT,
    Reason.GOLD_INVALID: Outcome.TROUBLE,
    Reason.INTERNAL: Outcome.TROUBLE,
    Reason.CONFLICT: Outcome.TROUBLE,
}

_engines: OrderedDict[bytes, Engine] = OrderedDict()


def prepare(*several: bytes) -> None:
    """Read facts and data of some premises, unless that was done."""
    for pickled in several:
        _engine(pickled).open()


def verdict(pickled: bytes, pred: str, gold: str) -> Verdict:
    """The verdict on a pair, by the engine of some premises.

    No other version of the engine runs its witness: that changes no verdict, and a reward is to be quick.
    """
    return _engine(pickled).check(pred, gold, elsewhere=False)


def completed(pickled: bytes, settled: Verdict, pred: str, gold: str) -> Verdict:
    """A verdict with the facts under which the pair would be equivalent."""
    return _engine(pickled).complete(settled, pred, gold)


def finding(pickled: bytes, observed: bytes | None, pred: str, gold: str, results: bool) -> Finding:
    """The finding on a pair.

    Args:
        pickled: the premises.
        observed: the same with what is true of the database as facts, where it matters whether a witness
            keeps them; else None.
        pred: the predicted query.
        gold: the gold query.
        results: whether to compare results on the database where nothing is proved or refuted.
    """
    settled = verdict(pickled, pred, gold)
    first = finding_of(settled)
    if observed is not None and first.outcome is Outcome.REFUTED and settled.tier is not Tier.DATA:
        nearer = verdict(observed, pred, gold)
        if not isinstance(nearer, NotEquivalent):
            return replace(first, outcome=Outcome.REFUTED_ELSEWHERE)
    if results and first.outcome is Outcome.UNDECIDED and _same_rows(pickled, pred, gold):
        return replace(first, outcome=Outcome.EQUAL_RESULTS)
    return first


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

    engine = _engine(pickled)
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


def _engine(pickled: bytes) -> Engine:
    if pickled in _engines:
        _engines.move_to_end(pickled)
        return _engines[pickled]
    from equiv.engine.worker_functions import engine_for

    _engines[pickled] = engine_for(Premises.from_pickled(pickled))
    if len(_engines) > ENGINES:
        _engines.popitem(last=False)[1].close()
    return _engines[pickled]


def start() -> None:
    """Import what the first pair needs."""
    from equiv.engine.worker_functions import preload

    preload()
