"""Conditions: only whether they are true counts, so that FALSE and NULL are one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Bag,
    Compare,
    Constant,
    Exists,
    Expression,
    IsNull,
    IsTrue,
    Not,
    Or,
    Term,
    alpha,
    conjunction,
    sites,
)
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.constants import truth_of
from equiv.proof.rewrites.expressions.comparisons import (
    compares_with_itself,
    is_null_if_a_side_is,
    is_null_safe,
)
from equiv.proof.rewrites.expressions.concatenations import split_concatenation
from equiv.proof.rewrites.expressions.conditions_in_scope import fold_known_condition
from equiv.proof.rewrites.expressions.extremes import (
    convert_bound_by_extreme_to_equality,
    convert_checked_extreme_to_bound,
    convert_difference_from_extreme_to_bound,
    convert_extreme_of_some_group_to_own,
    fold_condition_of_extreme_row,
)
from equiv.proof.rewrites.expressions.logic import flat, is_true, negation
from equiv.proof.rewrites.lookups.same_row import convert_key_of_lookup_to_row
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows


@rewrite(on=Compare, keeps="truth")
def convert_bound_on_extreme_to_exists(node: Expression, scope: Scope) -> Expression | None:
    """Turn ``x < MAX(y)`` into EXISTS a row with ``x < y``; likewise MIN from above.

    Before:  x < MAX{Σ t ∈ a → (t.y)}
    After:   (∃ t ∈ a [x < t.y])
    Refuse:  a bound from the other side, which all rows must keep; =
    Sound:   the greatest of some values is beyond a bound exactly if one of them is; of none, it is NULL
    """
    match node:
        case Compare("<" | "<=", bound, Aggregate("MAX", bag)):
            claims = [Compare(node.operator, bound, term.outputs[0]) for term in bag.terms]
        case Compare("<" | "<=", Aggregate("MIN", bag), bound):
            claims = [Compare(node.operator, term.outputs[0], bound) for term in bag.terms]
        case _:
            return None
    pairs = zip(bag.terms, claims, strict=True)
    terms = (Term(term.bindings, conjunction([term.condition, claim]), ()) for term, claim in pairs)
    return Exists(Bag(tuple(terms)))


def bound_is_literal(node: Compare) -> bool:
    """The bound is a literal, and the extreme makes no choice that two copies would make by themselves."""
    match node:
        case Compare("<" | "<=", Aggregate("MAX"), Constant(kind)):
            return kind != "null" and not sites(node.left)
        case Compare("<" | "<=", Constant(kind), Aggregate("MIN")):
            return kind != "null" and not sites(node.right)
    return False


@rewrite(on=Compare, keeps="truth", shape=(bound_is_literal,))
def convert_bound_on_all_to_exists(node: Compare, scope: Scope) -> Expression | None:
    """Turn ``MAX(y) <= 1`` into that there is a y, and none beyond; likewise MIN from below.

    Before:  MAX{Σ t ∈ a → (t.y)} ≤ 1
    After:   (∃ t ∈ a [not t.y is NULL]) and not (∃ t ∈ a [1 < t.y])
    Refuse:  a bound that is a column or may be NULL; a place where NULL and 0 differ
    Sound:   the greatest of some values is within a bound exactly if all of them are; of none, it is NULL
    """
    extreme = node.left if isinstance(node.left, Aggregate) else node.right
    assert isinstance(extreme, Aggregate)
    beyond: list[Term] = []
    for term in extreme.bag.terms:
        value = term.outputs[0]
        sides = (node.right, value) if extreme is node.left else (value, node.left)
        claim = Compare("<" if node.operator == "<=" else "<=", *sides)
        beyond.append(Term(term.bindings, conjunction([term.condition, claim]), ()))
    some = [
        Term(each.bindings, conjunction([each.condition, Not(IsNull(each.outputs[0]))]), ())
        for each in scope.world.names.copy_of(extreme.bag).terms
    ]
    return And((Exists(Bag(tuple(some))), Not(Exists(Bag(tuple(beyond))))))


def an_argument_is_such_a_row(node: Exists, scope: Scope) -> bool:
    """An aggregate that is not NULL where the conditions around are true is taken of such a row."""
    values = sorted((each for each in scope.known.not_null if isinstance(each, Aggregate)), key=repr)
    taken = (GivenRows.of_argument(each, scope) for each in values)
    return any(given is not None and given.implies(node) for given in taken)


@rewrite(on=Exists, keeps="value", needs=(an_argument_is_such_a_row,))
def fold_exists_of_argument(node: Exists, scope: Scope) -> Expression | None:
    """Do not ask for a row that an aggregate in another condition is taken of.

    Before:  (∃ s ∈ a [s.x = t.x]) and t.y = MAX{Σ s ∈ a [s.x = t.x and s.z = 1] → (s.y)}
    After:   t.y = MAX{Σ s ∈ a [s.x = t.x and s.z = 1] → (s.y)}
    Refuse:  COUNT, which is 0 of no rows; rows of which more is asked than of those of the aggregate
    Sound:   the other condition is not true where the aggregate is NULL, as it is of no rows
    """
    return TRUE


@rewrite(on=Constant, keeps="truth")
def reduce_constant_condition(node: Expression, scope: Scope) -> Expression | None:
    """A condition that is a constant is TRUE or FALSE.

    Before:  Σ t ∈ a [NULL] → (t.x)
    After:   Σ t ∈ a [FALSE] → (t.x)
    Refuse:  texts, which are read as numbers; a place where NULL and 0 differ
    Sound:   a row counts only where the condition is true, which neither NULL nor 0 is
    """
    truth = False if node == NULL else truth_of(node)
    changed = TRUE if truth else FALSE
    return None if truth is None or node == changed else changed


@rewrite(on=IsTrue, keeps="truth")
def eliminate_is_true_in_condition(node: Expression, scope: Scope) -> Expression | None:
    """A condition need not be asked whether it is true.

    Before:  Σ t ∈ a [true(t.x)] → (t.y)
    After:   Σ t ∈ a [t.x] → (t.y)
    Refuse:  a place where NULL and 0 differ
    Sound:   it is true for the same rows
    """
    return node.part if isinstance(node, IsTrue) else None


def one_side_is_never_null(node: Compare, scope: Scope) -> bool:
    """One side of the comparison is never NULL."""
    return scope.never_null(node.left) or scope.never_null(node.right)


@rewrite(on=Compare, keeps="truth", shape=(is_null_safe,), needs=(one_side_is_never_null,))
def convert_is_to_equals_in_condition(node: Compare, scope: Scope) -> Expression | None:
    """Compare by = instead of IS in a condition where one side is never NULL.

    Before:  Σ t ∈ a, s ∈ b [t.id is s.y] → (s.y)
    After:   Σ t ∈ a, s ∈ b [t.id = s.y] → (s.y)
    Refuse:  both sides may be NULL; a place where NULL and 0 differ
    Sound:   where the other side is NULL, neither is true
    """
    return Compare("=", node.left, node.right)


@rewrite(on=Compare, keeps="truth", shape=(is_null_if_a_side_is, compares_with_itself))
def reduce_comparison_with_itself(node: Compare, scope: Scope) -> Expression | None:
    """Turn ``x = x`` in a condition into ``x IS NOT NULL``, and ``x < x`` into FALSE.

    Before:  Σ t ∈ a [t.x = t.x] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  two choices that may choose differently; a place where NULL and 0 differ
    Sound:   a value equals itself unless it is NULL, and is never less
    """
    return FALSE if node.operator == "<" else Not(IsNull(node.left))


@dataclass(frozen=True, slots=True)
class Complementary:
    """Two branches of an OR, the one with a condition, the other with its negation."""

    shown: Or
    rest: tuple[Expression, ...]
    """The remaining conjuncts of the branch with the condition."""
    other: tuple[Expression, ...]
    """The remaining conjuncts of the branch with its negation."""
    untaken: Scope
    """The scope in which the condition is not true."""
    facts: tuple[Fact, ...]
    """The facts by which one condition is the negation of the other."""
    read: Callable[[Sequence[Expression], Scope], Expression]
    """Simplifies a conjunction in a scope."""


def complementary(
    node: Or, scope: Scope, read: Callable[[Sequence[Expression], Scope], Expression]
) -> Iterator[Complementary]:
    """The splits of an OR into ``p AND a`` and ``NOT p AND b``."""
    match node.parts:
        case (one, two):
            for mine, theirs in ((one, two), (two, one)):
                parts = flat(And, (mine,))
                others = {alpha(part): part for part in flat(And, (theirs,))}
                for part in parts:
                    negated, facts = _negated(part, scope)
                    if negated in others:
                        rest = tuple(other for other in parts if other is not part)
                        wanted = tuple(other for name, other in others.items() if name != negated)
                        yield Complementary(node, rest, wanted, scope.under((others[negated],)), facts, read)


def _negated(part: Expression, scope: Scope) -> tuple[Expression, tuple[Fact, ...]]:
    """The key of the condition that another one is not true, and the facts that its simplification used."""
    mark = scope.world.open_step()
    with scope.world.aside():
        found = alpha(negation(is_true(part, scope), scope))
    return found, scope.world.close_step(mark, is_taken=False)


def branches_agree_elsewhere(at: Complementary, scope: Scope) -> bool:
    """The remaining conjuncts of both branches agree where the condition is not true."""
    scope.world.use(at.facts)
    with scope.world.aside():
        return alpha(at.read(at.rest, at.untaken)) == alpha(at.read(at.other, at.untaken))


@rewrite(on=Or, keeps="truth", needs=(branches_agree_elsewhere,))
def merge_complementary_branches(at: Complementary, scope: Scope) -> Expression | None:
    """Merge ``p AND a OR NOT p AND b`` into a, where a and b agree if p is not true.

    Before:  t.p and t.x = 1 or not true(t.p) and t.x = 1
    After:   t.x = 1
    Refuse:  branches that part where the condition is not true
    Sound:   p AND a OR NOT p AND b is a, if a is b where p is not true
    """
    return conjunction(at.rest)


CONDITIONS = (
    convert_difference_from_extreme_to_bound,
    convert_bound_by_extreme_to_equality,
    convert_checked_extreme_to_bound,
    convert_bound_on_extreme_to_exists,
    convert_bound_on_all_to_exists,
    convert_key_of_lookup_to_row,
    convert_extreme_of_some_group_to_own,
    fold_exists_of_argument,
    fold_condition_of_extreme_row,
    reduce_constant_condition,
    eliminate_is_true_in_condition,
    convert_is_to_equals_in_condition,
    split_concatenation,
    reduce_comparison_with_itself,
    merge_complementary_branches,
    fold_known_condition,
)
"""Rewrites of a simplified condition, of which only the truth counts, in firing order."""
