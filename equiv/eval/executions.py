"""Execution accuracy beside the verdicts: each record with what both queries return on the given database."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Future

from equiv.eval.metrics.measured import golds_of
from equiv.eval.metrics.registry import scored_on_any
from equiv.eval.plan import Setting
from equiv.eval.running import worker
from equiv.records.record import Record
from equiv.workers.isolate import Crashed, Timeout
from equiv.workers.lanes import Lanes
from equiv.workers.waiting import result_of

SECONDS = 120.0
"""How long the queries of one pair may take in all; each of them has its own limit below that."""

Pending = tuple[Record, Future[bool | Timeout | Crashed | None] | None]


def with_executions(
    records: Iterable[Record | None], settings: Mapping[str, Setting], metric: str, lanes: int
) -> Generator[Record | None]:
    """The records in the same order, each with its execution accuracy; a None among them means none for now.

    Where there is no database, and where the gold queries cannot be run, nothing is measured.
    """
    pending: deque[Pending] = deque()
    with Lanes(worker.enter, settings, number=max(lanes, 1)) as workers:
        for record in records:
            if record is not None:
                setting = settings.get(record["db_id"])
                asked = None
                if setting is not None and setting.place.database is not None and not record["ex"]:
                    question = f"{record['db_id']} {record['gold_sql']}".encode("utf-8", "surrogatepass")
                    asked = workers.lane(question).submit(
                        scored_on_any,
                        record["db_id"],
                        record["predicted_sql"],
                        golds_of(record),
                        metric,
                        timeout=SECONDS,
                    )
                pending.append((record, asked))
            while pending and _is_done(pending[0]):
                yield _measured(*pending.popleft(), metric)
            if record is None:
                yield None
        while pending:
            yield _measured(*pending.popleft(), metric)


def _is_done(pending: Pending) -> bool:
    return pending[1] is None or pending[1].done()


def _measured(record: Record, asked: Future[bool | Timeout | Crashed | None] | None, metric: str) -> Record:
    if asked is None:
        return record
    found = result_of(asked)
    return {**record, "ex": {metric: found if isinstance(found, bool) else None}}
