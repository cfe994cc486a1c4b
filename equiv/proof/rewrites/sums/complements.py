"""Sums of one value over the same rows under complementary conditions, put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeGuard

from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Compare,
    Expression,
    IsNull,
    Not,
    Term,
    alpha,
    conjunction,
    conjuncts,
    sites,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.outputs import shape
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class ComplementarySums:
    """An addition with two exact sums that differ in a condition, which the one has and the other negated."""

    shown: Apply
    others: tuple[Expression, ...]
    """The other addends."""
    sum: Aggregate
    """One of the two without the condition."""
    asked: Expression
    """The condition, without NOT."""

    @property
    def rest(self) -> Term:
        """The rows of both."""
        return self.sum.bag.terms[0]


def complementary_sums(node: Apply | Compare, scope: Scope) -> Iterator[ComplementarySums]:
    """The pairs of addends of an addition that are exact sums under complementary conditions."""
    if not isinstance(node, Apply) or node.function != "+":
        return
    addends = addends_of(node)
    sums = [each for each in addends if is_plain_sum(each)]
    for one, other in combinations(sums, 2):
        if one.whole == other.whole:
            others = tuple(each for each in addends if each is not one and each is not other)
            mine, theirs = (_by_condition(each.bag.terms[0], scope) for each in (one, other))
            for name, (rest, asked, holds) in mine.items():
                if name in theirs and theirs[name][2] != holds:
                    yield ComplementarySums(node, others, replace(one, bag=Bag((rest,))), asked)


def addends_of(node: Expression) -> list[Expression]:
    """The operands of nested additions, in the order of the text."""
    match node:
        case Apply("+", (left, right)):
            return [*addends_of(left), *addends_of(right)]
    return [node]


def is_plain_sum(value: Expression) -> TypeGuard[Aggregate]:
    """Whether a value is an exact sum over one term, without a choice inside."""
    return (
        isinstance(value, Aggregate)
        and value.function == "LINEAR"
        and len(value.bag.terms) == 1
        and not sites(value)
    )


def is_row_count(value: Expression) -> TypeGuard[Aggregate]:
    """Whether a value is how many rows a bag has: a whole number, at least 0, never NULL."""
    return (
        isinstance(value, Aggregate)
        and value.function == "LINEAR"
        and all(term.outputs == (TRUE,) for term in value.bag.terms)
    )


def _by_condition(term: Term, scope: Scope) -> dict[Term, tuple[Term, Expression, bool]]:
    """For each condition of a term: the term without it, the condition without NOT, whether there was none.

    The keys are equal for terms over the same rows that are alike but for the condition.
    """
    names = scope.within(term.bindings).shapes
    found: dict[Term, tuple[Term, Expression, bool]] = {}
    for part in conjuncts(term.condition):
        asked, holds = _without_negation(part)
        others = [each for each in conjuncts(term.condition) if each is not part]
        rest = replace(term, condition=conjunction(sorted(others, key=lambda each: shape(each, names))))
        found[alpha(replace(rest, outputs=(*rest.outputs, asked)))] = rest, asked, holds
    return found


def _without_negation(condition: Expression) -> tuple[Expression, bool]:
    """A condition of which another is the condition or its negation, and whether it is the condition."""
    match condition:
        case Not(part):
            return part, False
        case Compare("<=", left, right):
            return Compare("<", right, left), False
    return condition, True


def addition_is_exact(at: ComplementarySums, scope: Scope) -> bool:
    """The addends add as in mathematics, in any order."""
    is_whole = at.sum.whole and all(map(scope.is_whole, at.others))
    return scope.adds_whole() if is_whole else scope.adds_exactly()


@rewrite(on=Apply, keeps="value", needs=(addition_is_exact,))
def merge_complementary_sums(at: ComplementarySums, scope: Scope) -> Expression | None:
    """Sum once over the rows that meet a condition and those that do not.

    Before:  SUM0{Σ t ∈ a [t.x = 1] → (t.n)} + SUM0{Σ t ∈ a [not t.x = 1] → (t.n)}
    After:   SUM0{Σ t ∈ a [not t.x = 1 is NULL] → (t.n)}
    Refuse:  other values; sums that round
    Sound:   each row meets the condition, or its negation, or the condition is NULL and it is in neither;
             exact sums add in any order
    """
    parts = list(conjuncts(at.rest.condition))
    if not scope.within(at.rest.bindings, parts).never_null(at.asked):
        parts.append(Not(IsNull(at.asked)))
    either = conjunction(parts)
    found: Expression = replace(at.sum, bag=Bag((replace(at.rest, condition=either),)))
    for other in at.others:
        found = Apply("+", (found, other))
    return found


def with_merged_sums(node: Apply | Compare, scope: Scope) -> Expression | None:
    """An addition with two of its sums put together; None if there are no such two."""
    return first((merge_complementary_sums,), complementary_sums(node, scope), scope)
