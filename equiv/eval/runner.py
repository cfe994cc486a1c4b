"""Running the pairs of an evaluation on several lanes.

The predictions for one gold query go to one lane, in file order, so that what
refuted one is tried on the next, whatever the other lanes do.  A pair that
overstays its time, exhausts memory or takes its process down ends as a record
like any other; the lane goes on with a fresh process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from equiv.engine.outcomes import verdict_of
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.plan import Group, Job, Setting
from equiv.options import CONDITION_SECONDS, Options
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict, may_be_conditional
from equiv.workers.isolate import Crashed, Lane, Timeout
from equiv.workers.waiting import first_done

CheckPair = Callable[[str, str, str], Verdict]
"""What a lane calls for a pair: database name, prediction, gold query."""

Outcome = Future[Verdict | Timeout | Crashed]


@dataclass(slots=True)
class _Course:
    """A lane and what is left of the group that it works on."""

    lane: Lane
    aside: Lane | None = None
    """Where further facts are looked for: what is killed there loses nothing that the next pair needs."""
    jobs: deque[Job] = field(default_factory=deque)
    verdict: Verdict | None = None
    """That of the first job, while further facts are looked for."""


def run(
    groups: Sequence[Group],
    settings: Mapping[str, Setting],
    workers: int,
    check_pair: CheckPair = worker.check_pair,
) -> Generator[Record]:
    """The records of all pairs, as they are settled; never raises for a pair.

    Closing the iterator, or an interrupt, kills the workers.
    """
    with closing(run_with_pauses(groups, settings, workers, None, check_pair)) as records:
        for record in records:
            if record is not None:
                yield record


def run_with_pauses(
    groups: Sequence[Group],
    settings: Mapping[str, Setting],
    workers: int,
    patience: float | None,
    check_pair: CheckPair = worker.check_pair,
) -> Generator[Record | None]:
    """As :func:`run`, with a None after each ``patience`` seconds without a record, for the caller's turn."""
    waiting = deque(groups)
    running: dict[Outcome, _Course] = {}

    def go_on(course: _Course) -> None:
        if not course.jobs and waiting:
            course.jobs.extend(waiting.popleft())
        if course.jobs:
            item = course.jobs[0].item
            seconds = settings[item.db_id].seconds
            outcome = course.lane.submit(
                check_pair, item.db_id, item.predicted_sql, item.gold_sql, timeout=seconds
            )
            running[outcome] = course

    wanted = any(setting.options.conditions for setting in settings.values())
    with ExitStack() as stack:
        for _ in range(min(workers, len(groups))):
            lane = stack.enter_context(Lane(worker.enter, settings))
            aside = stack.enter_context(Lane(worker.enter, settings)) if wanted else None
            go_on(_Course(lane, aside))
        while running:
            done, _ = first_done(running, patience)
            if not done:
                yield None
            for outcome in done:
                course = running.pop(outcome)
                setting = settings[course.jobs[0].item.db_id]
                verdict = _verdict(outcome, setting.options, course.verdict)
                if (asked := _ask_aside(course, verdict, setting)) is not None:
                    running[asked] = course
                    continue
                job, course.verdict = course.jobs.popleft(), None
                go_on(course)
                if not job.recorded:
                    yield to_record(job.item, verdict, job.key, setting.options.accepted_rows)


def _ask_aside(course: _Course, verdict: Verdict, setting: Setting) -> Outcome | None:
    """Have further facts looked for; None if none are wanted, or if that has been done."""
    job = course.jobs[0]
    if course.aside is None or course.verdict is not None or job.recorded or not may_be_conditional(verdict):
        return None
    course.verdict = verdict
    seconds = min(setting.seconds, CONDITION_SECONDS)
    item = job.item
    return course.aside.submit(
        worker.complete, item.db_id, verdict, item.predicted_sql, item.gold_sql, timeout=seconds
    )


def _verdict(outcome: Outcome, options: Options, known: Verdict | None = None) -> Verdict:
    """The verdict that came, or the one that was known before if nothing came."""
    if known is not None:
        found = outcome.result()
        return found if isinstance(found, Verdict) else known
    try:
        return verdict_of(outcome.result(), options)
    except InputError as error:
        relation = resolve_relation(options.relation, gold_orders=False)
        return Undecided(relation=relation, reason=Reason.INTERNAL, detail=str(error))
