"""One thread of a process that interrupts whatever has run out of time.

A thread for each statement costs more than most statements do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Condition, Thread
from time import monotonic

from equiv.core.runner import Deadline

_IDLE = 60.0
"""Seconds after which the thread looks whether there is anything to do, and ends if there is not."""

_SOON = 0.002
"""Seconds between two looks at a thread whose time is nearly up."""


class Watch:
    """What is to be interrupted, and when."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._due: dict[int, tuple[Deadline, Callable[[], object]]] = {}
        self._numbers = count()
        self._wakes = 0.0
        """When the thread looks next."""
        self._runs = False

    @contextmanager
    def within(self, seconds: float, interrupt: Callable[[], object]) -> Iterator[None]:
        """Let ``interrupt`` be called once if the block takes longer; never when it has ended."""
        deadline = Deadline(max(seconds, 0.001))
        end = monotonic() + max(seconds, 0.001)
        with self._changed:
            number = next(self._numbers)
            self._due[number] = deadline, interrupt
            if not self._runs:
                self._runs = True
                Thread(target=self._run, daemon=True).start()
            elif end < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due.pop(number, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                # Each thread that waits for its block still lives: to end it, it needs the lock.
                left = {number: deadline.seconds_left() for number, (deadline, _) in self._due.items()}
                for number in [number for number, seconds in left.items() if seconds <= 0]:
                    self._due.pop(number)[1]()
                now = monotonic()
                soonest = min((left[number] for number in self._due), default=_IDLE)
                self._wakes = now + max(soonest, _SOON)
                # A thread that did not wait while nothing ran would be started for each statement.
                self._changed.wait(self._wakes - now)
                if not self._due and monotonic() >= self._wakes:
                    self._runs = False
                    return


_watches: dict[int, Watch] = {}


def watch() -> Watch:
    """The watch of this process: a child has none of its parent's threads."""
    return _watches.setdefault(os.getpid(), Watch())
