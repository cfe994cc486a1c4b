"""The misses of an evaluation, and the facts under which each would be equivalent after all.

They are looked for when all verdicts stand, and change none of them: a miss is written once more, with what
was found.  Misses that look most like such come first: those whose results are equal on the given database.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace

from equiv.engine.host import completed
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.metrics.scores import is_executed
from equiv.eval.plan import OnDisk, Setting, packed, unpacked
from equiv.eval.runner import PairOutcome, local_lane
from equiv.records.record import Record
from equiv.records.verdict_json import said_by, verdict_of
from equiv.verdict import FURTHER_FACTS, Verdict, may_be_conditional
from equiv.workers.lanes import Crashed, Timeout
from equiv.workers.scheduler import Course, share_out

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

        def course(misses: Iterator[Record]) -> Course[Record]:
            with local_lane(settings) as lane:
                is_fresh = True  # the worker has yet to start
                while (left := end - time.monotonic()) > 0 and (record := next(misses, None)) is not None:
                    before, texts = verdict_of(record), (record["predicted_sql"], record["gold_sql"])
                    most = PAIR_SECONDS + START_SECONDS * is_fresh
                    outcome: PairOutcome = yield lane.submit(
                        worker.complete, record["db_id"], before, *texts, timeout=min(most, left)
                    )
                    is_fresh = isinstance(outcome, Timeout | Crashed)
                    if not isinstance(outcome, Timeout) or left >= most:
                        yield _completed(record, before, outcome)

        with closing(self._by_promise()) as waiting, closing(share_out(waiting, workers, course)) as found:
            for record in filter(None, found):
                self.looked += 1
                yield record

    def _by_promise(self) -> Generator[Record]:
        query = "SELECT record FROM miss ORDER BY promise, db_id, place"
        for (found,) in self._tables.execute(query):
            yield unpacked(found)


def _completed(record: Record, before: Verdict, outcome: PairOutcome) -> Record:
    """A record with what came of looking for facts."""
    said = said_by(completed(before, outcome))
    spent = said["attempts"][len(before.attempts) :]
    return {**record, "equivalent_if": said["equivalent_if"], "attempts": [*record["attempts"], *spent]}


def _is_miss(record: Record) -> bool:
    if record["verdict"] not in ("not_equivalent", "undecided") or record["score_by"] == "abstention":
        return False
    try:
        return may_be_conditional(verdict_of(record))
    except InputError:  # a damaged record that was resumed
        return False
