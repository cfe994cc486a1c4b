"""A numeric value as a sum of products, over the rows where it is not NULL.

That a value is not NULL is said in terms of its parts, and of the branches of a CASE.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from equiv.algebra.kinds import is_condition
from equiv.algebra.scalar_functions import number_of
from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Convert,
    Exists,
    Expression,
    Field,
    IsNull,
    IsTrue,
    Not,
    Or,
    Scan,
    Variable,
    conjunction,
    disjunction,
    integer,
)
from equiv.algebra.world import Claim
from equiv.facts import FactKind
from equiv.proof.rewrites.scope import Scope

CaseBranch = tuple[tuple[Expression, ...], Expression]
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


def cases(value: Case) -> list[CaseBranch]:
    """The branches of a CASE, each with its condition and the failure of those before; the default last."""
    found: list[CaseBranch] = []
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


def branches(value: Expression) -> list[CaseBranch]:
    """The branches of a value, which exclude one another; branches that are NULL are left out."""
    if not isinstance(value, Case):
        return [] if value == NULL else [((), value)]
    return [((*when, *inner), then) for when, outer in cases(value) for inner, then in branches(outer)]


MAX_PRODUCTS = 12
"""A value of more products is kept whole."""

MAX_VALUES = 3
"""A column that may hold more values is kept whole."""


@dataclass(frozen=True, slots=True)
class Product:
    """A coefficient times factors where the conditions are true, else 0.

    Where a row counts, its conditions true, no factor is NULL.
    """

    coefficient: Fraction = Fraction(1)
    conditions: tuple[Expression, ...] = ()
    factors: tuple[Expression, ...] = ()

    def times(self, other: Product) -> Product:
        """The product of both."""
        return Product(
            self.coefficient * other.coefficient,
            tuple(dict.fromkeys((*self.conditions, *other.conditions))),
            (*self.factors, *other.factors),
        )

    def scaled(self, number: Fraction) -> Product:
        """The product times a number."""
        return Product(self.coefficient * number, self.conditions, self.factors)


def products(value: Expression, scope: Scope) -> list[Product]:
    """The products whose sum is the value, on rows where it is not NULL.

    Numbers add and multiply as in mathematics: the caller has seen to the facts.
    """
    found = _products(value, scope)
    return found if len(found) <= MAX_PRODUCTS else [Product(factors=(value,))]


def _products(value: Expression, scope: Scope) -> list[Product]:
    number = number_of(value)
    if number is not None:
        return [Product(Fraction(number))] if number else []
    if is_condition(value):
        return [Product(conditions=(value,))]
    match value:
        case Field() if values := checked_values(value, scope):
            ways = ((Fraction(each), Compare("=", value, integer(each))) for each in values if each)
            return [Product(each, (condition,)) for each, condition in ways]
        case Case():
            return [
                Product(conditions=when).times(each)
                for when, then in cases(value)
                if then != NULL
                for each in _products(then, scope)
            ]
        case Convert(_, inner) if _keeps_number(value, scope):
            return _products(inner, scope)
        case Apply(function, arguments) if all(map(scope.is_number, arguments)):
            return _arithmetic(value, function, arguments, scope)
    return [Product(factors=(value,))]


def checked_values(column: Field, scope: Scope) -> tuple[int, ...]:
    """The few integers one of which a column holds unless it is NULL, by CHECKs; none if others may be there.

    The numbers in the text of a CHECK are tried; that there are no others, the solver has to show.
    """
    source = scope.sources.get(column.row)
    if not isinstance(source, Scan):
        return ()
    texts = [fact.expression for fact in scope.world.facts.of(FactKind.CHECK, source.table)]
    asked = [text for text in texts if str(column.column).lower() in text.lower()]
    numbers = {int(each) for text in asked for each in re.findall("-?[0-9]+", text) if len(each) < _LONG}
    values = tuple(range(min(numbers), max(numbers) + 1)) if numbers and _is_short(numbers) else ()
    if not values:
        return ()
    row = Variable(0)
    own = Field(row, column.column)
    goal = Or((IsNull(own), *(Compare("=", own, integer(each)) for each in values)))
    return values if scope.prover.proves(Claim((Binding(row, source),), (), goal)) else ()


_LONG = 10


def _is_short(numbers: set[int]) -> bool:
    return max(numbers) - min(numbers) < MAX_VALUES


def _keeps_number(value: Convert, scope: Scope) -> bool:
    """Whether a conversion changes a number at most from integer to real."""
    match value.to:
        case "REAL" | "NUMERIC":
            return scope.is_number(value.value)
        case "INTEGER":
            return scope.is_whole(value.value)
    return False


def _arithmetic(
    value: Expression, function: str, arguments: tuple[Expression, ...], scope: Scope
) -> list[Product]:
    match function, arguments:
        case "+", (left, right):
            return [*_products(left, scope), *_products(right, scope)]
        case "-", (left, right):
            return [*_products(left, scope), *(each.scaled(Fraction(-1)) for each in _products(right, scope))]
        case "NEG", (inner,):
            return [each.scaled(Fraction(-1)) for each in _products(inner, scope)]
        case "*", (left, right):
            lefts, rights = _products(left, scope), _products(right, scope)
            if len(lefts) * len(rights) <= MAX_PRODUCTS:
                return [one.times(two) for one in lefts for two in rights]
        case "/", (above, below):
            number = number_of(below)
            # The quotient of integers is cut to an integer.
            if number and (scope.is_real(above) or scope.is_real(below)):
                return [each.scaled(1 / Fraction(number)) for each in _products(above, scope)]
    return [Product(factors=(value,))]
