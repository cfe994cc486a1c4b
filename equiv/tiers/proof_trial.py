"""The trial of a proof: each of its statements is tried on generated databases before it is believed.

That is the part of the backstop that looks inside.  Databases on which both queries answer alike still show a
claim that is false of some of their rows, a query that was mistranslated, a normal form that lost a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import Answer
from equiv.algebra.trials import Trials, rows_of, try_statements
from equiv.algebra.world import RewriteStep, Stated
from equiv.answers.compare import same_bag, same_set
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.functions.own import clocks_that_change
from equiv.core.model import Schema
from equiv.core.runner import Guarded, Limits, Result
from equiv.core.texts import values_for
from equiv.facts import Facts
from equiv.generate.database import Database
from equiv.generate.plan import databases
from equiv.tiers.bindings import bind
from equiv.tiers.parameter_values import bindings
from equiv.tiers.trial_database import Bench

DATABASES = 6
"""How many databases a proof is tried on."""

MAX_SIZE = 20
"""Databases of more rows than this are passed over: they show little more of single rows, and cost much."""

MAX_CHOICES = 40
"""How many choices of rows each statement is tried on, a database."""

_LOOKED_AT = 2
"""Of so many databases for each that is wanted, the small ones are taken."""

PATIENCE = 20_000
"""How many rows are looked at for one value: of a product of many tables nothing is said."""

CAPS = Limits(seconds=1.0, rows=2_000, bytes=1024 * 1024)
"""The limits of one query on a generated database."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as the algebra reads it: as translated, or in normal form."""

    sql: str
    answer: Answer
    columns: tuple[int, ...]
    """For each column of the answer, that of the query, from 0."""
    as_set: bool
    """Whether the answer keeps no more than which rows there are."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a proof: readings of both queries, statements, applications of rewrites."""

    readings: tuple[Reading, ...]
    """Both queries as written, where that can be translated, then as rules left them, then in normal form."""
    stated: tuple[Stated, ...]
    applied: tuple[RewriteStep, ...] = ()
    """Each application of a rewrite in both normal forms."""


class Trial:
    """Tries proofs on databases of one schema after the other.

    Args:
        count: the number of databases for each proof.
        thorough: whether each step of the normal form is tried by itself.
    """

    def __init__(self, count: int = DATABASES, *, thorough: bool = False) -> None:
        self._count = count
        self._thorough = thorough
        self._bench: tuple[Schema, Facts, Bench] | None = None

    def run(self, pair: Pair, steps: Steps) -> tuple[Trials, str]:
        """The trials of a proof, and a line on a statement that broke, '' if none did."""
        return run_on(self._evaluators(pair), steps, thorough=self._thorough)

    def _evaluators(self, pair: Pair) -> Iterator[tuple[Guarded, Evaluator]]:
        bench = self._bench_for(pair)
        for values in bindings(pair, self._count) if pair.has_parameters else ({},):
            bound = bind(pair, values) if values else pair
            for number, database in enumerate(islice(_small(bound, self._count), self._count)):
                if bench.load(bound, database):
                    evaluator = Evaluator.of(bench.engine.connection, pair.schema, values=values)
                    evaluator.patience = PATIENCE
                    # What is a symbol to the proof may be any function, and is another one by turns.
                    with clocks_that_change(change=number % 2 == 1):
                        yield bench.engine, evaluator

    def _bench_for(self, pair: Pair) -> Bench:
        known = self._bench
        if known is not None and known[0] is pair.schema and known[1] is pair.facts:
            return known[2]
        if known is not None:
            known[2].close()
        self._bench = pair.schema, pair.facts, Bench(pair.schema, pair.facts)
        return self._bench[2]


def _small(pair: Pair, count: int) -> Iterator[Database]:
    """The small ones among the first generated databases of a pair that the facts about tables allow."""
    for database in databases(pair, _LOOKED_AT * count):
        if database.size <= MAX_SIZE and pair.occupied <= database.tables.keys():
            yield database


def run_on(
    databases: Iterable[tuple[Guarded, Evaluator]], steps: Steps, *, thorough: bool = True
) -> tuple[Trials, str]:
    """The trials of an attempt on databases, each with its evaluator: see :meth:`Trial.run`."""
    total = Trials()
    stated = _chosen(steps, thorough=thorough)
    for engine, evaluator in databases:
        tried = try_statements(stated, evaluator, MAX_CHOICES)
        total.add(tried)
        if tried.broken:
            broken = tried.broken[0]
            return total, f"{broken.stated.by} is false for {broken.choice}"
        wrong = _misread(engine, evaluator, steps.readings)
        if wrong:
            return total, f"not what SQLite returns for {' '.join(wrong.split())[:120]}"
    return total, ""


def _misread(engine: Guarded, evaluator: Evaluator, readings: Iterable[Reading]) -> str:
    """The first query that the algebra reads otherwise than SQLite, or ''.

    Where SQLite rounds on the way of a query as written, a form of it that needs no rounding is right.
    """
    rounded: set[str] = set()
    for reading in readings:
        if reading.sql in rounded:
            continue
        # The algebra first: what takes it too long, a product of many tables, would take SQLite long too.
        rows = rows_of(reading.answer, evaluator)
        if evaluator.rounded:
            rounded.add(reading.sql)
        if rows is not None and not _is_returned(rows, reading, engine, evaluator):
            return reading.sql
    return ""


def _chosen(steps: Steps, *, thorough: bool) -> list[Stated]:
    """Each statement once; single steps of a normal form are seen in its result."""
    stated = [each for each in steps.stated if thorough or not each.is_rewrite]
    if thorough:
        stated += [each for step in steps.applied if (each := step.stated) is not None]
    return list({each.statement: each for each in stated}.values())


def _is_returned(rows: Sequence[Row], reading: Reading, engine: Guarded, evaluator: Evaluator) -> bool:
    """Whether SQLite returns the rows that the algebra computes for a query, or takes too long."""
    result = engine.run(reading.sql, CAPS, values_for(reading.sql, evaluator.values))
    if not isinstance(result, Result):
        return True
    returned = [tuple(row[column] for column in reading.columns) for row in result.rows]
    return (same_set if reading.as_set else same_bag)(rows, returned)
