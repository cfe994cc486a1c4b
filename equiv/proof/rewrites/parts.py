"""Distinct rows of several terms that have no row in common: those of each term, or group of terms, apart.

``SELECT a, 'x' … UNION SELECT a, 'y' …`` is a UNION ALL of two DISTINCTs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from equiv.algebra.terms import NULL, Bag, Binding, Constant, Expression, Squash, Term, conjuncts, sites
from equiv.proof.rewrites.constants import is_exact, same_constant
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import MAX_TERMS

_Mark: TypeAlias = Constant | Literal["unknown", "not null"]
"""What is known of an output: its exact value or NULL, that it is not NULL, or nothing."""


def parted(term: Term, scope: Scope) -> list[Term] | None:
    """The terms that a term becomes when one of its sources of distinct rows falls apart; None if none does.

    *Sound*: rows of different parts differ in a column, also if NULL IS NULL and 1 is 1.0, so that DISTINCT
    keeps each part's rows whatever is in the others.
    """
    for place, binding in enumerate(term.bindings):
        source = binding.source
        if not isinstance(source, Squash) or not 1 < len(source.bag.terms) <= MAX_TERMS or sites(source):
            continue
        parts = _parts(source.bag, scope.within(term.bindings[:place]))
        if len(parts) > 1:
            made = [_over(term, place, part) for part in parts]
            return [scope.world.names.copy_of(each) for each in made]
    return None


def _over(term: Term, place: int, part: Sequence[Term]) -> Term:
    changed = Binding(term.bindings[place].row, Squash(Bag(tuple(part))))
    return replace(term, bindings=(*term.bindings[:place], changed, *term.bindings[place + 1 :]))


def _parts(bag: Bag, scope: Scope) -> list[list[Term]]:
    """The terms in groups of which each two have no row in common, in order of their first terms."""
    width = len(bag.terms[0].outputs)
    if not any(isinstance(term.outputs[at], Constant) for term in bag.terms for at in range(width)):
        return [list(bag.terms)]
    marks = [_marks(term, scope) for term in bag.terms]
    groups: list[list[int]] = []
    for number, mine in enumerate(marks):
        alike = [group for group in groups if any(not _differ(mine, marks[other]) for other in group)]
        joined = sorted(number for group in alike for number in group)
        groups = [group for group in groups if group not in alike]
        groups.append([*joined, number])
    groups.sort()
    return [[bag.terms[number] for number in group] for group in groups]


def _marks(term: Term, scope: Scope) -> list[_Mark]:
    inside = scope.within(term.bindings, conjuncts(term.condition))
    return [_mark(output, inside) for output in term.outputs]


def _mark(output: Expression, scope: Scope) -> _Mark:
    if isinstance(output, Constant) and (output == NULL or is_exact(output)):
        return output
    return "not null" if scope.never_null(output) else "unknown"


def _differ(one: Sequence[_Mark], two: Sequence[_Mark]) -> bool:
    """Whether two rows so marked surely differ in a column."""
    return any(map(_are_apart, one, two))


def _are_apart(one: _Mark, two: _Mark) -> bool:
    if "unknown" in (one, two):
        return False
    if NULL in (one, two):
        return one != two
    return isinstance(one, Constant) and isinstance(two, Constant) and not same_constant(one, two)
