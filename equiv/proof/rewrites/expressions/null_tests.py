"""Whether a value is NULL: decided, or asked of its parts.

What a rewrite returns is built of further tests, which whoever asked puts in turn.
"""

from __future__ import annotations

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Apply,
    Case,
    Compare,
    Convert,
    Expression,
    Found,
    IsNull,
    Lookup,
    Not,
    Or,
    alpha,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.expressions.extremes import fold_null_test_of_extreme
from equiv.proof.rewrites.scope import Scope


def value_is_never_null(node: IsNull, scope: Scope) -> bool:
    """The value is not NULL."""
    return scope.never_null(node.value)


@rewrite(on=IsNull, keeps="value", needs=(value_is_never_null,))
def fold_test_of_not_null(node: IsNull, scope: Scope) -> Expression | None:
    """A value that is never NULL is not NULL.

    Before:  t.id is NULL
    After:   FALSE
    Refuse:  a column that may be NULL
    Sound:   by the facts, or by the conditions around
    """
    return FALSE


def value_is_null(node: IsNull, scope: Scope) -> bool:
    """The value is NULL, or the conditions around say so."""
    return node.value == NULL or alpha(node.value) in scope.known.null


@rewrite(on=IsNull, keeps="value", needs=(value_is_null,))
def fold_test_of_null(node: IsNull, scope: Scope) -> Expression | None:
    """NULL is NULL, and so is what the conditions around say is.

    Before:  Σ t ∈ a [t.x is NULL] → (t.x is NULL)
    After:   Σ t ∈ a [t.x is NULL] → (TRUE)
    Refuse:  a value of other rows
    Sound:   the conditions around are true
    """
    return TRUE


@rewrite(on=IsNull, keeps="value")
def push_null_test_into_operands(node: IsNull, scope: Scope) -> Expression | None:
    """Push IS NULL into the operands of an operator that is NULL exactly if an operand is.

    Before:  (t.x || t.y) is NULL
    After:   t.x is NULL or t.y is NULL
    Refuse:  arithmetic: infinity minus infinity is NULL, and so is a division by zero; IS
    Sound:   a conversion, =, <, <= and || are NULL exactly if an operand is
    """
    match node.value:
        case Convert(_, inner):
            return IsNull(inner)
        case Compare("=" | "<" | "<=", left, right) | Apply("||", (left, right)):
            return Or((IsNull(left), IsNull(right)))
    return None


def looks_up(node: IsNull) -> bool:
    """The value is a column of a row that is looked up."""
    return isinstance(node.value, Lookup)


def column_is_never_null(node: IsNull, scope: Scope) -> bool:
    """The column holds no NULL."""
    assert isinstance(node.value, Lookup)
    return scope.never_null_column(node.value.table, node.value.column)


@rewrite(on=IsNull, keeps="value", shape=(looks_up,), needs=(column_is_never_null,))
def convert_null_test_of_lookup(node: IsNull, scope: Scope) -> Expression | None:
    """A column that holds no NULL is NULL only if its row is not there.

    Before:  a[id = s.a_id].id is NULL
    After:   not a[id = s.a_id] ≠ ∅
    Refuse:  a column that may be NULL
    Sound:   a look-up is NULL where there is no row, else the column
    """
    assert isinstance(node.value, Lookup)
    return Not(Found(node.value.table, node.value.key, node.value.values))


@rewrite(on=IsNull, keeps="value")
def push_null_test_into_case(node: IsNull, scope: Scope) -> Expression | None:
    """Ask of each branch of a CASE whether it is NULL.

    Before:  {t.x = 1: t.y; else 0} is NULL
    After:   {t.x = 1: t.y is NULL; else FALSE}
    Refuse:  nothing
    Sound:   the value is that of the branch that is taken
    """
    match node.value:
        case Case(branches, default):
            return Case(tuple((condition, IsNull(each)) for condition, each in branches), IsNull(default))
    return None


NULL_TESTS = (
    fold_test_of_not_null,
    fold_test_of_null,
    fold_null_test_of_extreme,
    push_null_test_into_operands,
    convert_null_test_of_lookup,
    push_null_test_into_case,
)
"""Rewrites of a NULL test of a simplified value, in firing order."""


@rewrite(on=Compare, keeps="value")
def convert_is_null(node: Compare, scope: Scope) -> Expression | None:
    """A comparison with NULL by IS asks whether the value is NULL.

    Before:  t.x is NULL, as a comparison
    After:   t.x is NULL, as a test
    Refuse:  =
    Sound:   it is the definition
    """
    if node.operator != "IS" or NULL not in (node.left, node.right):
        return None
    return IsNull(node.right if node.left == NULL else node.left)
