"""Conditions on the outputs of distinct rows alone, moved out of them or in."""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.terms import (
    Bag,
    Binding,
    Exists,
    Expression,
    Field,
    Squash,
    Term,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.replaced_bindings import with_conditions
from equiv.proof.rewrites.distinct.variables import Distinct, distinct_has_no_choice, is_alone, is_of_one_term
from equiv.proof.rewrites.outputs import over_outputs
from equiv.proof.rewrites.scope import Scope


@rewrite(on=Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def pull_condition_from_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Move conditions on the outputs alone, but not EXISTS, out of distinct rows.

    Before:  Σ r ∈ distinct(Σ t ∈ a [t.x > 1] → (t.x)) → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) [r.#1 > 1] → (r.#1)
    Refuse:  a condition on what is no output; equal values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    (inner,) = at.bag.terms
    positions = list(range(len(inner.outputs)))
    out: list[Expression] = []
    stay: list[Expression] = []
    for part in conjuncts(inner.condition):
        moved = over_outputs(part, inner, at.row, positions)
        if moved is None or isinstance(moved, Exists):
            stay.append(part)
        else:
            out.append(moved)
    if not out:
        return None
    changed = at.over(Squash(Bag((Term(inner.bindings, conjunction(stay), inner.outputs),))))
    return [with_conditions(changed, *out)]


@rewrite(on=Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def push_semi_join_into_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Move an EXISTS about the outputs alone into distinct rows, where its rows are as good as theirs.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x)) [(∃ s ∈ b [s.x = r.#1])] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [(∃ s ∈ b [s.x = t.x])] → (t.x)) → (r.#1)
    Refuse:  an EXISTS about other variables of the term; a choice inside it; values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    own = {binding.row for binding in at.shown.bindings}
    parts = conjuncts(at.shown.condition)
    inward = [
        part
        for part in parts
        if isinstance(part, Exists) and free(part) & own == {at.row} and not sites(part)
    ]
    if not inward:
        return None
    (inner,) = at.bag.terms

    def each(field: Field) -> Expression:
        return inner.outputs[int(field.column)] if field.row == at.row else field

    condition = conjunction([*conjuncts(inner.condition), *(substitute(part, each) for part in inward)])
    changed = at.over(Squash(Bag((Term(inner.bindings, condition, inner.outputs),))))
    return [replace(changed, condition=conjunction(part for part in parts if part not in inward))]
