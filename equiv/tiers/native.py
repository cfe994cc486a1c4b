"""Pairs that the core cannot run: their texts on generated databases, on the engine of their dialect alone.

Nothing lays the choices of such a text open.  A difference counts where each text, by what its reader says of
it, has but one answer, order apart; cells whose types the engine tells apart are never equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from equiv.answers.compare import same_result
from equiv.answers.difference import classify
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.query import CAST, COMPARISON, Query
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.crossing.sides import gold_side
from equiv.dialects.protocol import Session
from equiv.generate.database import Database, shrink
from equiv.relation import RELATIONS, Columns, Relation, Rows
from equiv.tiers.outcome import Open, Outcome
from equiv.tiers.witness import Confirmed, script, show
from equiv.verdict import Difference, Reason

MOST_DATABASES = 120
"""A database costs tens of milliseconds here, which on the core are a few."""
MOST_FAILURES = 20
SHRINK_STEPS = 80
_OF_ONE_ROW = frozenset(
    (CAST, COMPARISON, *"+-*/%", "//", "abs", "round", "floor", "ceil", "float4", "float8")
)
"""Operations on floats that add up no rows."""


def is_plain(pair: Pair, *, on_data: bool = False) -> bool:
    """Whether each text has but one answer, order apart, and values that are equal as they show.

    Args:
        pair: the pair.
        on_data: whether the user's own database is to run it.
    """
    return all(_has_one_answer(query, on_data=on_data) for query in (pair.pred, pair.gold))


def _has_one_answer(query: Query, *, on_data: bool) -> bool:
    is_known = query.is_plain or (on_data and query.is_plain_on_data)
    return is_known and not any(each.startswith("type ") for each in query.types)


def settle_natively(
    pair: Pair, databases: Iterator[Database], allows: Callable[[Database], bool], caps: Limits, effort: int
) -> Outcome:
    """Look for a database on which the engine of the pair's dialect tells the two texts apart.

    Args:
        pair: the pair.
        databases: what to try.
        allows: whether the facts in force allow a database.
        caps: what one query may cost.
        effort: how many databases to try.
    """
    if not is_plain(pair):
        return Open(Reason.UNSUPPORTED, pair.unsupported)
    failures: list[Failure] = []
    for _, database in zip(range(min(effort, MOST_DATABASES)), filter(allows, databases), strict=False):
        found = _look(pair, database, caps)
        if isinstance(found, Confirmed):
            return _smallest(pair, database, found, allows, caps).refutation
        failures += [found] if found is not None else []
        if len(failures) >= MOST_FAILURES:
            reasons = {"timeout": Reason.TIMEOUT, "resource": Reason.RESOURCE}
            return Open(reasons.get(failures[-1].kind, Reason.NO_PROOF), failures[-1].message)
    return Open(Reason.UNSUPPORTED, pair.unsupported)


def settle_under_settings(
    pair: Pair, databases: Sequence[Database], allows: Callable[[Database], bool], caps: Limits
) -> Outcome:
    """Look for a database, and other values of settings that nobody states, under which the texts part.

    The core reads both texts under one value of each setting, so that the engine alone is asked.  As many
    values of each setting are tried as there are databases, at most.
    """
    if not is_plain(pair) or pair.is_across or pair.has_parameters or pair.binding is not None:
        return Open()
    settings = [
        ((fact.columns[0], value),)
        for fact in pair.taken_settings
        for value in pair.dialect.others.get(fact.columns[0], ())[: len(databases)]
    ]
    kept = list(filter(allows, databases)) if settings else []
    for under in settings:  # a server keeps the tables that were made under one
        there = replace(pair, under=under)
        for database in kept:
            if isinstance(found := _look(there, database, caps), Confirmed):
                return replace(_smallest(there, database, found, allows, caps).refutation, under=under)
    return Open()


def _smallest(
    pair: Pair, database: Database, found: Confirmed, allows: Callable[[Database], bool], caps: Limits
) -> Confirmed:
    """What the smallest database shows that tells two texts apart, below one that does."""
    small = shrink(database, lambda d: allows(d) and _tells_apart(pair, d, caps), SHRINK_STEPS)
    shown = _look(pair, small, caps)
    return shown if isinstance(shown, Confirmed) else found


def may_show_rounding(pair: Pair) -> bool:
    """Whether two results on the engine of a pair's dialect may be held against each other as they are.

    Neither query may leave a choice, nor add up floats, whose order nothing fixes; other numbers add exactly.
    Two engines have values of their own.
    """
    if pair.is_across:
        return False
    may_add = any(name not in _OF_ONE_ROW and kind.startswith("float") for name, kind in pair.computed)
    return all(plan.is_fixed for plan in pair.plans) and not may_add and not pair.pred.apart


def show_rounding(pair: Pair, database: Database, caps: Limits) -> Confirmed | None:
    """The witness that a database makes if the engine's own results differ there."""
    found = _look(pair, database, caps)
    if not isinstance(found, Confirmed):
        return None
    return replace(found, difference=Difference.ROUNDING, by_rounding=True)


def _tells_apart(pair: Pair, database: Database, caps: Limits) -> bool:
    try:
        with pair.dialect.engine.replay(script(pair, database)) as played:
            results = _results(pair, played, caps)
    except RunnerError:
        return False
    return not isinstance(results, Failure) and not same_result(*results, bag_of(pair.relation))


def _look(pair: Pair, database: Database, caps: Limits) -> Confirmed | Failure | None:
    """What one database shows: a difference, that a query fails, or nothing."""
    sql = script(pair, database)
    relation = bag_of(pair.relation)
    try:
        played = pair.dialect.engine.replay(sql)
    except RunnerError:
        return None
    with played:
        results = _results(pair, played, caps)
        if isinstance(results, Failure):
            return results
        witness = None if same_result(*results, relation) else show(pair, played, sql, database, caps)
    if witness is None:
        return None
    shown = witness.pred_rows, witness.gold_rows
    difference = Difference.TYPE if same_result(*shown, relation) else classify(pair, *shown)
    return Confirmed(witness, difference, weakest(pair, *results))


def _results(pair: Pair, played: Session, caps: Limits) -> tuple[tuple[Row, ...], tuple[Row, ...]] | Failure:
    found = [played.run(pair.pred.sql, caps), gold_side(played).run(pair.gold.sql, caps)]
    for each in found:
        if isinstance(each, Failure):
            return each
    pred, gold = (each.rows for each in found if isinstance(each, Result))
    return marked(pair, pred, gold)


def told_apart(pair: Pair) -> list[bool]:
    """For each column, whether its types in both queries have no value in common, if it has but one other."""
    if not pair.pred.types or not pair.gold.types or pair.relation.columns is Columns.ANY:
        return []
    sides = ([each.partition("(")[0] for each in query.types] for query in (pair.pred, pair.gold))
    return [one != other for one, other in zip(*sides, strict=False)]


def marked(pair: Pair, pred: Sequence[Row], gold: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Both results, the cells of types that the engine tells apart by texts that differ."""
    differing = told_apart(pair)
    if not any(differing):
        return tuple(pred), tuple(gold)

    def mark(rows: Sequence[Row], sign: str) -> tuple[Row, ...]:
        return tuple(
            tuple(
                [
                    f"{sign}{cell!r}" if differs and cell is not None else cell
                    for cell, differs in zip(row, differing, strict=True)
                ]
            )
            for row in rows
        )

    return mark(pred, "pred "), mark(gold, "gold ")


def bag_of(relation: Relation) -> Relation:
    """The relation without its order: nothing says here how far a text fixes it."""
    return replace(relation, rows=Rows.BAG) if relation.rows is Rows.LIST else relation


def weakest(pair: Pair, pred: Sequence[Row], gold: Sequence[Row]) -> Relation:
    """The loosest relation that two results break, among those that the pair's own implies."""
    for relation in reversed(RELATIONS):
        loose = relation.columns is Columns.ANY and any(told_apart(pair))
        if pair.relation.implies(relation) and not loose and not same_result(pred, gold, bag_of(relation)):
            return relation
    return pair.relation
