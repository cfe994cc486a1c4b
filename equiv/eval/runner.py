"""Running the pairs of an evaluation on several lanes.

A question goes to one lane, its predictions in file order, so that what
refuted one prediction is tried on the next, whatever the other lanes do.  A
pair that overstays its time, exhausts memory or takes its process down ends
as a record like any other; the lane goes on with a fresh process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equiv.eval import worker
from equiv.eval.plan import Job, Question
from equiv.isolate import Crashed, Lane, Timeout
from equiv.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict

if TYPE_CHECKING:
    from equiv.api import Options

CheckPair = Callable[[str, int, str, str], Verdict]
"""What a lane calls for a pair: database, number of the question, prediction, gold query."""

GRACE = 2.0
"""Seconds that a pair has beyond its timeout to end by itself before its process is killed."""


@dataclass(slots=True)
class _Course:
    """A question on its way through a lane."""

    lane: Lane
    number: int
    jobs: deque[Job]


def run(
    questions: Sequence[Question], options: Options, workers: int, check_pair: CheckPair = worker.check_pair
) -> Iterator[Record]:
    """The records of all pairs, as they are settled; never raises for a pair.

    Closing the iterator, or an interrupt, kills the workers.
    """
    places = {job.item.db_id: job.place for question in questions for job in question}
    waiting = deque(enumerate(questions))
    running: dict[Future[Verdict | Timeout | Crashed], _Course] = {}

    def go_on(course: _Course) -> None:
        if not course.jobs and waiting:
            course.number, question = waiting.popleft()
            course.jobs.extend(question)
        if course.jobs:
            running[_submit(course, options, check_pair)] = course

    with ExitStack() as stack:
        for _ in range(min(workers, len(questions))):
            go_on(_Course(stack.enter_context(Lane(worker.enter, places, options)), 0, deque()))
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                course = running.pop(future)
                job = course.jobs.popleft()
                go_on(course)
                yield to_record(job.item, _verdict(future, options), job.key)


def _submit(course: _Course, options: Options, check_pair: CheckPair) -> Future[Verdict | Timeout | Crashed]:
    item = course.jobs[0].item
    return course.lane.submit(
        check_pair,
        item.db_id,
        course.number,
        item.predicted_sql,
        item.gold_sql,
        timeout=options.timeout + GRACE,
    )


def _verdict(future: Future[Verdict | Timeout | Crashed], options: Options) -> Verdict:
    match future.result():
        case Timeout(seconds=seconds):
            return _undecided(Reason.TIMEOUT, f"killed after {seconds:g} s", options)
        case Crashed(cause="raised", message=message):
            return _undecided(Reason.INTERNAL, message, options)
        case Crashed(message=message):
            return _undecided(Reason.RESOURCE, message, options)
        case verdict:
            return verdict


def _undecided(reason: Reason, detail: str, options: Options) -> Verdict:
    """The verdict on a pair that ended without one; its gold query was perhaps never read."""
    relation = resolve_relation(options.relation, gold_orders=False)
    return Undecided(relation=relation, reason=reason, detail=" ".join(detail.split()))
