"""The tasks of a worker process: pairs checked with engines that are kept between them.

Beside the workers of a run one more answers the questions of a judge or a metric about pairs: results on
the populated database, and the equivalence of two predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TypeVar

from equiv.answers.compare import same_result
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Limits, Result
from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.crossing.sides import run_both
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_of
from equiv.engine.host import ENGINES, preload
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine, decide
from equiv.eval.plan import Setting
from equiv.relation import Relation, resolve_relation
from equiv.tiers.data import CAPS
from equiv.tiers.outcome import BACKSTOP_EFFORT
from equiv.verdict import Equivalent, Invalid, Naming, NotEquivalent, Tier, Verdict
from equiv.workers.lanes import Crashed, Timeout, WorkerKind
from equiv.workers.scheduler import Lanes, Memory

_GOLD_ROWS = 1_000_000
"""Answers of gold queries are kept for the next predictions, so many rows of them at most."""

_AGAIN_ALIKE = (Tier.DATA, Tier.GENERATE)
"""Tiers that refute a pair again as they did, and before any other tier has its turn."""


class Worker:
    """The engines in use, and what one said of the gold query in use: pairs come by gold query."""

    def __init__(self) -> None:
        self.settings: Mapping[str, Setting] = {}
        self._engines: Memory[Engine] = Memory(ENGINES, lambda engine: engine.close())
        self._data: Session | None = None
        self._data_of: tuple[str, Path] | None = None
        self._target: tuple[str, str] | None = None
        self._said: Memory[Verdict] = Memory()
        self._golds: Memory[Result | Failure] = Memory(_GOLD_ROWS)
        self.late: set[str] = set()
        """The sides, ``pred`` or ``gold``, that ran out of time on the data; who asks empties it before."""

    def engine(self, db_id: str) -> Engine:
        """The engine for a database."""
        engine = self._engines.recall(db_id)
        if engine is None:
            setting = self.settings[db_id]
            engine = make_engine(setting.place.schema, setting.place.database, setting.options)
            self._engines.keep(db_id, engine)
        return engine

    def data(self, db_id: str, file: Path) -> Session:
        """The populated database in a file, kept open: across dialects its rows are copied."""
        if self._data is None or self._data_of != (db_id, file):
            if self._data is not None:
                self._data.close()
                self._data = None
            self._data = self.settings[db_id].dialect.engine.open(file)
            self._data_of = db_id, file
        return self._data

    def answers(
        self, db_id: str, file: Path, pred: str, gold: str, limits: Limits
    ) -> tuple[Result | Failure, Result | Failure]:
        """The results of both queries on a populated database; a gold query runs once for all predictions."""
        asked = db_id, file, gold, limits
        found = run_both(self.data(db_id, file), pred, gold, limits, self._golds.recall(asked))
        rows = found[1].rows if isinstance(found[1], Result) else ()
        self._golds.keep(asked, found[1], len(rows) + 1)
        sides = zip(("pred", "gold"), found, strict=True)
        self.late |= {side for side, each in sides if isinstance(each, Failure) and each.kind == "timeout"}
        return found

    def check(self, db_id: str, pred: str, gold: str) -> Verdict:
        """The verdict on one pair; that of an earlier prediction if it is the same text."""
        if self._target != (db_id, gold):
            self._target, self._said = (db_id, gold), Memory()
        said = self._said.recall(pred)
        if said is not None:
            # It was known, and so took no time.
            return replace(said, attempts=tuple(replace(attempt, ms=0.0) for attempt in said.attempts))
        verdict = self.engine(db_id).check(pred, gold, naming=Naming.ENOUGH)
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


def enter(settings: Mapping[str, Setting]) -> None:
    """Begin a worker's life."""
    preload()
    WORKER.settings = settings


def kind_of(settings: Mapping[str, Setting]) -> WorkerKind:
    """The workers of an evaluation on some databases."""
    return WorkerKind(enter, (settings,))


def check_pair(db_id: str, pred: str, gold: str) -> Verdict:
    """The verdict on one pair."""
    return WORKER.check(db_id, pred, gold)


def complete(db_id: str, verdict: Verdict, pred: str, gold: str) -> Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    return WORKER.engine(db_id).complete(verdict, pred, gold)


LISTED_ROWS = 50
"""How many rows of a result are handed on."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The first rows of a result, and how many it has."""

    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Results:
    """The results of both queries of a pair on the populated database.

    A side without a listing ran out of time or of a cap or could not be run,
    or there is no database.
    """

    pred: Listing | None = None
    gold: Listing | None = None
    equal: bool | None = None
    """Under the relation asked for; None where a side has no result."""
    failure: str = ""
    """The error that the prediction raises."""


def results_of(db_id: str, pred: str, gold: str, relation: str = "") -> Results:
    """The results of both queries on the populated database; see :meth:`.side_worker.SideWorker.results`."""
    path = WORKER.settings[db_id].place.database
    if path is None:
        return Results()
    pred_result, gold_result = WORKER.answers(db_id, path, pred, gold, CAPS)
    match pred_result, gold_result:
        case Result(), Result():
            equal = _equal(WORKER.engine(db_id), (pred, pred_result), (gold, gold_result), relation)
            return Results(_listing(pred_result), _listing(gold_result), equal)
        case Failure("error", message), _:
            return Results(gold=_listing(gold_result), failure=message)
        case _:
            return Results(_listing(pred_result), _listing(gold_result))


def _equal(
    engine: Engine, ours: tuple[str, Result], theirs: tuple[str, Result], relation: str
) -> bool | None:
    """Whether two texts have equal results; None where two engines distinguish more than cells show."""
    (pred, pred_result), (gold, gold_result) = ours, theirs
    if pred_result.columns != gold_result.columns:
        return False
    under = _relation(engine, gold, relation)
    one, other = engine.read(pred), engine.read(gold, gold=True)
    if not engine.schema.sides:
        return same_result(pred_result.rows, gold_result.rows, under)
    if not isinstance(one, Query) or not isinstance(other, Query):
        return None
    if not engine.compares_cells(one, other, under):
        return None
    return same_result(pred_result.rows, gold_result.rows, under)


def are_proved_same(db_id: str, gold: str, one: str, other: str) -> bool:
    """Whether two predictions for one gold query are proved equivalent.

    Relation and facts are those of the pairs with the gold query.  What a few
    databases distinguish is not worth a search for a proof, nor is any pair a
    search for a counter-example.
    """
    engine = WORKER.engine(db_id)
    if engine.schema.sides:
        # Both would be read as predictions, and a witness is run on two engines.
        return False
    first, second = engine.read(one), engine.read(other)
    if not isinstance(first, Query) or not isinstance(second, Query):
        return False
    pair = engine.pair(first, second, _relation(engine, gold))
    tiers = [tier for tier in engine.tiers if tier.tier is not Tier.SEARCH]
    return isinstance(decide(pair, tiers, BACKSTOP_EFFORT, refuters=engine.refuters), Equivalent)


def _relation(engine: Engine, gold: str, name: str = "") -> Relation:
    query = engine.read(gold, gold=True)
    return resolve_relation(name or engine.relation, gold_orders=isinstance(query, Query) and query.orders)


def _listing(result: Result | Failure) -> Listing | None:
    return Listing(result.rows[:LISTED_ROWS], len(result.rows)) if isinstance(result, Result) else None


T = TypeVar("T")


class SideWorker:
    """Answers by untrusted queries, from one killable process; may be asked from several threads.

    The process is started at the first question that needs it.

    Args:
        settings: of the databases.
        advance: is called when a question has been answered.
    """

    def __init__(self, settings: Mapping[str, Setting], advance: Callable[[], None] = lambda: None) -> None:
        self._settings = settings
        self._advance = advance
        self._lanes = Lanes(kind_of(settings))
        self._lock = Lock()
        self._ddl: dict[str, str] = {}

    def ddl(self, db_id: str) -> str:
        """The schema of a database as DDL."""
        with self._lock:
            if db_id not in self._ddl:
                self._ddl[db_id] = _ddl(self._settings[db_id])
            return self._ddl[db_id]

    def engines(self, db_id: str) -> tuple[str, str]:
        """The names of the engines of prediction and gold query, as people write them."""
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
        found = self.ask(results_of, db_id, pred, gold, relation)
        return found if found is not None else Results()

    def proves_same(self, db_id: str, gold: str, one: str, other: str) -> bool:
        """Whether two predictions for one gold query are proven equivalent; when in doubt, no."""
        return one == other or self.ask(are_proved_same, db_id, gold, one, other) is True

    def close(self) -> None:
        """End the process, if there is one."""
        self._lanes.close()

    def ask(self, function: Callable[..., T], db_id: str, *arguments: object) -> T | None:
        """The value of a function run in the worker on a database; None if it was killed or failed."""
        seconds = self._settings[db_id].seconds
        outcome = self._lanes.lane().call(function, db_id, *arguments, timeout=seconds)
        self._advance()
        return None if isinstance(outcome, Timeout | Crashed) else outcome


def _ddl(setting: Setting) -> str:
    schema = setting.place.schema
    if schema is None:
        assert setting.place.database is not None
        schema = setting.dialect.loader.read_database(setting.place.database)
    tables = [table.name for table in schema.tables]
    own = schema.sides[0] if schema.sides else schema
    return dialect_of(own).engine.script(own, tables, {}).rstrip("\n")
