"""One evaluation from its files to its records."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval import abstention, places
from equiv.eval.aside import Aside
from equiv.eval.executions import ex_metric, with_executions
from equiv.eval.formats import Reading, format_named, read_items
from equiv.eval.plan import Job, Setting, groups_of, jobs_of, settings_of
from equiv.eval.questions import Judge, Questions, question_id
from equiv.eval.results import ResultsFile
from equiv.eval.runner import run_with_pauses
from equiv.eval.several import Several
from equiv.eval.tables import mapping_of
from equiv.records.record import Record
from equiv.schema.locate import Place

if TYPE_CHECKING:
    from equiv.options import Options
    from equiv.records.item import Item

PATIENCE = 0.1
"""Seconds after which records that are being measured or judged are seen to while the engine is busy."""


@dataclass(frozen=True)
class Request:
    """What ``eval`` is asked for."""

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
    mapping: str = ""
    """Fields by column, as :func:`equiv.eval.tables.mapping_of` reads them."""
    extract: bool = False
    """Whether predictions are replies that hold a query."""
    ex: bool = True
    """Whether execution accuracy is measured where a database is given."""

    def items(self) -> Iterator[Item]:
        """What the files hold.

        Raises:
            InputError: a file cannot be read, or an option has no such value.
        """
        reading = Reading(mapping_of(self.mapping), self.extract)
        return read_items(self.files, self.gold, format_named(self.kind), reading, self.limit)


class Evaluation:
    """The pairs of a request: those that a results file settles already, and those to do.

    With a judge, a record has the judge's key; one that stands in the results
    file without a judge saves the engine's work, and none of the judge's.

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """

    def __init__(self, request: Request, judge: Judge | None = None) -> None:
        self._request = request
        self._judge = judge
        items = list(request.items())
        if not items:
            raise InputError(f"{', '.join(map(str, request.files))}: no pair in it")
        items = self._place(items)
        self.jobs = jobs_of(items, self._settings)
        self.duplicates = len(items) - len(self.jobs)
        self._results = ResultsFile(request.out) if request.out else None
        self._settled = self._results.settled if self._results else {}
        self._appended = 0
        self.resumed = [found for job in self.jobs if (found := self._settled.get(self._key(job)))]
        self.todo = [job for job in self.jobs if self._key(job) not in self._settled]
        self._pairs = [job for job in self.jobs if self._is_pair(job)]

    def _place(self, items: list[Item]) -> list[Item]:
        """Find the databases of the items; those without one are told so."""
        request = self._request
        found, missing = places.places_found((item.db_id for item in items), request.db_root, request.schema)
        self._settings = settings_of(found, request.options)
        nowhere = {name: Setting(Place(name), request.options) for name in missing}
        self._placed = frozenset(found)
        self._settings |= nowhere
        return [places.marked(item, missing) for item in items]

    def _is_pair(self, job: Job) -> bool:
        return job.item.is_pair and job.item.db_id in self._placed

    def _record_of(self, job: Job) -> Record:
        """The record of an item that is no pair."""
        write = places.record_of if job.item.is_pair else abstention.record_of
        return write(job, self._key(job), self._request.options)

    def records(self) -> Generator[Record]:
        """The records of the pairs to do, each written before it is given."""
        unpaired = [self._record_of(job) for job in self.todo if not self._is_pair(job)]
        with closing(self._run() if self._judge is None else self._judged(self._judge)) as records:
            for record in chain(unpaired, records):
                if self._results is not None and record["key"] not in self._settled:
                    self._results.write(record)
                    self._appended += 1
                yield record

    def in_order(self, records: Mapping[str, Record]) -> list[Record]:
        """Those of some records, by key, that this evaluation is about, in file order."""
        return [found for job in self.jobs if (found := records.get(self._key(job)))]

    def remarks(self, checked: int) -> list[str]:
        """What is worth saying after so many pairs were checked: where the records are, what was left out."""
        out = self._request.out
        remarks = []
        if checked < len(self.todo):
            remarks.append(f"interrupted after {checked} of {len(self.todo)} pairs")
        if out is not None:
            remarks.append(f"{len(self.resumed)} records resumed from {out}, {self._appended} appended")
        if self.duplicates:
            remarks.append(f"{self.duplicates} pairs stand more than once and were counted once")
        return remarks

    def close(self) -> None:
        """Close the results file."""
        if self._results is not None:
            self._results.close()

    def _key(self, job: Job) -> str:
        return job.key if self._judge is None else self._judge.key(job.key)

    def _run(self) -> Generator[Record]:
        with closing(self._engine(self._settled)) as records:
            for record in records:
                if record is not None:
                    yield record

    def _engine(self, settled: Mapping[str, Record]) -> Generator[Record | None]:
        """The records of the pairs that are not settled; None where there is none for now."""
        request, several = self._request, Several(self._pairs, settled)
        measuring = request.ex and any(setting.place.database for setting in self._settings.values())
        groups = groups_of(several.jobs, several.settled)
        patience = PATIENCE if measuring or self._judge is not None else None
        with closing(run_with_pauses(groups, self._settings, request.workers, patience)) as found:
            records = several.together(found)
            if measuring:
                metric = ex_metric(request.options.relation)
                records = with_executions(records, self._settings, metric, request.workers)
            with closing(records):
                yield from records

    def _judged(self, judge: Judge) -> Generator[Record]:
        checked = {job.key: record for job in self._pairs if (record := self._checked(job))}
        todo = [job for job in self.todo if self._is_pair(job)]
        due = [(job.key, question_id(job.item)) for job in todo]
        # By database: a judge's requests on one schema share a prefix that its server may keep.
        order = {db_id: place for place, db_id in enumerate(self._settings)}
        at_hand = [checked[job.key] for job in todo if job.key in checked]
        at_hand.sort(key=lambda record: order[record["db_id"]])
        with (
            closing(Aside(self._settings)) as aside,
            closing(self._engine(checked)) as found,
            closing(
                judge.scored(Questions(due, self.resumed).gather(chain(at_hand, found)), aside)
            ) as scored,
        ):
            yield from scored

    def _checked(self, job: Job) -> Record | None:
        """The record that makes it needless to run the engine on a pair."""
        return self._settled.get(self._key(job)) or self._settled.get(job.key)
