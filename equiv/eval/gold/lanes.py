"""Small tasks on several worker processes, all tasks of one gold query on one of them; results in order.

Among them the verdicts on predictions for which no record of ``eval`` is at hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

from equiv.engine.worker_outcomes import verdict_of
from equiv.errors import InputError
from equiv.eval.gold.request import AuditRequest
from equiv.eval.metrics.measured import PairId, pair_of
from equiv.eval.plan import Setting
from equiv.eval.running import worker
from equiv.eval.running.worker import check_pair
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict
from equiv.workers.isolate import Crashed, Lane, Timeout
from equiv.workers.lanes import in_turn


@dataclass(frozen=True, slots=True)
class Task:
    """A call inside a worker process, which knows the settings of all databases."""

    db_id: str
    """Whose timeout it has."""
    group: Hashable
    """Tasks of one group go to one worker, one after the other, since they share what it keeps."""
    function: Callable[..., Any]
    arguments: tuple[object, ...]


def lay_ground(db_id: str) -> None:
    """Make the engine of a database, which is no task's time."""
    worker.WORKER.engine(db_id)


def in_lanes(tasks: Sequence[Task], settings: Mapping[str, Setting], workers: int) -> Generator[Any]:
    """The results of tasks, in their order: a value, Timeout or Crashed.

    Closing the iterator, or an interrupt, kills the workers.
    """
    waiting = deque(_by_group(tasks))
    done: dict[int, object] = {}

    def go_on(course: tuple[Lane, deque[int]], outcome: Future[Any] | None) -> Future[Any] | None:
        lane, numbers = course
        if outcome is not None:
            done[numbers.popleft()] = outcome.result()
        if not numbers and waiting:
            numbers.extend(waiting.popleft())
        if not numbers:
            return None
        task = tasks[numbers[0]]
        seconds = settings[task.db_id].seconds
        before = (lay_ground, (task.db_id,))
        return lane.submit(task.function, *task.arguments, timeout=seconds, before=before)

    following = 0
    with ExitStack() as stack:
        courses = (
            (stack.enter_context(Lane(worker.enter, settings)), deque[int]())
            for _ in range(min(workers, len(waiting)))
        )
        for _ in in_turn(courses, go_on):
            while following in done:
                yield done.pop(following)
                following += 1


def _by_group(tasks: Sequence[Task]) -> list[list[int]]:
    """The numbers of the tasks by group, in order of appearance."""
    groups: dict[Hashable, list[int]] = {}
    for number, task in enumerate(tasks):
        groups.setdefault(task.group, []).append(number)
    return list(groups.values())


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
