"""A limit on the processor time that one question to a prover may take, in this process."""

from __future__ import annotations

import signal
import sys


class TooLongError(Exception):
    """A question takes too long."""


class TimeLimit:
    """Raises :class:`TooLongError` once so much processor time is used, and each half second until stopped.

    The handler of a signal may run at any step of the program, those that stop the limit among them:
    stopping is one assignment, after which nothing is raised.
    """

    def __init__(self, seconds: float) -> None:
        self._on = True
        signal.signal(signal.SIGVTALRM, self._give_up)
        sys.unraisablehook = _note_unraisable  # the signal may come while a destructor runs; it comes again
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.5)

    def _give_up(self, number: int, frame: object) -> None:
        del number, frame
        if self._on:
            raise TooLongError

    def stop(self) -> None:
        """Lift the time limit."""
        self._on = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _note_unraisable(args: sys.UnraisableHookArgs) -> None:
    if not isinstance(args.exc_value, TooLongError):
        sys.__unraisablehook__(args)
