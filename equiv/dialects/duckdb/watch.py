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

_IDLE = 60.0
"""Seconds after which the thread looks whether there is anything to do, and ends if there is not."""


class Watch:
    """What is to be interrupted, and when."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._due: dict[int, tuple[float, Callable[[], object]]] = {}
        self._numbers = count()
        self._wakes = 0.0
        """When the thread looks next."""
        self._runs = False

    @contextmanager
    def within(self, seconds: float, interrupt: Callable[[], object]) -> Iterator[None]:
        """Let ``interrupt`` be called once if the block takes longer; never when it has ended."""
        end = monotonic() + max(seconds, 0.001)
        with self._changed:
            number = next(self._numbers)
            self._due[number] = end, interrupt
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
                now = monotonic()
                for number in [number for number, (end, _) in self._due.items() if end <= now]:
                    self._due.pop(number)[1]()
                self._wakes = min((end for end, _ in self._due.values()), default=now + _IDLE)
                # A thread that did not wait while nothing ran would be started for each statement.
                self._changed.wait(self._wakes - now)
                if not self._due and monotonic() >= self._wakes:
                    self._runs = False
                    return


_watches: dict[int, Watch] = {}


def watch() -> Watch:
    """The watch of this process: a child has none of its parent's threads."""
    return _watches.setdefault(os.getpid(), Watch())
