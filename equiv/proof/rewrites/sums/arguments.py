"""Arguments of SUM as numbers, by storage class; and sums whose value alone counts, not their class."""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.terms import Aggregate, Bag, Case, Convert, Expression, Term, conjunction
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.existence import existence
from equiv.proof.rewrites.sums.extreme import when
from equiv.proof.rewrites.sums.linear import linear
from equiv.proof.rewrites.sums.not_null import branches, with_present


def by_class(bag: Bag, scope: Scope) -> tuple[Bag, Bag] | None:
    """A bag split into its rows with an integer as first output and those with a REAL; None if unknown."""
    wholes: list[Term] = []
    reals: list[Term] = []
    for term in bag.terms:
        inner = scope.within(term.bindings)
        for conditions, value in branches(term.outputs[0]):
            rows = replace(term, condition=conjunction([term.condition, *conditions]), outputs=(value,))
            if inner.is_whole(value):
                wholes.append(rows)
            elif inner.is_real(value):
                reals.append(rows)
            else:
                return None
    return Bag(tuple(wholes)), Bag(tuple(reals))


def as_numbers(bag: Bag, scope: Scope) -> Bag:
    """The bag with its first output as SUM, TOTAL and AVG read it: of text, the number at its beginning."""
    return Bag(tuple(_as_number(term, scope) for term in bag.terms))


def _as_number(term: Term, scope: Scope) -> Term:
    value = term.outputs[0]
    if scope.within(term.bindings).is_number(value):
        return term
    return replace(term, outputs=(Convert("REAL", value, explicit=True),))


def by_value(value: Expression, scope: Scope) -> Expression:
    """A number equal to a value, be it an integer or a REAL, with SUM as an exact sum.

    Numbers add as in mathematics: the caller has seen to the facts.
    """
    match value:
        case Aggregate("SUM", bag):
            some = existence(with_present(bag, scope).terms, scope)
            return when(some, linear(as_numbers(bag, scope), scope, whole=False))
        case Case(choices, default):
            changed = tuple((condition, by_value(then, scope)) for condition, then in choices)
            return Case(changed, by_value(default, scope))
    return value
