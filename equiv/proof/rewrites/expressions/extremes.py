"""Comparisons of a value with the MIN or MAX of values among which it is."""

from __future__ import annotations

from dataclasses import replace

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
from equiv.proof.rewrites.sums.rows import Given


@rewrite(on=Not, keeps="truth")
def convert_difference_from_extreme_to_bound(node: Expression, scope: Scope) -> Expression | None:
    """What is not the MAX of values among which it is, is less; what is not their MIN, is more.

    Before:  Σ t ∈ a [t.x ≠ MAX{Σ s ∈ a → (s.x)}] → (t.y)
    After:   Σ t ∈ a [t.x < MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them; IS NOT of a value that may be NULL
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    match node:
        case Not(Compare("=") as equation):
            is_null_too = False
        case Not(IsTrue(Compare("=") as equation)):
            is_null_too = True
        case _:
            return None
    for value, extreme in _sides(equation):
        if not _is_extreme(extreme) or (is_null_too and not scope.never_null(value)):
            continue
        assert isinstance(extreme, Aggregate)
        if _is_among(value, extreme, scope):
            return Compare("<", value, extreme) if extreme.function == "MAX" else Compare("<", extreme, value)
    return None


@rewrite(on=Compare, keeps="truth")
def convert_bound_by_extreme_to_equality(node: Expression, scope: Scope) -> Expression | None:
    """What is at least the MAX of values among which it is, is the MAX; likewise for MIN.

    Before:  Σ t ∈ a [MAX{Σ s ∈ a → (s.x)} ≤ t.x] → (t.y)
    After:   Σ t ∈ a [t.x = MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    match node:
        case Compare("<=", Aggregate("MAX") as extreme, value):
            pass
        case Compare("<=", value, Aggregate("MIN") as extreme):
            pass
        case _:
            return None
    return Compare("=", value, extreme) if _is_among(value, extreme, scope) else None


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


def _sides(node: Compare) -> tuple[tuple[Expression, Expression], tuple[Expression, Expression]]:
    return (node.left, node.right), (node.right, node.left)


def _is_among(value: Expression, extreme: Aggregate, scope: Scope) -> bool:
    """Whether a value, unless it is NULL, is an argument of an aggregate, as the rows around show."""
    return not sites(value) and _has_row(extreme, (value,), scope)


def _has_row(extreme: Aggregate, wanted: tuple[Expression, ...], scope: Scope) -> bool:
    """Whether an aggregate has an argument, one of some values if there are any, unless these are NULL."""
    if sites(extreme):
        return False
    given = Given.of((), (*scope.given, *map(_is_not_null, wanted)), scope)
    for term in scope.world.names.copy_of(extreme.bag).terms:
        output = term.outputs[0]
        same = [Compare("IS", output, value) for value in wanted]
        if given.has_row(replace(term, condition=conjunction([term.condition, _is_not_null(output), *same]))):
            return True
    return False


def _is_not_null(value: Expression) -> Expression:
    return Not(IsNull(value))
