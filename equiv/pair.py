"""One pair to be decided, with all that the tiers share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from equiv.answers import Plan
from equiv.exact_queries import sums_in_order
from equiv.generate.reading import Reading, read_pair
from equiv.query import Query
from equiv.relation import Relation
from equiv.rule import Context
from equiv.schema.facts import Fact, FactKind, Facts
from equiv.schema.model import Schema
from equiv.sql import key


@dataclass(frozen=True)
class Pair:
    """A readable prediction and gold query, the schema, the facts in force, and the relation."""

    pred: Query
    gold: Query
    schema: Schema
    facts: Facts
    relation: Relation

    @cached_property
    def plans(self) -> tuple[Plan, Plan]:
        """What the prediction and the gold query may answer."""
        return Plan(self.pred, self.schema), Plan(self.gold, self.schema)

    @cached_property
    def reading(self) -> Reading:
        """What both queries say that bears on test data; not to be changed."""
        return read_pair(((query.sql, query.tree) for query in (self.pred, self.gold)), self.schema)

    @property
    def exact_arithmetic(self) -> bool:
        """Whether a difference that comes from rounding alone counts for nothing."""
        return self.facts.find(FactKind.EXACT_ARITHMETIC) is not None

    @cached_property
    def sums_apart(self) -> bool:
        """Whether the queries differ and sum REALs that round: then either may add them in its own order."""
        return self._sums_differ(self.facts)

    @cached_property
    def facts_of_sums(self) -> tuple[Fact, ...]:
        """The fact by which it does not matter in which order either query adds its REALs, if it matters."""
        exact = self.facts.find(FactKind.EXACT_ARITHMETIC)
        return (exact,) if exact is not None and self._sums_differ(self.facts.without((exact,))) else ()

    def _sums_differ(self, facts: Facts) -> bool:
        trees = [query.tree for query in (self.pred, self.gold) if query.tree is not None]
        context = Context(self.schema, facts)
        if not any(sums_in_order(tree, context) for tree in trees):
            return False
        return len(trees) < 2 or key(trees[0]) != key(trees[1])
