"""One evaluation from its files to its records."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval.formats import format_named, read_items
from equiv.eval.plan import groups_of, jobs_of, settings_of
from equiv.eval.results import ResultsFile
from equiv.eval.runner import run
from equiv.locate import places_for_eval
from equiv.record import Record

if TYPE_CHECKING:
    from equiv.api import Options


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

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
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
        self._settled = settled = self._results.settled if self._results else {}
        self.resumed = [settled[job.key] for job in self.jobs if job.key in settled]
        self.todo = [job for job in self.jobs if job.key not in settled]

    def records(self) -> Generator[Record]:
        """The records of the pairs to do, each written before it is given."""
        for record in run(groups_of(self.jobs, self._settled), self._settings, self._request.workers):
            if self._results is not None:
                self._results.write(record)
            yield record

    def remarks(self, checked: int) -> list[str]:
        """What is worth saying after so many pairs were checked: where the records are, what was left out."""
        out = self._request.out
        remarks = []
        if checked < len(self.todo):
            remarks.append(f"interrupted after {checked} of {len(self.todo)} pairs")
        if out is not None:
            remarks.append(f"{len(self.resumed)} records resumed from {out}, {checked} appended")
        if self.duplicates:
            remarks.append(f"{self.duplicates} pairs stand more than once and were counted once")
        return remarks

    def close(self) -> None:
        """Close the results file."""
        if self._results is not None:
            self._results.close()
