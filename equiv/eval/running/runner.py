"""Running the pairs of an evaluation on several lanes.

The predictions for one gold query go to one lane, in file order, so that what
refuted one is tried on the next, whatever the other lanes do.  A pair that
overstays its time, exhausts memory or takes its process down ends as a record
like any other; the lane goes on with a fresh process.

A lane is a killable worker process, on this machine or another. What a worker has gathered of a gold query,
the databases that refuted earlier predictions, goes with it when it dies. The next worker is then given
those predictions again, so that no verdict depends on what happened to a process; and a pair whose worker
somebody else killed is tried once more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, Self, TypeVar

from equiv.engine.host import verdict_of
from equiv.errors import InputError
from equiv.eval.plan import Job, JobGroup, Setting
from equiv.eval.running import worker
from equiv.options import Options
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import NotEquivalent, Reason, Tier, Undecided, Verdict
from equiv.workers.lanes import Crashed, Lane, Timeout, has_ruined, in_turn, was_killed

T = TypeVar("T")


class PairLane(Protocol):
    """One worker after the other that performs tasks in order; see :class:`equiv.workers.lanes.Lane`."""

    def submit(
        self, function: Callable[..., T], *args: object, timeout: float, fresh: bool = False
    ) -> Future[T | Timeout | Crashed]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


OpenLane = Callable[[Mapping[str, Setting]], PairLane]
"""What opens a lane whose workers know some settings; it is entered before it is used."""


def local_lane(settings: Mapping[str, Setting]) -> Lane:
    """A lane on this machine."""
    return Lane(worker.enter, settings)


CheckPair = Callable[[str, str, str], Verdict]
"""What a lane calls for a pair: database name, prediction, gold query."""

PairOutcome = Verdict | Timeout | Crashed

RECYCLED_AFTER = 1000
"""Pairs after which a lane begins the next gold query with a new worker."""

GIVEN_AGAIN = 32
"""So many refuted predictions, the latest, are given again to a new worker."""


@dataclass(slots=True)
class LaneProgress:
    """A lane with the open jobs of the group that it works on."""

    lane: PairLane
    check_pair: CheckPair
    jobs: deque[Job] = field(default_factory=deque)
    _refuted: deque[Job] = field(default_factory=lambda: deque(maxlen=GIVEN_AGAIN))
    """Jobs that left a generated database in the worker."""
    _tried_again: Job | None = None
    """The job that was last given a second try."""
    _pairs: int = 0
    """How many this worker was given."""
    _fresh: bool = False

    def begin(self, group: JobGroup) -> None:
        """Take up the next group."""
        self.jobs.extend(group)
        self._refuted.clear()
        self._fresh = self._pairs >= RECYCLED_AFTER

    def submit(self, setting: Setting) -> Future[PairOutcome]:
        """Have the first job checked."""
        item, fresh = self.jobs[0].item, self._fresh
        self._fresh = False
        self._pairs = 1 if fresh else self._pairs + 1
        texts = item.db_id, item.predicted_sql, item.gold_sql
        return self.lane.submit(self.check_pair, *texts, timeout=setting.seconds, fresh=fresh)

    def is_tried_again(self, outcome: object) -> bool:
        """See what an outcome cost; whether its job is still to be done."""
        job = self.jobs[0]
        again = was_killed(outcome) and self._tried_again != job
        if again:
            self._tried_again = job
        if has_ruined(outcome):
            self._pairs = 0
            self._give_again(after=0 if again else 1)
        return again

    def finish(self, verdict: Verdict) -> Job:
        """The first job, which is done."""
        job = self.jobs.popleft()
        if isinstance(verdict, NotEquivalent) and verdict.tier is Tier.GENERATE:
            self._refuted.append(job.again())
        return job

    def _give_again(self, after: int) -> None:
        """Put the refuted jobs after so many others, if something follows that profits by them."""
        head = [self.jobs.popleft() for _ in range(after)]
        if any(not job.recorded for job in self.jobs):
            self.jobs.extendleft(reversed(self._refuted))
        self._refuted.clear()
        self.jobs.extendleft(reversed(head))


def run(
    groups: Iterable[JobGroup],
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
    groups: Iterable[JobGroup],
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

    def begun(group: JobGroup) -> LaneProgress:
        course = LaneProgress(stack.enter_context(open_lane(settings)), check_pair)
        course.begin(group)
        return course

    def go_on(course: LaneProgress, outcome: Future[PairOutcome] | None) -> Future[PairOutcome] | None:
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
    course: LaneProgress,
    outcome: Future[PairOutcome],
    settings: Mapping[str, Setting],
    records: deque[Record],
) -> None:
    """What came of a course's first job: its record, unless it is tried again."""
    setting = settings[course.jobs[0].item.db_id]
    if course.is_tried_again(outcome.result()):
        return
    verdict = _verdict(outcome, setting.options)
    job = course.finish(verdict)
    if not job.recorded:
        records.append(to_record(job.item, verdict, job.key, setting.options.accepted_rows))


def _verdict(outcome: Future[PairOutcome], options: Options) -> Verdict:
    """The verdict that came, or one that says why none did."""
    try:
        return verdict_of(outcome.result(), options)
    except InputError as error:
        relation = resolve_relation(options.relation, gold_orders=False)
        return Undecided(relation=relation, reason=Reason.INTERNAL, detail=str(error))
