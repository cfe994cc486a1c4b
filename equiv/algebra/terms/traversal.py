"""Traversal: the nodes below a node, and copies of a node with changed children."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

from equiv.algebra.terms.nodes import (
    Aggregate,
    And,
    Answer,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Limited,
    Lookup,
    Node,
    Not,
    Numbered,
    Or,
    Scan,
    Squash,
    Term,
)

_N = TypeVar("_N", bound=Node)


def _of_case(node: Case) -> tuple[Node, ...]:
    return (*(part for branch in node.branches for part in branch), node.default)


_CHILDREN: dict[type, Callable[[Any], tuple[Node, ...]]] = {
    **dict.fromkeys((Field, Constant, Scan), lambda node: ()),
    **dict.fromkeys((And, Or), lambda node: node.parts),
    **dict.fromkeys((Not, IsTrue), lambda node: (node.part,)),
    **dict.fromkeys((IsNull, Convert), lambda node: (node.value,)),
    **dict.fromkeys((Found, Lookup), lambda node: node.values),
    **dict.fromkeys((Exists, Aggregate, Squash, Limited, Numbered, Answer), lambda node: (node.bag,)),
    Apply: lambda node: node.arguments,
    Compare: lambda node: (node.left, node.right),
    Case: _of_case,
    First: lambda node: (node.rows,),
    Binding: lambda node: (node.source,),
    Term: lambda node: (*node.bindings, node.condition, *node.outputs),
    Bag: lambda node: node.terms,
}


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, from left to right."""
    return _CHILDREN[node.__class__](node)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += _CHILDREN[current.__class__](current)


_Change: TypeAlias = "Callable[[Any], Any]"


def _all_changed(nodes: tuple[Any, ...], change: _Change) -> tuple[Any, ...]:
    new = tuple([change(each) for each in nodes])
    for old, each in zip(nodes, new, strict=True):
        if old is not each:
            return new
    return nodes


def _changed_case(node: Case, change: _Change) -> Case:
    branches = tuple([_all_changed(branch, change) for branch in node.branches])
    default = change(node.default)
    if default is node.default and all(a is b for a, b in zip(branches, node.branches, strict=True)):
        return node
    return Case(branches, default)


def _changed_comparison(node: Compare, change: _Change) -> Compare:
    left, right = change(node.left), change(node.right)
    return node if left is node.left and right is node.right else Compare(node.operator, left, right)


def _changed_term(node: Term, change: _Change) -> Term:
    bindings = _all_changed(node.bindings, change)
    condition = change(node.condition)
    outputs = _all_changed(node.outputs, change)
    if bindings is node.bindings and condition is node.condition and outputs is node.outputs:
        return node
    return Term(bindings, condition, outputs)


def _changing(name: str) -> Callable[[Any, _Change], Any]:
    """A change of nodes with one node, or one tuple of nodes, below them."""

    def one(node: Any, change: _Change) -> Any:
        old = getattr(node, name)
        new = _all_changed(old, change) if isinstance(old, tuple) else change(old)
        if new is old:
            return node
        return node.__class__(*[new if each == name else getattr(node, each) for each in node.__match_args__])

    return one


_CHANGES: dict[type, Callable[[Any, _Change], Any]] = {
    **dict.fromkeys((Field, Constant, Scan), lambda node, change: node),
    **dict.fromkeys((And, Or), _changing("parts")),
    **dict.fromkeys((Not, IsTrue), _changing("part")),
    **dict.fromkeys((IsNull, Convert), _changing("value")),
    **dict.fromkeys((Found, Lookup), _changing("values")),
    **dict.fromkeys((Exists, Aggregate, Squash, Limited, Numbered, Answer), _changing("bag")),
    Apply: _changing("arguments"),
    Compare: _changed_comparison,
    Case: _changed_case,
    First: _changing("rows"),
    Binding: _changing("source"),
    Term: _changed_term,
    Bag: _changing("terms"),
}


def map_children(node: _N, change: Callable[[Node], Node]) -> _N:
    """The node with each node directly below it changed; the node itself if nothing did."""
    found: _N = _CHANGES[node.__class__](node, change)
    return found


def substitute(node: _N, change: Callable[[Field], Expression]) -> _N:
    """The node with every field replaced; bindings stay as they are."""

    def each(inner: Node) -> Node:
        return change(inner) if isinstance(inner, Field) else map_children(inner, each)

    return each(node)  # type: ignore[return-value]
