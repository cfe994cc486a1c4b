"""Values and conditions that the conditions in scope decide."""

from __future__ import annotations

from equiv.algebra.kinds import is_truth
from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Apply,
    Case,
    Compare,
    Convert,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    alpha,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


def untrue_value_is_false(node: Expression, scope: Scope) -> bool:
    """A truth value that is known to be untrue is never NULL, so that it is FALSE."""
    name, known = alpha(node), scope.known
    if name not in known.untrue or name in known.null or name in known.true or not is_truth(node):
        return True
    return scope.never_null(node)


@rewrite(
    on=(Compare, And, Or, Not, IsTrue, IsNull, Found, Exists, Apply, Case),
    keeps="value",
    needs=(untrue_value_is_false,),
)
def fold_known_value(node: Expression, scope: Scope) -> Expression | None:
    """Fold a value that the conditions in scope fix: TRUE, FALSE or NULL.

    Before:  Σ t ∈ a [t.x = 1] → (t.x = 1, t.y is NULL)
    After:   Σ t ∈ a [t.x = 1] → (TRUE, t.y is NULL)
    Refuse:  what is known not to be true, and may be NULL; a number, which is not 1 because it is true
    Sound:   the conditions around are true of the same rows
    """
    name = alpha(node)
    if name in scope.known.null:
        return None if node == NULL else NULL
    if is_truth(node):
        if name in scope.known.true:
            return None if node == TRUE else TRUE
        if name in scope.known.untrue:
            return None if node == FALSE else FALSE
    return None


def by_knowledge(node: Expression, scope: Scope) -> Expression:
    """A simplified value, folded where the conditions in scope decide it."""
    return fold_known_value(node, scope) or node


@rewrite(
    on=(Field, Apply, Convert, Compare, Or, Not, IsNull, Case, Found, Lookup, Exists, Aggregate, First),
    keeps="truth",
)
def fold_known_condition(node: Expression, scope: Scope) -> Expression | None:
    """A condition that is known to be true, or not to be, is TRUE or FALSE.

    Before:  Σ t ∈ a [t.x = 1 and (t.x = 1 or t.y = 2)] → (t.y)
    After:   Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition outside a NOT or an aggregate, said of other rows
    Sound:   the conditions around are true of the same rows
    """
    name = alpha(node)
    if name in scope.known.true:
        return TRUE
    return FALSE if name in scope.known.untrue else None


def by_known_condition(expression: Expression, scope: Scope) -> Expression:
    """A simplified condition, folded where the conditions in scope decide it."""
    return fold_known_condition(expression, scope) or expression
