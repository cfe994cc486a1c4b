"""What the rewriting of aggregates knows where it works: the world, and what the variables range over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from equiv.algebra import kinds as typing
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Binding,
    Constant,
    Expression,
    Field,
    Node,
    Or,
    Source,
    Variable,
    bound,
    walk,
)
from equiv.algebra.world import World
from equiv.facts import FactKind
from equiv.sqlite.functions.traits import Kind

N = TypeVar("N", bound=Node)

NUMBERS: frozenset[Kind] = frozenset({"integer", "real"})


@dataclass(frozen=True)
class Scope:
    """The world of a proof and the sources of the variables around."""

    world: World
    sources: Mapping[Variable, Source]

    @property
    def rows(self) -> tuple[Binding, ...]:
        """What the variables around range over."""
        return tuple(Binding(row, source) for row, source in self.sources.items())

    @property
    def given(self) -> tuple[Expression, ...]:
        """Nothing is known of them here."""
        return ()

    def inside(self, bindings: Iterable[Binding]) -> Scope:
        """The scope within a term with these bindings."""
        return Scope(self.world, {**self.sources, **{each.row: each.source for each in bindings}})

    def kinds(self, value: Expression) -> frozenset[Kind]:
        """All storage classes that a value may have; facts are not recorded."""
        return typing.kinds(value, self._trial(), self.sources)

    def within(self, value: Expression, wanted: frozenset[Kind]) -> bool:
        """Whether a value is always of some storage classes; if so, the facts are recorded."""
        trial = self._trial()
        if typing.kinds(value, trial, self.sources) <= wanted:
            self.world.use(trial.used)
            return True
        return False

    def _trial(self) -> World:
        return World(self.world.schema, self.world.facts, self.world.names)

    def copied(self, value: N) -> N:
        """The node with fresh names for what it binds, to stand beside the first."""
        return self.world.names.copy_of(value) if bound(value) else value

    def never_null(self, value: Expression) -> bool:
        """Whether a value is known not to be NULL."""
        return self.within(value, typing.ALL - {"null"})

    def is_whole(self, value: Expression) -> bool:
        """Whether a value is an integer or NULL."""
        return self.within(value, frozenset({"integer", "null"}))

    def is_number(self, value: Expression) -> bool:
        """Whether a value is a number or NULL."""
        return self.within(value, frozenset({"integer", "real", "null"}))

    def is_real(self, value: Expression) -> bool:
        """Whether a value is of storage class REAL or NULL."""
        return self.within(value, frozenset({"real", "null"}))

    def are_identical_if_equal(self, left: Expression, right: Expression) -> bool:
        """Whether two values that are equal cannot be told apart: 1 and 1.0 can, 0.0 and -0.0 too."""
        exact, other = typing.ALL - {"real"}, typing.ALL - NUMBERS
        for mine, theirs in ((exact, exact), (other, typing.ALL), (typing.ALL, other)):
            if self.kinds(left) <= mine and self.kinds(right) <= theirs:
                return self.within(left, mine) and self.within(right, theirs)
        return False

    def adds_whole(self) -> bool:
        """Whether integers add as in mathematics."""
        return self.world.holds(FactKind.NO_OVERFLOW)

    def adds_exactly(self) -> bool:
        """Whether all numbers add as in mathematics."""
        return self.world.holds(FactKind.NO_OVERFLOW) and self.world.holds(FactKind.EXACT_ARITHMETIC)


def mentioned(node: Node) -> set[Variable]:
    """The variables whose columns a node mentions, bound in it or not."""
    return {inner.row for inner in walk(node) if isinstance(inner, Field)}


def mentions(node: Node, rows: Iterable[Variable]) -> bool:
    """Whether a node mentions one of some variables."""
    return not mentioned(node).isdisjoint(rows)


def number_of(value: Expression) -> Fraction | None:
    """The number that a literal is; of a REAL, the decimal one that is written."""
    if not isinstance(value, Constant) or value.kind not in ("integer", "real"):
        return None
    try:
        return Fraction(value.text)
    except ValueError:
        return None


def disjunction(parts: Iterable[Expression]) -> Expression:
    """The OR of some truth values, without FALSE; TRUE if one of them is."""
    found = tuple(dict.fromkeys(part for part in parts if part != FALSE))
    if TRUE in found:
        return TRUE
    if not found:
        return FALSE
    return found[0] if len(found) == 1 else Or(found)
