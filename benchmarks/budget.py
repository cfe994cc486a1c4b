"""Seconds of the processor for a pair, so that a busy machine decides the same of it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import NoReturn, TypeVar

Found = TypeVar("Found")


class OutOfTimeError(BaseException):
    """A pair has used up its seconds; nothing on the way may take it for an error of its own."""


def within(seconds: float, find: Callable[..., Found], *arguments: object) -> Found | None:
    """What a function returns within some seconds of the processor; None if they are used up."""
    signal.signal(signal.SIGPROF, _stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        found = find(*arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTimeError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def _stop(_signal: int, _frame: object) -> NoReturn:
    raise OutOfTimeError
