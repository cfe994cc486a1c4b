"""Variables of a node, bound and free: renaming, fresh names, and alpha-equivalence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, cast

from equiv.algebra.terms.nodes import Aggregate, Binding, Field, Limited, Node, Numbered, Variable
from equiv.algebra.terms.traversal import children, map_children, walk

_N = TypeVar("_N", bound=Node)


def renamed(node: _N, names: dict[Variable, Variable]) -> _N:
    """The node with variables renamed, in fields and in bindings."""
    renames = names.keys()

    def each(inner: Node) -> Node:
        used, binds = _variables(inner)
        if renames.isdisjoint(used) and renames.isdisjoint(binds):
            return inner
        if isinstance(inner, Field):
            return Field(names.get(inner.row, inner.row), inner.column)
        changed = map_children(inner, each)
        if isinstance(changed, Binding):
            return Binding(names.get(changed.row, changed.row), changed.source)
        return changed

    return each(node)  # type: ignore[return-value]


_NONE: frozenset[Variable] = frozenset()


def _variables(node: Node) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """The variables whose columns a node mentions, and those that it binds; kept with the node."""
    try:
        return node.known_variables  # type: ignore[union-attr,no-any-return]
    except AttributeError:
        own = frozenset((node.row,)) if isinstance(node, Field | Binding) else _NONE
        used, binds = (_NONE, own) if isinstance(node, Binding) else (own, _NONE)
        for child in children(node):
            more_used, more_bound = _variables(child)
            if more_used:
                used = used | more_used if used else more_used
            if more_bound:
                binds = binds | more_bound if binds else more_bound
        object.__setattr__(node, "known_variables", (used, binds))
        return used, binds


def bound(node: Node) -> frozenset[Variable]:
    """The variables that are bound somewhere in a node."""
    return _variables(node)[1]


def free(node: Node) -> frozenset[Variable]:
    """The variables that a node mentions and does not bind."""
    try:
        return node.known_free  # type: ignore[union-attr,no-any-return]
    except AttributeError:
        used, binds = _variables(node)
        found = used - binds if binds else used
        object.__setattr__(node, "known_free", found)
        return found


def mentions(node: Node, rows: Iterable[Variable]) -> bool:
    """Whether a node mentions one of some variables and does not bind it."""
    return not free(node).isdisjoint(rows)


def sites(node: Node) -> list[int]:
    """The choice sites in a node, one entry for each occurrence."""
    found = (inner.site for inner in walk(node) if isinstance(inner, Limited | Numbered | Aggregate))
    return [site for site in found if site]


@dataclass(slots=True)
class Names:
    """A supply of fresh variables and choice sites for one proof or search."""

    next_variable: int = 1
    next_site: int = 1

    def variable(self, label: str = "") -> Variable:
        """A variable that was not handed out before."""
        self.next_variable += 1
        return Variable(self.next_variable - 1, label)

    def site(self) -> int:
        """A choice site that was not handed out before."""
        self.next_site += 1
        return self.next_site - 1

    def copy_of(self, node: _N) -> _N:
        """A copy of the node with fresh bound variables; choice sites stay."""
        names = {row: self.variable(row.label) for row in sorted(bound(node), key=lambda row: row.number)}
        return renamed(node, names) if names else node


def alpha(node: _N) -> _N:
    """The node with bound variables renumbered below zero, in the order of their binding.

    Nodes that differ only in the names of bound variables become equal.
    """
    try:
        return cast(_N, node.known_alpha)  # type: ignore[union-attr]
    except AttributeError:
        found = cast(_N, _renumbered(node)) if bound(node) else node
        object.__setattr__(node, "known_alpha", found)
        return found


@lru_cache(maxsize=20_000)
def _renumbered(node: Node) -> Node:
    names: dict[Variable, Variable] = {}
    for inner in _in_order(node):
        if isinstance(inner, Binding):
            names[inner.row] = Variable(-len(names) - 1, inner.row.label)
    return renamed(node, names)


def _in_order(node: Node) -> Iterator[Node]:
    """The node and all below it that bind a variable, parents first, from left to right."""
    stack = [node]
    while stack:
        current = stack.pop()
        if bound(current):
            yield current
            stack += reversed(children(current))
