"""Terms with another source for one of their variables: other rows, fewer columns, conditions inside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from equiv.algebra import terms as t
from equiv.proof.rewrites.scope import Scope


def with_fields(
    term: t.Term, place: int, new: tuple[t.Binding, ...], fields: Mapping[int, t.Expression], scope: Scope
) -> t.Term:
    """The term with a binding replaced and the fields of its variable by expressions."""
    row = term.bindings[place].row

    def each(field: t.Field) -> t.Expression:
        if field.row != row or not isinstance(field.column, int):
            return field
        return scope.world.names.copy_of(fields[field.column])

    later = tuple(t.substitute(binding, each) for binding in term.bindings[place + 1 :])
    outputs = tuple(t.substitute(output, each) for output in term.outputs)
    return t.Term((*term.bindings[:place], *new, *later), t.substitute(term.condition, each), outputs)


def with_conditions(term: t.Term, *more: t.Expression) -> t.Term:
    """The term under some more conditions."""
    return t.Term(term.bindings, t.conjunction([*more, *term.conjuncts]), term.outputs)


def inlined(term: t.Term, place: int, inner: t.Term, scope: Scope) -> t.Term:
    """The term over the rows of one that makes the rows of a variable."""
    changed = with_fields(term, place, inner.bindings, dict(enumerate(inner.outputs)), scope)
    return with_conditions(changed, *inner.conjuncts)


def with_columns(term: t.Term, place: int, known: Mapping[int, t.Expression], scope: Scope) -> t.Term:
    """The term over distinct rows less some columns, of which it is known what they are, maybe by others."""
    row, terms = term.bindings[place].row, distinct_bag(term, place).terms
    kept = [at for at in range(len(terms[0].outputs)) if at not in known]
    new: dict[int, t.Expression] = {old: t.Field(row, at) for at, old in enumerate(kept)}

    def moved(field: t.Field) -> t.Expression:
        return new[int(field.column)] if field.row == row else field

    bag = t.Bag(tuple(replace(each, outputs=tuple(each.outputs[at] for at in kept)) for each in terms))
    fields = new | {old: t.substitute(value, moved) for old, value in known.items()}
    return with_fields(term, place, (t.Binding(row, t.Squash(bag)),), fields, scope)


def with_conditions_inside(
    term: t.Term, place: int, inward: Collection[t.Expression], scope: Scope
) -> t.Term:
    """The term with some of its conditions on distinct rows within these."""
    row, copies = term.bindings[place].row, scope.world.names.copy_of

    def within(inner: t.Term) -> t.Term:
        def each(field: t.Field) -> t.Expression:
            return copies(inner.outputs[int(field.column)]) if field.row == row else field

        moved = (t.substitute(copies(part), each) for part in inward)
        return inner.where([*inner.conjuncts, *moved])

    changed = t.Binding(row, t.Squash(t.Bag(tuple(map(within, distinct_bag(term, place).terms)))))
    bindings = (*term.bindings[:place], changed, *term.bindings[place + 1 :])
    return replace(term.where(part for part in term.conjuncts if part not in inward), bindings=bindings)


def distinct_bag(term: t.Term, place: int) -> t.Bag:
    """The bag whose distinct rows a variable of a term ranges over."""
    source = term.bindings[place].source
    assert isinstance(source, t.Squash)
    return source.bag


def rows_equal_to(
    bag: t.Bag, values: Sequence[t.Expression], scope: Scope, operator: Literal["=", "IS"] = "IS"
) -> t.Bag:
    """The rows of a bag whose outputs are some values."""
    copies = scope.world.names.copy_of

    def links(inner: t.Term) -> list[t.Expression]:
        return [t.Compare(operator, *pair) for pair in zip(inner.outputs, map(copies, values), strict=True)]

    found = (t.Term(b.bindings, t.conjunction([*b.conjuncts, *links(b)]), ()) for b in bag.terms)
    return t.Bag(tuple(found))
