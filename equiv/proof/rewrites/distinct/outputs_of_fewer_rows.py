"""Outputs rewritten to read as few variables as possible, by values that a condition makes identical."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from equiv.algebra.terms import (
    Compare,
    Expression,
    Field,
    Lookup,
    Node,
    Term,
    Variable,
    free,
    map_children,
    sites,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.equalities import Classes, Equations, equal_values_are_identical, equations
from equiv.proof.rewrites.scope import Scope

_N = TypeVar("_N", bound=Node)


def equates_values(condition: Expression) -> bool:
    """A condition equates two values, neither of them a choice."""
    return isinstance(condition, Compare) and condition.operator in ("=", "IS") and not sites(condition)


@rewrite(on=Term, keeps="set", needs=(equal_values_are_identical,))
def reduce_outputs_to_fewer_rows(at: Equations, scope: Scope) -> Term | None:
    """Say outputs by the rows of as few variables as possible where duplicates do not count.

    Before:  distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, s.x)
    After:   distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, t.x)
    Refuse:  values that are equal and may be of two storage classes (1 and 1.0)
    Sound:   where the condition is true both are one value, by what are_identical_if_equal asks for
    """
    term, classes = at.shown, Classes()
    for equation in at.equations:
        classes.unite(equation.left, equation.right)
    own = {binding.row for binding in term.bindings}
    outputs: Sequence[Expression] = term.outputs
    for binding in reversed(term.bindings):
        if not any(binding.row in free(output) for output in outputs):
            continue
        needed = frozenset(row for output in outputs for row in free(output) & own) - {binding.row}
        changed = [_without(output, binding.row, needed, own, classes) for output in outputs]
        if not any(binding.row in free(output) for output in changed):
            outputs = changed
    changed_term = replace(term, outputs=tuple(outputs))
    return None if changed_term == term else changed_term


def in_fewer_rows(term: Term, scope: Scope) -> Term:
    """The term with its outputs said by the rows of as few variables as possible."""
    found = equations(term, scope, equates_values)
    return first((reduce_outputs_to_fewer_rows,), found, scope) or term


def _without(
    node: _N, row: Variable, needed: frozenset[Variable], own: set[Variable], classes: Classes
) -> _N:
    """A node with what mentions a row in words of other rows that are needed anyway, outermost first."""
    if row not in free(node):
        return node
    if isinstance(node, Field | Lookup):
        fit = [each for each in classes.of(node) if free(each) & own <= needed]
        if fit:
            return fit[0]  # type: ignore[return-value]
    return map_children(node, lambda child: _without(child, row, needed, own, classes))
