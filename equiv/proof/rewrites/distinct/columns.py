"""DISTINCT sources without redundant columns: determined by a key among the others, or by a condition."""

from __future__ import annotations

from equiv.algebra.terms import (
    Bag,
    Binding,
    Expression,
    Field,
    Squash,
    Term,
    substitute,
    walk,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.narrow import with_fixed_columns, without_column
from equiv.proof.rewrites.distinct.replaced_bindings import with_fields
from equiv.proof.rewrites.distinct.variables import Distinct, distinct_has_no_choice, is_alone
from equiv.proof.rewrites.outputs import over_outputs
from equiv.proof.rewrites.scope import Scope


@rewrite(on=Binding, keeps="bag", shape=(is_alone,), needs=(distinct_has_no_choice,))
def reduce_distinct_outputs(at: Distinct, scope: Scope) -> list[Term] | None:
    """Drop outputs of distinct rows that are constant or follow from others in one way for all terms.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.x + 1, 7)) → (r.#2, r.#3)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) → (r.#1 + 1, 7)
    Refuse:  a column that is another value in another term; equal values that are not identical
    Sound:   rows that agree in what is kept agree in what is dropped
    """
    row, terms = at.row, at.bag.terms
    kept: list[int] = []
    fields: dict[int, Expression] = {}
    sizes = [sum(1 for _ in walk(output)) for output in terms[0].outputs]
    for position in sorted(range(len(sizes)), key=lambda at: (sizes[at], at)):
        ways = [over_outputs(inner.outputs[position], inner, row, kept) for inner in terms]
        if ways[0] is not None and all(way == ways[0] for way in ways):
            fields[position] = ways[0]
        else:
            kept.append(position)
    if not fields:
        return None
    kept.sort()
    new = {old: Field(row, at) for at, old in enumerate(kept)}

    def moved(field: Field) -> Expression:
        return new[int(field.column)] if field.row == row else field

    values = {**new, **{old: substitute(value, moved) for old, value in fields.items()}}
    inner_terms = tuple(
        Term(each.bindings, each.condition, tuple(each.outputs[at] for at in kept)) for each in terms
    )
    over = (Binding(row, Squash(Bag(inner_terms))),)
    return [with_fields(at.shown, at.place, over, values, scope)]


def column_is_looked_up_in_each_term(at: Distinct, scope: Scope) -> bool:
    """In each term a column is what is looked up by the others."""
    found = at.looked_up
    if found is None or not found.is_so_in_each_term:
        return False
    scope.world.use((found.key,))
    return True


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, column_is_looked_up_in_each_term),
)
def eliminate_determined_column(at: Distinct, scope: Scope) -> list[Term] | None:
    """Drop a column of a DISTINCT source that a key among the other columns determines.

    Before:  Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id, t.x)) → (g.#2)
    After:   Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id)) → (a[id = g.#1].x)
    Refuse:  the key is UNIQUE and may be NULL: two rows with a NULL key may have two names
    Sound:   what is looked up by the other columns is the column, in each term: so it follows from them
    """
    found = at.looked_up
    return None if found is None else [without_column(at.shown, at.place, at.squash, found, scope)]


def fixing_values_are_identical_to_columns(at: Distinct, scope: Scope) -> bool:
    """A value that equals a column is that value."""
    return at.fixed is not None and at.fixed.are_identical


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, fixing_values_are_identical_to_columns),
)
def push_fixed_column_into_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Push a condition ``column = value`` into a DISTINCT source, and drop the column.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y)) [r.#2 = 10] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [t.y = 10] → (t.x)) → (r.#1)
    Refuse:  the column may hold 10.0, which a function can tell from 10
    Sound:   of the distinct rows those remain whose column is that one value: they differ in the others
    """
    found = at.fixed
    return None if found is None else [with_fixed_columns(at.shown, at.place, at.squash, found, scope)]
