"""A MIN or MAX over the rows up to a row around that is one of them: the bound makes no difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Aggregate,
    Bag,
    Compare,
    IsNull,
    Not,
    alpha,
    conjunction,
    conjuncts,
    mentions,
    sites,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows


@dataclass(frozen=True, slots=True)
class BoundedExtreme:
    """A MIN over rows whose argument is at most a value of outer rows, or a MAX likewise."""

    shown: Aggregate
    rest: Aggregate
    """The same without the bound."""


def bounded_extremes(node: Aggregate) -> Iterator[BoundedExtreme]:
    """The bounds by outer rows on the argument of a MIN from above, of a MAX from below."""
    if node.function not in ("MIN", "MAX") or len(node.bag.terms) != 1 or sites(node):
        return
    (term,) = node.bag.terms
    own = {binding.row for binding in term.bindings}
    argument, parts = alpha(term.outputs[0]), conjuncts(term.condition)
    for part in parts:
        match part:
            case Compare("<" | "<=", low, high):
                inner, outer = (low, high) if node.function == "MIN" else (high, low)
                if alpha(inner) == argument and not mentions(outer, own):
                    others = conjunction(each for each in parts if each is not part)
                    yield BoundedExtreme(node, replace(node, bag=Bag((replace(term, condition=others),))))


def a_row_is_within_the_bound(at: BoundedExtreme, scope: Scope) -> bool:
    """The rows around show that there is an argument within the bound."""
    (term,) = scope.world.names.copy_of(at.shown.bag).terms
    asked = conjunction([term.condition, Not(IsNull(term.outputs[0]))])
    return GivenRows.of((), scope.given, scope).has_row(replace(term, condition=asked))


@rewrite(on=Aggregate, keeps="value", needs=(a_row_is_within_the_bound,))
def eliminate_bound_of_extreme(at: BoundedExtreme, scope: Scope) -> Aggregate | None:
    """Drop a bound from above on the argument of a MIN, or from below of a MAX, that some argument is within.

    Before:  Σ t ∈ a → (MIN{Σ s ∈ a [s.x is t.x and s.nn ≤ t.nn] → (s.nn)})
    After:   Σ t ∈ a → (MIN{Σ s ∈ a [s.x is t.x] → (s.nn)})
    Refuse:  no row around that meets the conditions itself; a bound from the other side
    Sound:   the least argument is at most the one that is within the bound, and so within it, too
    """
    return at.rest
