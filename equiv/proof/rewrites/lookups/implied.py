"""Redundant conditions "the look-up finds a row": implied by a foreign key, or by other conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from equiv.algebra.terms import (
    TRUE,
    Expression,
    Found,
    Lookup,
    Node,
    Term,
    alpha,
    conjunction,
    conjuncts,
    walk,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.equalities import equal_values
from equiv.proof.rewrites.lookups.key_lookups import found_row
from equiv.proof.rewrites.scope import Scope

MAX_SPELLINGS = 16
"""How many ways to say the key of one look-up are tried."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A term, and one of its conditions that a row is found."""

    shown: Term
    part: Found

    @property
    def others(self) -> list[Expression]:
        """The other conditions."""
        return [other for other in conjuncts(self.shown.condition) if other is not self.part]


def row_is_not_read(at: Asked) -> bool:
    """No column of the row is read."""
    return not _is_read(at.part, [*at.others, *at.shown.outputs])


def row_is_found_by_equal_values(at: Asked, scope: Scope) -> bool:
    """The row is there by values that the other conditions equate with its key's."""
    others = at.others
    inside = scope.within(at.shown.bindings, others)
    with scope.world.aside():
        return any(found_row(spelt, inside) == TRUE for spelt in _spellings(at.part, others))


@rewrite(on=Term, keeps="bag", shape=(row_is_not_read,), needs=(row_is_found_by_equal_values,))
def eliminate_implied_lookup(at: Asked, scope: Scope) -> Term | None:
    """Drop the condition that a parent is found, where a child row with a foreign key to it is joined.

    Before:  Σ s ∈ b [a[id = 1] ≠ ∅ and s.a_id = 1] → (s.y)
    After:   Σ s ∈ b [s.a_id = 1] → (s.y)
    Refuse:  the foreign key may be NULL here; or a column of the parent is read
    Sound:   values in one class of = are equal by = and not NULL where the other conditions are true, so that
             one of them finds a row of the parent just if the others do
    """
    return replace(at.shown, condition=conjunction(at.others))


def without_implied_lookups(term: Term, scope: Scope) -> Term:
    """The term without the conditions "a row is found" that its other conditions imply."""
    for part in conjuncts(term.condition):
        if isinstance(part, Found):
            term = eliminate_implied_lookup(Asked(term, part), scope) or term
    return term


def _is_read(node: Found, nodes: Sequence[Node]) -> bool:
    """Whether a column of the row is read somewhere."""
    wanted = alpha(node)
    lookups = (inner for each in nodes for inner in walk(each) if isinstance(inner, Lookup))
    return any(alpha(Found(each.table, each.key, each.values)) == wanted for each in lookups)


def _spellings(node: Found, conditions: Sequence[Expression]) -> Iterator[Found]:
    """The look-up by other values that the conditions equate with its own."""
    classes = equal_values(conditions)
    ways = product(*(classes.of(value) for value in node.values))
    return (Found(node.table, node.key, values) for values in islice(ways, MAX_SPELLINGS))
