"""The statements of a proof: claims about rows, and pairs of bags that are equal as bags or as sets.

The one rule for what may be assumed of a variable: **a claim binds it, and then its row is some row of
its source, for which the conditions of the claim are true**.  Nothing else is known of it, and of a
variable that a claim does not bind nothing is known at all, not even that there is such a row: an empty
group, table or derived table has none.  So a claim carries its own rows, and what was concluded from the
rows of one claim says nothing in another.

Statements are plain data, so that an independent evaluator can try them: :mod:`equiv.algebra.trials`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from equiv.algebra.terms import Bag, Binding, Expression, Variable, free, sites

REPRESENTATION = "REPRESENTATION"
"""A function of one argument that no two different values share: 1 and 1.0 are equal, and differ in it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An implication over rows: for all rows of the sources, ``goal`` is true if all of ``given`` are."""

    rows: tuple[Binding, ...]
    """The bindings, outermost first: a source mentions variables bound before it."""
    given: tuple[Expression, ...]
    """Conditions of the terms whose rows are bound."""
    goal: Expression
    lemmas: tuple[Expression, ...] = ()
    """What was shown of the same rows before, by matching: it follows from rows and conditions, so that the
    claim has to be true without it."""

    def unbound(self) -> frozenset[Variable]:
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

    rows: tuple[Binding, ...]
    given: tuple[Expression, ...]
    left: Bag
    right: Bag
    likeness: Likeness
    width: int | None = None
    """How many of the outputs count, from the first on; None: all."""
    exactly: bool = False
    """Whether 1 and 1.0 are told apart."""

    def unbound(self) -> frozenset[Variable]:
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


def _unbound(rows: Sequence[Binding], nodes: Sequence[Expression | Bag]) -> frozenset[Variable]:
    bound: set[Variable] = set()
    found: set[Variable] = set()
    for binding in rows:
        found |= free(binding.source) - bound
        bound.add(binding.row)
    return frozenset(found.union(*map(free, nodes)) - (bound - found))


def _makes_choices(rows: Sequence[Binding], nodes: Sequence[Expression | Bag]) -> bool:
    return any(sites(binding.source) for binding in rows) or any(map(sites, nodes))
