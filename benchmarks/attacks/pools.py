"""Databases of a schema that are made once and asked about many pairs, each query's results kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import chain
from random import Random

from equiv.algebra.evaluate import Evaluator, MeaninglessError, TooMuchError
from equiv.algebra.terms import Answer, sites
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.answers.answers import DatabaseFinding
from equiv.answers.compare import same_bag, same_result
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.query import Query, UnsupportedError
from equiv.core.runner import Connection, Failure, Guarded, RunnerError
from equiv.engine.pipeline import Engine
from equiv.facts import FactKind
from equiv.generate.database import Arena, Database
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.findings import error_file
from equiv.testing.making.databases import RandomDatabases
from equiv.tiers.native import find_error
from equiv.tiers.outcome import Refuted
from equiv.tiers.witness import CAPS, Bench, smallest_witness
from equiv.verdict import Difference, Witness

PATIENCE = 200_000
"""How many rows are looked at for one query."""

CHOICES, DOUBTED = 4, 100
"""How many ways of breaking ties are tried of a query that may have some, and of one whose rows are denied:
among few rows the ways that are drawn may agree by chance."""


class Oracle:
    """Computes what queries on a schema answer.

    Args:
        engine: gives schema and facts.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._answers: dict[str, Answer | None] = {}

    def rows(self, query: Query, connection: Connection) -> list[Row] | None:
        """The rows of a query on the rows that a connection has, in no order that counts.

        None where the algebra cannot say the query, where ties decide, and where numbers round.
        """
        return self._same_by(range(CHOICES), query, connection)

    def _same_by(self, seeds: range, query: Query, connection: Connection) -> list[Row] | None:
        """The rows that each seed gives; None where two part, or one gives none."""
        answer = self._answer(query)
        if answer is None:
            return None
        evaluator = Evaluator.of(connection, self._engine.schema)
        evaluator.patience = PATIENCE
        may_choose = bool(sites(answer)) or answer.limit is not None or answer.offset > 0
        first: list[Row] | None = None
        for seed in seeds if may_choose else seeds[:1]:
            found = self._by_seed(evaluator, answer, seed)
            if found is None or not (first is None or same_bag(found, first)):
                return None
            first = found
        return first

    def denies(self, query: Query, connection: Connection, rows: Sequence[Row]) -> bool:
        """Whether a query has other rows than these, the algebra says."""
        found = self.rows(query, connection)
        if found is None or same_bag(found, rows):
            return False
        return self._same_by(range(DOUBTED), query, connection) is not None

    @staticmethod
    def _by_seed(evaluator: Evaluator, answer: Answer, seed: int) -> list[Row] | None:
        evaluator.seed = seed
        evaluator.begin()
        try:
            rows = evaluator.rows(answer)
        except (MeaninglessError, TooMuchError, RunnerError, OverflowError):
            return None
        return None if evaluator.rounded else rows

    def _answer(self, query: Query) -> Answer | None:
        if query.sql not in self._answers:
            self._answers[query.sql] = self._translated(query)
        return self._answers[query.sql]

    def _translated(self, query: Query) -> Answer | None:
        if query.tree is None or query.parameters:
            return None
        try:
            return translate(query.tree, World(self._engine.schema, self._engine.facts))
        except UnsupportedError:
            return None


ROWS = 8
"""The most rows that a table has."""

ASKED = (Rows.LIST, Rows.LIST, Rows.LIST, Rows.BAG, Rows.SET, Rows.SET)
"""The relations that are asked about, each as often as it stands here: a looser one costs more."""

UPSET = 12
"""On how many databases a value is tried that upsets calls, where a query may raise an error."""

ODD = 0.2
"""The share of cells of any storage class, where no fact forbids it."""

PRAGMAS = (
    "reverse_unordered_selects = ON",
    "automatic_index = OFF",
    "full_column_names = ON",
    "short_column_names = OFF",
    "recursive_triggers = ON",
    "foreign_keys = ON",
    "legacy_alter_table = ON",
)
"""Settings of SQLite's connections of which some are drawn for half of the databases."""

Results = tuple[tuple[Row, ...] | None, ...]
"""The rows of a query on each database; None where it fails."""


class Pool:
    """So many databases that the facts in force allow.

    Args:
        engine: gives the schema and the facts.
        seed: what the rows depend on.
        number: how many databases.
    """

    def __init__(self, engine: Engine, seed: int, number: int) -> None:
        self._bench = Bench(engine.schema, engine.facts)
        self._stack = ExitStack()
        self._databases: list[tuple[Database, Guarded]] = []
        self._pragmas: dict[int, tuple[str, ...]] = {}
        self._results: dict[str, Results] = {}
        made, drawn = RandomDatabases(Random(seed), engine.schema, engine.facts, ROWS, ODD), Random(seed)
        for _ in range(2 * number):
            database = made.database()
            if database is None or not database.tables:
                continue
            arena = Arena(engine.schema)
            self._stack.callback(arena.engine.close)
            if arena.load(database):
                pragmas = tuple(drawn.sample(PRAGMAS, drawn.choice((0, 0, 0, 1, 2, 4))))
                for each in pragmas:
                    arena.connection.execute(f"PRAGMA {each}")
                self._pragmas[id(database)] = pragmas
                self._databases.append((database, arena.engine))
            if len(self._databases) == number:
                break

    def __len__(self) -> int:
        return len(self._databases)

    def close(self) -> None:
        """Close the databases."""
        self._stack.close()
        self._bench.close()

    def refuted(self, pair: Pair) -> Refuted | None:
        """A refutation of a pair by one of the databases, shrunk and replayed."""
        for database, _, pred, gold in self._differing(pair):
            if self._bench.finding(pair, database) is not DatabaseFinding.APART:
                if self._part_by_settings(pair, database, (pred, gold)):
                    return Refuted(self._shown(database), Difference.VALUES)
                continue
            found = smallest_witness(
                pair, database, lambda each: self._bench.finding(pair, each) is DatabaseFinding.APART
            )
            if found is not None:
                return Refuted(found[1].witness, found[1].difference, found[1].weakest)
        if not (pair.pred.may_fail or pair.gold.may_fail):
            return None
        strict = replace(pair, facts=pair.facts.without(pair.facts.of(FactKind.NO_ERROR)))
        upset = (database for database, _ in self._databases[:UPSET])
        return find_error(strict, chain(self._raising(pair), upset), self._bench)

    def _part_by_settings(
        self, pair: Pair, database: Database, answers: tuple[tuple[Row, ...], tuple[Row, ...]]
    ) -> bool:
        """Whether only settings of the connection explain that two answers hold other rows."""
        rows = Rows.SET if pair.relation.rows is Rows.SET else Rows.BAG
        if not self._pragmas[id(database)] or same_result(*answers, Relation(rows, pair.relation.columns)):
            return False
        is_open = (plan.opaque or plan.has_choices or plan.computes for plan in pair.plans)
        return not any(is_open) and all(plan.window == (0, None) for plan in pair.plans)

    def _shown(self, database: Database) -> Witness:
        """The rows of a database, and the settings of its connection."""
        pragmas = "".join(f"INSERT -- PRAGMA {each}\n" for each in self._pragmas[id(database)])
        rows = "".join(f"INSERT INTO {name} VALUES {rows}\n" for name, (_, rows) in database.tables.items())
        return Witness(pragmas + rows, (), ())

    def misanswered(self, pair: Pair, oracle: Oracle) -> Query | None:
        """The query whose rows, by which a database tells a pair apart, the oracle denies; None: neither's.

        Raises:
            LookupError: no database tells the pair apart.
        """
        for _, engine, pred, gold in self._differing(pair):
            sides = (pair.pred, pred), (pair.gold, gold)
            wrong = (query for query, rows in sides if oracle.denies(query, engine.connection, rows))
            return next(wrong, None)
        raise LookupError

    def _raising(self, pair: Pair) -> Iterator[Database]:
        """The databases on which one query fails and the other answers."""
        results = zip(self._databases, self._of(pair.pred.sql), self._of(pair.gold.sql), strict=True)
        return (database for (database, _), pred, gold in results if (pred is None) != (gold is None))

    def _differing(self, pair: Pair) -> Iterator[tuple[Database, Guarded, tuple[Row, ...], tuple[Row, ...]]]:
        """The databases on which the results differ, each with its engine and both results."""
        results = zip(self._databases, self._of(pair.pred.sql), self._of(pair.gold.sql), strict=True)
        for (database, engine), pred, gold in results:
            if pred is not None and gold is not None and not same_result(pred, gold, pair.relation):
                yield database, engine, pred, gold

    def _of(self, sql: str) -> Results:
        if sql not in self._results:
            self._results[sql] = tuple(self._rows(engine, sql) for _, engine in self._databases)
        return self._results[sql]

    def _rows(self, engine: Guarded, sql: str) -> tuple[Row, ...] | None:
        result = engine.run(sql, CAPS)
        return None if isinstance(result, Failure) else result.rows


class PoolAttacker(Attacker):
    """Attacks proofs with the databases of a pool, then with ones made for the pair.

    Args:
        engine: reads queries; its proving tiers are asked.
        seed: of what is drawn at random.
        asking: how much is asked and tried.
        number: how many databases the pool has.
    """

    def __init__(self, engine: Engine, seed: int, asking: Asking, number: int) -> None:
        super().__init__(engine, seed, asking)
        self._pool = Pool(engine, seed, number)
        self._choices = Random(seed)
        self._oracle = Oracle(engine)
        self.turn()

    def turn(self) -> None:
        """Draw the relation that is asked about from now on: normal forms are made for one at a time."""
        self._relation = Relation(self._choices.choice(ASKED), Columns.ORDERED)

    def relation(self) -> Relation:
        """The relation that is asked about first."""
        return self._relation

    def close(self) -> None:
        """Close all databases."""
        self._pool.close()

    def ask(self, name: str, pred_sql: str, gold_sql: str) -> bool:
        """Ask about one pair; where a database tells apart what is not proved, ask the oracle of its rows."""
        if super().ask(name, pred_sql, gold_sql):
            return True
        pred, gold = self._engine.read(pred_sql), self._engine.read(gold_sql)
        if isinstance(pred, Query) and isinstance(gold, Query):
            pair = Pair(pred, gold, self._engine.schema, self._engine.facts, self._relation)
            with suppress(LookupError):
                wrong = self._pool.misanswered(pair, self._oracle)
                self.found.told_apart += 1
                if wrong is not None:
                    said = f"{name}: not what the algebra computes for {wrong.sql}"
                    rows, texts = self._relation.rows, (pred_sql, gold_sql)
                    self.found.crashed.append(error_file(said, self._engine, rows, texts))
        return False

    def refuted(self, pair: Pair) -> Refuted | None:
        """A refutation by the pool, or by databases that are made for the pair."""
        self.found.databases += len(self._pool)
        return self._pool.refuted(pair) or super().refuted(pair)
