"""One evaluation from its files to its records.

Beside its verdict each record says what both queries return on the given database: execution accuracy.

A question may have several gold queries: a prediction is right if it meets one of them.  Each (prediction,
gold) is checked like any other pair, and so is each gold query against the first ones, so that golds
which are proven equal are told.  The record of the item is then put together:

- equivalent if the prediction is proved equivalent to one of the golds, with that proof;
- invalid if the prediction is no query on the schema, whatever the golds are;
- not equivalent only if every gold has its own witness; the first one is shown;
- else undecided, for the reason of the first gold that is.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval import plan, worker
from equiv.eval.arguments import AS_IT_IS, ReadingOptions, format_named
from equiv.eval.metrics.metric import LIMITS
from equiv.eval.metrics.registry import Scoring, execution_metric, scored_on_any
from equiv.eval.metrics.scores import golds_of
from equiv.eval.misses import Misses
from equiv.eval.plan import (
    WHOLE,
    Job,
    JobState,
    OnDisk,
    PairStore,
    Setting,
    Shard,
    digest_of,
    key_of,
    leaves_database,
    packed,
    settings_of,
    unpacked,
)
from equiv.eval.questions import Judge, QuestionGatherer, QuestionId, question_id
from equiv.eval.reading.formats import FormatOptions, read_items
from equiv.eval.reading.golds import abstention_record
from equiv.eval.reading.loading import mapping_of
from equiv.eval.results import ResultsFile
from equiv.eval.runner import lanes_on, run_with_pauses
from equiv.eval.worker import SideWorker
from equiv.records.record import UNSETTLED, Record
from equiv.records.verdict_json import REMARK
from equiv.replies.extract import is_reply
from equiv.schema.locate import Place
from equiv.verdict import Remark, RemarkKind
from equiv.workers.lanes import Crashed, Timeout, result_of
from equiv.workers.scheduler import Lanes

if TYPE_CHECKING:
    from equiv.options import Options
    from equiv.records.record import Item


_TABLES = """
CREATE TABLE job (last INTEGER, job BLOB);
CREATE TABLE whole (key TEXT PRIMARY KEY, golds BLOB, parts INTEGER);
CREATE TABLE part (key TEXT PRIMARY KEY, whole TEXT, number INTEGER, record BLOB);
CREATE TABLE comparison (key TEXT PRIMARY KEY, golds BLOB, one INTEGER, other INTEGER, same INTEGER);
CREATE TABLE settled (key TEXT PRIMARY KEY, leaves INTEGER);
CREATE INDEX whole_by_golds ON whole (golds);
CREATE INDEX part_by_whole ON part (whole, number);
CREATE INDEX comparison_by_golds ON comparison (golds);
"""
_COMPLETE = """
SELECT key, golds FROM whole
WHERE parts = (SELECT count(record) FROM part WHERE whole = whole.key)
AND NOT EXISTS (SELECT 1 FROM comparison WHERE comparison.golds = whole.golds AND same IS NULL)
"""


class SeveralGolds(OnDisk):
    """Takes jobs apart by gold query, and puts the records together again; meanwhile all lies on disk.

    Args:
        jobs: the pairs of an evaluation.
        recall: gives the record at hand of a key; an item that has one is not put together again.
    """

    def __init__(self, jobs: Iterable[Job], recall: Callable[[str], Record | None]) -> None:
        super().__init__(_TABLES)
        for job in jobs:
            if len(job.item.golds) == 1:
                self._take([job])
            else:
                self._take_apart(job, recall(job.key))

    def jobs(self) -> Iterator[Job]:
        """The pairs to check.

        Comparisons of golds come last, so that what distinguishes them is not tried on predictions: a resumed
        run may go without.
        """
        return (unpacked(job) for (job,) in self._tables.execute("SELECT job FROM job ORDER BY last, rowid"))

    def standing(self, key: str) -> JobState | None:
        """The state of a part by the record of its item; None without a record."""
        found = self._tables.execute("SELECT leaves FROM settled WHERE key = ?", (key,)).fetchone()
        if found is None:
            return None
        return JobState.REPEATED if found[0] else JobState.SETTLED

    def _take(self, jobs: Iterable[Job], *, last: bool = False) -> None:
        self._tables.executemany("INSERT INTO job VALUES (?, ?)", ((last, packed(job)) for job in jobs))

    def _take_apart(self, job: Job, record: Record | None) -> None:
        """Take the parts of an item, and the comparisons of its golds if they are not due already."""
        parts = [
            Job(replace(job.item, gold_sql=gold, alternatives=()), f"{job.key}:{number}")
            for number, gold in enumerate(job.item.golds)
        ]
        if record is not None:
            known = _settled_parts(parts, record)
            rows: Iterable[tuple[object, ...]] = ((key, leaves_database(own)) for key, own in known.items())
            self._tables.executemany("INSERT INTO settled VALUES (?, ?)", rows)
            self._take(part for part in parts if part.key in known)
            return
        golds = digest_of([job.item.db_id, job.item.golds])
        due = self._tables.execute("SELECT 1 FROM whole WHERE golds = ?", (golds,)).fetchone()
        self._tables.execute("INSERT INTO whole VALUES (?, ?, ?)", (job.key, golds, len(parts)))
        rows = ((part.key, job.key, number) for number, part in enumerate(parts))
        self._tables.executemany("INSERT INTO part VALUES (?, ?, ?, NULL)", rows)
        self._take(parts)
        if due is None:
            self._compare(job, golds)

    def _compare(self, job: Job, golds: bytes) -> None:
        texts = job.item.golds
        pairs = [(one, other) for other in range(1, len(texts)) for one in range(other)]
        for one, other in pairs:
            key = f"{job.key}:{one}={other}"
            self._tables.execute("INSERT INTO comparison VALUES (?, ?, ?, ?, NULL)", (key, golds, one, other))
            item = replace(job.item, predicted_sql=texts[other], gold_sql=texts[one], alternatives=())
            self._take([Job(item, key)], last=True)

    def together(self, records: Iterable[Record | None]) -> Generator[Record | None]:
        """The records of whole items as their parts come; a None is passed on."""
        for record in records:
            if record is None or not (self._compared(record) or self._came(record)):
                yield record
            else:
                yield from self._complete(record["key"])

    def _compared(self, record: Record) -> bool:
        """Whether a record is that of a comparison, which is noted."""
        proved = record["verdict"] == "equivalent"
        noted = "UPDATE comparison SET same = ? WHERE key = ?"
        return self._tables.execute(noted, (proved, record["key"])).rowcount > 0

    def _came(self, record: Record) -> bool:
        """Whether a record is that of a part, which is noted."""
        noted = "UPDATE part SET record = ? WHERE key = ?"
        return self._tables.execute(noted, (packed(record), record["key"])).rowcount > 0

    def _complete(self, key: str) -> Generator[Record]:
        """The records of the items that have all they need since the record of that key came."""
        concerned = (
            "AND (key = (SELECT whole FROM part WHERE key = ?1)"
            " OR golds = (SELECT golds FROM comparison WHERE key = ?1)) ORDER BY rowid"
        )
        for whole, golds in self._tables.execute(f"{_COMPLETE} {concerned}", (key,)).fetchall():
            query = "SELECT record FROM part WHERE whole = ? ORDER BY number"
            parts = [unpacked(found) for (found,) in self._tables.execute(query, (whole,))]
            self._tables.execute("DELETE FROM part WHERE whole = ?", (whole,))
            self._tables.execute("DELETE FROM whole WHERE key = ?", (whole,))
            yield put_together(parts, whole, self._same(golds))

    def _same(self, golds: bytes) -> set[tuple[int, int]]:
        return set(
            self._tables.execute("SELECT one, other FROM comparison WHERE golds = ? AND same", (golds,))
        )


def put_together(parts: Sequence[Record], key: str, same: set[tuple[int, int]]) -> Record:
    """The record of an item from those of its parts, one for each gold query.

    Args:
        parts: in the order of the gold queries.
        key: that of the item.
        same: the pairs of numbers of golds that are proved equal.
    """
    golds = [
        {
            "sql": part["gold_sql"],
            **{name: part[name] for name in ("verdict", "tier", "reason", "difference")},
            "same_as": min((first for first, second in same if second == number), default=None),
        }
        for number, part in enumerate(parts)
    ]
    spent: dict[str, float] = {}
    for part in parts:
        for tier, ms in part["ms"].items():
            spent[tier] = round(spent.get(tier, 0.0) + ms, 3)
    return {**_chosen(parts), "key": key, "golds": golds, "ms": spent}


def _chosen(parts: Sequence[Record]) -> Record:
    """The part whose verdict, score and evidence are those of the item."""
    for verdict in ("equivalent", "invalid"):
        for part in parts:
            if part["verdict"] == verdict:
                return part
    return max([part for part in parts if part["verdict"] == "undecided"] or parts[:1], key=_rank)


def _rank(part: Record) -> tuple[bool, bool, bool]:
    """Of undecided parts: what is accepted all the same, then what is tried again, then what can be."""
    reason = part["reason"]
    return part["score"] == 1, reason in UNSETTLED, reason != "GOLD_INVALID"


def _settled_parts(parts: Sequence[Job], record: Record) -> dict[str, Record]:
    by_text = {gold["sql"]: gold for gold in record.get("golds", ())}
    return {part.key: by_text[part.item.gold_sql] for part in parts if part.item.gold_sql in by_text}


SECONDS = 120.0
"""How long the queries of one pair may take in all, or ``--timeout`` if less; each has a limit of its own."""

Asked = Future[Scoring | Timeout | Crashed] | None


def with_executions(
    records: Iterable[Record | None], settings: Mapping[str, Setting], metric: str, lanes: int
) -> Generator[Record | None]:
    """The records in the same order, each with its execution accuracy; a None among them means none for now.

    Where there is no database, and where the gold queries cannot be run, nothing is measured.
    """
    pending: deque[tuple[Record, Asked]] = deque()
    with Lanes(worker.kind_of(settings), max(lanes, 1)) as workers:
        for record in records:
            if record is not None:
                setting = settings.get(record["db_id"])
                is_due = setting is not None and setting.place.database is not None and not record["ex"]
                seconds = min(SECONDS, setting.seconds) if setting is not None and is_due else 0.0
                pending.append((record, _execution(record, metric, workers, seconds) if is_due else None))
            while pending and ((asked := pending[0][1]) is None or asked.done()):
                yield _measured(*pending.popleft(), metric)
            if record is None:
                yield None
        while pending:
            yield _measured(*pending.popleft(), metric)


def _execution(record: Record, metric: str, workers: Lanes, seconds: float) -> Asked:
    """What a metric says of a record, measured by the worker for its question."""
    lane = workers.lane(f"{record['db_id']} {record['gold_sql']}".encode("utf-8", "surrogatepass"))
    texts = record["db_id"], record["predicted_sql"], golds_of(record)
    return lane.submit(scored_on_any, *texts, metric, timeout=seconds)


def _measured(record: Record, asked: Asked, metric: str) -> Record:
    """A record with its execution accuracy, the time that it took, and what ran out of time."""
    if asked is None:
        return record
    answer, seconds = result_of(asked), LIMITS.seconds
    if isinstance(answer, Timeout):
        seconds = answer.seconds
        answer = Scoring(late=frozenset(("pred", "gold")), ms=1000 * seconds)
    found = answer if isinstance(answer, Scoring) else Scoring()
    text = (
        f"out of time on the given data after {seconds:g} seconds; execution accuracy: {_SAID[found.score]}"
    )
    late = [Remark(RemarkKind.EX_TIME, side, text) for side in sorted(found.late, reverse=True)]
    told = {"remarks": [*record["remarks"], *map(REMARK.write, late)], "ms": {**record["ms"], "EX": found.ms}}
    return {**record, **told, "ex": {metric: found.score}}


_SAID = {None: "not measured", False: "wrong, as benchmarks count it", True: "right by another gold query"}


PATIENCE = 0.1
"""Seconds after which records that are being measured or judged are seen to while the engine is busy."""


@dataclass(frozen=True)
class Request:
    """The request of one ``equiv eval``: files, options, output."""

    files: tuple[Path, ...]
    options: Options
    reading: ReadingOptions = AS_IT_IS
    db_root: Path | None = None
    schema: Path | None = None
    out: Path | None = None
    workers: int = 1
    limit: int | None = None
    """The most items of each file."""
    shard: Shard = WHOLE
    engine: str = "local"
    """Where the workers are; see :func:`equiv.eval.runner.lanes_on`."""
    address: str = ""
    ex: bool = True
    """Whether execution accuracy is measured where a database is given."""

    def items(self) -> Iterator[Item]:
        """The items of the files, read once.

        Raises:
            InputError: a file cannot be read, or an option has no such value.
        """
        told = self.reading
        reading = FormatOptions(mapping_of(told.mapping), told.extract, told.encoding, told.vote)
        return read_items(self.files, told.gold, format_named(told.kind), reading, self.limit)


def _processor_seconds() -> float:
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system


class Evaluation:
    """An evaluation: the pairs of a request, of which a results file may settle some already.

    With a judge, a record has the judge's key; one that stands in the results
    file without a judge saves the engine's work, and none of the judge's.
    Neither pairs nor records stay in memory.

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """

    def __init__(self, request: Request, judge: Judge | None = None) -> None:
        self._begun = perf_counter(), _processor_seconds()
        self._request = request
        self._judge = judge
        self._ledger = PairStore()
        with ExitStack() as owned:
            owned.callback(self._ledger.close)
            self._missing = self._place(self._read_items())
            self.duplicates = self._ledger.give_keys(lambda item: key_of(item, self._settings))
            self._open_lane = lanes_on(request.engine, request.address, request.workers, owned)
            self._results = owned.enter_context(ResultsFile(request.out)) if request.out else None
            self._owned = owned.pop_all()
        self.total = len(self._ledger)
        self.done = sum(self._is_settled(key) for key in self._ledger.all_keys())
        """How many of them a results file settles."""
        self._appended = 0

    def _place(self, names: Iterable[str]) -> Mapping[str, str]:
        """Find the databases of the items; those without one, and why."""
        request = self._request
        found, missing = plan.places_found(
            names, request.db_root, request.schema, request.options.given_dialect
        )
        nowhere = {name: Setting(Place(name), request.options) for name in missing}
        self._settings = settings_of(found, request.options) | nowhere
        return missing

    def _is_pair(self, job: Job) -> bool:
        return job.item.is_pair and job.item.db_id not in self._missing

    def _record_of(self, job: Job) -> Record:
        """The record of an item that is not a pair."""
        write = plan.record_of if job.item.is_pair else abstention_record
        return write(job, self._judged_key(job.key), self._request.options)

    def _jobs(self) -> Iterator[Job]:
        """What there is, in file order; an item without a database is told so."""
        return (replace(job, item=plan.marked(job.item, self._missing)) for job in self._ledger.jobs())

    def items(self) -> Iterator[Item]:
        """The items, in file order."""
        return (job.item for job in self._jobs())

    def in_order(self, records: Mapping[str, Record]) -> list[Record]:
        """The records of this evaluation's items among records by key, in file order."""
        keys = map(self._judged_key, self._ledger.all_keys())
        return [found for key in keys if (found := records.get(key))]

    def resumed(self) -> Iterator[Record]:
        """The records that stand already, in file order."""
        return (found for key in self._ledger.all_keys() if (found := self._recall(self._judged_key(key))))

    def records(self) -> Generator[Record]:
        """The records of the pairs to do, each written before it is given."""
        unpaired = (
            self._record_of(job)
            for job in self._jobs()
            if not self._is_pair(job) and not self._is_settled(job.key)
        )
        with closing(self._run() if self._judge is None else self._judged(self._judge)) as records:
            for record in chain(unpaired, records):
                if self._results is not None and record["key"] not in self._results.settled:
                    self._results.write(record)
                    self._appended += 1
                yield record

    @property
    def out(self) -> Path | None:
        """The results file, if there is one."""
        return self._request.out

    def misses(self) -> Misses:
        """A place for the misses of this evaluation, to be looked at when all verdicts stand."""
        return Misses({name: own for name, own in self._settings.items() if name not in self._missing})

    def with_conditions(self, misses: Misses, seconds: float) -> Generator[Record]:
        """The records of misses with the facts that would make them equivalent, each written once more."""
        with ExitStack() as after:
            if self._results is not None:
                after.callback(self._results.tidy)
            for record in after.enter_context(closing(misses.completed(self._request.workers, seconds))):
                if self._results is not None:
                    self._results.supersede(record)
                yield record

    def remarks(self, checked: int) -> list[str]:
        """The remarks after a run: where the records are, and which items were left out."""
        out = self._request.out
        remarks = []
        if checked < self.total - self.done:
            resume = "run again to resume" if out is not None else "give --out FILE.jsonl to resume a run"
            remarks.append(f"interrupted after {checked} of {self.total - self.done} pairs; {resume}")
        if out is not None:
            remarks.append(f"{self.done} records resumed from {out}, {self._appended} appended")
        if self.replies:
            several = self.replies > 1
            hold = "predictions hold" if several else "prediction holds"
            scored = "are scored as they are" if several else "is scored as it is"
            told = f"{self.replies} {hold} fences, tags or prose around a query, and {scored}"
            remarks.append(f"{told}; --extract extracts the queries")
        if self.duplicates:
            remarks.append(f"{self.duplicates} pairs occur more than once and were counted once")
        remarks += dict.fromkeys(filter(None, (setting.place.remark for setting in self._settings.values())))
        return remarks

    def spent(self) -> tuple[float, float]:
        """The seconds since the first file was opened: by the clock, and of processors, ended workers too."""
        clock, processor = self._begun
        return perf_counter() - clock, _processor_seconds() - processor

    def close(self) -> None:
        """Close the results file."""
        self._owned.close()

    def _read_items(self) -> tuple[str, ...]:
        """Take in the items of the files; the databases of all of them, and not of this shard alone."""
        request = self._request
        names: dict[str, None] = {}
        self.replies = 0
        """How many predictions are replies that are read as they stand."""
        for item in request.items():
            names[item.db_id] = None
            self.replies += not request.reading.extract and is_reply(item.predicted_sql)
            if request.shard.holds(item):
                self._ledger.add(item)
        if not names:
            raise InputError(f"{', '.join(map(str, request.files))}: the file has no pairs")
        return tuple(names)

    def _judged_key(self, key: str) -> str:
        return key if self._judge is None else self._judge.key(key)

    def _is_settled(self, key: str) -> bool:
        """Whether the record of a pair stands, by its key without a judge."""
        return self._results is not None and self._judged_key(key) in self._results.settled

    def _recall(self, key: str) -> Record | None:
        return self._results.settled.get(key) if self._results is not None else None

    def _standing(self, key: str) -> JobState:
        """What stands of a pair, by its key without a judge; then it is needless to run the engine on it."""
        if self._results is None:
            return JobState.OPEN
        entry = self._results.settled.entry(self._judged_key(key)) or self._results.settled.entry(key)
        if entry is None:
            return JobState.OPEN
        return JobState.REPEATED if entry.leaves_database else JobState.SETTLED

    def _run(self) -> Generator[Record]:
        with closing(self._engine()) as records:
            yield from filter(None, records)

    def _engine(self) -> Generator[Record | None]:
        """The records of the pairs that are not settled; None where there is none for now."""
        request = self._request
        measuring = request.ex and any(setting.place.database for setting in self._settings.values())
        with ExitStack() as opened:
            several = opened.enter_context(closing(self._several()))
            verdicts = run_with_pauses(
                self._ledger.groups(lambda key: several.standing(key) or self._standing(key), self._is_pair),
                self._settings,
                request.workers,
                PATIENCE if measuring or self._judge is not None else None,
                open_lane=self._open_lane,
            )
            records = several.together(opened.enter_context(closing(verdicts)))
            if measuring:
                metric = execution_metric(request.options.relation)
                records = with_executions(records, self._settings, metric, request.workers)
            yield from opened.enter_context(closing(records))

    def _several(self) -> SeveralGolds:
        """The pairs that have several gold queries, taken apart; their parts are put on the ledger."""
        whole = (job for job in self._jobs() if self._is_pair(job) and job.item.alternatives)
        several = SeveralGolds(whole, lambda key: self._recall(self._judged_key(key)) or self._recall(key))
        for part in several.jobs():
            self._ledger.add_part(part)
        return several

    def _judged(self, judge: Judge) -> Generator[Record]:
        with closing(SideWorker(self._settings)) as aside, closing(self._engine()) as found:
            came = chain(self._at_hand(), found)
            questions = QuestionGatherer(self._due(), self._scored(), self._recall)
            with closing(judge.scored(questions.gather(came), aside)) as scored:
                yield from scored

    def _due(self) -> Iterator[tuple[str, QuestionId]]:
        return (
            (job.key, question_id(job.item))
            for job in self._ledger.jobs()
            if self._is_pair(job) and not self._is_settled(job.key)
        )

    def _scored(self) -> Iterator[tuple[str, QuestionId]]:
        return (
            (self._judged_key(job.key), question_id(job.item))
            for job in self._ledger.jobs()
            if self._is_settled(job.key)
        )

    def _at_hand(self) -> Iterator[Record]:
        """Records that stand without a judge, by database: requests on one schema share a prefix."""
        for job in self._ledger.by_database():
            if self._is_pair(job) and not self._is_settled(job.key) and (record := self._recall(job.key)):
                yield record
