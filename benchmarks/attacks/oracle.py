"""The rows of queries by the evaluator of the algebra, which shares no code with an engine."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.evaluate import Evaluator, MeaninglessError, TooMuchError
from equiv.algebra.terms import Answer, sites
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.answers.compare import same_bag
from equiv.cells import Row
from equiv.core.query import Query, UnsupportedError
from equiv.core.runner import Connection, RunnerError
from equiv.engine.pipeline import Engine

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
