"""Values of a sum's rows that are equated with outer values, replaced by these."""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Compare,
    Expression,
    Node,
    Term,
    Variable,
    conjuncts,
    map_children,
    mentions,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.groups import TermParts


def with_outer_values(rows: TermParts, scope: Scope) -> TermParts:
    """The rows with every value that a condition equates with an outer one replaced by it in the others."""
    own = rows.own()
    done: set[Expression] = set()
    while True:
        found = next(
            (pair for part in rows.conditions if part not in done for pair in _pairs(part, own)), None
        )
        if found is None:
            return rows
        done.add(found[0])
        rows = convert_to_outer_value(Equated(rows, *found), scope) or rows


@dataclass(frozen=True, slots=True)
class Equated:
    """Rows of which a condition equates a value with one of rows around."""

    rows: TermParts
    part: Expression
    mine: Expression
    outer: Expression

    @property
    def shown(self) -> Term:
        """The term."""
        return self.rows.shown


@rewrite(on=Term, keeps="bag")
def convert_to_outer_value(at: Equated, scope: Scope) -> TermParts | None:
    """Name a value that a condition equates with one of rows around by that one in the other conditions.

    Before:  Σ t ∈ a [t.x = x and t.x < t.y] → (t.x)
    After:   Σ t ∈ a [t.x = x and x < t.y] → (x)
    Refuse:  1 for 1.0, but in comparisons
    Sound:   the values are equal where the condition is true
    """
    changed = _replaced(at.rows, at.part, at.mine, at.outer, scope)
    return None if changed == at.rows else changed


def _pairs(part: Expression, own: set[Variable]) -> list[tuple[Expression, Expression, Expression]]:
    match part:
        case Compare("IS" | "=", left, right):
            return [
                (part, one, other)
                for one, other in ((left, right), (right, left))
                if mentions(one, own) and not mentions(other, own)
            ]
    return []


def _replaced(
    rows: TermParts, part: Expression, mine: Expression, outer: Expression, scope: Scope
) -> TermParts:
    inner = scope.within(rows.bindings)
    identical = inner.are_identical_if_equal(mine, outer)

    def each(node: Node) -> Node:
        if node == mine and identical:
            return scope.world.names.copy_of(outer)
        if isinstance(node, Compare):
            left, right = (
                scope.world.names.copy_of(outer) if x == mine else x for x in (node.left, node.right)
            )
            node = replace(node, left=left, right=right)
        return map_children(node, each)

    same_class = identical or (inner.is_whole(mine) == inner.is_whole(outer))

    def value(node: Expression) -> Expression:
        if node == mine:
            return scope.world.names.copy_of(outer) if same_class else node
        return each(node)  # type: ignore[return-value]

    return TermParts(
        rows.bindings,
        tuple(
            p
            for other in rows.conditions
            for p in ((other,) if other == part else conjuncts(each(other)))  # type: ignore[arg-type]
        ),
        tuple(map(value, rows.values)),
    )
