"""Waiting for what other threads do, without missing Ctrl-C.

CPython can lose the wake-up: a signal that arrives while the main thread gives
way to another just before it sleeps on a lock is noticed only when it wakes.
A main thread that waits without end therefore looks up now and then.
"""

from __future__ import annotations

from collections.abc import Collection
from concurrent import futures
from concurrent.futures import FIRST_COMPLETED, Future
from time import monotonic
from typing import Any, TypeVar

Value = TypeVar("Value")

_LOOK_UP = 0.5
"""Seconds after which a waiting thread looks up."""


def first_done(
    outcomes: Collection[Future[Any]], patience: float | None = None
) -> tuple[set[Future[Any]], set[Future[Any]]]:
    """The futures that are done, as soon as one is, and the others.

    Args:
        outcomes: at least one.
        patience: seconds after which none need be done; None: any number.
    """
    end = None if patience is None else monotonic() + patience
    while True:
        seconds = _LOOK_UP if end is None else min(_LOOK_UP, max(0.0, end - monotonic()))
        done, others = futures.wait(outcomes, seconds, return_when=FIRST_COMPLETED)
        if done or (end is not None and monotonic() >= end):
            return done, others


def result_of(outcome: Future[Value]) -> Value:
    """The result of a future, waited for.

    Raises:
        Exception: that of the future.
    """
    first_done([outcome])
    return outcome.result()
