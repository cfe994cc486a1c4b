"""The tasks of an audit's worker process: one check run on one gold query."""

from __future__ import annotations

from pathlib import Path

from equiv.answers.choices import functions as choice_functions
from equiv.dialects.protocol import Session
from equiv.eval.gold.catalogue import OF_QUERIES
from equiv.eval.gold.finding import Finding, Kind
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.query_in_database import QueryInDatabase
from equiv.eval.plan import Setting
from equiv.eval.running.worker import WORKER


class _Desk:
    """The database that is open and the query that lies on it: the kinds of one query come together."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._data: Session | None = None
        self._subject: QueryInDatabase | None = None

    def subject(self, gold: GoldQuery) -> QueryInDatabase:
        """The gold query on its database, with the results that earlier checks computed."""
        if self._subject is None or self._subject.gold != gold:
            engine = WORKER.engine(gold.db_id)
            self._subject = QueryInDatabase(gold, engine, self._open(WORKER.settings[gold.db_id]))
        return self._subject

    def _open(self, setting: Setting) -> Session | None:
        path = setting.place.database
        if path != self._path:
            if self._data is not None:
                self._data.close()
            self._data = setting.dialect.engine.open(path) if path is not None else None
            if self._data is not None:
                choice_functions.register(self._data.core.connection)
            self._path = path
        return self._data


_DESK = _Desk()


def look(kinds: tuple[Kind, ...], gold: GoldQuery) -> tuple[tuple[Finding, ...], ...]:
    """The findings of some checks on one gold query, for each of them."""
    subject = _DESK.subject(gold)
    return tuple(tuple(OF_QUERIES[kind].look(subject)) for kind in kinds)
