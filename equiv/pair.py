"""One pair to be decided, with all that the tiers share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from equiv.answers import Plan
from equiv.query import Query
from equiv.relation import Relation
from equiv.schema.facts import FactKind, Facts
from equiv.schema.model import Schema


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

    @property
    def exact_arithmetic(self) -> bool:
        """Whether a difference that comes from rounding alone counts for nothing."""
        return self.facts.find(FactKind.EXACT_ARITHMETIC) is not None
