"""Pairs that have some seconds of the processor each, so that a busy machine decides the same of them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import NoReturn, TypeVar

from benchmarks.journal import Record
from equiv.core.model import Schema
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.options import Options
from equiv.verdict import Verdict

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


class TimedEngine:
    """An engine that has some seconds for a pair, and is opened anew after one that was broken off in it.

    Args:
        schema: the tables of its pairs.
        options: how they are compared.
        seconds: of the processor, for a pair; what a server of PostgreSQL's takes is not in it.
    """

    def __init__(self, schema: Schema, options: Options, seconds: float) -> None:
        self._schema, self._options, self._seconds = schema, options, seconds
        self.engine = self._opened()

    def checked(self, pred: str, gold: str) -> tuple[Verdict | None, Record]:
        """The verdict on a pair, None if it ran out of time, and how it ended as a record."""
        start = time.process_time()
        verdict = within(self._seconds, self.engine.check, pred, gold)
        spent = {"seconds": round(time.process_time() - start, 3)}
        if verdict is None:
            self.engine.close()
            self.engine = self._opened()
            return None, {"verdict": "undecided", "tier": None, "reason": "TIMEOUT", "detail": ""} | spent
        tier, reason = getattr(verdict, "tier", None), getattr(verdict, "reason", None)
        detail = getattr(verdict, "detail", "") or getattr(verdict, "message", "")
        ended = {"verdict": verdict.name, "tier": tier and str(tier), "reason": reason and str(reason)}
        return verdict, ended | {"detail": detail, "relation": str(verdict.relation)} | spent

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()

    def _opened(self) -> Engine:
        return make_engine(self._schema, None, self._options)
