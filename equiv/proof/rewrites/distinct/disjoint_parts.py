"""DISTINCT over a union of disjoint terms, split into a DISTINCT for each part.

``SELECT a, 'x' … UNION SELECT a, 'y' …`` is a UNION ALL of two DISTINCTs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from equiv.algebra.terms import (
    NULL,
    TRUE,
    Bag,
    Binding,
    Case,
    Constant,
    Expression,
    IsTrue,
    Not,
    Squash,
    Term,
    conjunction,
    conjuncts,
    sites,
)
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.constants import is_exact, same_constant
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import MAX_TERMS, Ranged

_Mark: TypeAlias = Constant | Literal["unknown", "not null"]
"""The knowledge of an output: its exact value or NULL, "not null", or "unknown"."""


MAX_WAYS = 4
"""The most values of a CASE of which each has a part of its own."""


def has_few_terms(at: Ranged) -> bool:
    """The variable ranges over distinct rows of few terms, without choices."""
    source = at.source
    return isinstance(source, Squash) and 0 < len(source.bag.terms) <= MAX_TERMS and not sites(source)


@dataclass(frozen=True, slots=True)
class Parted(Ranged):
    """A variable over distinct rows, and a way to part the terms of these."""

    parts: tuple[Bag, ...]
    apart: tuple[Fact, ...] | None
    """Facts by which no row is in two parts; None if one may be."""


def parted(term: Term, scope: Scope) -> Iterator[Parted]:
    """The variables of a term over a DISTINCT source that splits into several parts."""
    for place, binding in enumerate(term.bindings):
        if isinstance(binding.source, Squash) and has_few_terms(at := Ranged(term, place)):
            bag = Bag(tuple(way for each in binding.source.bag.terms for way in _ways(each)))
            mark = scope.world.open_step()
            sure = _parts(bag, at.around(scope))
            facts = scope.world.close_step(mark, is_taken=False)
            if len(sure) > 1:
                yield Parted(term, place, sure, facts)
            may_be = _parts(bag, None)
            if len(may_be) > len(sure):
                yield Parted(term, place, may_be, None)


def no_row_is_in_two_parts(at: Parted, scope: Scope) -> bool:
    """Rows of different parts differ in a column: in a constant, or in that it is NULL."""
    scope.world.use(at.apart or ())
    return at.apart is not None


@rewrite(on=Binding, keeps="bag", needs=(no_row_is_in_two_parts,))
def split_distinct_rows(at: Parted, scope: Scope) -> list[Term] | None:
    """Split DISTINCT over several terms into a DISTINCT for each part, where no row is in two parts.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, 'p') + Σ s ∈ b → (s.y, 'q')) → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x, 'p')) → (r.#1) + Σ r ∈ distinct(Σ s ∈ b → (s.y, 'q')) → (r.#1)
    Refuse:  a column that is a constant in one term and may be the same value in another; 1 and 1.0
    Sound:   rows of different parts differ in a column, also if NULL IS NULL and 1 is 1.0, so that DISTINCT
             keeps each part's rows whatever is in the others; a row is in one branch of a CASE
    """
    return [scope.world.names.copy_of(at.over(Squash(part))) for part in at.parts]


def _ways(term: Term) -> list[Term]:
    """The rows of a term by the branches of its first CASE of few constants; the term itself without one."""
    for place, output in enumerate(term.outputs):
        if not isinstance(output, Case) or len(output.branches) >= MAX_WAYS:
            continue
        values = [*(value for _, value in output.branches), output.default]
        if not all(isinstance(each, Constant) and (each == NULL or is_exact(each)) for each in values):
            continue
        ways, before = [], list(conjuncts(term.condition))
        for condition, value in (*output.branches, (TRUE, output.default)):
            outputs = (*term.outputs[:place], value, *term.outputs[place + 1 :])
            ways.append(replace(term, condition=conjunction([*before, condition]), outputs=outputs))
            before.append(Not(IsTrue(condition)))
        return ways
    return [term]


def _parts(bag: Bag, scope: Scope | None) -> tuple[Bag, ...]:
    """The terms in groups of which each two have no row in common, in order of their first terms.

    Without a scope, those that have none if what is not known to be NULL never is.
    """
    width = len(bag.terms[0].outputs)
    if not any(isinstance(term.outputs[at], Constant) for term in bag.terms for at in range(width)):
        return (bag,)
    marks = [_marks(term, scope) for term in bag.terms]
    groups: list[list[int]] = []
    for number, mine in enumerate(marks):
        alike = [group for group in groups if any(not _differ(mine, marks[other]) for other in group)]
        joined = sorted(number for group in alike for number in group)
        groups = [group for group in groups if group not in alike]
        groups.append([*joined, number])
    groups.sort()
    return tuple(Bag(tuple(bag.terms[number] for number in group)) for group in groups)


def _marks(term: Term, scope: Scope | None) -> list[_Mark]:
    inside = None if scope is None else scope.within(term.bindings, conjuncts(term.condition))
    return [_mark(output, inside) for output in term.outputs]


def _mark(output: Expression, scope: Scope | None) -> _Mark:
    if isinstance(output, Constant) and (output == NULL or is_exact(output)):
        return output
    return "not null" if scope is None or scope.never_null(output) else "unknown"


def _differ(one: Sequence[_Mark], two: Sequence[_Mark]) -> bool:
    """Whether two rows so marked surely differ in a column."""
    return any(map(_are_apart, one, two))


def _are_apart(one: _Mark, two: _Mark) -> bool:
    if "unknown" in (one, two):
        return False
    if NULL in (one, two):
        return one != two
    return isinstance(one, Constant) and isinstance(two, Constant) and not same_constant(one, two)
