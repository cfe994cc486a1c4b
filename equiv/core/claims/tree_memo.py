"""A memo of claims about a tree (its aggregates, the source of a column), valid while the tree is unchanged.

Between two rewrites a tree is only read, by many rules that ask the same of it: which aggregates a
SELECT has, which table a column is of.  :mod:`equiv.rewrite.normalise` says when a tree stands; at any other
time nothing is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from sqlglot import exp

if TYPE_CHECKING:
    from equiv.core.context import Context

T = TypeVar("T")


class TreeMemo(threading.local):
    """The tree of this thread that is not being changed, if any, and the claims computed for it."""

    known: dict[tuple[object, ...], Any] | None = None
    """By function, identity of the node, and identity of what else was asked with."""
    handed: dict[tuple[object, ...], Any] | None = None
    """What was known when the body of a rule began; for its first question, before it changes the tree."""
    root: exp.Expr | None = None
    ctx: Context | None = None

    def take_handed(self) -> dict[tuple[object, ...], Any]:
        """What was known when the body of a rule began, once; nothing at any other time."""
        handed, self.handed = self.handed, None
        return handed or {}

    def holds(self, node: exp.Expr) -> bool:
        """Whether a node is part of the tree: only then its identity stays its own while the tree stands."""
        while node.parent is not None:
            node = node.parent
        return node is self.root


TREE_MEMO = TreeMemo()


def of_node(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Memoise a function of one node while the node's tree is unchanged; the result must not be changed."""

    @wraps(function)
    def asked(node: Any) -> T:
        known = TREE_MEMO.known
        if known is None:
            return function(node)
        key = (function, id(node))
        if key in known:
            result: T = known[key]
            return result
        result = function(node)
        if TREE_MEMO.holds(node):
            known[key] = result
        return result

    return asked


def of_node_in_context(function: Callable[[Any, Context], T]) -> Callable[[Any, Context], T]:
    """Like :func:`of_node`, for a function of a node and the context of the rewriting."""

    @wraps(function)
    def asked(node: Any, ctx: Context) -> T:
        known = TREE_MEMO.known
        if known is None or ctx is not TREE_MEMO.ctx:
            return function(node, ctx)
        key = (function, id(node))
        if key in known:
            result: T = known[key]
            return result
        result = function(node, ctx)
        if TREE_MEMO.holds(node):
            known[key] = result
        return result

    return asked
