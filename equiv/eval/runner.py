"""Running the pairs of an evaluation on several lanes.

A question goes to one lane, its predictions in file order, so that what
refuted one prediction is tried on the next, whatever the other lanes do.  A
pair that overstays its time, exhausts memory or takes its process down ends
as a record like any other; the lane goes on with a fresh process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass

from equiv.api import Options, verdict_of
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.plan import Job, Question, Setting
from equiv.isolate import Crashed, Lane, Timeout
from equiv.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict

CheckPair = Callable[[str, int, str, str], Verdict]
"""What a lane calls for a pair: database, number of the question, prediction, gold query."""

FOREVER = 7 * 86_400.0
"""Seconds that a pair has where no timeout is wanted."""


@dataclass(slots=True)
class _Course:
    """A question on its way through a lane."""

    lane: Lane
    number: int
    jobs: deque[Job]


def run(
    questions: Sequence[Question],
    settings: Mapping[str, Setting],
    workers: int,
    check_pair: CheckPair = worker.check_pair,
) -> Iterator[Record]:
    """The records of all pairs, as they are settled; never raises for a pair.

    Closing the iterator, or an interrupt, kills the workers.
    """
    waiting = deque(enumerate(questions))
    running: dict[Future[Verdict | Timeout | Crashed], _Course] = {}

    def go_on(course: _Course) -> None:
        if not course.jobs and waiting:
            course.number, question = waiting.popleft()
            course.jobs.extend(question)
        if course.jobs:
            running[_submit(course, settings, check_pair)] = course

    with ExitStack() as stack:
        for _ in range(min(workers, len(questions))):
            go_on(_Course(stack.enter_context(Lane(worker.enter, settings)), 0, deque()))
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                course = running.pop(future)
                job = course.jobs.popleft()
                go_on(course)
                options = settings[job.item.db_id].options
                yield to_record(job.item, _verdict(future, options), job.key)


def _submit(
    course: _Course, settings: Mapping[str, Setting], check_pair: CheckPair
) -> Future[Verdict | Timeout | Crashed]:
    item = course.jobs[0].item
    return course.lane.submit(
        check_pair,
        item.db_id,
        course.number,
        item.predicted_sql,
        item.gold_sql,
        timeout=settings[item.db_id].options.timeout or FOREVER,
    )


def _verdict(future: Future[Verdict | Timeout | Crashed], options: Options) -> Verdict:
    try:
        return verdict_of(future.result(), options)
    except InputError as error:
        relation = resolve_relation(options.relation, gold_orders=False)
        return Undecided(relation=relation, reason=Reason.INTERNAL, detail=str(error))
