"""Conditions inside a source, restated for its output columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import cast

from equiv.algebra.terms import (
    Binding,
    Compare,
    Constant,
    Expression,
    Field,
    Node,
    Numbered,
    Scan,
    Squash,
    Term,
    Variable,
    alpha,
    children,
    conjuncts,
    free,
    map_children,
    sites,
)


def over_outputs(value: Expression, inner: Term, row: Variable, kept: Collection[int]) -> Expression | None:
    """A value of a term said by some of its outputs, as fields of a variable; None if it needs more."""
    own = {binding.row for binding in inner.bindings}
    telling = [at for at in sorted(kept) if free(inner.outputs[at]) & own]
    names: dict[Node, Expression] = {alpha(inner.outputs[at]): Field(row, at) for at in telling[::-1]}

    def each(node: Node) -> Node:
        return names.get(alpha(node)) or map_children(node, each)

    changed = cast(Expression, each(value))
    return None if free(changed) & own else changed


@lru_cache(maxsize=5_000)
def truths_behind(binding: Binding) -> tuple[Expression, ...]:
    """The conditions of the single term behind a variable's source, restated for the variable's columns."""
    return tuple(_truths_behind(binding))


def _truths_behind(binding: Binding) -> Iterator[Expression]:
    source = binding.source
    if isinstance(source, Scan) or len(source.bag.terms) != 1 or sites(source.bag):
        return
    (inner,) = source.bag.terms
    width = len(inner.outputs) if isinstance(source, Squash) else source.visible
    if isinstance(source, Numbered) and width > len(inner.outputs):
        return
    for part in conjuncts(inner.condition):
        said = over_outputs(part, inner, binding.row, range(width))
        if said is not None:
            yield said


def shape(expression: Node, order: Mapping[Variable, str]) -> str:
    """How an expression reads with some names for variables."""
    match expression:
        case Field(row, column):
            return f"{order.get(row, '')}.{column}"
        case Constant(kind, text):
            return f"{kind} {text}"
    parts = ",".join(shape(child, order) for child in children(expression))
    labels = [
        str(getattr(expression, name))
        for name in ("function", "operator", "table", "key", "column", "to", "limit")
        if hasattr(expression, name)
    ]
    return f"{type(expression).__name__}{labels}({parts})"


def in_order(node: Compare, names: Mapping[Variable, str]) -> Compare:
    """An equality with its sides in an order that does not depend on how variables are numbered."""
    if node.operator not in ("=", "IS"):
        return node
    left, right = ((isinstance(side, Constant), shape(side, names)) for side in (node.left, node.right))
    return Compare(node.operator, node.right, node.left) if right < left else node
