"""What runs inside a worker process: pairs checked with an engine that is kept between them."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.eval.plan import Setting
from equiv.verdict import Verdict


class Worker:
    """The engine in use; the pairs of one database come together, so one is enough."""

    def __init__(self) -> None:
        self.settings: Mapping[str, Setting] = {}
        self._engine: Engine | None = None
        self._db_id: str | None = None

    def engine(self, db_id: str) -> Engine:
        """The engine for a database."""
        if self._engine is None or self._db_id != db_id:
            if self._engine is not None:
                self._engine.close()
            setting = self.settings[db_id]
            self._engine = make_engine(setting.place.schema, setting.place.database, setting.options)
            self._db_id = db_id
        return self._engine


WORKER = Worker()
"""The one of this process."""


def enter(settings: Mapping[str, Setting]) -> None:
    """Begin a worker's life."""
    WORKER.settings = settings


def check_pair(db_id: str, pred: str, gold: str) -> Verdict:
    """The verdict on one pair."""
    return WORKER.engine(db_id).check(pred, gold)


def complete(db_id: str, verdict: Verdict, pred: str, gold: str) -> Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    return WORKER.engine(db_id).complete(verdict, pred, gold)
