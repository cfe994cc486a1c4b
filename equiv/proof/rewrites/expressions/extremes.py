"""Comparisons of a value with the MIN or MAX of a bag that contains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    FALSE,
    Aggregate,
    Compare,
    Expression,
    IsNull,
    IsTrue,
    Not,
    conjunction,
    sites,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows


@dataclass(frozen=True, slots=True)
class BesideExtreme:
    """A condition on a value and a MIN or MAX."""

    shown: Expression
    value: Expression
    extreme: Aggregate
    holds_for_null: bool = False
    """Whether it is true where the value is NULL."""


def differences_from_extremes(node: Expression) -> Iterator[BesideExtreme]:
    """The ways to read a condition as that a value is not a MIN or MAX."""
    match node:
        case Not(Compare("=", left, right)):
            holds_for_null = False
        case Not(IsTrue(Compare("=", left, right))):
            holds_for_null = True
        case _:
            return
    for value, extreme in ((left, right), (right, left)):
        if isinstance(extreme, Aggregate) and _is_extreme(extreme):
            yield BesideExtreme(node, value, extreme, holds_for_null)


def bounds_by_extremes(node: Expression) -> Iterator[BesideExtreme]:
    """The ways to read a condition as that a value is not below a MAX, or not above a MIN."""
    match node:
        case Compare("<=", Aggregate("MAX") as extreme, value):
            yield BesideExtreme(node, value, extreme)
        case Compare("<=", value, Aggregate("MIN") as extreme):
            yield BesideExtreme(node, value, extreme)


def value_is_never_null_if_that_counts(at: BesideExtreme, scope: Scope) -> bool:
    """The value is not NULL, or the condition is not true then."""
    return not at.holds_for_null or scope.never_null(at.value)


def value_is_among_them(at: BesideExtreme, scope: Scope) -> bool:
    """The bag of the MIN or MAX contains the value unless it is NULL, as the conditions in scope show."""
    # Where the extreme is NULL the condition is not true, whichever of both it is.
    there = scope if at.holds_for_null else scope.under((_is_not_null(at.extreme),))
    return not sites(at.value) and _has_row(at.extreme, (at.value,), there)


@rewrite(on=Not, keeps="truth", needs=(value_is_never_null_if_that_counts, value_is_among_them))
def convert_difference_from_extreme_to_bound(at: BesideExtreme, scope: Scope) -> Expression | None:
    """Turn ``x <> MAX`` over a bag that contains x into ``x < MAX``; likewise ``x > MIN``.

    Before:  Σ t ∈ a [t.x ≠ MAX{Σ s ∈ a → (s.x)}] → (t.y)
    After:   Σ t ∈ a [t.x < MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them; IS NOT of a value that may be NULL
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    is_greatest = at.extreme.function == "MAX"
    return Compare("<", at.value, at.extreme) if is_greatest else Compare("<", at.extreme, at.value)


@rewrite(on=Compare, keeps="truth", needs=(value_is_among_them,))
def convert_bound_by_extreme_to_equality(at: BesideExtreme, scope: Scope) -> Expression | None:
    """Turn ``x >= MAX`` over a bag that contains x into ``x = MAX``; likewise ``x <= MIN``.

    Before:  Σ t ∈ a [MAX{Σ s ∈ a → (s.x)} ≤ t.x] → (t.y)
    After:   Σ t ∈ a [t.x = MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    return Compare("=", at.value, at.extreme)


def asks_of_extreme(node: IsNull) -> bool:
    """The value is a MIN or MAX."""
    return _is_extreme(node.value)


def _is_extreme(value: Expression) -> bool:
    return isinstance(value, Aggregate) and value.function in ("MIN", "MAX")


def has_an_argument(node: IsNull, scope: Scope) -> bool:
    """Rows around show that there is a value to choose from."""
    assert isinstance(node.value, Aggregate)
    return _has_row(node.value, (), scope)


@rewrite(on=IsNull, keeps="value", shape=(asks_of_extreme,), needs=(has_an_argument,))
def fold_null_test_of_extreme(node: IsNull, scope: Scope) -> Expression | None:
    """MIN and MAX of some values are not NULL.

    Before:  Σ t ∈ a [not t.x is NULL and not MAX{Σ s ∈ a → (s.x)} is NULL] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  the rows around may be others, or have no value
    Sound:   the value of a row around is one of those to choose from, and not NULL
    """
    return FALSE


def _has_row(extreme: Aggregate, wanted: tuple[Expression, ...], scope: Scope) -> bool:
    """Whether an aggregate has an argument, one of some values if there are any, unless these are NULL."""
    if sites(extreme):
        return False
    given = GivenRows.of((), (*scope.given, *map(_is_not_null, wanted)), scope)
    for term in scope.world.names.copy_of(extreme.bag).terms:
        output = term.outputs[0]
        same = [Compare("IS", output, value) for value in wanted]
        if given.has_row(replace(term, condition=conjunction([term.condition, _is_not_null(output), *same]))):
            return True
    return False


def _is_not_null(value: Expression) -> Expression:
    return Not(IsNull(value))
