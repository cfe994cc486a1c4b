"""Databases that refuted earlier predictions of a question, to be tried first on the next one."""

from __future__ import annotations

from collections import OrderedDict

from equiv.generate.database import Database

_PER_QUESTION = 8
_QUESTIONS = 256


class EarlierWitnesses:
    """A bounded store for one schema under one set of facts, keyed by the text of the gold query.

    The most recent killers of a question come first; the question used least
    recently is forgotten first.
    """

    def __init__(self, per_question: int = _PER_QUESTION, questions: int = _QUESTIONS) -> None:
        self._per_question = per_question
        self._questions = questions
        self._known: OrderedDict[str, list[Database]] = OrderedDict()

    def remember(self, gold: str, database: Database) -> None:
        """Keep a database that told a prediction from the gold query; a known one moves to the front."""
        known = self._known.setdefault(gold, [])
        self._known.move_to_end(gold)
        if database in known:
            known.remove(database)
        known.insert(0, database)
        del known[self._per_question :]
        while len(self._known) > self._questions:
            self._known.popitem(last=False)

    def candidates(self, gold: str) -> tuple[Database, ...]:
        """The killers of a gold query; :func:`equiv.generate.plan.databases` takes them as ``known``."""
        return tuple(self._known.get(gold, ()))
