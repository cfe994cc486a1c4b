"""Operators and functions of simplified arguments."""

from __future__ import annotations

from equiv.algebra.terms import (
    NULL,
    Apply,
    Bag,
    Case,
    Compare,
    Constant,
    Expression,
    Field,
    IsNull,
    Or,
    integer,
    walk,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.constants import fold_apply
from equiv.proof.rewrites.expressions.dates import convert_date_part_in_arithmetic
from equiv.proof.rewrites.expressions.endings import convert_like_to_glob
from equiv.proof.rewrites.expressions.quotients import fold_quotient_by_zero
from equiv.proof.rewrites.scope import Scope


def divides_case(node: Apply) -> bool:
    """A CASE is divided by something."""
    match node:
        case Apply("/", (Case(), _)):
            return True
    return False


@rewrite(on=Apply, keeps="value", shape=(divides_case,))
def push_division_into_case(node: Apply, scope: Scope) -> Expression | None:
    """Divide each branch of a CASE, whose class may be known where that of the whole is not.

    Before:  {t.x = 1: 1; else 0.5} / 2
    After:   {t.x = 1: 0; else 0.25}
    Refuse:  a CASE that is always an integer, or always a REAL
    Sound:   the value is that of the branch that is taken
    """
    numerator, denominator = node.arguments
    assert isinstance(numerator, Case)
    if not scope.kinds(numerator) >= {"integer", "real"}:
        return None
    return _spread_division(numerator, denominator, scope)


def computes_with_chosen_literal(node: Apply) -> bool:
    """One operand of an operator is a CASE of literals: of one and NULL, if the other has a bag inside."""
    match node:
        case Apply("+" | "-" | "*" | "/", (left, right)):
            one, other = (left, right) if isinstance(left, Case) else (right, left)
            if not isinstance(one, Case):
                return False
            results = (*(result for _, result in one.branches), one.default)
            is_said_once = sum(result != NULL for result in results) < 2
            is_plain = not any(isinstance(part, Bag) for part in walk(other))
            return all(map(_is_closed, results)) and (is_plain or is_said_once)
    return False


def _is_closed(value: Expression) -> bool:
    """Whether a value is made of literals alone."""
    return not any(isinstance(part, Field | Bag) for part in walk(value))


@rewrite(on=Apply, keeps="value", shape=(computes_with_chosen_literal,))
def push_arithmetic_into_case(node: Apply, scope: Scope) -> Expression | None:
    """Compute with each literal of a CASE.

    Before:  t.x * {t.y = 1: 0.5; else 1}
    After:   {t.y = 1: t.x * 0.5; else t.x * 1}
    Refuse:  a CASE of other values; an operand with a bag inside, which would stand there several times
    Sound:   the value is that of the branch that is taken, and NULL of NULL
    """
    left, right = node.arguments
    chosen = left if isinstance(left, Case) else right
    assert isinstance(chosen, Case)

    def computed(literal: Expression) -> Expression:
        if literal == NULL:
            return NULL
        pair = (literal, right) if chosen is left else (left, literal)
        return Apply(node.function, pair)

    branches = tuple((condition, computed(result)) for condition, result in chosen.branches)
    return Case(branches, computed(chosen.default))


def divides_zero(node: Apply) -> bool:
    """The integer 0 is divided by something."""
    match node:
        case Apply("/", (Constant("integer", "0"), _)):
            return True
    return False


def denominator_is_whole(node: Apply, scope: Scope) -> bool:
    """The denominator is an integer or NULL."""
    return scope.within_kinds(node.arguments[1], frozenset({"integer", "null"}))


@rewrite(on=Apply, keeps="value", shape=(divides_zero,), needs=(denominator_is_whole,))
def fold_division_of_zero(node: Apply, scope: Scope) -> Expression | None:
    """Zero divided by an integer is zero, unless that is zero or NULL.

    Before:  0 / t.x
    After:   {t.x is NULL or t.x = 0: NULL; else 0}
    Refuse:  a REAL denominator, which makes 0.0 or -0.0
    Sound:   the quotient of integers is one, and a division by zero is NULL
    """
    denominator = node.arguments[1]
    zero = Compare("=", denominator, integer(0))
    return Case(((Or((IsNull(denominator), zero)), NULL),), integer(0))


@rewrite(on=Apply, keeps="value")
def eliminate_round_to_no_digits(node: Apply, scope: Scope) -> Expression | None:
    """ROUND to 0 digits is ROUND.

    Before:  ROUND(t.x, 0)
    After:   ROUND(t.x)
    Refuse:  NULL digits, which make NULL
    Sound:   0 is the default
    """
    match node:
        case Apply("ROUND", (rounded, Constant("integer", "0"))):
            return Apply("ROUND", (rounded,))
    return None


@rewrite(on=Apply, keeps="value")
def eliminate_inner_letter_case(node: Apply, scope: Scope) -> Expression | None:
    """UPPER and LOWER of UPPER or LOWER are those of its argument.

    Before:  UPPER(LOWER(t.x))
    After:   UPPER(t.x)
    Refuse:  another function between them
    Sound:   both change ASCII letters alone, each by itself, into the same text
    """
    match node:
        case Apply("UPPER" | "LOWER" as outer, (Apply("UPPER" | "LOWER", (inner,)),)):
            return Apply(outer, (inner,))
    return None


@rewrite(on=Apply, keeps="value")
def fold_call(node: Apply, scope: Scope) -> Expression | None:
    """A strict function of NULL is NULL, and arithmetic of small integers is computed.

    Before:  1 + 2
    After:   3
    Refuse:  results beyond 2**53; division; REALs; functions that are not NULL for NULL
    Sound:   the result is beyond doubt
    """
    changed = fold_apply(node)
    return None if changed is node else changed


CALLS = (
    convert_date_part_in_arithmetic,
    fold_quotient_by_zero,
    push_division_into_case,
    push_arithmetic_into_case,
    fold_division_of_zero,
    eliminate_round_to_no_digits,
    eliminate_inner_letter_case,
    convert_like_to_glob,
    fold_call,
)
"""Rewrites of a call of simplified values, in firing order."""


def _spread_division(numerator: Case, denominator: Expression, scope: Scope) -> Case:
    """The quotient of each branch, whose class may be known where that of the whole is not."""

    def over(part: Expression) -> Expression:
        return Apply("/", (part, scope.world.names.copy_of(denominator)))

    branches = tuple((condition, over(result)) for condition, result in numerator.branches)
    return Case(branches, over(numerator.default))
