"""A worker process beside those of a run, which answers the questions of a judge or a metric about pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TypeVar

from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.registry import dialect_of
from equiv.eval.plan import Setting
from equiv.eval.running import side_tasks, worker
from equiv.eval.running.side_tasks import Results
from equiv.workers.isolate import Crashed, Timeout
from equiv.workers.lanes import Lanes

Value = TypeVar("Value")


class SideWorker:
    """Answers by untrusted queries, from one killable process; may be asked from several threads.

    The process is started at the first question that needs it.
    """

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        self._settings = settings
        self._lanes = Lanes(worker.enter, settings)
        self._lock = Lock()
        self._ddl: dict[str, str] = {}

    def ddl(self, db_id: str) -> str:
        """The schema of a database as DDL."""
        with self._lock:
            if db_id not in self._ddl:
                self._ddl[db_id] = _ddl(self._settings[db_id])
            return self._ddl[db_id]

    def engines(self, db_id: str) -> tuple[str, str]:
        """What people call the engines of prediction and gold query."""
        pred, gold = sides_of(self._settings[db_id].dialect)
        return pred.title, gold.title

    def results(self, db_id: str, pred: str, gold: str, relation: str = "") -> Results:
        """The results of both queries on the populated database; empty without one.

        Args:
            db_id: the database.
            pred: the predicted query.
            gold: the gold query.
            relation: by which results are equal; '' for that of the pair.
        """
        if self._settings[db_id].place.database is None:
            return Results()
        found = self.ask(side_tasks.results, db_id, pred, gold, relation)
        return found if found is not None else Results()

    def proves_same(self, db_id: str, gold: str, one: str, other: str) -> bool:
        """Whether two predictions for one gold query are proven equivalent; when in doubt, no."""
        return one == other or self.ask(side_tasks.proves_same, db_id, gold, one, other) is True

    def close(self) -> None:
        """End the process, if there is one."""
        self._lanes.close()

    def ask(self, function: Callable[..., Value], db_id: str, *arguments: object) -> Value | None:
        """The value of a function run in the worker on a database; None if it was killed or failed."""
        seconds = self._settings[db_id].seconds
        outcome = self._lanes.lane().call(function, db_id, *arguments, timeout=seconds)
        return None if isinstance(outcome, Timeout | Crashed) else outcome


def _ddl(setting: Setting) -> str:
    schema = setting.place.schema
    if schema is None:
        assert setting.place.database is not None
        schema = setting.dialect.loader.read_database(setting.place.database)
    tables = [table.name for table in schema.tables]
    own = schema.sides[0] if schema.sides else schema
    return dialect_of(own).engine.script(own, tables, {}).rstrip("\n")
