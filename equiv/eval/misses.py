"""The misses of an evaluation, and the facts under which each would be equivalent after all.

They are looked for when all verdicts stand, and change none of them: a miss is written once more, with what
was found.  Misses that look most like such come first: those whose results are equal on the given database.
Of one record they are looked for when it is explained, as are the fewest facts of an equivalence.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, replace

from equiv.engine.host import Call, completed
from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.plan import OnDisk, Setting, packed, unpacked
from equiv.eval.runner import PairOutcome, local_lane
from equiv.options import Options
from equiv.records.record import Item, Record, is_executed, pair_key
from equiv.records.verdict_json import ATTEMPT, said_by, verdict_of
from equiv.schema.locate import Place
from equiv.verdict import FURTHER_FACTS, Attempt, Verdict, may_be_conditional
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
        """The number of misses that have not been looked at."""
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
    after = completed(before, outcome)
    told = {"equivalent_if": said_by(after)["equivalent_if"]}
    return {**record, **told, **_spent(record, after.attempts[len(before.attempts) :])}


def _spent(record: Record, more: Sequence[Attempt]) -> Record:
    """The fields of a record that say what was spent, further attempts in place of others of a purpose."""
    again = {attempt.purpose for attempt in more}
    stand = [one for one in record["attempts"] if ATTEMPT.read(one).purpose not in again]
    ms = {name: own for name, own in record["ms"].items() if name not in again}
    for attempt in more:
        ms[attempt.purpose] = round(ms.get(attempt.purpose, 0.0) + attempt.ms, 3)
    return {"attempts": [*stand, *map(ATTEMPT.write, more)], "ms": ms}


def told_in_full(record: Record, place: Place, options: Options) -> Record | None:
    """A record with as few facts as it takes, or with those that it lacks; None if its verdict is another.

    Args:
        record: as an evaluation wrote it.
        place: what the pair is checked on.
        options: how.

    Raises:
        InputError: the record is that of other options, or of other data.
    """
    golds = tuple(gold["sql"] for gold in record["golds"]) or (record["gold_sql"],)
    own = {one.name: record[one.name] for one in fields(Item) if one.name in record and one.name != "faults"}
    item = Item(**{**own, "gold_sql": golds[0], "alternatives": golds[1:]})
    if pair_key(item, place.digest, replace(options, conditions=False)) != record["key"]:
        raise InputError("the record has other options, other data or a judge; it is shown unchanged")
    premises = Premises.of(place.schema, place.database, options)
    verdict = Call(options).check(premises, record["predicted_sql"], record["gold_sql"])
    if (verdict.name, verdict.tier) != (record["verdict"], record["tier"]):
        return None
    names = (
        ("facts", "caveat", "evidence", "strongest") if verdict.name == "equivalent" else ("equivalent_if",)
    )
    told = {name: own for name, own in said_by(verdict).items() if name in names}
    spent = [attempt for attempt in verdict.attempts if attempt.purpose in ("fewest", "conditions")]
    return {"key": record["key"], **record, **told, **_spent(record, spent)}


def _is_miss(record: Record) -> bool:
    if record["verdict"] not in ("not_equivalent", "undecided") or record["score_by"] == "abstention":
        return False
    try:
        return may_be_conditional(verdict_of(record))
    except InputError:  # a damaged record that was resumed
        return False
