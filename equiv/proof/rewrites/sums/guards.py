"""The guard of a sum that only asks for the rows of the sum, left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from equiv.algebra.terms import (
    Aggregate,
    Apply,
    Bag,
    Case,
    Exists,
    Expression,
    alpha,
    conjunction,
    conjuncts,
    integer,
    sites,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


def is_zero_elsewhere(node: Case) -> bool:
    """One branch, and 0 where its condition is not true."""
    return len(node.branches) == 1 and node.default == integer(0)


def factors_are_integers(node: Case, scope: Scope) -> bool:
    """Each factor of the value is an integer and never NULL where the other conditions hold."""
    ((condition, value),) = node.branches
    there = scope.under(_asked(condition, value))
    return all(there.is_whole(each) and there.never_null(each) for each in _factors(value))


@rewrite(on=Case, keeps="value", shape=(is_zero_elsewhere,), needs=(factors_are_integers,))
def eliminate_guard_of_sum(node: Case, scope: Scope) -> Expression | None:
    """Leave out the condition that there is a row of the sum, beside which the value is 0.

    Before:  {(∃ t ∈ a [t.x = 1]): SUM0{Σ t ∈ a [t.x = 1] → (t.n)}; else 0}
    After:   SUM0{Σ t ∈ a [t.x = 1] → (t.n)}
    Refuse:  other rows; another value elsewhere; a factor that may be NULL or a REAL
    Sound:   an exact sum over no rows is 0, and so is its product with other integers
    """
    ((condition, value),) = node.branches
    asked = _asked(condition, value)
    if len(asked) == len(conjuncts(condition)):
        return None
    return replace(node, branches=((conjunction(asked), value),)) if asked else value


def _asked(condition: Expression, value: Expression) -> list[Expression]:
    """The conjuncts of a condition that do not ask for rows of the sums in a product."""
    shown = {alpha(_existence(each)) for each in _factors(value) if _is_whole_sum(each)}
    return [part for part in conjuncts(condition) if alpha(part) not in shown]


def _factors(value: Expression) -> Iterator[Expression]:
    match value:
        case Apply("*", (left, right)):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield value


def _is_whole_sum(value: Expression) -> bool:
    return isinstance(value, Aggregate) and value.function == "LINEAR" and value.whole and not sites(value)


def _existence(total: Expression) -> Exists:
    assert isinstance(total, Aggregate)
    return Exists(Bag(tuple(replace(term, outputs=()) for term in total.bag.terms)))
