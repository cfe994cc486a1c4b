"""One lane's way through the pairs of one gold query after the other.

What a worker has gathered of a gold query, the databases that refuted earlier
predictions, goes with it when it dies.  The next worker is then given those
predictions again, so that no verdict depends on what happened to a process;
and a pair whose worker somebody else killed is tried once more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from equiv.eval.plan import Group, Job, Setting
from equiv.eval.running.lanes import PairLane
from equiv.verdict import NotEquivalent, Tier, Verdict
from equiv.workers.isolate import Crashed, Timeout, has_ruined, was_killed

CheckPair = Callable[[str, str, str], Verdict]
"""What a lane calls for a pair: database name, prediction, gold query."""

Outcome = Verdict | Timeout | Crashed

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

    def begin(self, group: Group) -> None:
        """Take up the next group."""
        self.jobs.extend(group)
        self._refuted.clear()
        self._fresh = self._pairs >= RECYCLED_AFTER

    def submit(self, setting: Setting) -> Future[Outcome]:
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
