"""A sum beside the sum over part of its rows: the difference is the sum over the other rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from equiv.algebra.correspondences import correspondences
from equiv.algebra.terms import (
    Aggregate,
    Apply,
    Bag,
    Compare,
    Expression,
    IsTrue,
    Not,
    Scan,
    alpha,
    conjunction,
    conjuncts,
    integer,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.complements import addends_of, is_plain_sum, is_row_count

MAX_TRIED = 4
"""How many correspondences of the variables of two sums are looked at."""


@dataclass(frozen=True, slots=True)
class SumAndPart:
    """An expression with an exact sum on one side and the sum over part of its rows on the other."""

    shown: Apply | Compare
    others: tuple[tuple[Expression, ...], tuple[Expression, ...]]
    """The other addends of either side."""
    rest: Aggregate
    """The sum over the rows that are not in the part."""
    is_whole_left: bool
    """Whether the sum over all rows is on the left."""


def sums_and_parts(node: Apply | Compare, scope: Scope) -> Iterator[SumAndPart]:
    """The pairs of a sum on one side of a subtraction or comparison, and one over part of its rows beyond."""
    match node:
        case Apply("-", (left, right)) | Compare(_, left, right):
            sides = addends_of(left), addends_of(right)
        case _:
            return
    for mine in filter(is_plain_sum, sides[0]):
        for theirs in filter(is_plain_sum, sides[1]):
            mine_others = tuple(each for each in sides[0] if each is not mine)
            others = mine_others, tuple(each for each in sides[1] if each is not theirs)
            for whole, part in ((mine, theirs), (theirs, mine)):
                rest = _rest(whole, part)
                if rest is not None:
                    yield SumAndPart(node, others, rest, whole is mine)


def _rest(whole: Aggregate, part: Aggregate) -> Aggregate | None:
    """The sum over the rows that one has and the other has not; None if the other's are not among them."""
    (rows,), (fewer,) = whole.bag.terms, part.bag.terms
    if whole.whole != part.whole or not all(isinstance(each.source, Scan) for each in rows.bindings):
        return None
    wanted = {alpha(each) for each in conjuncts(rows.condition)}
    for candidate in islice(correspondences(rows, fewer), MAX_TRIED):
        parts = conjuncts(candidate.condition)
        more = [each for each in parts if alpha(each) not in wanted]
        if candidate.outputs == rows.outputs and len(parts) - len(more) == len(wanted):
            # Where the condition is NULL the row is not in the part.
            condition = conjunction([rows.condition, Not(IsTrue(conjunction(more)))])
            return replace(whole, bag=Bag((replace(rows, condition=condition),)))
    return None


def is_part(whole: Aggregate, part: Aggregate) -> bool:
    """Whether the rows of a sum are among those of another."""
    return _rest(whole, part) is not None


def subtraction_is_exact(at: SumAndPart, scope: Scope) -> bool:
    """The addends are numbers that add as in mathematics, in any order; counts alone always do."""
    others = (*at.others[0], *at.others[1])
    if not others and is_row_count(at.rest):
        return True
    # A text that is added counts as a number; left alone on a side, it would be compared as a text.
    if not all(map(scope.is_number, others)):
        return False
    is_whole = at.rest.whole and all(map(scope.is_whole, others))
    return scope.adds_whole() if is_whole else scope.adds_exactly()


@rewrite(on=(Apply, Compare), keeps="value", needs=(subtraction_is_exact,))
def eliminate_part_of_sum(at: SumAndPart, scope: Scope) -> Expression | None:
    """Sum over the rows that a part leaves, where the part is taken away or compared.

    Before:  SUM0{Σ t ∈ a → (t.n)} - SUM0{Σ t ∈ a [t.x = 1] → (t.n)}
    After:   SUM0{Σ t ∈ a [not (t.x = 1) is true] → (t.n)}
    Refuse:  rows that are not among the others; other values; sums that round; a text among the addends
    Sound:   each row is in the part or not, and exact sums add in any order; a sum is never NULL
    """
    own, beyond = (at.rest, None) if at.is_whole_left else (None, at.rest)
    left, right = _total(at.others[0], own), _total(at.others[1], beyond)
    if isinstance(at.shown, Compare):
        return replace(at.shown, left=left, right=right)
    return left if right == integer(0) else Apply("-", (left, right))


def _total(addends: tuple[Expression, ...], last: Expression | None) -> Expression:
    """The addition of addends; 0 if there is none."""
    every = [*addends, *([last] if last is not None else [])]
    if not every:
        return integer(0)
    found = every[0]
    for each in every[1:]:
        found = Apply("+", (found, each))
    return found


def without_parts(node: Apply | Compare, scope: Scope) -> Expression | None:
    """A subtraction or comparison without the part of a sum on its other side; None if there is none."""
    return first((eliminate_part_of_sum,), sums_and_parts(node, scope), scope)
