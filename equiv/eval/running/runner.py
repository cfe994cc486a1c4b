"""Running the pairs of an evaluation on several lanes.

The predictions for one gold query go to one lane, in file order, so that what
refuted one is tried on the next, whatever the other lanes do.  A pair that
overstays its time, exhausts memory or takes its process down ends as a record
like any other; the lane goes on with a fresh process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, closing
from itertools import islice

from equiv.engine.worker_outcomes import verdict_of
from equiv.errors import InputError
from equiv.eval.plan import Group, Setting
from equiv.eval.running import worker
from equiv.eval.running.lane_progress import CheckPair, LaneProgress, Outcome
from equiv.eval.running.lanes import OpenLane, local_lane
from equiv.options import Options
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict
from equiv.workers.lanes import in_turn


def run(
    groups: Iterable[Group],
    settings: Mapping[str, Setting],
    workers: int,
    check_pair: CheckPair = worker.check_pair,
    *,
    open_lane: OpenLane = local_lane,
) -> Generator[Record]:
    """The records of all pairs, as they are settled; never raises for a pair.

    Groups are taken as lanes become free for them.  Closing the iterator, or
    an interrupt, kills the workers.

    Raises:
        InputError: a lane cannot be opened, or its machine has other data.
    """
    pauses = run_with_pauses(groups, settings, workers, None, check_pair, open_lane=open_lane)
    with closing(pauses) as records:
        for record in records:
            if record is not None:
                yield record


def run_with_pauses(
    groups: Iterable[Group],
    settings: Mapping[str, Setting],
    workers: int,
    patience: float | None,
    check_pair: CheckPair = worker.check_pair,
    *,
    open_lane: OpenLane = local_lane,
) -> Generator[Record | None]:
    """As :func:`run`, with a None after each ``patience`` seconds without a record, for the caller's turn."""
    waiting = iter(groups)
    records: deque[Record] = deque()

    def begun(group: Group) -> LaneProgress:
        course = LaneProgress(stack.enter_context(open_lane(settings)), check_pair)
        course.begin(group)
        return course

    def go_on(course: LaneProgress, outcome: Future[Outcome] | None) -> Future[Outcome] | None:
        if outcome is not None:
            _take_in(course, outcome, settings, records)
        if not course.jobs:
            course.begin(next(waiting, ()))
        return course.submit(settings[course.jobs[0].item.db_id]) if course.jobs else None

    with ExitStack() as stack:
        courses = (begun(group) for group in islice(waiting, workers))
        for something in in_turn(courses, go_on, patience):
            if not something:
                yield None
            while records:
                yield records.popleft()


def _take_in(
    course: LaneProgress, outcome: Future[Outcome], settings: Mapping[str, Setting], records: deque[Record]
) -> None:
    """What came of a course's first job: its record, unless it is tried again."""
    setting = settings[course.jobs[0].item.db_id]
    if course.is_tried_again(outcome.result()):
        return
    verdict = _verdict(outcome, setting.options)
    job = course.finish(verdict)
    if not job.recorded:
        records.append(to_record(job.item, verdict, job.key, setting.options.accepted_rows))


def _verdict(outcome: Future[Outcome], options: Options) -> Verdict:
    """The verdict that came, or one that says why none did."""
    try:
        return verdict_of(outcome.result(), options)
    except InputError as error:
        relation = resolve_relation(options.relation, gold_orders=False)
        return Undecided(relation=relation, reason=Reason.INTERNAL, detail=str(error))
