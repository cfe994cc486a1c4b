"""Queries with LIMITs and counts divided by a factor, so that a few rows stand for many.

``COUNT(*) > 15`` needs sixteen rows where ``COUNT(*) > 3`` needs four; if every row of one table is then
there five times, every count of its rows is five times as large, and the thresholds are met as before.
That is a way to find databases, no more: replay on the queries themselves decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd

from equiv.algebra import terms
from equiv.algebra.terms import Aggregate, Answer, Compare, Constant, Field, Limited, Node

SMALLEST = 4
"""Sizes below this need no help."""

LARGEST = 2_000
"""Sizes above this make databases that are too large."""


def scaled(answers: Sequence[Answer]) -> Iterator[tuple[int, tuple[Answer, ...]]]:
    """Factors, larger ones first, and the answers with all sizes divided by them; none if none is large."""
    sizes = {size for answer in answers for size in _sizes(answer)}
    common = gcd(*sizes)
    if not sizes or max(sizes) > LARGEST or common < 2:
        return
    for factor in dict.fromkeys((common, common // 2 if common % 2 == 0 else common)):
        if factor > 1:
            yield factor, tuple(_divided(answer, factor) for answer in answers)


def _sizes(answer: Answer) -> Iterator[int]:
    for node in terms.walk(answer):
        match node:
            case Compare(left=left, right=right):
                sides = ((left, right), (right, left))
                yield from (int(b.text) for a, b in sides if _counts(a) and _is_size(b))  # type: ignore[union-attr]
            case Limited(limit=limit, offset=offset) | Answer(limit=limit, offset=offset):
                yield from (size for size in (limit, offset) if size is not None and size >= SMALLEST)


def _counts(node: Node) -> bool:
    """Whether a value may be a count: it has one inside, or is a column of a derived table."""
    if isinstance(node, Field):
        return isinstance(node.column, int)
    return isinstance(node, Aggregate) and node.function == "COUNT"


def _is_size(node: Node) -> bool:
    return isinstance(node, Constant) and node.kind == "integer" and int(node.text) >= SMALLEST


def _divided(answer: Answer, factor: int) -> Answer:
    def divided(node: Node) -> Node:
        node = terms.map_children(node, divided)
        match node:
            case Compare(left=left, right=right) if _counts(left) and _is_size(right):
                return replace(node, right=_less(right, factor))
            case Compare(left=left, right=right) if _counts(right) and _is_size(left):
                return replace(node, left=_less(left, factor))
            case Limited(limit=limit, offset=offset) | Answer(limit=limit, offset=offset):
                cut = limit // factor if limit is not None and limit >= SMALLEST else limit
                return replace(node, limit=cut, offset=offset // factor if offset >= SMALLEST else offset)
        return node

    smaller = divided(answer)
    assert isinstance(smaller, Answer)
    return smaller


def _less(size: Node, factor: int) -> Constant:
    assert isinstance(size, Constant)
    return terms.integer(int(size.text) // factor)
