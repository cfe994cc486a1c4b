"""Comparisons of a count with a number, as conditions on what exists.

``COUNT(*) > 0`` is EXISTS; two conditions of which both, or at least one, must be true are AND and OR.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from equiv.algebra.kinds import is_condition
from equiv.algebra.scalar_functions import number_of
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Aggregate,
    And,
    Apply,
    Bag,
    Case,
    Compare,
    Constant,
    Exists,
    Expression,
    IsTrue,
    Not,
    Or,
    integer,
)
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.complements import is_row_count


def counted(node: Compare, scope: Scope) -> Expression:
    """A comparison of COUNT with a literal as EXISTS or NOT EXISTS, or the comparison unchanged."""
    for value, other, is_left in ((node.left, node.right, True), (node.right, node.left, False)):
        number = number_of(other)
        if number is not None:
            match value:
                case Case(((condition, count),), _) if (
                    _adds_counts(value) and number != 0 and node.operator in ("=", "IS")
                ):
                    return And((IsTrue(condition), counted(Compare(node.operator, count, other), scope)))
            found = _compared(node.operator, value, number, scope, is_left=is_left)
            return node if found is None else found
    return node


def _compared(
    operator: str, value: Expression, number: int | Fraction, scope: Scope, *, is_left: bool
) -> Expression | None:
    match operator, is_left:
        case "<", True:
            return _negated(_at_least(value, ceil(number), scope))
        case "<=", True:
            return _negated(_at_least(value, floor(number) + 1, scope))
        case "<", False:
            return _at_least(value, floor(number) + 1, scope)
        case "<=", False:
            return _at_least(value, ceil(number), scope)
    least = _at_least(value, floor(number), scope)
    more = _at_least(scope.world.names.copy_of(value), floor(number) + 1, scope)
    if least is None or more is None:
        return None
    if number.denominator != 1:
        return FALSE
    return _both(least, Not(more))


def _both(least: Expression, not_more: Not) -> Expression:
    if least == FALSE or not_more.part == TRUE:
        return FALSE
    parts = [part for part in (least, not_more) if part not in (TRUE, Not(FALSE))]
    return And(tuple(parts)) if len(parts) != 1 else parts[0]


def _negated(condition: Expression | None) -> Expression | None:
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    return None if condition is None else Not(condition)


def _at_least(value: Expression, number: int, scope: Scope) -> Expression | None:
    """Whether a count is at least a number, as a truth value that is never NULL; None if not to be said."""
    if isinstance(value, Aggregate):
        return _has_rows(value, number)
    if number <= 0 and _adds_counts(value):
        return TRUE
    match value:
        case Case(((condition, count),), default) if (
            number > 0 and default == integer(0) and _adds_counts(count)
        ):
            inner = _at_least(count, number, scope) or Compare("<", integer(number - 1), count)
            return And((IsTrue(condition), inner))
        case Apply(
            "+",
            (Aggregate() as rows, Constant("integer", text))
            | (
                Constant("integer", text),
                Aggregate() as rows,
            ),
        ) if len(text) < 10:
            return _has_rows(rows, number - int(text))
        case Apply("+", (left, right)) if number == 1 and _adds_counts(value):
            either = _at_least(left, 1, scope), _at_least(right, 1, scope)
            return None if either[0] is None or either[1] is None else Or((either[0], either[1]))
    bits = _bits(value, scope)
    if bits is None:
        return None
    if number <= 0:
        return TRUE
    if number > len(bits):
        return FALSE
    if number == len(bits):
        return And(tuple(bits)) if len(bits) > 1 else bits[0]
    return Or(tuple(bits)) if number == 1 else None


def _adds_counts(value: Expression) -> bool:
    """Whether a value is a count of rows, or a sum or CASE of such: 0 or more, and never NULL."""
    match value:
        case Aggregate():
            return is_row_count(value)
        case Apply("+", (left, right)):
            return _adds_counts(left) and _adds_counts(right)
        case Case(((_, count),), default):
            return default == integer(0) and _adds_counts(count)
    return False


def _has_rows(value: Aggregate, number: int) -> Expression | None:
    if not is_row_count(value):
        return None
    if number <= 0:
        return TRUE
    if number > 1:
        return None
    return Exists(Bag(tuple(replace(term, outputs=()) for term in value.bag.terms)))


def _bits(value: Expression, scope: Scope) -> list[Expression] | None:
    """Truth values, never NULL, that add up to a value."""
    match value:
        case Apply("+", (left, right)):
            found = _bits(left, scope), _bits(right, scope)
            return None if found[0] is None or found[1] is None else [*found[0], *found[1]]
        case Case(((condition, then),), default) if (then, default) == (TRUE, FALSE):
            return [IsTrue(condition)]
    return [value] if is_condition(value) and scope.never_null(value) else None
