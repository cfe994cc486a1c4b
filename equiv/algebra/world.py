"""What one proof works in: schema, facts, fresh names, and a record of the facts that it relied on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol

from equiv.algebra.claims import Claim, Stated, Statement
from equiv.algebra.terms import Names
from equiv.facts import Fact, FactKind, Facts
from equiv.schema.model import Column, Schema, Table
from equiv.verdict import Obligation


class Prover(Protocol):
    """Decides claims about values on all allowed databases."""

    def proves(self, claim: Claim) -> bool:
        """Whether the goal is true (not NULL, not 0) for all rows whenever all conditions are.

        Nested bags in goal and conditions are opaque: equal only if they are equal up to the names of bound
        variables.  False means "not shown": too hard, or not so.
        """
        ...


class RecordingProver(Prover, Protocol):
    """A prover that keeps what a solver had to show."""

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """The claims that were proved with a solver's help."""
        ...

    def within(self, world: World) -> RecordingProver:
        """The same prover for another attempt: its records are its own, what is decided already is kept."""
        ...


@dataclass
class World:
    """Schema and facts of one proof, its names, the facts relied on and the statements made so far."""

    schema: Schema
    facts: Facts
    names: Names = field(default_factory=Names)
    used: dict[Fact, None] = field(default_factory=dict)
    stated: list[Stated] = field(default_factory=list)
    """What was stated on the way, in order; each statement is true, whether the proof needs it or not."""

    def attempt(self) -> World:
        """A world for one attempt: what it relies on is recorded there, besides what this one relied on."""
        return replace(self, used=dict(self.used))

    def state(self, by: str, statement: Statement) -> None:
        """Record a statement, so that it can be tried on databases."""
        self.stated.append(Stated(by, statement))

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
