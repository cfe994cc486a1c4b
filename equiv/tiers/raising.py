"""Errors as differences: one query raises an error where the other answers.

On the given rows such an error tells the queries apart.  On databases that are made it is excused, unless
errors count (``--errors strict``), one query alone raises it on every database tried that has rows in each
table read, or it is raised by a part that reads no row: such a query is at fault whatever the rows are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.claims.nullness import raising_parts
from equiv.core.model import REFERENCE, Column, Domain
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Failure, Result, RunnerError
from equiv.dialects.crossing.sides import gold_side
from equiv.generate.database import Database, TableRows, shrink
from equiv.relation import RELATIONS
from equiv.tiers.outcome import Refuted
from equiv.tiers.trial_database import CAPS, Bench
from equiv.tiers.witness import replay, script, stored
from equiv.verdict import Difference, Witness

_MOST, _MOST_ON_CORE = 12, 60
"""How many databases are made until an error that each raises is believed, or none is found that counts.

One of another engine costs tens of milliseconds, of the core one or two.
"""

_LEAST = 3
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
"""Parts that are no expression by themselves."""

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
    """Whether one query raises an error where the other answers, and that tells the queries apart.

    That some values of parameters raise one is excused as that some rows do.
    """
    if pair.binding is not None and not pair.errors_count:
        return False
    sides = ((pred, gold), (gold, pred))
    return any(error_of(one) and isinstance(other, Result) for one, other in sides)


def find_error(pair: Pair, made: Iterable[Database], bench: Bench) -> Refuted | None:
    """The refutation of a pair by an error that one query alone raises; None if none is found that counts.

    Args:
        pair: the pair.
        made: databases to try; those that the facts do not allow are passed over.
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
        return self.pair.tables_read <= {name.lower() for name in database.tables}

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
        if self.on_core:
            run = self.bench.engine.run
            found = run(self.pair.pred.sql, CAPS), run(self.pair.gold.sql, CAPS)
            is_allowed = not self.forbidden or self.forbidden not in map(error_of, found)
            return _told(*found) if is_allowed else None
        try:
            with replay(self.pair, script(self.pair, database)) as played:
                return _told(
                    played.run(self.pair.pred.sql, CAPS), gold_side(played).run(self.pair.gold.sql, CAPS)
                )
        except RunnerError:
            return None

    def _confirmed(self, database: Database, raised: _Raised) -> Refuted | None:
        """The refutation by a smaller database, replayed by its script."""

        def still(smaller: Database) -> bool:
            kept = self.pair.errors_count or self._has_rows(smaller)
            return kept and self._raised(smaller) == raised

        small = shrink(database, still, _STEPS_ON_CORE if self.on_core else _STEPS)
        sql = script(self.pair, small)
        try:
            with replay(self.pair, sql) as played:
                pred = played.run(self.pair.pred.sql, CAPS)
                gold = gold_side(played).run(self.pair.gold.sql, CAPS)
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
