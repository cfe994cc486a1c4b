"""The context of one proof: schema, facts, fresh names, and the record of what it did and relied on.

The record has the statements of the proof (claims about rows, and pairs of bags that are equal as bags or as
sets), the steps of a normalisation (each application of a rewrite), and the facts used.

The one rule for what may be assumed of a variable: **a claim binds it, and then its row is some row of
its source, for which the conditions of the claim are true**.  Nothing else is known of it, and of a
variable that a claim does not bind nothing is known at all, not even that there is such a row: an empty
group, table or derived table has none.  So a claim carries its own rows, and what was concluded from the
rows of one claim says nothing in another.

Statements are plain data, so that an independent evaluator can try them: :mod:`equiv.algebra.trials`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from equiv.algebra import terms as t
from equiv.core.model import Column, Schema, Table
from equiv.facts import Fact, FactKind, Facts
from equiv.verdict import Obligation

REPRESENTATION = "REPRESENTATION"
"""A function of one argument that no two different values share: 1 and 1.0 are equal, and differ in it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An implication over rows: for all rows of the sources, ``goal`` is true if all of ``given`` are."""

    rows: tuple[t.Binding, ...]
    """The bindings, outermost first: a source mentions variables bound before it."""
    given: tuple[t.Expression, ...]
    """Conditions of the terms whose rows are bound."""
    goal: t.Expression
    lemmas: tuple[t.Expression, ...] = ()
    """What was shown of the same rows before, by matching: it follows from rows and conditions, so that the
    claim has to be true without it."""

    def unbound(self) -> frozenset[t.Variable]:
        """The variables that are mentioned and have no row."""
        return _unbound(self.rows, (*self.given, *self.lemmas, self.goal))

    def makes_choices(self) -> bool:
        """Whether a free choice (a tie) occurs in the statement, so that a single run cannot test it."""
        return _makes_choices(self.rows, (*self.given, *self.lemmas, self.goal))


Likeness = Literal["bag", "set", "included", "exists"]
"""How two bags are alike: they hold the same rows equally often; the same rows; the right one holds each row
of the left one; the right one has a row if the left one has."""


@dataclass(frozen=True, slots=True)
class Alike:
    """An equality of two bags, for all rows of the sources for which all of ``given`` are true."""

    rows: tuple[t.Binding, ...]
    given: tuple[t.Expression, ...]
    left: t.Bag
    right: t.Bag
    likeness: Likeness
    width: int | None = None
    """How many of the outputs count, from the first on; None: all."""
    exactly: bool = False
    """Whether 1 and 1.0 are distinguished."""

    def unbound(self) -> frozenset[t.Variable]:
        """The variables that are mentioned and have no row."""
        return _unbound(self.rows, (*self.given, self.left, self.right))

    def makes_choices(self) -> bool:
        """Whether a free choice (a tie) occurs in the statement, so that a single run cannot test it."""
        return _makes_choices(self.rows, (*self.given, self.left, self.right))


Statement: TypeAlias = Claim | Alike

NORMAL_FORM = "normal form"
"""How the names of the steps of a normal form begin."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement, and the part of the prover that made it."""

    by: str
    statement: Statement

    @property
    def is_rewrite(self) -> bool:
        """Whether the statement is a step of a normalisation, whose result shows it too."""
        return self.by.startswith(NORMAL_FORM)


def _unbound(rows: Sequence[t.Binding], nodes: Sequence[t.Expression | t.Bag]) -> frozenset[t.Variable]:
    bound: set[t.Variable] = set()
    found: set[t.Variable] = set()
    for binding in rows:
        found |= t.free(binding.source) - bound
        bound.add(binding.row)
    return frozenset(found.union(*map(t.free, nodes)) - (bound - found))


def _makes_choices(rows: Sequence[t.Binding], nodes: Sequence[t.Expression | t.Bag]) -> bool:
    return any(t.sites(binding.source) for binding in rows) or any(map(t.sites, nodes))


Keeps = Literal["value", "truth", "bag", "set", "answers"]
"""What a rewrite preserves, on all databases that the facts allow: the value of an expression, NULL included;
whether it is true; the rows of a term or bag, each as often; which rows there are; the possible answers."""

StepNode: TypeAlias = "t.Expression | t.Term | t.Limited | t.Bag | t.Answer"
"""The nodes that a step can have before or after it."""


@dataclass(frozen=True, slots=True)
class RewriteStep:
    """One application of a rewrite."""

    rewrite: str
    keeps: Keeps
    before: StepNode
    after: tuple[StepNode, ...]
    """The nodes after the step: a term may become several terms, or none."""
    rows: tuple[t.Binding, ...]
    """The bindings of the variables around the node."""
    given: tuple[t.Expression, ...]
    """The conditions on their rows."""
    facts: tuple[Fact, ...]
    """The facts that it rests on."""
    aside: bool
    """Whether it was part of a question only: the normal form does not show it."""

    @property
    def stated(self) -> Stated | None:
        """The statement that a step makes, to be tried on databases; None if a free choice is rewritten."""
        if self.keeps == "answers":
            return None
        before = _bag((self.before,))
        likeness: Literal["bag", "set"] = "set" if self.keeps == "set" else "bag"
        if before is not None:
            after = _bag(self.after)
            assert after is not None
            return Stated(self._by, Alike(self.rows, self.given, before, after, likeness))
        old, (new,) = self.before, self.after
        assert not isinstance(old, t.Bag | t.Term | t.Limited | t.Answer)
        assert not isinstance(new, t.Bag | t.Term | t.Limited | t.Answer)
        if self.keeps == "truth":
            claim = t.Compare("IS", t.IsTrue(old), t.IsTrue(new))
            return Stated(self._by, Claim(self.rows, self.given, claim))
        left, right = t.Bag((t.Term((), t.TRUE, (old,)),)), t.Bag((t.Term((), t.TRUE, (new,)),))
        return Stated(self._by, Alike(self.rows, self.given, left, right, "bag", exactly=True))

    @property
    def _by(self) -> str:
        return f"{NORMAL_FORM}: {self.rewrite}"


def _bag(nodes: tuple[StepNode, ...]) -> t.Bag | None:
    """Terms, or a bag, as a bag; None for expressions."""
    if len(nodes) == 1 and isinstance(nodes[0], t.Bag):
        return nodes[0]
    terms = tuple(node for node in nodes if isinstance(node, t.Term))
    return t.Bag(terms) if len(terms) == len(nodes) else None


@dataclass(frozen=True, slots=True)
class Switches:
    """Rewrites and needs that a normalisation leaves out."""

    disabled: frozenset[str] = frozenset()
    """Rewrites that do not fire, by name."""
    waived: frozenset[tuple[str, str]] = frozenset()
    """Needs that are taken for granted, by rewrite and guard: to show what they are needed for."""


ALL_ON = Switches()
"""All rewrites, with all their needs."""


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
    names: t.FreshNames = field(default_factory=t.FreshNames)
    used: dict[Fact, None] = field(default_factory=dict)
    stated: list[Stated] = field(default_factory=list)
    """The statements made on the way, in order; each is true, whether the proof needs it or not."""

    switches: Switches = ALL_ON
    steps: list[RewriteStep] = field(default_factory=list)
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

    def rests_on(self, facts: Iterable[Fact] | None) -> bool:
        """Record the facts by which something holds, and return whether it does (None: it may not hold)."""
        self.use(facts or ())
        return facts is not None

    def open_step(self) -> int:
        """Begin to gather the facts that are used, and return a mark for :meth:`close_step`."""
        self.meter.tick()
        self._open.append(None)
        return len(self._open) - 1

    def close_step(self, mark: int, *, is_taken: bool = True) -> tuple[Fact, ...]:
        """End the step that :meth:`open_step` began, and return the facts that it used.

        If the step is taken, the steps around it rest on these facts as well.
        """
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
