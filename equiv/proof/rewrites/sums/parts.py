"""These rewrites put together or take apart sums over parts of the same rows, and make counts existence.

The rewrites of choices and the matching of terms use the helpers, too (:func:`is_row_count`).
Sums of one value under complementary conditions are one sum; of a sum and the sum over part of its rows the
difference is the sum over the other rows.  ``COUNT(*) > 0`` is EXISTS; two conditions of which both, or at
least one, must be true are AND and OR.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice
from math import ceil, floor
from typing import TypeGuard

from equiv.algebra import terms as t
from equiv.algebra.correspondences import correspondences
from equiv.algebra.kinds import is_condition
from equiv.algebra.scalar_functions import number_of
from equiv.proof.rewrite import PlaceIn, rewrite
from equiv.proof.rewrites.scope import Scope, shape


@dataclass(frozen=True, slots=True)
class ComplementarySums(PlaceIn[t.Apply]):
    """An addition with two exact sums that differ in a condition, which the one has and the other negated."""

    others: tuple[t.Expression, ...]
    """The other addends."""
    sum: t.Aggregate
    """One of the two without the condition."""
    asked: t.Expression
    """The condition, without NOT."""

    @property
    def rest(self) -> t.Term:
        """The rows of both."""
        return self.sum.bag.terms[0]


def complementary_sums(node: t.Apply | t.Compare, scope: Scope) -> Iterator[ComplementarySums]:
    """The pairs of addends of an addition that are exact sums under complementary conditions."""
    if not isinstance(node, t.Apply) or node.function != "+":
        return
    addends = addends_of(node)
    sums = [each for each in addends if is_plain_sum(each)]
    for one, other in combinations(sums, 2):
        if one.whole == other.whole:
            others = tuple(each for each in addends if each is not one and each is not other)
            mine, theirs = (_by_condition(each.bag.terms[0], scope) for each in (one, other))
            for name, (rest, asked, holds) in mine.items():
                if name in theirs and theirs[name][2] != holds:
                    yield ComplementarySums(node, others, replace(one, bag=t.Bag((rest,))), asked)


def addends_of(node: t.Expression) -> list[t.Expression]:
    """The operands of nested additions, in the order of the text."""
    match node:
        case t.Apply("+", (left, right)):
            return [*addends_of(left), *addends_of(right)]
    return [node]


def is_plain_sum(value: t.Expression) -> TypeGuard[t.Aggregate]:
    """Whether a value is an exact sum over one term, without a choice inside."""
    return (
        isinstance(value, t.Aggregate)
        and value.function == "LINEAR"
        and len(value.bag.terms) == 1
        and not t.sites(value)
    )


def is_row_count(value: t.Expression) -> TypeGuard[t.Aggregate]:
    """Whether a value is how many rows a bag has: a whole number, at least 0, never NULL."""
    return (
        isinstance(value, t.Aggregate)
        and value.function == "LINEAR"
        and all(term.outputs == (t.TRUE,) for term in value.bag.terms)
    )


def _by_condition(term: t.Term, scope: Scope) -> dict[t.Term, tuple[t.Term, t.Expression, bool]]:
    """For each condition of a term: the term without it, the condition without NOT, whether there was none.

    The keys are equal for terms over the same rows that are alike but for the condition.
    """
    names = scope.within(term.bindings).shapes
    found: dict[t.Term, tuple[t.Term, t.Expression, bool]] = {}
    for part in term.conjuncts:
        asked, holds = _without_negation(part)
        others = [each for each in term.conjuncts if each is not part]
        rest = replace(term, condition=t.conjunction(sorted(others, key=lambda each: shape(each, names))))
        found[t.alpha(replace(rest, outputs=(*rest.outputs, asked)))] = rest, asked, holds
    return found


def _without_negation(condition: t.Expression) -> tuple[t.Expression, bool]:
    """A condition of which another is the condition or its negation, and whether it is the condition."""
    match condition:
        case t.Not(part):
            return part, False
        case t.Compare("<=", left, right):
            return t.Compare("<", right, left), False
    return condition, True


def addition_is_exact(at: ComplementarySums, scope: Scope) -> bool:
    """Whether the addends add as in mathematics, in any order."""
    is_whole = at.sum.whole and all(map(scope.is_whole, at.others))
    return scope.adds_whole() if is_whole else scope.adds_exactly()


@rewrite(on=t.Apply, keeps="value", at=complementary_sums, needs=(addition_is_exact,))
def merge_complementary_sums(at: ComplementarySums, scope: Scope) -> t.Expression | None:
    """Sum once over the rows that meet a condition and those that do not.

    Before:  SUM0{Σ t ∈ a [t.x = 1] → (t.n)} + SUM0{Σ t ∈ a [not t.x = 1] → (t.n)}
    After:   SUM0{Σ t ∈ a [not t.x = 1 is NULL] → (t.n)}
    Refuse:  other values; sums that round
    Sound:   each row meets the condition, or its negation, or the condition is NULL and it is in neither;
             exact sums add in any order
    """
    parts = list(at.rest.conjuncts)
    if not scope.within(at.rest.bindings, parts).never_null(at.asked):
        parts.append(t.Not(t.IsNull(at.asked)))
    either = t.conjunction(parts)
    joint = replace(at.sum, bag=t.Bag((replace(at.rest, condition=either),)))
    return t.chained("+", (joint, *at.others))


MAX_TRIED = 4
"""How many correspondences of the variables of two sums are looked at."""


@dataclass(frozen=True, slots=True)
class SumAndPart(PlaceIn[t.Apply | t.Compare]):
    """An expression with an exact sum on one side and the sum over part of its rows on the other."""

    others: tuple[tuple[t.Expression, ...], tuple[t.Expression, ...]]
    """The other addends of either side."""
    rest: t.Aggregate
    """The sum over the rows that are not in the part."""
    is_whole_left: bool
    """Whether the sum over all rows is on the left."""


def sums_and_parts(node: t.Apply | t.Compare, scope: Scope) -> Iterator[SumAndPart]:
    """The pairs of a sum on one side of a subtraction or comparison, and one over part of its rows beyond."""
    match node:
        case t.Apply("-", (left, right)) | t.Compare(_, left, right):
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


def _rest(whole: t.Aggregate, part: t.Aggregate) -> t.Aggregate | None:
    """The sum over the rows that one has and the other has not; None if the other's are not among them."""
    (rows,), (fewer,) = whole.bag.terms, part.bag.terms
    if whole.whole != part.whole or not all(isinstance(each.source, t.Scan) for each in rows.bindings):
        return None
    wanted = {t.alpha(each) for each in rows.conjuncts}
    for candidate in islice(correspondences(rows, fewer), MAX_TRIED):
        parts = candidate.conjuncts
        more = [each for each in parts if t.alpha(each) not in wanted]
        if candidate.outputs == rows.outputs and len(parts) - len(more) == len(wanted):
            # Where the condition is NULL the row is not in the part.
            condition = t.conjunction([rows.condition, t.Not(t.IsTrue(t.conjunction(more)))])
            return replace(whole, bag=t.Bag((replace(rows, condition=condition),)))
    return None


def is_part(whole: t.Aggregate, part: t.Aggregate) -> bool:
    """Whether the rows of a sum are among those of another."""
    return _rest(whole, part) is not None


def subtraction_is_exact(at: SumAndPart, scope: Scope) -> bool:
    """Whether the addends add as in mathematics, in any order; counts alone always do."""
    others = (*at.others[0], *at.others[1])
    if not others and is_row_count(at.rest):
        return True
    # A text that is added counts as a number; left alone on a side, it would be compared as a text.
    if not all(map(scope.is_number, others)):
        return False
    is_whole = at.rest.whole and all(map(scope.is_whole, others))
    return scope.adds_whole() if is_whole else scope.adds_exactly()


@rewrite(on=(t.Apply, t.Compare), keeps="value", at=sums_and_parts, needs=(subtraction_is_exact,))
def eliminate_part_of_sum(at: SumAndPart, scope: Scope) -> t.Expression | None:
    """Sum over the rows that a part leaves, where the part is taken away or compared.

    Before:  SUM0{Σ t ∈ a → (t.n)} - SUM0{Σ t ∈ a [t.x = 1] → (t.n)}
    After:   SUM0{Σ t ∈ a [not (t.x = 1) is true] → (t.n)}
    Refuse:  rows that are not among the others; other values; sums that round; a text among the addends
    Sound:   each row is in the part or not, and exact sums add in any order; a sum is never NULL
    """
    own, beyond = ((at.rest,), ()) if at.is_whole_left else ((), (at.rest,))
    sides = (*at.others[0], *own), (*at.others[1], *beyond)
    left, right = (t.chained("+", side) or t.integer(0) for side in sides)
    if isinstance(at.shown, t.Compare):
        return replace(at.shown, left=left, right=right)
    return left if right == t.integer(0) else t.Apply("-", (left, right))


def counted(node: t.Compare, scope: Scope) -> t.Expression:
    """A comparison of COUNT with a literal as EXISTS or NOT EXISTS, or the comparison unchanged."""
    for value, other, is_left in ((node.left, node.right, True), (node.right, node.left, False)):
        number = number_of(other)
        if number is not None:
            match value:
                case t.Case(((condition, count),), _) if (
                    _adds_counts(value) and number != 0 and node.operator in ("=", "IS")
                ):
                    return t.And(
                        (t.IsTrue(condition), counted(t.Compare(node.operator, count, other), scope))
                    )
            found = _compared(node.operator, value, number, scope, is_left=is_left)
            return node if found is None else found
    return node


def _compared(
    operator: str, value: t.Expression, number: int | Fraction, scope: Scope, *, is_left: bool
) -> t.Expression | None:
    match operator, is_left:
        case "<", True:
            return _negated(_at_least(value, ceil(number), scope))
        case "<=", True:
            return _negated(_at_least(value, floor(number) + 1, scope))
        case "<", False:
            return _at_least(value, floor(number) + 1, scope)
        case "<=", False:
            return _at_least(value, ceil(number), scope)
    least = _at_least(value, floor(number), scope)
    more = _at_least(scope.world.names.copy_of(value), floor(number) + 1, scope)
    if least is None or more is None:
        return None
    if number.denominator != 1:
        return t.FALSE
    return _both(least, t.Not(more))


def _both(least: t.Expression, not_more: t.Not) -> t.Expression:
    if least == t.FALSE or not_more.part == t.TRUE:
        return t.FALSE
    parts = [part for part in (least, not_more) if part not in (t.TRUE, t.Not(t.FALSE))]
    return t.And(tuple(parts)) if len(parts) != 1 else parts[0]


def _negated(condition: t.Expression | None) -> t.Expression | None:
    if condition in (t.TRUE, t.FALSE):
        return t.FALSE if condition == t.TRUE else t.TRUE
    return None if condition is None else t.Not(condition)


def _at_least(value: t.Expression, number: int, scope: Scope) -> t.Expression | None:
    """Whether a count is at least a number, as a truth value that is never NULL; None if not to be said."""
    if isinstance(value, t.Aggregate):
        return _has_rows(value, number)
    if number <= 0 and _adds_counts(value):
        return t.TRUE
    match value:
        case t.Case(((condition, count),), default) if (
            number > 0 and default == t.integer(0) and _adds_counts(count)
        ):
            inner = _at_least(count, number, scope) or t.Compare("<", t.integer(number - 1), count)
            return t.And((t.IsTrue(condition), inner))
        case t.Apply(
            "+",
            (t.Aggregate() as rows, t.Constant("integer", text))
            | (
                t.Constant("integer", text),
                t.Aggregate() as rows,
            ),
        ) if len(text) < 10:
            return _has_rows(rows, number - int(text))
        case t.Apply("+", (left, right)) if number == 1 and _adds_counts(value):
            either = _at_least(left, 1, scope), _at_least(right, 1, scope)
            return None if either[0] is None or either[1] is None else t.Or((either[0], either[1]))
    bits = _bits(value, scope)
    if bits is None:
        return None
    if number <= 0:
        return t.TRUE
    if number > len(bits):
        return t.FALSE
    if number == len(bits):
        return t.And(tuple(bits)) if len(bits) > 1 else bits[0]
    return t.Or(tuple(bits)) if number == 1 else None


def _adds_counts(value: t.Expression) -> bool:
    """Whether a value is a count of rows, or a sum or CASE of such: 0 or more, and never NULL."""
    match value:
        case t.Aggregate():
            return is_row_count(value)
        case t.Apply("+", (left, right)):
            return _adds_counts(left) and _adds_counts(right)
        case t.Case(((_, count),), default):
            return default == t.integer(0) and _adds_counts(count)
    return False


def _has_rows(value: t.Aggregate, number: int) -> t.Expression | None:
    if not is_row_count(value):
        return None
    if number <= 0:
        return t.TRUE
    if number > 1:
        return None
    return t.Exists(t.Bag(tuple(replace(term, outputs=()) for term in value.bag.terms)))


def _bits(value: t.Expression, scope: Scope) -> list[t.Expression] | None:
    """Truth values, never NULL, that add up to a value."""
    match value:
        case t.Apply("+", (left, right)):
            found = _bits(left, scope), _bits(right, scope)
            return None if found[0] is None or found[1] is None else [*found[0], *found[1]]
        case t.Case(((condition, then),), default) if (then, default) == (t.TRUE, t.FALSE):
            return [t.IsTrue(condition)]
    return [value] if is_condition(value) and scope.never_null(value) else None
