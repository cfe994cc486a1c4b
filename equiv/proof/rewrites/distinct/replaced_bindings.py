"""A term after one of its bindings was replaced, with the fields of its variable as expressions."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.algebra.terms import Binding, Expression, Field, Term, conjunction, conjuncts, substitute
from equiv.proof.rewrites.scope import Scope


def with_fields(
    term: Term, place: int, new: tuple[Binding, ...], fields: Mapping[int, Expression], scope: Scope
) -> Term:
    """The term with a binding replaced and the fields of its variable by expressions."""
    row = term.bindings[place].row

    def each(field: Field) -> Expression:
        if field.row != row or not isinstance(field.column, int):
            return field
        return scope.world.names.copy_of(fields[field.column])

    later = tuple(substitute(binding, each) for binding in term.bindings[place + 1 :])
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return Term((*term.bindings[:place], *new, *later), substitute(term.condition, each), outputs)


def with_conditions(term: Term, *more: Expression) -> Term:
    """The term under some more conditions."""
    return Term(term.bindings, conjunction([*more, *conjuncts(term.condition)]), term.outputs)
