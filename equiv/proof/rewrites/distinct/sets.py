"""Queries compared as sets of rows: a DISTINCT around a whole term is redundant."""

from __future__ import annotations

from equiv.algebra.terms import TRUE, Bag, Binding, Field, Squash, Term
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


@rewrite(on=Bag, keeps="set")
def eliminate_root_distinct(bag: Bag, scope: Scope) -> Bag | None:
    """Drop the DISTINCT that makes up a whole term of the query, where duplicates do not count.

    Before:  distinct: Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y)) → (r.#1, r.#2)
    After:   distinct: Σ t ∈ a → (t.x, t.y)
    Refuse:  the distinct rows are read by a condition or a function, which may tell 1 from 1.0
    Sound:   DISTINCT keeps one of the rows that are equal by value, and sets are compared by value
    """
    changed = _without_root_squash(bag)
    return None if changed == bag else changed


def _without_root_squash(bag: Bag) -> Bag:
    return Bag(tuple(plain for term in bag.terms for plain in _without_squash(term)))


def _without_squash(term: Term) -> tuple[Term, ...]:
    match term:
        case Term((Binding(row, Squash(bag)),), condition, outputs) if condition == TRUE:
            places = [field.column for field in outputs if isinstance(field, Field) and field.row == row]
            if len(places) == len(outputs):
                return tuple(
                    Term(each.bindings, each.condition, tuple(each.outputs[int(place)] for place in places))
                    for each in _without_root_squash(bag).terms
                )
    return (term,)
