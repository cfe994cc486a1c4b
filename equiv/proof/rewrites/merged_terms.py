"""Terms over the same rows, merged into one: the two halves of a LEFT JOIN, the operands of a UNION."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from equiv.algebra.correspondences import correspondences
from equiv.algebra.terms import (
    TRUE,
    And,
    Bag,
    Case,
    Expression,
    Or,
    Term,
    alpha,
    conjuncts,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.expressions.simplify import conditions, value
from equiv.proof.rewrites.one_to_one_tables import exchanged
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import are_exclusive

MAX_CORRESPONDENCES = 6
"""How many correspondences between the variables of two terms are tried."""


def merged(terms: list[Term], scope: Scope, *, distinct: bool) -> list[Term]:
    """Terms over the same sources merged into one, where their conditions exclude each other.

    Args:
        terms: normal terms of one bag.
        scope: what is around the bag.
        distinct: whether duplicates do not count.
    """
    done: list[Term] = []
    for term in terms:
        for place, other in enumerate(done):
            joint = _merge(other, term, scope, distinct=distinct)
            if joint is not None:
                done[place] = joint
                break
        else:
            done.append(term)
    return done if len(done) == len(terms) else merged(done, scope, distinct=distinct)


@dataclass(frozen=True, slots=True)
class Two:
    """Two terms of a bag, the second over the variables of the first."""

    shown: Bag
    one: Term
    two: Term


def _merge(one: Term, two: Term, scope: Scope, *, distinct: bool) -> Term | None:
    """The two terms as one; None if there is none, or it might count a row once that counts twice."""
    both = Bag((one, two))
    other = _over_same_rows(one, two)
    if other is not None:
        return first(MERGING, (Two(both, one, other),), scope, distinct=distinct)
    mark = len(scope.world.steps)
    pairs = [*((one, each) for each in exchanged(two, one, scope))]
    pairs += [(each, two) for each in exchanged(one, two, scope)]
    for mine, theirs in pairs:
        other = _over_same_rows(mine, theirs)
        if other is not None:
            merged_terms = merge_exclusive_terms(Two(Bag((mine, theirs)), mine, other), scope)
            if merged_terms is not None:
                return merged_terms
    scope.world.set_aside(mark)
    return None


def has_equal_outputs(at: Two) -> bool:
    """Both terms have the same outputs."""
    return [alpha(x) for x in at.one.outputs] == [alpha(y) for y in at.two.outputs]


@rewrite(on=Bag, keeps="set", shape=(has_equal_outputs,))
def merge_terms_in_set(at: Two, scope: Scope) -> Term | None:
    """Merge two terms over the same rows with the same outputs where duplicates do not count.

    Before:  distinct: Σ t ∈ a [t.x = 1] → (t.y) + Σ t ∈ a [t.z = 2] → (t.y)
    After:   distinct: Σ t ∈ a [t.x = 1 or t.z = 2] → (t.y)
    Refuse:  duplicates count; other outputs
    Sound:   a row occurs in one of the terms exactly if one of the conditions is true
    """
    return _joint(at.one, at.two, scope)


def conditions_exclude_each_other(at: Two, scope: Scope) -> bool:
    """No row meets both conditions."""
    return are_exclusive(at.one.bindings, at.one, at.two, scope)


@rewrite(on=Bag, keeps="bag", needs=(conditions_exclude_each_other,))
def merge_exclusive_terms(at: Two, scope: Scope) -> Term | None:
    """Merge two terms over the same rows if no row meets both conditions.

    Before:  Σ t ∈ a [t.x = 1] → (t.y) + Σ t ∈ a [t.x = 2] → (0)
    After:   Σ t ∈ a [t.x = 1 or t.x = 2] → ({t.x = 1: t.y; else 0})
    Refuse:  a row that meets both: it counts twice
    Sound:   each row counts in one term at most
    """
    return _joint(at.one, at.two, scope)


MERGING = (merge_terms_in_set, merge_exclusive_terms)
"""How two terms over the same rows become one, in order."""


def _over_same_rows(one: Term, two: Term) -> Term | None:
    """The second term over the variables of the first, most alike; None if their sources differ."""
    candidates = list(islice(_correspondences(one, two), MAX_CORRESPONDENCES))
    mine = {alpha(part) for part in conjuncts(one.condition)}

    def likeness(other: Term) -> int:
        return len(mine & {alpha(part) for part in conjuncts(other.condition)})

    return max(candidates, key=likeness, default=None)


def _correspondences(one: Term, two: Term) -> Iterator[Term]:
    """The second term over the variables of the first, for each way in which sources are equal."""
    for other in islice(correspondences(one, two), 4 * MAX_CORRESPONDENCES):
        sources = {binding.row: binding.source for binding in other.bindings}
        if all(alpha(mine.source) == alpha(sources[mine.row]) for mine in one.bindings):
            yield Term(one.bindings, other.condition, other.outputs)


def _joint(one: Term, two: Term, scope: Scope) -> Term:
    """The term for where either condition holds, with the outputs of the first one where that one does."""
    first = {alpha(part): part for part in conjuncts(one.condition)}
    second = {alpha(part): part for part in conjuncts(two.condition)}
    shared = [part for name, part in first.items() if name in second]
    mine = [part for name, part in first.items() if name not in second]
    theirs = [part for name, part in second.items() if name not in first]
    inside = scope.within(one.bindings)
    # In two places: the copy gets its own bound variables.
    either = scope.world.names.copy_of(Or((And(tuple(mine)), And(tuple(theirs)))))
    condition = conditions((*shared, either), inside)
    inside = inside.under(conjuncts(condition))
    chosen: Expression = And(tuple(mine)) if mine else TRUE
    outputs = tuple(
        a if alpha(a) == alpha(b) else value(Case(((scope.world.names.copy_of(chosen), a),), b), inside)
        for a, b in zip(one.outputs, two.outputs, strict=True)
    )
    return Term(one.bindings, condition, outputs)
