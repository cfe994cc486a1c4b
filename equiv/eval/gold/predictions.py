"""Verdicts on predictions for which no record of ``eval`` is at hand."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing

from equiv.engine.worker_outcomes import verdict_of
from equiv.errors import InputError
from equiv.eval.gold.lanes import Task, in_lanes
from equiv.eval.gold.request import AuditRequest
from equiv.eval.metrics.measured import PairId, pair_of
from equiv.eval.plan import Setting
from equiv.eval.running.worker import check_pair
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict
from equiv.workers.isolate import Crashed, Timeout


def records_of(
    items: Iterable[Item], known: Iterable[Record], settings: Mapping[str, Setting], request: AuditRequest
) -> Generator[Record]:
    """The records of the predictions of which none is known, without keys: nothing resumes from them."""
    at_hand = {pair_of(record) for record in known}
    new = [item for item in items if _pair_of(item) not in at_hand]
    tasks = [Task(i.db_id, i.target, check_pair, (i.db_id, i.predicted_sql, i.gold_sql)) for i in new]
    with closing(in_lanes(tasks, settings, request.workers)) as outcomes:
        for item, outcome in zip(new, outcomes, strict=True):
            yield to_record(item, _verdict(outcome, request.options), "")


def _pair_of(item: Item) -> PairId:
    names = ("source", "question_id", "db_id", "predicted_sql", "gold_sql")
    return pair_of({name: getattr(item, name) for name in names})


def _verdict(outcome: Verdict | Timeout | Crashed, options: Options) -> Verdict:
    try:
        return verdict_of(outcome, options)
    except InputError as error:
        relation = resolve_relation(options.relation, gold_orders=False)
        return Undecided(relation=relation, reason=Reason.INTERNAL, detail=str(error))
