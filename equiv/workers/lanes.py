"""Several lanes as one: opened when they are needed, chosen by what a task is about, kept at work in turn."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import Any, Self, TypeVar
from zlib import crc32

from equiv.workers import fork_safe_locks
from equiv.workers.isolate import Lane
from equiv.workers.waiting import first_done

Course = TypeVar("Course")


class Lanes:
    """So many lanes alike, started when the first task comes; they may be used from any thread, and in forks.

    What is about one thing goes to one lane, whose worker thus knows what it needs; where nothing is said,
    all goes to the first.  Closed lanes start anew with the next task.  Lanes that nobody holds any more
    end by themselves.

    Args:
        initialiser: called with ``args`` in every new worker, as for :class:`Lane`.
        number: how many lanes there are.
        max_tasks: a worker is replaced after so many tasks; 0: never.
    """

    def __init__(
        self, initialiser: Callable[..., object], *args: object, number: int = 1, max_tasks: int = 0
    ) -> None:
        self._begin = initialiser, args
        self._number = number
        self._max_tasks = max_tasks
        self._open: list[Lane] = []

    def start(self, *, fork: bool = False) -> None:
        """Start the workers before the first task needs them.

        Args:
            fork: as for :class:`Lane`.
        """
        with fork_safe_locks.starting:
            self._start(fork=fork)

    def lane(self, about: bytes = b"") -> Lane:
        """The lane for what is about something."""
        with fork_safe_locks.starting:
            self._start()
            return self._open[place_of(about, self._number)]

    def close(self) -> None:
        """End the workers, if there are any."""
        with fork_safe_locks.starting:
            lanes, self._open = self._open, []
        for lane in lanes:
            lane.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _start(self, *, fork: bool = False) -> None:
        while len(self._open) < self._number:
            initialiser, args = self._begin
            lane = Lane(initialiser, *args, max_tasks=self._max_tasks, fork=fork)
            weakref.finalize(self, lane.abandon)
            self._open.append(lane)


def place_of(about: bytes, number: int) -> int:
    """The number of the lane that serves a topic: the same in every process."""
    return crc32(about) % number


def in_turn(
    courses: Iterable[Course],
    go_on: Callable[[Course, Future[Any] | None], Future[Any] | None],
    patience: float | None = None,
) -> Generator[bool]:
    """Have each course do one thing after the other, all of them at once, until none goes on.

    Yields after each wait: whether something was done, or only the patience was at its end.

    Args:
        courses: what has a lane of its own each; opened as they are begun.
        go_on: is given a course and what it has done, None at its beginning; takes that in, and returns what
            the course does next, or None.
        patience: seconds after which nothing need be done; None: any number.
    """
    running = {task: course for course in courses if (task := go_on(course, None)) is not None}
    while running:
        done, _ = first_done(running, patience)
        for task in done:
            course = running.pop(task)
            if (following := go_on(course, task)) is not None:
                running[following] = course
        yield bool(done)
