"""Quotients and the CASE that guards them: a division by zero is NULL anyway."""

from __future__ import annotations

from equiv.algebra.terms import NULL, TRUE, Apply, Case, Compare, Constant, Expression, Not, alpha, integer
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope

DIVISIONS = ("/", "%")


def is_quotient(node: Apply) -> bool:
    """One value divided by another."""
    return node.function in DIVISIONS


def divisor_is_zero(node: Apply, scope: Scope) -> bool:
    """The conditions around say that the divisor equals 0."""
    zero = Compare("=", node.arguments[1], integer(0))
    return alpha(zero) in scope.known.true


@rewrite(on=Apply, keeps="value", shape=(is_quotient,), needs=(divisor_is_zero,))
def fold_quotient_by_zero(node: Apply, scope: Scope) -> Expression | None:
    """A quotient is NULL where its divisor is zero.

    Before:  {t.y = 0: t.x / t.y; else 1}
    After:   {t.y = 0: NULL; else 1}
    Refuse:  a divisor of which nothing is known
    Sound:   division by zero is NULL, of integers as of REALs
    """
    return NULL


def tests_for_zero(node: Not) -> bool:
    """``x <> 0``."""
    match node.part:
        case Compare("=", _, zero) | Compare("=", zero, _):
            return zero == integer(0)
    return False


def divides_what_is_there(node: Not, scope: Scope) -> bool:
    """The value divides something whose quotient is known not to be NULL."""
    assert isinstance(node.part, Compare)
    sides = {alpha(node.part.left), alpha(node.part.right)}
    quotients = (each for each in scope.known.not_null if isinstance(each, Apply) and is_quotient(each))
    return any(alpha(quotient.arguments[1]) in sides for quotient in quotients)


@rewrite(on=Not, keeps="truth", shape=(tests_for_zero,), needs=(divides_what_is_there,))
def eliminate_test_of_divisor(node: Not, scope: Scope) -> Expression | None:
    """What divides something and leaves a value is not zero.

    Before:  Σ t ∈ a [not t.y = 0 and 1 < t.x / t.y] → (t.x)
    After:   Σ t ∈ a [1 < t.x / t.y] → (t.x)
    Refuse:  a quotient that may be NULL: t.x / t.y is NULL
    Sound:   a quotient by zero, or by NULL, is NULL
    """
    return TRUE


def compares_case_with_constant(node: Compare) -> bool:
    """A constant is compared with a CASE of one branch, one of whose values is a constant too."""
    match node:
        case Compare(_, Constant(), Case(((_, result),), default)):
            return _is_decisive(result) or _is_decisive(default)
        case Compare(_, Case(((_, result),), default), Constant()):
            return _is_decisive(result) or _is_decisive(default)
    return False


def _is_decisive(value: Expression) -> bool:
    return isinstance(value, Constant) and value != NULL


@rewrite(on=Compare, keeps="truth", shape=(compares_case_with_constant,))
def push_comparison_into_case(node: Compare, scope: Scope) -> Expression | None:
    """Compare the values of a CASE, of which a constant decides one, instead of the CASE, in a condition.

    Before:  Σ t ∈ a [1 < {t.y = 0: 0; else t.x / t.y}] → (t.x)
    After:   Σ t ∈ a [{t.y = 0: 1 < 0; else 1 < t.x / t.y}] → (t.x)
    Refuse:  values that are no constants, or NULL, as of sums without rows; more branches
    Sound:   the CASE is one of its values
    """
    case = node.right if isinstance(node.right, Case) else node.left
    assert isinstance(case, Case)
    ((condition, result),) = case.branches

    def compared(value: Expression) -> Compare:
        if case is node.right:
            return Compare(node.operator, node.left, value)
        return Compare(node.operator, value, node.right)

    return Case(((condition, compared(result)),), compared(case.default))


QUOTIENTS = (eliminate_test_of_divisor, push_comparison_into_case)
"""Rewrites of conditions about quotients."""
