"""One suite from its files to its folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from equiv.errors import InputError
from equiv.eval.plan import Setting
from equiv.eval.suite.gather import SuiteOrder, checked, predictions_of, settings_for
from equiv.eval.suite.part import SuitePart, fill_part
from equiv.eval.suite.questions import MUTATION, SuiteQuestion, questions_of
from equiv.eval.suite.report import WORK, MadeSuite, open_folder, place_files, write_report
from equiv.eval.suite.worker import SuiteWorker
from equiv.workers.waiting import first_done

Say = Callable[[str], None]


def make_suite(order: SuiteOrder, say: Say) -> MadeSuite:
    """Make the suite that was ordered, and write its report.

    Args:
        order: what was asked for.
        say: is told what has been done, a line each.

    Raises:
        InputError: a file cannot be read or written, a database cannot be found, or there is no question.
    """
    work = open_folder(order.out)
    everything = predictions_of(order)
    settings = settings_for(everything, order)
    records = [record for record in everything if record["db_id"] in settings]
    more = checked(records, settings, order, say)
    questions, unusable = questions_of(records, more, order.script)
    if not questions:
        raise InputError("no question with a gold query that runs: there is nothing to make a suite of")
    parts = []
    for part in _parts(order, settings, questions):
        say(f"{part.db_id}: {len(part.questions)} questions, {len(part.kept)} databases")
        parts.append(part)
    placed = place_files(order.out, sorted(parts, key=lambda part: part.db_id), order.script.layout)
    shutil.rmtree(work, ignore_errors=True)
    mutants = Counter(r["verdict"] for r in more if r["source"].startswith(MUTATION))
    outcome = MadeSuite(order.script, tuple(placed), len(unusable) + len(everything) - len(records), mutants)
    write_report(outcome, order.out)
    return outcome


def _parts(
    order: SuiteOrder, settings: Mapping[str, Setting], questions: Sequence[SuiteQuestion]
) -> Iterator[SuitePart]:
    by_database: dict[str, list[SuiteQuestion]] = {}
    for question in questions:
        by_database.setdefault(question.db_id, []).append(question)
    workers = _Workers(order, settings)
    with ThreadPoolExecutor(order.workers) as threads:
        try:
            # Those with most to do go first, or they would be waited for at the end.
            largest = sorted(by_database.items(), key=lambda entry: -len(entry[1]))
            waiting = {threads.submit(workers.fill, db_id, own) for db_id, own in largest}
            while waiting:
                done, waiting = first_done(waiting)
                yield from (outcome.result() for outcome in done)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            workers.close()


class _Workers:
    """The workers in use; once closed, there are no new ones."""

    def __init__(self, order: SuiteOrder, settings: Mapping[str, Setting]) -> None:
        self._order = order
        self._settings = settings
        self._open: set[SuiteWorker] | None = set()
        self._lock = Lock()

    def fill(self, db_id: str, questions: Sequence[SuiteQuestion]) -> SuitePart:
        """The part of one database, by a worker of its own."""
        with self._lock:
            if self._open is None:
                raise RuntimeError("interrupted")
            worker = SuiteWorker({db_id: self._settings[db_id]}, db_id, questions, self._order.script)
            self._open.add(worker)
        try:
            return fill_part(worker, self._settings[db_id], questions, self._order.out / WORK)
        finally:
            with self._lock:
                if self._open is not None:
                    self._open.discard(worker)
            worker.close()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            still, self._open = self._open or set(), None
        for worker in still:
            worker.close()
