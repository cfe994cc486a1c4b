"""One evaluation from its files to its records.

Beside its verdict each record says what both queries return on the given database: execution accuracy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval import plan
from equiv.eval.metrics.measured import golds_of
from equiv.eval.metrics.registry import execution_metric, scored_on_any
from equiv.eval.misses import Misses
from equiv.eval.pair_store import WHOLE, PairStore, Shard
from equiv.eval.plan import Job, JobState, Setting, key_of, settings_of
from equiv.eval.questions import Judge, QuestionGatherer, QuestionId, question_id
from equiv.eval.reading.formats import FormatOptions, format_named, read_items
from equiv.eval.reading.golds import abstention_record
from equiv.eval.reading.loading import mapping_of
from equiv.eval.results import ResultsFile
from equiv.eval.running import worker
from equiv.eval.running.cluster import lanes_on
from equiv.eval.running.runner import run_with_pauses
from equiv.eval.running.side_worker import SideWorker
from equiv.eval.several_golds import SeveralGolds
from equiv.records.record import Record
from equiv.replies.extract import is_reply
from equiv.schema.locate import Place
from equiv.workers.lanes import Crashed, Lanes, Timeout, result_of

if TYPE_CHECKING:
    from equiv.options import Options
    from equiv.records.record import Item


SECONDS = 120.0
"""How long the queries of one pair may take in all; each of them has its own limit below that."""

Pending = tuple[Record, Future[bool | Timeout | Crashed | None] | None]


def with_executions(
    records: Iterable[Record | None], settings: Mapping[str, Setting], metric: str, lanes: int
) -> Generator[Record | None]:
    """The records in the same order, each with its execution accuracy; a None among them means none for now.

    Where there is no database, and where the gold queries cannot be run, nothing is measured.
    """
    pending: deque[Pending] = deque()
    with Lanes(worker.enter, settings, number=max(lanes, 1)) as workers:
        for record in records:
            if record is not None:
                setting = settings.get(record["db_id"])
                asked = None
                if setting is not None and setting.place.database is not None and not record["ex"]:
                    question = f"{record['db_id']} {record['gold_sql']}".encode("utf-8", "surrogatepass")
                    asked = workers.lane(question).submit(
                        scored_on_any,
                        record["db_id"],
                        record["predicted_sql"],
                        golds_of(record),
                        metric,
                        timeout=SECONDS,
                    )
                pending.append((record, asked))
            while pending and _is_done(pending[0]):
                yield _measured(*pending.popleft(), metric)
            if record is None:
                yield None
        while pending:
            yield _measured(*pending.popleft(), metric)


def _is_done(pending: Pending) -> bool:
    return pending[1] is None or pending[1].done()


def _measured(record: Record, asked: Future[bool | Timeout | Crashed | None] | None, metric: str) -> Record:
    if asked is None:
        return record
    found = result_of(asked)
    return {**record, "ex": {metric: found if isinstance(found, bool) else None}}


PATIENCE = 0.1
"""Seconds after which records that are being measured or judged are seen to while the engine is busy."""


@dataclass(frozen=True)
class Request:
    """The request of one ``equiv eval``: files, options, output."""

    files: tuple[Path, ...]
    options: Options
    gold: Path | None = None
    kind: str = "auto"
    db_root: Path | None = None
    schema: Path | None = None
    out: Path | None = None
    workers: int = 1
    limit: int | None = None
    """The most items of each file."""
    shard: Shard = WHOLE
    engine: str = "local"
    """Where the workers are; see :func:`equiv.eval.running.cluster.lanes_on`."""
    address: str = ""
    mapping: str = ""
    """Fields by column, as :func:`equiv.eval.reading.loading.mapping_of` reads them."""
    extract: bool = False
    """Whether predictions are replies that hold a query."""
    encoding: str = ""
    """The encoding of text files; '' tells UTF-8 and UTF-16 apart."""
    vote: float | None = None
    """The share of samples that must agree, where predictions are lists of them."""
    ex: bool = True
    """Whether execution accuracy is measured where a database is given."""

    def items(self) -> Iterator[Item]:
        """The items of the files, read once.

        Raises:
            InputError: a file cannot be read, or an option has no such value.
        """
        reading = FormatOptions(mapping_of(self.mapping), self.extract, self.encoding, self.vote)
        return read_items(self.files, self.gold, format_named(self.kind), reading, self.limit)


class Evaluation:
    """An evaluation: the pairs of a request, of which a results file may settle some already.

    With a judge, a record has the judge's key; one that stands in the results
    file without a judge saves the engine's work, and none of the judge's.
    Neither pairs nor records stay in memory.

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """

    def __init__(self, request: Request, judge: Judge | None = None) -> None:
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
        """The record of an item that is no pair."""
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
            hold = "prediction holds" if self.replies == 1 else "predictions hold"
            told = f"{self.replies} {hold} fences, tags or prose around a query, and count as they stand"
            remarks.append(f"{told}; --extract takes the queries out")
        if self.duplicates:
            remarks.append(f"{self.duplicates} pairs stand more than once and were counted once")
        return remarks

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
            self.replies += not request.extract and is_reply(item.predicted_sql)
            if request.shard.holds(item):
                self._ledger.add(item)
        if not names:
            raise InputError(f"{', '.join(map(str, request.files))}: no pair in it")
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
            for record in records:
                if record is not None:
                    yield record

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
