"""Look-ups that say nothing: the row is there by what else is true of the term's rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
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
from equiv.proof.rewrites.lookups.found import found_row
from equiv.proof.rewrites.scope import Scope

MAX_SPELLINGS = 16
"""How many ways to say the key of one look-up are tried."""


@rewrite(on=Term, keeps="bag")
def eliminate_implied_lookup(term: Term, scope: Scope) -> Term | None:
    """Drop conditions that a parent is found, where a child's key is equated with the parent's.

    Before:  Σ s ∈ b [a[id = 1] ≠ ∅ and s.a_id = 1] → (s.y)
    After:   Σ s ∈ b [s.a_id = 1] → (s.y)
    Refuse:  the foreign key may be NULL here; or a column of the parent is read
    Sound:   values in one class of = are equal by = and not NULL where the other conditions are true, so that
             one of them finds a row of the parent just if the others do
    """
    parts = conjuncts(term.condition)
    kept = list(parts)
    for part in parts:
        others = [other for other in kept if other is not part]
        if not isinstance(part, Found) or _is_read(part, [*others, *term.outputs]):
            continue
        inside = scope.within(term.bindings, others)
        with scope.world.aside():
            if any(found_row(spelt, inside) == TRUE for spelt in _spellings(part, others)):
                kept = others
    return None if len(kept) == len(parts) else replace(term, condition=conjunction(kept))


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
