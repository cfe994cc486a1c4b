"""A numeric value as a sum of products, over the rows where it is not NULL.

That a value is not NULL is said in terms of its parts, and of the branches of a CASE.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from equiv.algebra import terms as t
from equiv.algebra.kinds import is_condition
from equiv.algebra.scalar_functions import number_of
from equiv.algebra.world import Claim
from equiv.facts import FactKind
from equiv.names import fold
from equiv.proof.rewrites.scope import Scope

CaseBranch = tuple[tuple[t.Expression, ...], t.Expression]
"""Conditions that must be true, and the value then."""


def present(value: t.Expression, scope: Scope) -> t.Expression:
    """A condition that is true exactly if a value is not NULL."""
    if value == t.NULL:
        return t.FALSE
    if scope.never_null(value):
        return t.TRUE
    match value:
        case t.Case():
            return t.disjunction(t.conjunction([*when, present(then, scope)]) for when, then in cases(value))
        case t.Compare("=" | "<" | "<=", left, right):
            return t.conjunction([present(left, scope), present(right, scope)])
        case t.Convert(_, inner) | t.Not(inner):
            return present(inner, scope)
        case t.Apply("+" | "-" | "*" | "NEG", arguments) if _is_finite(arguments, scope):
            return t.conjunction(present(each, scope) for each in arguments)
        case t.Apply("/", (above, below)) if _is_finite((above, below), scope):
            divides = t.TRUE if number_of(below) else t.Not(t.Compare("=", below, t.integer(0)))
            return t.conjunction([present(above, scope), present(below, scope), divides])
        case t.Aggregate("MIN" | "MAX", bag):
            return t.Exists(scope.world.names.copy_of(with_present(bag, scope)))
    return t.Not(t.IsNull(value))


def with_present(bag: t.Bag, scope: Scope) -> t.Bag:
    """The rows of a bag whose first output is not NULL."""
    return t.Bag(
        tuple(
            replace(
                term,
                condition=t.conjunction(
                    [
                        term.condition,
                        present(term.outputs[0], scope.within(term.bindings)),
                    ]
                ),
            )
            for term in bag.terms
        )
    )


def _is_finite(values: tuple[t.Expression, ...], scope: Scope) -> bool:
    """Whether arithmetic on some values is NULL only if one of them is: no infinity minus infinity."""
    if all(scope.is_whole(each) for each in values):
        return True
    return all(scope.is_number(each) for each in values) and scope.adds_exactly()


def cases(value: t.Case) -> list[CaseBranch]:
    """The branches of a CASE, each with its condition and the failure of those before; the default last."""
    found: list[CaseBranch] = []
    before: list[t.Expression] = []
    for condition, then in value.branches:
        found.append((_known((*before, condition)), then))
        before.append(t.Not(t.IsTrue(condition)))
    found.append((_known(tuple(before)), value.default))
    return [branch for branch in found if t.FALSE not in branch[0]]


def _known(conditions: tuple[t.Expression, ...]) -> tuple[t.Expression, ...]:
    """Conditions with those about literals decided."""
    decided = {
        t.Not(t.IsTrue(t.TRUE)): t.FALSE,
        t.Not(t.IsTrue(t.FALSE)): t.TRUE,
        t.Not(t.IsTrue(t.NULL)): t.TRUE,
        t.NULL: t.FALSE,
    }
    found = (decided.get(each, each) for each in conditions)
    return tuple(each for each in found if each != t.TRUE)


def branches(value: t.Expression) -> list[CaseBranch]:
    """The branches of a value, which exclude one another; branches that are NULL are left out."""
    if not isinstance(value, t.Case):
        return [] if value == t.NULL else [((), value)]
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
    conditions: tuple[t.Expression, ...] = ()
    factors: tuple[t.Expression, ...] = ()

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


def products(value: t.Expression, scope: Scope) -> list[Product]:
    """The products whose sum is the value, on rows where it is not NULL.

    Numbers add and multiply as in mathematics: the caller has seen to the facts.
    """
    found = _products(value, scope)
    return found if len(found) <= MAX_PRODUCTS else [Product(factors=(value,))]


def _products(value: t.Expression, scope: Scope) -> list[Product]:
    number = number_of(value)
    if number is not None:
        return [Product(Fraction(number))] if number else []
    if is_condition(value):
        return [Product(conditions=(value,))]
    match value:
        case t.Field() if values := checked_values(value, scope):
            ways = ((Fraction(each), t.Compare("=", value, t.integer(each))) for each in values if each)
            return [Product(each, (condition,)) for each, condition in ways]
        case t.Case():
            return [
                Product(conditions=when).times(each)
                for when, then in cases(value)
                if then != t.NULL
                for each in _products(then, scope)
            ]
        case t.Convert(_, inner) if _keeps_number(value, scope):
            return _products(inner, scope)
        case t.Apply(function, arguments) if all(map(scope.is_number, arguments)):
            return _arithmetic(value, function, arguments, scope)
    return [Product(factors=(value,))]


def checked_values(column: t.Field, scope: Scope) -> tuple[int, ...]:
    """The few integers one of which a column holds unless it is NULL, by CHECKs; none if others may be there.

    The numbers in the text of a CHECK are tried; that there are no others, the solver has to show.
    """
    source = scope.sources.get(column.row)
    if not isinstance(source, t.Scan):
        return ()
    texts = [fact.expression for fact in scope.world.facts.of(FactKind.CHECK, source.table)]
    asked = [text for text in texts if fold(str(column.column)) in fold(text)]
    numbers = {int(each) for text in asked for each in re.findall("-?[0-9]+", text) if len(each) < _LONG}
    if not numbers or max(numbers) - min(numbers) >= MAX_VALUES:
        return ()
    values = tuple(range(min(numbers), max(numbers) + 1))
    row = t.Variable(0)
    own = t.Field(row, column.column)
    goal = t.Or((t.IsNull(own), *(t.Compare("=", own, t.integer(each)) for each in values)))
    return values if scope.prover.proves(Claim((t.Binding(row, source),), (), goal)) else ()


_LONG = 10


def _keeps_number(value: t.Convert, scope: Scope) -> bool:
    """Whether a conversion changes a number at most from integer to real."""
    match value.to:
        case "REAL" | "NUMERIC":
            return scope.is_number(value.value)
        case "INTEGER":
            return scope.is_whole(value.value)
    return False


def _arithmetic(
    value: t.Expression, function: str, arguments: tuple[t.Expression, ...], scope: Scope
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
