"""Comparisons that are decided by what is known, and one form for those that are not."""

from __future__ import annotations

from equiv.algebra.terms import FALSE, NULL, TRUE, Compare, Constant, Expression, Found, Lookup, sites
from equiv.proof.rewrites.constants import fold_compare
from equiv.proof.rewrites.outputs import key, shape
from equiv.proof.rewrites.scope import Scope


def compared(node: Compare, scope: Scope) -> Expression:
    """A comparison of simplified sides decided, or in one of its equal forms."""
    folded = fold_compare(node)
    if not isinstance(folded, Compare):
        return folded
    left, right, operator = node.left, node.right, node.operator
    if NULL in (left, right):
        return NULL
    if is_same(left, right):
        if operator == "IS":
            return TRUE
        if scope.never_null(left):
            return FALSE if operator == "<" else TRUE
    if operator == "IS" and scope.never_null(left) and scope.never_null(right):
        operator = "="
    if operator == "=" and _is_key_of(left, right, scope):
        return TRUE
    return _oriented(Compare(operator, left, right), scope)


def _is_key_of(left: Expression, right: Expression, scope: Scope) -> bool:
    """Whether one side is the key column of the row that was found by the other side."""
    for each, other in ((left, right), (right, left)):
        if isinstance(each, Lookup) and each.column in each.key:
            wanted = each.values[each.key.index(each.column)]
            if is_same(wanted, other) and Found(each.table, each.key, each.values) in scope.known.true:
                return True
    return False


def is_same(left: Expression, right: Expression) -> bool:
    """Whether two expressions have one value always: also choices with one site choose alike."""
    return left == right or (key(left) == key(right) and sites(left) == sites(right))


def _oriented(node: Compare, scope: Scope) -> Compare:
    """A symmetric comparison with its sides in an order that does not depend on names of variables."""
    if node.operator not in ("=", "IS"):
        return node
    left, right = ((isinstance(s, Constant), shape(s, scope.shapes)) for s in (node.left, node.right))
    return Compare(node.operator, node.right, node.left) if right < left else node
