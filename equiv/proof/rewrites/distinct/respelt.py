"""Outputs in other words: of values that a condition makes identical, those of as few rows as possible."""

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
    conjuncts,
    free,
    map_children,
    sites,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.equalities import Classes
from equiv.proof.rewrites.scope import Scope

_N = TypeVar("_N", bound=Node)


@rewrite(on=Term, keeps="set")
def reduce_outputs_to_fewer_rows(term: Term, scope: Scope) -> Term | None:
    """Say outputs by the rows of as few variables as possible where duplicates do not count.

    Before:  distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, s.x)
    After:   distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, t.x)
    Refuse:  values that are equal and may be of two storage classes (1 and 1.0)
    Sound:   where the condition is true both are one value, by what are_identical_if_equal asks for
    """
    classes = _identical(term, scope)
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


def _identical(term: Term, scope: Scope) -> Classes:
    """Classes of values that are one value where the condition of a term is true."""
    inside = scope.within(term.bindings, conjuncts(term.condition))
    classes = Classes()
    for part in conjuncts(term.condition):
        match part:
            case Compare("=" | "IS", left, right) if not sites(part):
                if inside.are_identical_if_equal(left, right):
                    classes.unite(left, right)
    return classes


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
