"""The condition that a value is not NULL, in terms of its parts; and the branches of a CASE."""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.scalar_functions import number_of
from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Case,
    Compare,
    Convert,
    Exists,
    Expression,
    IsNull,
    IsTrue,
    Not,
    conjunction,
    disjunction,
    integer,
)
from equiv.proof.rewrites.scope import Scope

Branch = tuple[tuple[Expression, ...], Expression]
"""Conditions that must be true, and the value then."""


def present(value: Expression, scope: Scope) -> Expression:
    """A condition that is true exactly if a value is not NULL."""
    if value == NULL:
        return FALSE
    if scope.never_null(value):
        return TRUE
    match value:
        case Case():
            return disjunction(conjunction([*when, present(then, scope)]) for when, then in cases(value))
        case Compare("=" | "<" | "<=", left, right):
            return conjunction([present(left, scope), present(right, scope)])
        case Convert(_, inner) | Not(inner):
            return present(inner, scope)
        case Apply("+" | "-" | "*" | "NEG", arguments) if _is_finite(arguments, scope):
            return conjunction(present(each, scope) for each in arguments)
        case Apply("/", (above, below)) if _is_finite((above, below), scope):
            divides = TRUE if number_of(below) else Not(Compare("=", below, integer(0)))
            return conjunction([present(above, scope), present(below, scope), divides])
        case Aggregate("MIN" | "MAX", bag):
            return Exists(scope.world.names.copy_of(with_present(bag, scope)))
    return Not(IsNull(value))


def with_present(bag: Bag, scope: Scope) -> Bag:
    """The rows of a bag whose first output is not NULL."""
    return Bag(
        tuple(
            replace(
                term,
                condition=conjunction(
                    [
                        term.condition,
                        present(term.outputs[0], scope.within(term.bindings)),
                    ]
                ),
            )
            for term in bag.terms
        )
    )


def _is_finite(values: tuple[Expression, ...], scope: Scope) -> bool:
    """Whether arithmetic on some values is NULL only if one of them is: no infinity minus infinity."""
    if all(scope.is_whole(each) for each in values):
        return True
    return all(scope.is_number(each) for each in values) and scope.adds_exactly()


def cases(value: Case) -> list[Branch]:
    """The branches of a CASE, each with its condition and the failure of those before; the default last."""
    found: list[Branch] = []
    before: list[Expression] = []
    for condition, then in value.branches:
        found.append((_known((*before, condition)), then))
        before.append(Not(IsTrue(condition)))
    found.append((_known(tuple(before)), value.default))
    return [branch for branch in found if FALSE not in branch[0]]


def _known(conditions: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Conditions with those about literals decided."""
    decided = {Not(IsTrue(TRUE)): FALSE, Not(IsTrue(FALSE)): TRUE, Not(IsTrue(NULL)): TRUE, NULL: FALSE}
    found = (decided.get(each, each) for each in conditions)
    return tuple(each for each in found if each != TRUE)


def branches(value: Expression) -> list[Branch]:
    """The branches of a value, which exclude one another; branches that are NULL are left out."""
    if not isinstance(value, Case):
        return [] if value == NULL else [((), value)]
    return [((*when, *inner), then) for when, outer in cases(value) for inner, then in branches(outer)]
