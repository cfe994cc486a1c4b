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
from equiv.proof.rewrites.equalities import Classes
from equiv.proof.rewrites.scope import Scope

_N = TypeVar("_N", bound=Node)


def with_fewer_rows(term: Term, scope: Scope) -> Term:
    """A term of which duplicates do not count, its outputs said by the rows of as few variables as possible.

    Before:  SELECT DISTINCT a.name, b.city FROM flight a JOIN flight b ON a.city = b.city
    After:   SELECT DISTINCT a.name, a.city FROM flight a JOIN flight b ON a.city = b.city
    Refuse:  a.city and b.city are equal and may be of two storage classes (1 and 1.0)
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
    return replace(term, outputs=tuple(outputs))


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
