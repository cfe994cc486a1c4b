"""The tasks of a worker process: pairs checked with an engine that is kept between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from equiv.dialects.protocol import Session
from equiv.engine.engine import Engine
from equiv.engine.host import Memory
from equiv.engine.make import make_engine
from equiv.eval.plan import Setting
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Tier, Verdict

_AGAIN_ALIKE = (Tier.DATA, Tier.GENERATE)
"""Tiers that refute a pair again as they did, and before any other tier has its turn."""


class Worker:
    """The engine in use, and what it said of the gold query in use: pairs come by database and gold query."""

    def __init__(self) -> None:
        self.settings: Mapping[str, Setting] = {}
        self._engine: Engine | None = None
        self._db_id: str | None = None
        self._data: Session | None = None
        self._data_of: tuple[str, Path] | None = None
        self._target: tuple[str, str] | None = None
        self._said: Memory[Verdict] = Memory()

    def engine(self, db_id: str) -> Engine:
        """The engine for a database."""
        if self._engine is None or self._db_id != db_id:
            if self._engine is not None:
                self._engine.close()
            setting = self.settings[db_id]
            self._engine = make_engine(setting.place.schema, setting.place.database, setting.options)
            self._db_id = db_id
        return self._engine

    def data(self, db_id: str, file: Path) -> Session:
        """The populated database in a file, kept open: across dialects its rows are copied."""
        if self._data is None or self._data_of != (db_id, file):
            if self._data is not None:
                self._data.close()
                self._data = None
            self._data = self.settings[db_id].dialect.engine.open(file)
            self._data_of = db_id, file
        return self._data

    def check(self, db_id: str, pred: str, gold: str) -> Verdict:
        """The verdict on one pair; that of an earlier prediction if it is the same text."""
        if self._target != (db_id, gold):
            self._target, self._said = (db_id, gold), Memory()
        said = self._said.recall(pred)
        if said is not None:
            return _without_times(said)
        verdict = self.engine(db_id).check(pred, gold)
        if is_said_again(verdict):
            self._said.keep(pred, verdict)
        return verdict


WORKER = Worker()
"""The one of this process."""


def is_said_again(verdict: Verdict) -> bool:
    """Whether the same two texts would get this verdict again, whatever was refuted between.

    An open pair would not: another prediction may have left a database that refutes it.
    """
    match verdict:
        case Equivalent() | Invalid():
            return True
        case NotEquivalent():
            return verdict.tier in _AGAIN_ALIKE
    return False


def _without_times(verdict: Verdict) -> Verdict:
    """A verdict that was known, and so took no time."""
    return replace(verdict, attempts=tuple(replace(attempt, ms=0.0) for attempt in verdict.attempts))


def enter(settings: Mapping[str, Setting]) -> None:
    """Begin a worker's life."""
    WORKER.settings = settings


def check_pair(db_id: str, pred: str, gold: str) -> Verdict:
    """The verdict on one pair."""
    return WORKER.check(db_id, pred, gold)


def complete(db_id: str, verdict: Verdict, pred: str, gold: str) -> Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    return WORKER.engine(db_id).complete(verdict, pred, gold)
