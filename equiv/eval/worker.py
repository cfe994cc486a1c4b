"""What runs inside a worker process: pairs checked with engines that are kept between them."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.api import make_engine
from equiv.engine import Engine
from equiv.eval.plan import Setting
from equiv.verdict import Verdict


class Worker:
    """The engine in use; the questions of one database come together, so one is enough."""

    def __init__(self) -> None:
        self.settings: Mapping[str, Setting] = {}
        self._engine: Engine | None = None
        self._db_id: str | None = None
        self._question: int | None = None

    def engine(self, db_id: str, question: int) -> Engine:
        """The engine for a question: it knows nothing of earlier ones."""
        if self._engine is None or self._db_id != db_id:
            self._let_go()
            setting = self.settings[db_id]
            self._engine = make_engine(setting.place.schema, setting.place.database, setting.options)
            self._db_id = db_id
        elif self._question != question:
            self._engine.forget()
        self._question = question
        return self._engine

    def _let_go(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


WORKER = Worker()
"""The one of this process."""


def enter(settings: Mapping[str, Setting]) -> None:
    """Begin a worker's life."""
    WORKER.settings = settings


def check_pair(db_id: str, question: int, pred: str, gold: str) -> Verdict:
    """The verdict on one pair; ``question`` tells pairs of one question from those of the next."""
    return WORKER.engine(db_id, question).check(pred, gold)
