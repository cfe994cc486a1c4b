"""What is asked of a tree again and again, kept for as long as the tree stands still.

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


class Standing(threading.local):
    """The tree of this thread that stands still, if any, and what is known of it."""

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


STANDING = Standing()


def of_node(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Keep what a function of one node says while the node's tree stands; the result is not to be changed."""

    @wraps(function)
    def asked(node: Any) -> T:
        known = STANDING.known
        if known is None:
            return function(node)
        key = (function, id(node))
        if key in known:
            found: T = known[key]
            return found
        found = function(node)
        if STANDING.holds(node):
            known[key] = found
        return found

    return asked


def of_node_in_context(function: Callable[[Any, Context], T]) -> Callable[[Any, Context], T]:
    """The same for a function of a node and the context of the rewriting."""

    @wraps(function)
    def asked(node: Any, ctx: Context) -> T:
        known = STANDING.known
        if known is None or ctx is not STANDING.ctx:
            return function(node, ctx)
        key = (function, id(node))
        if key in known:
            found: T = known[key]
            return found
        found = function(node, ctx)
        if STANDING.holds(node):
            known[key] = found
        return found

    return asked
