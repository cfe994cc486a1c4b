"""Atoms: expressions with bags inside; and nodes up to the choices in them."""

from __future__ import annotations

from equiv.algebra.terms import (
    Aggregate,
    Exists,
    First,
    Limited,
    Node,
    Numbered,
    alpha,
    children,
    map_children,
)

ATOMS = (Exists, Aggregate, First)
"""Expressions with a bag inside, which the prover takes as opaque."""


def without_sites(node: Node) -> Node:
    """The node with all choice sites forgotten and bound variables renumbered: its shape."""

    def each(inner: Node) -> Node:
        changed = map_children(inner, each)
        match changed:
            case Limited(bag, visible, directions, limit, offset, _):
                return Limited(bag, visible, directions, limit, offset, 0)
            case Numbered(bag, visible, partition, directions, _):
                return Numbered(bag, visible, partition, directions, 0)
            case Aggregate(function, bag, whole, _):
                return Aggregate(function, bag, whole, 0)
        return changed

    return alpha(each(node))


def atoms(node: Node) -> list[Exists | Aggregate | First]:
    """The outermost expressions with bags inside, each once, in order."""
    found: dict[Exists | Aggregate | First, None] = {}
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ATOMS):
            found[current] = None
        else:
            stack += list(children(current))[::-1]
    return list(found)
