"""Threads that judge: steps that lead to further steps, their records gathered in one place."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

from equiv.records.record import Record
from equiv.workers.waiting import first_done

WAITING_PER_THREAD = 4
"""Steps begun for each thread before no further question is taken in."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: finished records, and the steps that follow."""

    records: Sequence[Record]
    next: Sequence[Callable[[], StepResult]] = ()


class Pool:
    """Performs steps; leaving it drops those not begun, and waits for the others' calls under way."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._executor = ThreadPoolExecutor(threads, "judge")
        self._under_way: set[Future[StepResult]] = set()
        self.stopped = threading.Event()
        """Set when nothing new is to be asked."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stopped.set()
        self._executor.shutdown(cancel_futures=True)

    def start(self, step: Callable[[], StepResult]) -> None:
        """Perform a step as soon as a thread is free."""
        self._under_way.add(self._executor.submit(step))

    def finished(self, *, all_of_them: bool) -> Iterator[Record]:
        """The records that are finished; waits while too many steps, or any of them, are under way.

        Raises:
            InputError: as the steps raise.
        """
        most = 0 if all_of_them else self._threads * WAITING_PER_THREAD
        while self._under_way:
            patience = None if len(self._under_way) > most else 0
            done, self._under_way = first_done(self._under_way, patience)
            if not done:
                return
            for future in done:
                step = future.result()
                for following in step.next:
                    self.start(following)
                yield from step.records
