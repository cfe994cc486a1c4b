"""One suite from its files to its folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from equiv.errors import InputError
from equiv.eval.plan import Setting
from equiv.eval.suite.desk import Desk
from equiv.eval.suite.folders import WORK, open_folder, place_files
from equiv.eval.suite.gather import Order, checked, predictions_of, settings_for
from equiv.eval.suite.outcome import Outcome
from equiv.eval.suite.questions import MUTATION, Question, questions_of
from equiv.eval.suite.report import write_report
from equiv.eval.suite.shelf import Shelf, fill_shelf
from equiv.workers.waiting import first_done

Say = Callable[[str], None]


def make_suite(order: Order, say: Say) -> Outcome:
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
    shelves = []
    for shelf in _shelves(order, settings, questions):
        say(f"{shelf.db_id}: {len(shelf.questions)} questions, {len(shelf.kept)} databases")
        shelves.append(shelf)
    placed = place_files(order.out, sorted(shelves, key=lambda shelf: shelf.db_id), order.script.layout)
    shutil.rmtree(work, ignore_errors=True)
    mutants = Counter(r["verdict"] for r in more if r["source"].startswith(MUTATION))
    outcome = Outcome(order.script, tuple(placed), len(unusable) + len(everything) - len(records), mutants)
    write_report(outcome, order.out)
    return outcome


def _shelves(order: Order, settings: Mapping[str, Setting], questions: Sequence[Question]) -> Iterator[Shelf]:
    by_database: dict[str, list[Question]] = {}
    for question in questions:
        by_database.setdefault(question.db_id, []).append(question)
    desks = _Desks(order, settings)
    with ThreadPoolExecutor(order.workers) as threads:
        try:
            # Those with most to do go first, or they would be waited for at the end.
            largest = sorted(by_database.items(), key=lambda entry: -len(entry[1]))
            waiting = {threads.submit(desks.fill, db_id, own) for db_id, own in largest}
            while waiting:
                done, waiting = first_done(waiting)
                yield from (outcome.result() for outcome in done)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            desks.close()


class _Desks:
    """The workers in use; once closed, there are no new ones."""

    def __init__(self, order: Order, settings: Mapping[str, Setting]) -> None:
        self._order = order
        self._settings = settings
        self._open: set[Desk] | None = set()
        self._lock = Lock()

    def fill(self, db_id: str, questions: Sequence[Question]) -> Shelf:
        """The shelf of one database, by a worker of its own."""
        with self._lock:
            if self._open is None:
                raise RuntimeError("interrupted")
            desk = Desk({db_id: self._settings[db_id]}, db_id, questions, self._order.script)
            self._open.add(desk)
        try:
            return fill_shelf(desk, self._settings[db_id], questions, self._order.out / WORK)
        finally:
            with self._lock:
                if self._open is not None:
                    self._open.discard(desk)
            desk.close()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            still, self._open = self._open or set(), None
        for desk in still:
            desk.close()
