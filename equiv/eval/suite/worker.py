"""The tasks of a suite's worker process, and the parent's side of it, which survives a killed worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.eval.plan import Setting
from equiv.eval.running import worker
from equiv.eval.suite.bench import Asked, Bench, Mark, Refusal, Sight
from equiv.eval.suite.merging import merged
from equiv.eval.suite.questions import Question
from equiv.eval.suite.rows import rows_of
from equiv.eval.suite.script import Script
from equiv.generate.database import Database
from equiv.generate.plan import databases
from equiv.workers.isolate import Crashed, Lane, Timeout

Value = TypeVar("Value")

SECONDS = 60.0
"""How long a worker may take over one database."""

_benches: list[Bench] = []
"""The one of this process, a worker's."""


def enter(settings: Mapping[str, Setting], db_id: str, questions: Sequence[Question], script: Script) -> None:
    """Begin a worker's life."""
    worker.enter(settings)
    _benches[:] = [Bench(db_id, questions, script)]


def restored(script: str) -> Database | None:
    """The rows of a witness; None where they cannot be had."""
    return rows_of(script, _benches[0].schema)


def look(source: Database | Path, asked: Asked) -> Sight | None:
    """The results of a database or a database file; None if it is refused."""
    bench = _benches[0]
    try:
        return bench.look_at_file(source, asked) if isinstance(source, Path) else bench.look(source, asked)
    except Refusal:
        return None


def joined(base: Database, added: Database, asked: Asked) -> tuple[Database, Sight] | None:
    """The first way to put the rows of two databases together that is not refused, and what it shows."""
    for database in merged(base, added, _benches[0].schema):
        if sight := look(database, asked):
            return database, sight
    return None


def hunted(mark: Mark, asked: Asked, effort: int) -> Database | None:
    """The first generated database that kills a rival and is not refused otherwise."""
    bench = _benches[0]
    question = bench.questions[mark[0]]
    texts = (question.rivals[mark[1]].sql, question.gold)
    pred, gold = (bench.read(bench.script.prepared(sql)) for sql in texts)
    if not isinstance(pred, Query) or not isinstance(gold, Query) or pred.parameters or gold.parameters:
        return None
    pair = Pair(pred, gold, bench.schema, bench.facts, bench.script.relation(question.gold))
    wanted = replace(asked, kills=asked.kills | {mark})
    for database in databases(pair, effort):
        if bench.arena.load(database):
            full = bench.full()
            if look(full, wanted) is not None:
                return full
    return None


class LostError(Exception):
    """The worker was killed, or failed."""


class SuiteWorker:
    """A worker for the questions of one database."""

    def __init__(
        self, settings: Mapping[str, Setting], db_id: str, questions: Sequence[Question], script: Script
    ) -> None:
        self._lane = Lane(enter, settings, db_id, questions, script)

    def ask(self, function: Callable[..., Value], *arguments: object) -> Value:
        """The value of a function run in the worker.

        Raises:
            LostError: it was killed, or failed.
        """
        outcome = self._lane.call(function, *arguments, timeout=SECONDS)
        if isinstance(outcome, Timeout | Crashed):
            raise LostError(str(outcome))
        return outcome

    def look(self, source: Database | Path, asked: Asked) -> Sight | None:
        """The results of a database; None if it is refused, or the worker was killed over it."""
        try:
            return self.ask(look, source, asked)
        except LostError:
            return None

    def join(self, base: Database, added: Database, asked: Asked) -> tuple[Database, Sight] | None:
        """A database with the rows of both, and what it shows; None as for :meth:`look`."""
        try:
            return self.ask(joined, base, added, asked)
        except LostError:
            return None

    def close(self) -> None:
        """End the worker."""
        self._lane.close()
