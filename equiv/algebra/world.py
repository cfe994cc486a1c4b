"""What one proof works in: schema, facts, fresh names, and a record of the facts that it relied on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from equiv.algebra.terms import Binding, Expression, Names
from equiv.schema.facts import Fact, FactKind, Facts
from equiv.schema.model import Column, Schema, Table


class Prover(Protocol):
    """Decides claims about values on all allowed databases."""

    def proves(
        self, goal: Expression, given: Sequence[Expression] = (), rows: Sequence[Binding] = ()
    ) -> bool:
        """Whether ``goal`` is true (not NULL, not 0) whenever all of ``given`` are.

        Args:
            goal: a truth value over the variables of ``rows``.
            given: truth values; nested bags in goal and given are opaque: equal only if they are
                equal up to the names of bound variables.
            rows: what the free variables range over, outermost first; each holds some row of its source.

        False means "not shown": too hard, or not so.
        """
        ...


@dataclass
class World:
    """Schema and facts of one proof, its names, and the facts relied on so far, in order."""

    schema: Schema
    facts: Facts
    names: Names = field(default_factory=Names)
    used: dict[Fact, None] = field(default_factory=dict)

    def use(self, facts: Iterable[Fact]) -> None:
        """Record that a conclusion rests on some facts."""
        self.used.update(dict.fromkeys(facts))

    def table(self, name: str) -> Table:
        """A table of the schema.

        Raises:
            KeyError: there is none.
        """
        found = self.schema.table(name)
        if found is None:
            raise KeyError(name)
        return found

    def column(self, table: str, name: str) -> Column:
        """A column of the schema.

        Raises:
            KeyError: there is none.
        """
        found = self.schema.table(table)
        column = found.column(name) if found is not None else None
        if column is None:
            raise KeyError(f"{table}.{name}")
        return column

    def holds(self, kind: FactKind, table: str = "", *columns: str) -> bool:
        """Whether a fact is in force; if so, it is recorded as used."""
        fact = self.facts.find(kind, table, *columns)
        if fact is None:
            return False
        self.use((fact,))
        return True
