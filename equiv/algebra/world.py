"""The context of one proof: schema, facts, fresh names, and a record of the facts that it relied on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from equiv.algebra.claims import Claim, Stated, Statement
from equiv.algebra.steps import ALL_ON, Step, Switches
from equiv.algebra.terms import Names
from equiv.core.model import Column, Schema, Table
from equiv.facts import Fact, FactKind, Facts
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
        """A prover for another attempt, with records of its own and the decisions of this one."""
        ...


class TooMuchWorkError(Exception):
    """An attempt takes more steps than it may."""


@dataclass
class Meter:
    """The steps that an attempt has taken, counted so that they repeat exactly, and how many it may take."""

    limit: int | None = None
    done: int = 0

    def tick(self, steps: int = 1) -> None:
        """Count some steps.

        Raises:
            TooMuchWorkError: they are more than the limit.
        """
        self.done += steps
        if self.limit is not None and self.done > self.limit:
            raise TooMuchWorkError


@dataclass
class World:
    """Schema and facts of one proof, its names, the facts relied on and the statements made so far."""

    schema: Schema
    facts: Facts
    names: Names = field(default_factory=Names)
    used: dict[Fact, None] = field(default_factory=dict)
    stated: list[Stated] = field(default_factory=list)
    """The statements made on the way, in order; each is true, whether the proof needs it or not."""

    switches: Switches = ALL_ON
    steps: list[Step] = field(default_factory=list)
    """The rewrites that fired, in order."""
    meter: Meter = field(default_factory=Meter)
    """What the proof has cost so far; attempts share it."""
    _open: list[dict[Fact, None] | None] = field(default_factory=list)
    """The facts used in each step that may be taken, the innermost last."""
    _asides: int = 0

    def attempt(self, disabled: frozenset[str] = frozenset()) -> World:
        """A world for one attempt: its record of facts begins with those of this world.

        Args:
            disabled: rewrites that it does without, by name, besides those that this one does without.
        """
        switches = replace(self.switches, disabled=self.switches.disabled | disabled)
        return replace(self, used=dict(self.used), switches=switches)

    def state(self, by: str, statement: Statement) -> None:
        """Record a statement of the proof, to be tried on databases."""
        self.stated.append(Stated(by, statement))

    def use(self, facts: Iterable[Fact]) -> None:
        """Record that a conclusion rests on some facts."""
        found = dict.fromkeys(facts)
        if self._open:
            self._open[-1] = {**(self._open[-1] or {}), **found}
        else:
            self.used.update(found)

    def open_step(self) -> int:
        """Gather the facts that are used from now on; returns a mark for :meth:`close_step`."""
        self.meter.tick()
        self._open.append(None)
        return len(self._open) - 1

    def close_step(self, mark: int, *, is_taken: bool = True) -> tuple[Fact, ...]:
        """The facts used since a mark; if the step is taken, the steps around it rest on them too."""
        if len(self._open) == mark + 1 and self._open[mark] is None:
            self._open.pop()
            return ()
        found: dict[Fact, None] = {}
        for each in self._open[mark:]:
            found |= each or {}
        del self._open[mark:]
        if found and is_taken:
            self.use(found)
        return tuple(found)

    def set_aside(self, mark: int) -> None:
        """Mark the steps from a place on as part of a question."""
        self.steps[mark:] = [replace(step, aside=True) for step in self.steps[mark:]]

    @property
    def is_aside(self) -> bool:
        """Whether what is done now answers a question only."""
        return self._asides > 0

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Mark what is done as part of a question: its result is looked at and dropped."""
        self._asides += 1
        try:
            yield
        finally:
            self._asides -= 1

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
