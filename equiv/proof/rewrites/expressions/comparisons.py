"""Comparisons: decided by the conditions in scope, or brought to one form."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.algebra.terms import FALSE, NULL, TRUE, Compare, Expression, Found, Lookup, alpha, sites
from equiv.proof.rewrite import changed_by, rewrite
from equiv.proof.rewrites.constants import fold_compare
from equiv.proof.rewrites.expressions.endings import convert_ending_to_pattern
from equiv.proof.rewrites.outputs import in_order
from equiv.proof.rewrites.scope import Scope


def is_same(left: Expression, right: Expression) -> bool:
    """Whether two expressions always have one value; choices with one site choose alike."""
    return left == right or (alpha(left) == alpha(right) and sites(left) == sites(right))


@rewrite(on=Compare, keeps="value")
def fold_comparison(node: Compare, scope: Scope) -> Expression | None:
    """Decide a comparison of constants.

    Before:  'a' < 2
    After:   FALSE
    Refuse:  REAL constants, and integers beyond 2**53, whose equality is not that of their texts
    Sound:   SQLite orders numbers before texts before blobs, texts and blobs by their bytes
    """
    changed = fold_compare(node)
    return None if changed is node else changed


@rewrite(on=Compare, keeps="value")
def fold_comparison_with_null(node: Compare, scope: Scope) -> Expression | None:
    """A comparison with NULL is NULL.

    Before:  t.x = NULL
    After:   NULL
    Refuse:  IS
    Sound:   =, < and <= are NULL if a side is
    """
    return NULL if node.operator != "IS" and NULL in (node.left, node.right) else None


def compares_with_itself(node: Compare) -> bool:
    """Both sides are one expression."""
    return is_same(node.left, node.right)


def is_null_safe(node: Compare) -> bool:
    """The operator is IS."""
    return node.operator == "IS"


def is_null_if_a_side_is(node: Compare) -> bool:
    """The operator is =, < or <=."""
    return node.operator != "IS"


@rewrite(on=Compare, keeps="value", shape=(is_null_safe, compares_with_itself))
def fold_is_of_itself(node: Compare, scope: Scope) -> Expression | None:
    """``x IS x`` is true.

    Before:  t.x is t.x
    After:   TRUE
    Refuse:  two choices that may choose differently
    Sound:   NULL IS NULL, and every other value equals itself
    """
    return TRUE


def left_is_never_null(node: Compare, scope: Scope) -> bool:
    """The value is not NULL."""
    return scope.never_null(node.left)


@rewrite(
    on=Compare,
    keeps="value",
    shape=(is_null_if_a_side_is, compares_with_itself),
    needs=(left_is_never_null,),
)
def fold_comparison_with_itself(node: Compare, scope: Scope) -> Expression | None:
    """A value that is not NULL equals itself and is not less.

    Before:  t.id = t.id
    After:   TRUE
    Refuse:  the value may be NULL
    Sound:   = and <= are true of a value and itself, and < is false
    """
    return FALSE if node.operator == "<" else TRUE


def sides_are_never_null(node: Compare, scope: Scope) -> bool:
    """Neither side is NULL."""
    return scope.never_null(node.left) and scope.never_null(node.right)


@rewrite(on=Compare, keeps="value", shape=(is_null_safe,), needs=(sides_are_never_null,))
def convert_is_to_equals(node: Compare, scope: Scope) -> Expression | None:
    """IS between values that are not NULL is =.

    Before:  t.id is s.id
    After:   t.id = s.id
    Refuse:  a side may be NULL
    Sound:   they differ on NULL only
    """
    return Compare("=", node.left, node.right)


def is_equality(node: Compare) -> bool:
    """The operator is =."""
    return node.operator == "="


def compares_key_of_lookup(node: Compare) -> bool:
    """A side is the key column of a row that is looked up by the other side."""
    return next(_looked_up(node), None) is not None


def row_is_there(node: Compare, scope: Scope) -> bool:
    """The row that is looked up is there."""
    return any(Found(row.table, row.key, row.values) in scope.known.true for row in _looked_up(node))


@rewrite(on=Compare, keeps="value", shape=(is_equality, compares_key_of_lookup), needs=(row_is_there,))
def fold_key_of_found_row(node: Compare, scope: Scope) -> Expression | None:
    """The key column of a row that was found by a value equals this value.

    Before:  a[id = s.a_id].id = s.a_id
    After:   TRUE
    Refuse:  the row may not be there
    Sound:   the row is found by just that equation
    """
    return TRUE


def _looked_up(node: Compare) -> Iterator[Lookup]:
    """The rows of which a side is the key column, found by the other side."""
    for each, other in ((node.left, node.right), (node.right, node.left)):
        match each:
            case Lookup(key=key, values=values, column=column) if column in key:
                if is_same(values[key.index(column)], other):
                    yield each


@rewrite(on=Compare, keeps="value")
def sort_comparison(node: Compare, scope: Scope) -> Expression | None:
    """Write the sides of = and IS in an order that does not depend on names of variables, constants last.

    Before:  1 = t.x
    After:   t.x = 1
    Refuse:  < and <=
    Sound:   = and IS are symmetric
    """
    changed = in_order(node, scope.shapes)
    return None if changed is node else changed


COMPARISONS = (
    fold_comparison,
    fold_comparison_with_null,
    fold_is_of_itself,
    fold_comparison_with_itself,
    convert_is_to_equals,
    fold_key_of_found_row,
    convert_ending_to_pattern,
    sort_comparison,
)
"""Rewrites of a comparison of simplified sides, in firing order."""


def compared(node: Compare, scope: Scope) -> Expression:
    """A comparison of simplified sides decided, or in one of its equal forms."""
    found: Expression = changed_by(COMPARISONS, node, scope)
    return found
