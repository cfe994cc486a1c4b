"""Values of a sum's rows that are equated with outer values, replaced by these."""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.terms import (
    Compare,
    Expression,
    Node,
    Variable,
    conjuncts,
    map_children,
)
from equiv.proof.rewrites.sums.groups import Rows
from equiv.proof.rewrites.sums.scope import Scope, mentions


def with_outer_values(rows: Rows, scope: Scope) -> Rows:
    """The rows with every value that a condition equates with an outer one replaced by it in the others."""
    own = rows.own()
    done: set[Expression] = set()
    while True:
        found = next(
            (pair for part in rows.conditions if part not in done for pair in _pairs(part, own)), None
        )
        if found is None:
            return rows
        part, mine, outer = found
        done.add(part)
        rows = _replaced(rows, part, mine, outer, scope)


def _pairs(part: Expression, own: set[Variable]) -> list[tuple[Expression, Expression, Expression]]:
    match part:
        case Compare("IS" | "=", left, right):
            return [
                (part, one, other)
                for one, other in ((left, right), (right, left))
                if mentions(one, own) and not mentions(other, own)
            ]
    return []


def _replaced(rows: Rows, part: Expression, mine: Expression, outer: Expression, scope: Scope) -> Rows:
    inner = scope.inside(rows.bindings)
    identical = inner.are_identical_if_equal(mine, outer)

    def each(node: Node) -> Node:
        if node == mine and identical:
            return scope.copied(outer)
        if isinstance(node, Compare):
            left, right = (scope.copied(outer) if x == mine else x for x in (node.left, node.right))
            node = replace(node, left=left, right=right)
        return map_children(node, each)

    same_class = identical or (inner.is_whole(mine) == inner.is_whole(outer))

    def value(node: Expression) -> Expression:
        if node == mine:
            return scope.copied(outer) if same_class else node
        return each(node)  # type: ignore[return-value]

    return Rows(
        rows.bindings,
        tuple(
            p
            for other in rows.conditions
            for p in ((other,) if other == part else conjuncts(each(other)))  # type: ignore[arg-type]
        ),
        tuple(map(value, rows.values)),
    )
