"""The context of claims about a tree: schema, facts, and how results are compared."""

from __future__ import annotations

from dataclasses import dataclass, field

from equiv.core.model import Schema
from equiv.facts import Facts
from equiv.relation import Rows


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a rule's node: schema, facts, and how results are compared."""

    schema: Schema
    facts: Facts
    rows: Rows = Rows.LIST
    """How the rows of the two results will be compared; rules ask :meth:`compares_as`."""
    asked: set[Rows] = field(default_factory=set, compare=False)
    """The arguments of :meth:`compares_as`: a normal form serves another comparison with the same answers."""

    def compares_as(self, rows: Rows) -> bool:
        """Whether the rows of the two results will be compared so."""
        self.asked.add(rows)
        return self.rows is rows
