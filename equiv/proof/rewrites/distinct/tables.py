"""DISTINCT key values that cover a table, replaced by the rows of that table."""

from __future__ import annotations

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Exists,
    Field,
    Scan,
    Term,
    conjunction,
    conjuncts,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.replaced_bindings import with_conditions, with_fields
from equiv.proof.rewrites.distinct.variables import Distinct
from equiv.proof.rewrites.lookups.key_lookups import is_found
from equiv.proof.rewrites.scope import Scope


def has_a_table_instead(at: Distinct) -> bool:
    """There is a table with a key of so many columns."""
    return at.instead is not None


def _links(at: Distinct) -> list[tuple[Field, Field]]:
    """The columns of the distinct rows and those of the key that they are."""
    assert at.instead is not None
    return [(Field(at.row, place), Field(at.instead.row, name)) for place, name in enumerate(at.key)]


def values_are_keys_of_table(at: Distinct, scope: Scope) -> bool:
    """The table has a row for each distinct row."""
    assert at.instead is not None
    assert isinstance(at.instead.source, Scan)
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition))
    values = tuple(value for value, _ in _links(at))
    return is_found(at.instead.source.table, at.key, values, inside)


def values_are_identical_to_keys(at: Distinct, scope: Scope) -> bool:
    """A value that equals a key is that key."""
    assert at.instead is not None
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition)).within((at.instead,))
    return all(inside.are_identical_if_equal(*pair) for pair in _links(at))


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(has_a_table_instead,),
    needs=(values_are_keys_of_table, values_are_identical_to_keys),
)
def convert_distinct_to_table(at: Distinct, scope: Scope) -> list[Term] | None:
    """Range over the rows of a table instead of distinct values that all are its keys.

    Before:  Σ r ∈ distinct(Σ t ∈ b → (t.a_id)) → (r.#1)
    After:   Σ s ∈ a [(∃ t ∈ b [t.a_id = s.id])] → (s.id)
    Refuse:  a value that is no key, or NULL; 1 for 1.0
    Sound:   each distinct row is the key of exactly one row of the table
    """
    assert at.instead is not None
    scope.world.use((at.unique,) if at.unique is not None else ())
    keys = tuple(key for _, key in _links(at))
    terms = tuple(
        Term(
            each.bindings,
            conjunction(
                [
                    *conjuncts(each.condition),
                    *(Compare("=", a, b) for a, b in zip(each.outputs, keys, strict=True)),
                ]
            ),
            (),
        )
        for each in at.bag.terms
    )
    changed = with_fields(at.shown, at.place, (at.instead,), dict(enumerate(keys)), scope)
    return [with_conditions(changed, Exists(Bag(terms)))]
