"""What runs inside a worker process: pairs checked with checkers that are kept between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from equiv.locate import Place
from equiv.verdict import Verdict

if TYPE_CHECKING:
    from equiv.api import Checker, Options


class Worker:
    """The checker in use; a new one for each question, so that nothing depends on earlier questions."""

    def __init__(self) -> None:
        self.places: Mapping[str, Place] = {}
        self.options: Options | None = None
        self._checker: Checker | None = None
        self._question: object = None

    def checker(self, db_id: str, question: int) -> Checker:
        """The checker of a question."""
        from equiv.api import Checker

        if self._checker is None or self._question != (db_id, question):
            self.close()
            place = self.places[db_id]
            assert self.options is not None
            self._checker = Checker(schema=place.schema, db=place.database, options=self.options)
            self._question = (db_id, question)
        return self._checker

    def close(self) -> None:
        """Let the checker go."""
        if self._checker is not None:
            self._checker.close()
            self._checker = None


WORKER = Worker()
"""The one of this process."""


def enter(places: Mapping[str, Place], options: Options) -> None:
    """Begin a worker's life."""
    WORKER.places, WORKER.options = places, options


def check_pair(db_id: str, question: int, pred: str, gold: str) -> Verdict:
    """The verdict on one pair; ``question`` tells pairs of one question from those of the next."""
    return WORKER.checker(db_id, question).check(pred, gold)
