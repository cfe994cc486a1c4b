"""The misses of an evaluation, and the facts under which each would be equivalent after all.

They are looked for when all verdicts stand, and change none of them: a miss is written once more, with what
was found.  Misses that look most like such come first: those whose results are equal on the given database.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace

from equiv.engine.host import completed
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.metrics.scores import is_executed
from equiv.eval.plan import OnDisk, Setting, packed, unpacked
from equiv.eval.runner import PairLane, PairOutcome, local_lane
from equiv.records.record import Record
from equiv.records.verdict_json import said_by, verdict_of
from equiv.verdict import FURTHER_FACTS, may_be_conditional
from equiv.workers.lanes import Crashed, Timeout, in_turn

PAIR_SECONDS = 8.0
"""How long one miss may take; most take less than half a second."""

START_SECONDS = 8.0
"""How much longer the first miss of a worker may take, which imports the provers."""

_TABLES = "CREATE TABLE miss (promise INTEGER, db_id BLOB, place INTEGER PRIMARY KEY, record BLOB)"
_PROMISE = {True: 0, None: 1, False: 2}


class Misses(OnDisk):
    """The records of pairs that are not equivalent, or undecided, on disk until they are looked at.

    Args:
        settings: the databases; a pair without one is not looked at.
    """

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        self._settings = settings
        super().__init__(_TABLES)
        self.total = 0
        """How many misses were taken in, those looked at before included."""
        self.looked = 0
        """How many of them have been looked at, in this run or before."""

    def add(self, record: Record) -> None:
        """Take in a record, if it is a miss that facts might help."""
        if not _is_miss(record) or record["db_id"] not in self._settings:
            return
        self.total += 1
        if any(FURTHER_FACTS in attempt["reason"] for attempt in record["attempts"]):
            self.looked += 1
            return
        row = _PROMISE[is_executed(record)], record["db_id"].encode("utf-8", "surrogatepass"), packed(record)
        self._tables.execute("INSERT INTO miss (promise, db_id, record) VALUES (?, ?, ?)", row)

    @property
    def left(self) -> int:
        """How many have not been looked at."""
        return self.total - self.looked

    def completed(self, workers: int, seconds: float) -> Generator[Record]:
        """The records of misses with the facts that were found, or that none were, as they come.

        A miss that the end of the time cuts short is left for another run.

        Args:
            workers: how many are looked at at once.
            seconds: how long all may take.
        """
        settings = {
            name: replace(setting, options=replace(setting.options, conditions=True))
            for name, setting in self._settings.items()
        }
        end = time.monotonic() + seconds
        found: deque[Record] = deque()
        waiting = self._by_promise()

        def go_on(course: _Course, outcome: Future[PairOutcome] | None) -> Future[PairOutcome] | None:
            if outcome is not None:
                found.extend(course.completed(outcome.result()))
            left = end - time.monotonic()
            record = next(waiting, None) if left > 0 else None
            return None if record is None else course.begin(record, left)

        with ExitStack() as stack:
            stack.enter_context(closing(waiting))
            lanes = [
                stack.enter_context(local_lane(settings)) for _ in range(min(workers, max(self.left, 1)))
            ]
            for _ in in_turn(map(_Course, lanes), go_on):
                while found:
                    self.looked += 1
                    yield found.popleft()

    def _by_promise(self) -> Generator[Record]:
        query = "SELECT record FROM miss ORDER BY promise, db_id, place"
        for (found,) in self._tables.execute(query):
            yield unpacked(found)


@dataclass(slots=True)
class _Course:
    """A lane and the miss that it looks at."""

    lane: PairLane
    record: Record | None = None
    is_fresh: bool = True
    """Whether its worker has yet to start."""
    is_short: bool = False
    """Whether the miss has less time than one may take."""

    def begin(self, record: Record, left: float) -> Future[PairOutcome]:
        """Have a miss looked at, for no longer than is left for all."""
        seconds = PAIR_SECONDS + START_SECONDS * self.is_fresh
        self.record, self.is_short = record, left < seconds
        texts = record["predicted_sql"], record["gold_sql"]
        allowed = min(seconds, left)
        return self.lane.submit(worker.complete, record["db_id"], verdict_of(record), *texts, timeout=allowed)

    def completed(self, outcome: PairOutcome) -> Iterator[Record]:
        """The record with what came, unless the end of all time came first."""
        record = self.record
        assert record is not None
        self.is_fresh = isinstance(outcome, Timeout | Crashed)
        if isinstance(outcome, Timeout) and self.is_short:
            return
        before = verdict_of(record)
        said = said_by(completed(before, outcome))
        spent = said["attempts"][len(before.attempts) :]
        yield {
            **record,
            "equivalent_if": said["equivalent_if"],
            "attempts": [*record["attempts"], *spent],
        }


def _is_miss(record: Record) -> bool:
    if record["verdict"] not in ("not_equivalent", "undecided") or record["score_by"] == "abstention":
        return False
    try:
        return may_be_conditional(verdict_of(record))
    except InputError:  # a damaged record that was resumed
        return False
