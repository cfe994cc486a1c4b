"""One evaluation from its files to its records."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval.abstention import record_of
from equiv.eval.aside import Aside
from equiv.eval.formats import format_named, read_items
from equiv.eval.plan import Job, groups_of, jobs_of, settings_of
from equiv.eval.questions import Judge, Questions, question_id
from equiv.eval.results import ResultsFile
from equiv.eval.runner import run, run_with_pauses
from equiv.records.record import Record
from equiv.schema.locate import places_for_eval

if TYPE_CHECKING:
    from equiv.options import Options

PATIENCE = 0.1
"""Seconds after which judged records are seen to while the engine is busy with a pair."""


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
        items = list(
            islice(read_items(request.files, request.gold, format_named(request.kind)), request.limit)
        )
        if not items:
            raise InputError(f"{', '.join(map(str, request.files))}: no pair in it")
        places = places_for_eval([item.db_id for item in items], request.db_root, request.schema)
        self._settings = settings_of(places, request.options)
        self.jobs = jobs_of(items, self._settings)
        self.duplicates = len(items) - len(self.jobs)
        self._results = ResultsFile(request.out) if request.out else None
        self._settled = self._results.settled if self._results else {}
        self._appended = 0
        self.resumed = [found for job in self.jobs if (found := self._settled.get(self._key(job)))]
        self.todo = [job for job in self.jobs if self._key(job) not in self._settled]
        self._pairs = [job for job in self.jobs if job.item.is_pair]

    def records(self) -> Generator[Record]:
        """The records of the pairs to do, each written before it is given."""
        unpaired = [
            record_of(job, self._key(job), self._request.options) for job in self.todo if not job.item.is_pair
        ]
        with closing(self._run() if self._judge is None else self._judged(self._judge)) as records:
            for record in chain(unpaired, records):
                if self._results is not None and record["key"] not in self._settled:
                    self._results.write(record)
                    self._appended += 1
                yield record

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
        return run(groups_of(self._pairs, self._settled), self._settings, self._request.workers)

    def _judged(self, judge: Judge) -> Generator[Record]:
        checked = {job.key: record for job in self._pairs if (record := self._checked(job))}
        groups = groups_of(self._pairs, checked)
        todo = [job for job in self.todo if job.item.is_pair]
        due = [(job.key, question_id(job.item)) for job in todo]
        # By database: a judge's requests on one schema share a prefix that its server may keep.
        order = {db_id: place for place, db_id in enumerate(self._settings)}
        at_hand = [checked[job.key] for job in todo if job.key in checked]
        at_hand.sort(key=lambda record: order[record["db_id"]])
        with (
            closing(Aside(self._settings)) as aside,
            closing(run_with_pauses(groups, self._settings, self._request.workers, PATIENCE)) as found,
            closing(
                judge.scored(Questions(due, self.resumed).gather(chain(at_hand, found)), aside)
            ) as scored,
        ):
            yield from scored

    def _checked(self, job: Job) -> Record | None:
        """The record that makes it needless to run the engine on a pair."""
        return self._settled.get(self._key(job)) or self._settled.get(job.key)
