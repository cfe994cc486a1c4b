"""The rows of queries by the evaluator of the algebra, which shares no code with an engine."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.evaluate import Evaluator, MeaninglessError, TooMuchError
from equiv.algebra.terms import Answer, sites
from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.answers.compare import same_bag
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import Connection, RunnerError
from equiv.core.unsupported import UnsupportedError
from equiv.engine.engine import Engine

PATIENCE = 200_000
"""How many rows are looked at for one query."""

CHOICES = 4
"""How many ways of breaking ties are tried of a query that may have some."""


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
        answer = self._answer(query)
        if answer is None:
            return None
        evaluator = Evaluator.of(connection, self._engine.schema)
        evaluator.patience = PATIENCE
        may_choose = bool(sites(answer)) or answer.limit is not None or answer.offset > 0
        found = [self._by_seed(evaluator, answer, seed) for seed in range(CHOICES if may_choose else 1)]
        first = found[0]
        if first is None or not all(each is not None and same_bag(each, first) for each in found):
            return None
        return first

    def denies(self, query: Query, connection: Connection, rows: Sequence[Row]) -> bool:
        """Whether a query has other rows than these, the algebra says."""
        found = self.rows(query, connection)
        return found is not None and not same_bag(found, rows)

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
