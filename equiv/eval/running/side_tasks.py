"""The tasks of a side worker: results on the populated database, equivalence of two predictions."""

from __future__ import annotations

from dataclasses import dataclass

from equiv.answers.compare import same_result
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Result
from equiv.dialects.crossing.session import run_both
from equiv.engine.driver import decide
from equiv.engine.engine import Engine
from equiv.eval.running.worker import WORKER
from equiv.relation import Relation, resolve_relation
from equiv.tiers.data import CAPS
from equiv.tiers.outcome import BACKSTOP_EFFORT
from equiv.verdict import Equivalent, Tier

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


def results(db_id: str, pred: str, gold: str, relation: str = "") -> Results:
    """The results of both queries on the populated database; see :meth:`.side_worker.SideWorker.results`."""
    path = WORKER.settings[db_id].place.database
    if path is None:
        return Results()
    pred_result, gold_result = run_both(WORKER.data(db_id, path), pred, gold, CAPS)
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
    """Whether two texts have equal results; None where two engines tell more apart than cells show."""
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


def proves_same(db_id: str, gold: str, one: str, other: str) -> bool:
    """Whether two predictions for one gold query are proved equivalent.

    Relation and facts are those of the pairs with the gold query.  What a few
    databases tell apart is not worth a search for a proof, nor is any pair a
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
    return isinstance(decide(pair, tiers, BACKSTOP_EFFORT, backstop=engine.backstop), Equivalent)


def _relation(engine: Engine, gold: str, name: str = "") -> Relation:
    query = engine.read(gold, gold=True)
    return resolve_relation(name or engine.relation, gold_orders=isinstance(query, Query) and query.orders)


def _listing(result: Result | Failure) -> Listing | None:
    return Listing(result.rows[:LISTED_ROWS], len(result.rows)) if isinstance(result, Result) else None
