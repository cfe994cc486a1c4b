"""Differences that only the engine shows: errors, and the results of texts that the core cannot run.

An error distinguishes the queries on the given rows, if one raises it where the other answers. On databases
that are made it is excused, unless errors count (``--errors strict``), one query alone raises it on every
database tried that has rows in each table read, or it is raised by a part that reads no row: such a query
is at fault whatever the rows are.

Texts that the core cannot run are put to the engine of their dialect alone, on generated databases.
Nothing lays the choices of such a text open. A difference counts where each text, by what its reader says
of it, has but one answer, order apart; cells whose types the engine distinguishes are never equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from sqlglot import exp

from equiv.answers.compare import same_result
from equiv.answers.difference import classify
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.claims.nullness import raising_parts
from equiv.core.model import REFERENCE, Column, Domain
from equiv.core.printing import to_sql
from equiv.core.query import CAST, COMPARISON, Query
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.crossing.sides import gold_side
from equiv.dialects.protocol import Session
from equiv.generate.database import Database, TableRows, shrink
from equiv.names import fold, folded
from equiv.relation import RELATIONS, Columns, Relation, Rows
from equiv.tiers.outcome import Open, Refuted, TierOutcome
from equiv.tiers.witness import (
    CAPS,
    Bench,
    Confirmed,
    both_results,
    caps_of,
    replay,
    script,
    show,
    stored,
)
from equiv.verdict import Difference, Reason, Witness

_MOST, _MOST_ON_CORE = 12, 60
"""How many databases are made until an error that each raises is believed, or none is found that counts.

One of another engine costs tens of milliseconds, of the core one or two.
"""

_LEAST = 3
_MOST_TIMEOUTS = 4
_STEPS, _STEPS_ON_CORE = 25, 200
_HOSTILE = 4
"""How many databases with values that upset calls are tried beside each one, where errors count."""

_NUMBERS: tuple[Cell, ...] = (0, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
_TEXTS: tuple[Cell, ...] = ("", "x", "{", "-1", "99999999999999999999", "a%_\\")
_UPSETTING: dict[Domain, tuple[Cell, ...]] = {
    Domain.INTEGER: _NUMBERS,
    Domain.NUMBER: (*_NUMBERS, 0.0),
    Domain.TEXT: _TEXTS,
}

_READING = (exp.Column, exp.Parameter, exp.Select, exp.Star)
_CLAUSES = (exp.Limit, exp.Offset, exp.WindowSpec, exp.Window, exp.Escape)
"""Parts that are not expression by themselves."""

_Raised = tuple[bool, bool]
"""Whether the prediction raises an error, and whether the gold query does."""

_OVERFLOW = "integer overflow"
"""SQLite's error of SUM and ABS."""
_DAMAGED = ("database disk image is malformed", "disk I/O error", "database is locked")


def error_of(found: Result | Failure) -> str:
    """The error that the rows make an engine raise; '' if it answers, or a limit of ours ends the query."""
    if isinstance(found, Result) or found.kind != "error" or found.message in _DAMAGED:
        return ""
    return found.message


def rows_of(found: Result | Failure) -> tuple[Row, ...]:
    """The rows of a result; none if there is none."""
    return found.rows if isinstance(found, Result) else ()


def parts_by_error(pair: Pair, pred: Result | Failure, gold: Result | Failure) -> bool:
    """Whether one query raises an error where the other answers, and that distinguishes the queries.

    That some values of parameters raise one is excused as that some rows do.
    """
    if pair.binding is not None and not pair.errors_count:
        return False
    sides = ((pred, gold), (gold, pred))
    return any(error_of(one) and isinstance(other, Result) for one, other in sides)


def find_error(pair: Pair, made: Iterable[Database], bench: Bench) -> Refuted | None:
    """The refutation of a pair by an error that one query alone raises; None if none is found that counts.

    Args:
        made: databases to try; those that the facts do not allow are skipped.
        bench: where they are tried.
    """
    if pair.binding is not None and not pair.errors_count:
        return None
    trial = _Trial(pair, bench)
    return trial.find_any(made) if pair.errors_count else trial.find_everywhere(made)


class _Trial:
    """One pair on databases, each query on its own engine."""

    def __init__(self, pair: Pair, bench: Bench) -> None:
        self.pair = pair
        self.bench = bench
        self.on_core = pair.schema.dialect == REFERENCE
        self.most = _MOST_ON_CORE if self.on_core else _MOST
        self.timeouts = 0
        self.forbidden = ""
        """The error that rows raise only where they break a fact that is in force."""

    def find_everywhere(self, made: Iterable[Database]) -> Refuted | None:
        """The refutation if one query raises an error, and the other answers, wherever there are rows.

        Where a part that reads no row raises it, the first database is enough on which that shows.
        """
        faulty = [self._is_faulty(query) for query in (self.pair.pred, self.pair.gold)]
        if self.on_core and self.pair.no_overflow and not any(faulty):
            self.forbidden = _OVERFLOW
        raising: list[tuple[Database, _Raised]] = []
        for database in islice(filter(self._has_rows, made), self.most):
            for tried in (database, *_single_rows(database)):
                raised = self._raised(tried)
                if self.timeouts >= _MOST_TIMEOUTS:
                    return None
                if raised is None:
                    continue
                if raised in ((True, False), (False, True)) and faulty[raised.index(True)]:
                    return self._confirmed(tried, raised)
                if any(faulty):
                    continue
                if raised[0] == raised[1] or any(raised != other for _, other in raising):
                    return None
                raising.append((tried, raised))
        if len(raising) < _LEAST:
            return None
        return self._confirmed(*min(raising, key=lambda item: item[0].size))

    def _is_faulty(self, query: Query) -> bool:
        """Whether a part of a query that reads no row raises an error wherever it is evaluated."""
        if not self.on_core or query.tree is None:
            return query.has_constant_error
        parts = [part for part, _ in raising_parts(query.tree) if part.find(*_READING) is None]
        texts = (to_sql(part) for part in parts if not isinstance(part, _CLAUSES))
        return any(error_of(self.bench.engine.run(f"SELECT {text}", CAPS)) for text in texts)

    def find_any(self, made: Iterable[Database]) -> Refuted | None:
        """The refutation by the first database on which one query raises an error and the other answers."""
        rng = Random(f"{self.pair.pred.sql}\x1f{self.pair.gold.sql}")
        for database in islice(made, 2 * self.most):
            for tried in (database, *self._upsetting(database, rng)):
                raised = self._raised(tried)
                if raised is not None and raised[0] != raised[1]:
                    return self._confirmed(tried, raised)
        return None

    def _has_rows(self, database: Database) -> bool:
        filled = folded(database.tables)
        return all(fold(table.name) in filled for table in self.pair.tables_read)

    def _upsetting(self, database: Database, rng: Random) -> Iterator[Database]:
        """The database with values that upset calls in columns that the queries mention."""
        for _ in range(_HOSTILE):
            places = [
                (name, at, place, values)
                for name, (columns, rows) in database.tables.items()
                for place, column in enumerate(columns)
                if (values := self._values(name, column))
                for at in range(len(rows))
            ]
            if not places:
                return
            name, at, place, values = rng.choice(places)
            columns, rows = database.tables[name]
            row = (*rows[at][:place], rng.choice(values), *rows[at][place + 1 :])
            yield database.with_table(name, columns, (*rows[:at], row, *rows[at + 1 :]))

    def _values(self, name: str, column: str) -> tuple[Cell, ...]:
        table = self.pair.schema.table(name)
        found: Column | None = None if table is None else table.column(column)
        mentioned = self.pair.reading.mentioned.get(name, ())
        return _UPSETTING.get(found.domain, _TEXTS) if found is not None and column in mentioned else ()

    def _raised(self, database: Database) -> _Raised | None:
        """Which query raises an error on a database; None if that is not to be told, or not allowed."""
        if not self.bench.load(self.pair, database):
            return None
        try:
            if self.on_core:
                run, caps = self.bench.engine.run, caps_of(self.pair)
                found = run(self.pair.pred.sql, caps), run(self.pair.gold.sql, caps)
            else:
                with replay(self.pair, script(self.pair, database)) as played:
                    found = both_results(self.pair, played, CAPS)
        except RunnerError:
            return None
        self.timeouts += any(isinstance(each, Failure) and each.kind == "timeout" for each in found)
        is_allowed = not self.forbidden or self.forbidden not in map(error_of, found)
        return _told(*found) if is_allowed else None

    def _confirmed(self, database: Database, raised: _Raised) -> Refuted | None:
        """The refutation by a smaller database, replayed by its script."""

        def still(smaller: Database) -> bool:
            kept = self.pair.errors_count or self._has_rows(smaller)
            return kept and self._raised(smaller) == raised

        small = shrink(database, still, _STEPS_ON_CORE if self.on_core else _STEPS)
        sql = script(self.pair, small)
        try:
            with replay(self.pair, sql) as played:
                pred, gold = both_results(self.pair, played, CAPS)
                tables = stored(self.pair, played.core, small)
        except RunnerError:
            return None
        if _told(pred, gold) != raised:
            return None
        witness = Witness(
            sql,
            rows_of(pred),
            rows_of(gold),
            tables,
            self.pair.binding,
            pred_error=error_of(pred),
            gold_error=error_of(gold),
        )
        return Refuted(witness, Difference.ERROR, RELATIONS[-1])


def _told(pred: Result | Failure, gold: Result | Failure) -> _Raised | None:
    raised = bool(error_of(pred)), bool(error_of(gold))
    ended = (isinstance(found, Result) or failed for found, failed in zip((pred, gold), raised, strict=True))
    return raised if all(ended) else None


def _single_rows(database: Database) -> Iterator[Database]:
    """The database with one row of each table: the first, and the last."""
    for at in (0, -1):
        tables: dict[str, TableRows] = {
            name: (columns, (rows[at],)) for name, (columns, rows) in database.tables.items()
        }
        yield Database(tables)


MOST_DATABASES = 120
"""A database costs tens of milliseconds here, which on the core are a few."""
MOST_FAILURES = 20
SHRINK_STEPS = 80
_OF_ONE_ROW = frozenset(
    (CAST, COMPARISON, *"+-*/%", "//", "abs", "round", "floor", "ceil", "float4", "float8")
)
"""Operations on floats that add up no rows."""


def is_plain(pair: Pair, *, on_data: bool = False) -> bool:
    """Whether each text has but one answer, order apart.

    Args:
        on_data: whether the user's own database is to run it.
    """
    sides = pair.pred, pair.gold
    if pair.is_across and pair.asks_catalogue:
        return False
    return all(query.is_plain or (on_data and query.is_plain_on_data) for query in sides)


def settle_natively(
    pair: Pair, databases: Iterator[Database], allows: Callable[[Database], bool], caps: Limits, effort: int
) -> TierOutcome:
    """Look for a database on which the engine of the pair's dialect distinguishes the two texts.

    Args:
        databases: what to try.
        allows: whether the facts in force allow a database.
        caps: what one query may cost.
        effort: how many databases to try.
    """
    if not is_plain(pair):
        return Open(Reason.UNSUPPORTED, pair.unsupported)
    failures: list[Failure] = []
    most = min(effort, MOST_DATABASES) if pair.may_read_rows else 1
    for _, database in zip(range(most), filter(allows, databases), strict=False):
        found = look_natively(pair, database, caps)
        if isinstance(found, Confirmed):
            return _smallest(pair, database, found, allows, caps).refutation
        failures += [found] if found is not None else []
        if len(failures) >= MOST_FAILURES:
            reasons = {"timeout": Reason.TIMEOUT, "resource": Reason.RESOURCE}
            return Open(reasons.get(failures[-1].kind, Reason.NO_PROOF), failures[-1].message)
    return Open(Reason.UNSUPPORTED, pair.unsupported)


def settle_under_settings(
    pair: Pair, databases: Sequence[Database], allows: Callable[[Database], bool], caps: Limits
) -> TierOutcome:
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
            if isinstance(found := look_natively(there, database, caps), Confirmed):
                return replace(_smallest(there, database, found, allows, caps).refutation, under=under)
    return Open()


def _smallest(
    pair: Pair, database: Database, found: Confirmed, allows: Callable[[Database], bool], caps: Limits
) -> Confirmed:
    """What the smallest database shows that distinguishes two texts, below one that does."""
    small = shrink(database, lambda d: allows(d) and tells_apart_natively(pair, d, caps), SHRINK_STEPS)
    shown = look_natively(pair, small, caps)
    return shown if isinstance(shown, Confirmed) else found


def may_show_rounding(pair: Pair) -> bool:
    """Whether two results on the engine of a pair's dialect may be compared with each other as they are.

    Neither query may leave a choice, nor add up floats, whose order nothing fixes; other numbers add exactly.
    Two engines have values of their own.
    """
    if pair.is_across:
        return False
    may_add = any(name not in _OF_ONE_ROW and kind.startswith("float") for name, kind in pair.computed)
    return all(plan.is_fixed for plan in pair.plans) and not may_add and not pair.pred.apart


def show_rounding(pair: Pair, database: Database, caps: Limits) -> Confirmed | None:
    """The witness that a database makes if the engine's own results differ there."""
    found = look_natively(pair, database, caps)
    if not isinstance(found, Confirmed):
        return None
    return replace(found, difference=Difference.ROUNDING, by_rounding=True)


def tells_apart_natively(pair: Pair, database: Database, caps: Limits) -> bool:
    """Whether the engine of the pair's dialect shows a difference on a database."""
    try:
        played = pair.dialect.engine.replay(script(pair, database))
    except RunnerError:
        return False
    with played:
        results = _results(pair, played, caps)
        return not isinstance(results, Failure) and _differ(pair, results, played, caps) is not None


def look_natively(pair: Pair, database: Database, caps: Limits) -> Confirmed | Failure | None:
    """The finding on one database: a difference, the failure of a query, or nothing."""
    sql = script(pair, database)
    try:
        played = pair.dialect.engine.replay(sql)
    except RunnerError:
        return None
    with played:
        results = _results(pair, played, caps)
        if isinstance(results, Failure):
            return results
        relation = _differ(pair, results, played, caps)
        witness = None if relation is None else show(pair, played, sql, database, caps)
    if witness is None or relation is None:
        return None
    shown = witness.pred_rows, witness.gold_rows
    difference = Difference.TYPE if same_result(*shown, relation) else classify(pair, *shown)
    return Confirmed(witness, difference, weakest(pair, *results))


def _results(pair: Pair, played: Session, caps: Limits) -> tuple[tuple[Row, ...], tuple[Row, ...]] | Failure:
    pred, gold = both_results(pair, played, caps)
    if isinstance(pred, Failure):
        return pred
    if isinstance(gold, Failure):
        return gold
    return marked(pair, pred.rows, gold.rows)


def _differ(
    pair: Pair, results: tuple[tuple[Row, ...], tuple[Row, ...]], played: Session, caps: Limits
) -> Relation | None:
    """The relation that results break, if no choice explains it; their order counts if each text fixes it."""
    loose = bag_of(pair.relation)
    if not same_result(*results, loose):
        return loose if is_forced(pair, played, caps) else None
    if same_result(*results, pair.relation) or not all(q.watched_order for q in (pair.pred, pair.gold)):
        return None
    return pair.relation if is_forced(pair, played, caps, ordered=True) else None


def is_forced(pair: Pair, played: Session, caps: Limits, *, ordered: bool = False) -> bool:
    """Whether neither query has a choice of rows on a database.

    The text that is watched returns what the query does, unless it raises an error.

    Args:
        played: the database, on each query's engine.
        caps: what one query may cost.
        ordered: whether the order of the rows may be no choice either.
    """
    for query, side in ((pair.pred, played), (pair.gold, gold_side(played))):
        if ordered and isinstance(side.run(query.watched_order, caps), Failure):
            return False
        if query.watched:
            found, seen = side.run(query.sql, caps), side.run(query.watched, caps)
            if isinstance(found, Failure) or isinstance(seen, Failure):
                return False
            if not same_result(found.rows, seen.rows, bag_of(RELATIONS[0])):
                return False
    return True


def told_apart(pair: Pair) -> list[bool]:
    """For each column, whether its types in both queries have no value in common, if it has but one other."""
    if not pair.pred.types or not pair.gold.types or pair.relation.columns is Columns.ANY:
        return []
    sides = ([each.partition("(")[0] for each in query.types] for query in (pair.pred, pair.gold))
    return [one != other for one, other in zip(*sides, strict=False)]


def marked(pair: Pair, pred: Sequence[Row], gold: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Both results, with different marks on cells of two types that the engine distinguishes.

    If equal values of a type may be printed differently, its cells only say whether they are NULL.
    """
    differing = told_apart(pair) or [False] * pair.pred.columns
    known = pair.pred.columns == pair.gold.columns == len(pair.pred.types) == len(pair.gold.types)
    types = zip(pair.pred.types, pair.gold.types, strict=True) if known else ()
    hidden = [any(map(_shows_otherwise, each)) for each in types] or [False] * pair.pred.columns
    if not any(differing) and not any(hidden):
        return tuple(pred), tuple(gold)

    def mark(rows: Sequence[Row], sign: str) -> tuple[Row, ...]:
        return tuple(
            tuple(
                [
                    _shown(cell, sign if differs else "", is_hidden=is_hidden)
                    for cell, differs, is_hidden in zip(row, differing, hidden, strict=True)
                ]
            )
            for row in rows
        )

    return mark(pred, "pred "), mark(gold, "gold ")


def _shown(cell: Cell, sign: str, *, is_hidden: bool) -> Cell:
    if cell is None or not (sign or is_hidden):
        return cell
    return "a value" if is_hidden else f"{sign}{cell!r}"


def _shows_otherwise(family: str) -> bool:
    """Whether values of a family of types may be equal and show otherwise, for all that is known."""
    return family.startswith("type ")


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
