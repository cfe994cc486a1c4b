"""Correlated equalities: inner values that a condition equates with outer ones, replaced by these."""

from __future__ import annotations

from collections.abc import Callable
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
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.groups import TermParts


def with_outer_values(rows: TermParts, scope: Scope) -> TermParts:
    """A term in which each value equated with an outer value is replaced by it in the other conditions."""
    own = rows.own()
    done: set[Expression] = set()
    while True:
        found = next(
            (pair for part in rows.conditions if part not in done for pair in _pairs(part, own)), None
        )
        if found is None:
            return rows
        done.add(found[0])
        changed = first(OUTER_VALUES, (Equated(rows, *found),), scope)
        rows = changed or rows


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


def values_are_identical(at: Equated, scope: Scope) -> bool:
    """The inner value is identical to the outer one if they are equal."""
    return scope.within(at.rows.bindings).are_identical_if_equal(at.mine, at.outer)


@rewrite(on=Term, keeps="bag", needs=(values_are_identical,))
def convert_to_outer_value(at: Equated, scope: Scope) -> TermParts | None:
    """Replace an inner value that a condition equates with an outer one in the other conditions.

    Before:  Σ t ∈ a [t.x = x and t.x < t.y] → (t.x)
    After:   Σ t ∈ a [t.x = x and x < t.y] → (x)
    Refuse:  1 for 1.0
    Sound:   the values are one and the same where the condition is true
    """

    def each(node: Node) -> Node:
        return scope.world.names.copy_of(at.outer) if node == at.mine else map_children(node, each)

    return _changed(at, each, each)


@rewrite(on=Term, keeps="bag")
def convert_compared_to_outer_value(at: Equated, scope: Scope) -> TermParts | None:
    """Replace an inner value that a condition equates with an outer one where it is compared.

    Before:  Σ t ∈ a [t.x = 1.0 and t.x < t.y] → (t.z)
    After:   Σ t ∈ a [t.x = 1.0 and 1.0 < t.y] → (t.z)
    Refuse:  the value within a function, which may tell 1 from 1.0
    Sound:   comparisons, and sums of numbers of one class, read values that are equal alike
    """

    def each(node: Node) -> Node:
        if isinstance(node, Compare):
            left, right = (
                scope.world.names.copy_of(at.outer) if x == at.mine else x for x in (node.left, node.right)
            )
            node = replace(node, left=left, right=right)
        return map_children(node, each)

    inner = scope.within(at.rows.bindings)
    is_of_one_class = inner.is_whole(at.mine) == inner.is_whole(at.outer)

    def value(node: Node) -> Node:
        if node == at.mine:
            return scope.world.names.copy_of(at.outer) if is_of_one_class else node
        return each(node)

    return _changed(at, each, value)


OUTER_VALUES = (convert_to_outer_value, convert_compared_to_outer_value)
"""Rewrites of a value that is equated with an outer one, in firing order."""


def _changed(at: Equated, each: Callable[[Node], Node], value: Callable[[Node], Node]) -> TermParts | None:
    """The rows with other conditions and values; None if they are as before."""
    others = (part for part in at.rows.conditions if part != at.part)
    changed = {part: conjuncts(each(part)) for part in others}  # type: ignore[arg-type]
    conditions = tuple(p for part in at.rows.conditions for p in changed.get(part, (part,)))
    found = TermParts(at.rows.bindings, conditions, tuple(map(value, at.rows.values)))  # type: ignore[arg-type]
    return None if found == at.rows else found


def _pairs(part: Expression, own: set[Variable]) -> list[tuple[Expression, Expression, Expression]]:
    match part:
        case Compare("IS" | "=", left, right):
            return [
                (part, one, other)
                for one, other in ((left, right), (right, left))
                if mentions(one, own) and not mentions(other, own)
            ]
    return []
