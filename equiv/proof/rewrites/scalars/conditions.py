"""Conditions and CASE: only whether a condition is true counts, so that FALSE and NULL are one.

Branches of a CASE that are decided or redundant go, and a CASE in a condition is AND and OR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from equiv.algebra import terms as t
from equiv.algebra.kinds import is_truth
from equiv.facts import Fact
from equiv.proof.rewrite import PlaceIn, first, rewrite
from equiv.proof.rewrites.scalars.comparisons import (
    compares_with_itself,
    is_null_if_a_side_is,
    is_null_safe,
    is_same,
    truth_of,
)
from equiv.proof.rewrites.scalars.logic import flat, is_true, junction, negation
from equiv.proof.rewrites.scope import GivenRows, Scope

CaseReading = Callable[[t.Expression, Scope], t.Expression]
"""How an expression is simplified: what is kept of it, its value or only its truth."""


@rewrite(on=t.Case, keeps="value")
def eliminate_decided_branch(node: t.Case, scope: Scope) -> t.Expression | None:
    """Drop the first branch of a CASE if it is never taken, and the others if it always is.

    Before:  {FALSE: 1; t.x = 1: 2; else 3}
    After:   {t.x = 1: 2; else 3}
    Refuse:  a condition that is not decided
    Sound:   the value is that of the first branch whose condition is true
    """
    (condition, result), *later = node.branches
    if condition == t.TRUE:
        return result
    if condition != t.FALSE:
        return None
    return t.Case(tuple(later), node.default) if later else node.default


@dataclass(frozen=True, slots=True)
class LastBranch(PlaceIn[t.Case]):
    """A CASE of one branch, which is the last of a longer one."""

    untaken: Scope
    """The scope in which the branch is not taken."""
    taken: Scope
    """The scope in which it is."""
    read: CaseReading
    """How its values are read."""
    is_condition: bool
    """Whether only their truth counts."""


def is_read_as_value(at: LastBranch) -> bool:
    """Whether the value counts, not only its truth."""
    return not at.is_condition


def is_read_as_condition(at: LastBranch) -> bool:
    """Whether only the truth of the value counts."""
    return at.is_condition


def branch_is_the_default_elsewhere(at: LastBranch, scope: Scope) -> bool:
    """Whether the branch and the default have equal values wherever the branch is not taken."""
    ((_, result),) = at.shown.branches
    with scope.world.aside():
        return is_same(at.read(result, at.untaken), at.shown.default)


@rewrite(on=t.Case, keeps="value", shape=(is_read_as_value,), needs=(branch_is_the_default_elsewhere,))
def eliminate_idle_branch(at: LastBranch, scope: Scope) -> t.Expression | None:
    """Drop the last branch of a CASE if the branch's value equals the default wherever it is not taken.

    Before:  {t.x = 1: t.x; else 1}, where t.x is 1 if the branch is not taken
    After:   t.x
    Refuse:  values that are equal where the branch is taken only
    Sound:   both ways have the value of the branch
    """
    return at.shown.branches[0][1]


@rewrite(on=t.Case, keeps="truth", shape=(is_read_as_condition,), needs=(branch_is_the_default_elsewhere,))
def eliminate_idle_branch_in_condition(at: LastBranch, scope: Scope) -> t.Expression | None:
    """Drop the last branch of a CASE in a condition if it is as true as the default when it is not taken.

    Before:  Σ t ∈ a [{t.x = 1: NULL; else 0}] → (t.y)
    After:   Σ t ∈ a [FALSE] → (t.y)
    Refuse:  a place where NULL and 0 differ
    Sound:   both ways are as true as the branch
    """
    return at.shown.branches[0][1]


def is_literal(at: LastBranch) -> bool:
    """Whether the value of the branch is NULL or another literal."""
    return isinstance(at.shown.branches[0][1], t.Constant)


def default_is_the_literal_where_taken(at: LastBranch, scope: Scope) -> bool:
    """Whether the default is that literal too wherever the branch is taken."""
    ((_, result),), default = at.shown.branches, at.shown.default
    if result == t.NULL:
        with scope.world.aside():
            return at.read(default, at.taken) == t.NULL
    equal = {t.alpha(t.Compare("=", *sides)) for sides in ((default, result), (result, default))}
    return bool(equal & at.taken.known.true) and at.taken.are_identical_if_equal(default, result)


@rewrite(
    on=t.Case,
    keeps="value",
    shape=(is_literal, is_read_as_value),
    needs=(default_is_the_literal_where_taken,),
)
def eliminate_literal_branch(at: LastBranch, scope: Scope) -> t.Expression | None:
    """Drop the last branch of a CASE if it is a literal, NULL or another, and the default would be, too.

    Before:  {t.y = 0: NULL; else t.x / t.y}
    After:   t.x / t.y
    Refuse:  a default that has another value where the branch is taken; one that equals 1 and may be 1.0
    Sound:   both ways have the value of the default
    """
    return at.shown.default


def default_is_null(at: LastBranch) -> bool:
    """Whether the default is NULL, and the branch an aggregate."""
    return at.shown.default == t.NULL and isinstance(at.shown.branches[0][1], t.Aggregate)


def value_shows_the_condition(at: LastBranch, scope: Scope) -> bool:
    """Whether an argument's row makes the condition true wherever the value is not NULL."""
    ((condition, result),) = at.shown.branches
    assert isinstance(result, t.Aggregate)
    given = GivenRows.of_argument(result, scope)
    return given is not None and given.implies(condition)


@rewrite(on=t.Case, keeps="value", shape=(default_is_null,), needs=(value_shows_the_condition,))
def eliminate_guard_of_aggregate(at: LastBranch, scope: Scope) -> t.Expression | None:
    """Drop the last branch of a CASE if its value is NULL of itself wherever the branch is not taken.

    Before:  {(∃ t ∈ a [t.x = 1]): MAX{Σ t ∈ a [t.x = 1] → (t.y)}; else NULL}
    After:   MAX{Σ t ∈ a [t.x = 1] → (t.y)}
    Refuse:  COUNT, which is 0 of no rows; a condition of which the rows say less
    Sound:   without an argument the aggregate is NULL, and an argument is of a row that shows the condition
    """
    return at.shown.branches[0][1]


@rewrite(on=t.Case, keeps="value")
def merge_alike_branches(node: t.Case, scope: Scope) -> t.Case | None:
    """Join branches of a CASE that follow each other and have one value.

    Before:  {t.x = 1: t.y; t.x = 2: t.y; else 0}
    After:   {t.x = 1 or t.x = 2: t.y; else 0}
    Refuse:  a branch with another value between them
    Sound:   whichever of them is taken, the value is that one
    """
    merged: list[tuple[t.Expression, t.Expression]] = []
    for condition, result in node.branches:
        if merged and is_same(merged[-1][1], result):
            merged[-1] = (junction(t.Or, [merged[-1][0], condition], scope), result)
        else:
            merged.append((condition, result))
    return t.Case(tuple(merged), node.default) if len(merged) < len(node.branches) else None


@rewrite(on=t.Case, keeps="value")
def convert_case_to_truth_value(node: t.Case, scope: Scope) -> t.Expression | None:
    """A CASE that is 1 or 0 is a truth value.

    Before:  {t.x = 1: 1; else 0}
    After:   true(t.x = 1)
    Refuse:  another value; more branches
    Sound:   it is 1 exactly if the condition is true, NULL excluded
    """
    match node:
        case t.Case(((condition, result),), default) if (result, default) == (t.TRUE, t.FALSE):
            return is_true(condition, scope)
        case t.Case(((condition, result),), default) if (result, default) == (t.FALSE, t.TRUE):
            return negation(is_true(condition, scope), scope)
    return None


@rewrite(on=t.Case, keeps="truth")
def convert_case_to_condition(node: t.Case, scope: Scope) -> t.Expression | None:
    """Turn a CASE of a condition into AND if one way is never true, into OR if its branch is always true.

    Before:  Σ t ∈ a [{t.x = 1: t.y = 2; else NULL}] → (t.y)
    After:   Σ t ∈ a [t.x = 1 and t.y = 2] → (t.y)
    Refuse:  a place where NULL and 0 differ; more branches
    Sound:   it is true if the branch is taken and its value is true, or for OR, if one of both is
    """
    match node:
        case t.Case(((condition, result),), default) if default in (t.FALSE, t.NULL):
            return junction(t.And, [condition, result], scope)
        case t.Case(((condition, result),), default) if result == t.TRUE:
            return junction(t.Or, [condition, default], scope)
        case t.Case(((condition, result),), default) if result in (t.FALSE, t.NULL):
            return junction(t.And, [negation(is_true(condition, scope), scope), default], scope)
    return None


_SHORTER = (
    eliminate_idle_branch,
    eliminate_idle_branch_in_condition,
    eliminate_literal_branch,
    eliminate_guard_of_aggregate,
)


def read_case(
    node: t.Case, scope: Scope, read: CaseReading, holds: CaseReading, *, is_condition: bool
) -> t.Expression:
    """A CASE with each branch read under its condition.

    Args:
        node: the CASE.
        scope: what is around it.
        read: reads its values.
        holds: reads its conditions, of which only the truth counts.
        is_condition: whether only the truth of its values counts.
    """
    branches: list[tuple[t.Expression, t.Expression]] = []
    untaken, default = [scope], node.default
    for place, (condition, result) in enumerate(node.branches):
        here = untaken[-1]
        simple = holds(condition, here)
        left = t.Case(((simple, result), *node.branches[place + 1 :]), node.default)
        if eliminate_decided_branch(left, here) is None:
            branches.append((simple, read(result, here.under((simple,)))))
            untaken.append(here.under((negation(is_true(simple, here), here),)))
        elif simple == t.TRUE:
            default = result
            break
    default = read(default, untaken[-1])
    while branches:
        taken = untaken[-2].under((branches[-1][0],))
        last = LastBranch(t.Case((branches[-1],), default), untaken[-1], taken, read, is_condition)
        shorter = first(_SHORTER, (last,), untaken[-2])
        if shorter is None:
            break
        default = shorter
        branches.pop()
        untaken.pop()
    return _plain(t.Case(tuple(branches), default), scope, is_condition=is_condition) if branches else default


def _plain(node: t.Case, scope: Scope, *, is_condition: bool) -> t.Expression:
    """A CASE of simplified parts, as a truth value if it is one."""
    merged = merge_alike_branches(node, scope) or node
    truth = convert_case_to_truth_value(merged, scope)
    if truth is None and is_condition:
        truth = convert_case_to_condition(merged, scope)
    return merged if truth is None else truth


@rewrite(on=t.Compare, keeps="truth")
def convert_bound_on_extreme_to_exists(node: t.Expression, scope: Scope) -> t.Expression | None:
    """Turn ``x < MAX(y)`` into EXISTS a row with ``x < y``; likewise MIN from above.

    Before:  x < MAX{Σ t ∈ a → (t.y)}
    After:   (∃ t ∈ a [x < t.y])
    Refuse:  a bound from the other side, which all rows must keep; =
    Sound:   the greatest of some values is beyond a bound exactly if one of them is; of none, it is NULL
    """
    match node:
        case t.Compare("<" | "<=", bound, t.Aggregate("MAX", bag)):
            claims = [t.Compare(node.operator, bound, term.outputs[0]) for term in bag.terms]
        case t.Compare("<" | "<=", t.Aggregate("MIN", bag), bound):
            claims = [t.Compare(node.operator, term.outputs[0], bound) for term in bag.terms]
        case _:
            return None
    pairs = zip(bag.terms, claims, strict=True)
    terms = (t.Term(term.bindings, t.conjunction([term.condition, claim]), ()) for term, claim in pairs)
    return t.Exists(t.Bag(tuple(terms)))


def _upper_or_lower_bound(node: t.Compare) -> t.Compare:
    """The comparison; that the least of some values equals the greatest, as that it is an upper bound."""
    match node:
        case t.Compare("=", t.Aggregate("MIN", bag), t.Aggregate("MAX", other)) if t.alpha(bag) == t.alpha(
            other
        ):
            return t.Compare("<=", node.right, node.left)
        case t.Compare("=", t.Aggregate("MAX", bag), t.Aggregate("MIN", other)) if t.alpha(bag) == t.alpha(
            other
        ):
            return replace(node, operator="<=")
    return node


def bound_is_literal_or_among_them(node: t.Compare) -> bool:
    """Whether the bound is a literal or the other extreme, and two copies would make no choices apart."""
    match bound := _upper_or_lower_bound(node):
        case t.Compare("<" | "<=", t.Aggregate("MAX"), t.Constant(kind)):
            return kind != "null" and not t.sites(node.left)
        case t.Compare("<" | "<=", t.Constant(kind), t.Aggregate("MIN")):
            return kind != "null" and not t.sites(node.right)
    return bound is not node and not t.sites(node)


@rewrite(on=t.Compare, keeps="truth", shape=(bound_is_literal_or_among_them,))
def convert_bound_on_all_to_exists(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Turn ``MAX(y) <= 1`` into that there is a y, and none beyond; likewise MIN from below, and MIN = MAX.

    Before:  MAX{Σ t ∈ a → (t.y)} ≤ 1
    After:   (∃ t ∈ a [not t.y is NULL]) and not (∃ t ∈ a [1 < t.y])
    Refuse:  a bound that is a column or may be NULL; a place where NULL and 0 differ; extremes of other rows
    Sound:   the greatest of some values is within a bound exactly if all of them are; of none, it is NULL
    """
    node = _upper_or_lower_bound(node)
    extreme = node.left if isinstance(node.left, t.Aggregate) else node.right
    assert isinstance(extreme, t.Aggregate)
    beyond: list[t.Term] = []
    for term in extreme.bag.terms:
        value = term.outputs[0]
        sides = (node.right, value) if extreme is node.left else (value, node.left)
        claim = t.Compare("<" if node.operator == "<=" else "<=", *sides)
        beyond.append(t.Term(term.bindings, t.conjunction([term.condition, claim]), ()))
    some = [
        t.Term(each.bindings, t.conjunction([each.condition, t.Not(t.IsNull(each.outputs[0]))]), ())
        for each in scope.world.names.copy_of(extreme.bag).terms
    ]
    return t.And((t.Exists(t.Bag(tuple(some))), t.Not(t.Exists(t.Bag(tuple(beyond))))))


def is_extreme_of_truths(node: t.Aggregate) -> bool:
    """Whether it is the MIN or MAX of truth values, of which two copies would make no choices apart."""
    return node.is_extreme and is_truth(node) and not t.sites(node)


@rewrite(on=t.Aggregate, keeps="truth", shape=(is_extreme_of_truths,))
def convert_extreme_of_truths_to_exists(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """MAX of conditions is true if one of them is; MIN if some are not NULL, and none is false.

    Before:  MAX{Σ t ∈ a → (t.x = 1)}
    After:   (∃ t ∈ a [t.x = 1])
    Refuse:  numbers; a place where NULL and 0 differ
    Sound:   TRUE is 1 and FALSE 0; of no conditions, or NULLs alone, the extreme is NULL
    """

    def rows(bag: t.Bag, claim: Callable[[t.Expression], t.Expression]) -> t.Expression:
        terms = [
            replace(each.where([*each.conjuncts, claim(each.outputs[0])]), outputs=()) for each in bag.terms
        ]
        return t.Exists(t.Bag(tuple(terms)))

    if node.function == "MAX":
        return rows(node.bag, t.IsTrue)
    some = rows(scope.world.names.copy_of(node.bag), lambda value: t.Not(t.IsNull(value)))
    return t.And((some, t.Not(rows(node.bag, t.Not))))


def an_argument_is_such_a_row(node: t.Exists, scope: Scope) -> bool:
    """Whether such a row is an argument of an aggregate that the conditions around show not to be NULL."""
    values = sorted((each for each in scope.known.not_null if isinstance(each, t.Aggregate)), key=repr)
    taken = (GivenRows.of_argument(each, scope) for each in values)
    return any(given is not None and given.implies(node) for given in taken)


@rewrite(on=t.Exists, keeps="value", needs=(an_argument_is_such_a_row,))
def fold_exists_of_argument(node: t.Exists, scope: Scope) -> t.Expression | None:
    """Do not ask for a row that an aggregate in another condition is taken of.

    Before:  (∃ s ∈ a [s.x = t.x]) and t.y = MAX{Σ s ∈ a [s.x = t.x and s.z = 1] → (s.y)}
    After:   t.y = MAX{Σ s ∈ a [s.x = t.x and s.z = 1] → (s.y)}
    Refuse:  COUNT, which is 0 of no rows; rows of which more is asked than of those of the aggregate
    Sound:   the other condition is not true where the aggregate is NULL, as it is of no rows
    """
    return t.TRUE


@rewrite(on=t.Constant, keeps="truth")
def reduce_constant_condition(node: t.Expression, scope: Scope) -> t.Expression | None:
    """A condition that is a constant is TRUE or FALSE.

    Before:  Σ t ∈ a [NULL] → (t.x)
    After:   Σ t ∈ a [FALSE] → (t.x)
    Refuse:  texts, which are read as numbers; a place where NULL and 0 differ
    Sound:   a row counts only where the condition is true, which neither NULL nor 0 is
    """
    truth = False if node == t.NULL else truth_of(node)
    changed = t.TRUE if truth else t.FALSE
    return None if truth is None or node == changed else changed


@rewrite(on=t.IsTrue, keeps="truth")
def eliminate_is_true_in_condition(node: t.Expression, scope: Scope) -> t.Expression | None:
    """A condition need not be asked whether it is true.

    Before:  Σ t ∈ a [true(t.x)] → (t.y)
    After:   Σ t ∈ a [t.x] → (t.y)
    Refuse:  a place where NULL and 0 differ
    Sound:   it is true for the same rows
    """
    return node.part if isinstance(node, t.IsTrue) else None


def one_side_is_never_null(node: t.Compare, scope: Scope) -> bool:
    """Whether one side of the comparison is never NULL."""
    return scope.never_null(node.left) or scope.never_null(node.right)


@rewrite(on=t.Compare, keeps="truth", shape=(is_null_safe,), needs=(one_side_is_never_null,))
def convert_is_to_equals_in_condition(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Compare by = instead of IS in a condition where one side is never NULL.

    Before:  Σ t ∈ a, s ∈ b [t.id is s.y] → (s.y)
    After:   Σ t ∈ a, s ∈ b [t.id = s.y] → (s.y)
    Refuse:  both sides may be NULL; a place where NULL and 0 differ
    Sound:   where the other side is NULL, neither is true
    """
    return t.Compare("=", node.left, node.right)


@rewrite(on=t.Compare, keeps="truth", shape=(is_null_if_a_side_is, compares_with_itself))
def reduce_comparison_with_itself(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Turn ``x = x`` in a condition into ``x IS NOT NULL``, and ``x < x`` into FALSE.

    Before:  Σ t ∈ a [t.x = t.x] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  two choices that may choose differently; a place where NULL and 0 differ
    Sound:   a value equals itself unless it is NULL, and is never less
    """
    return t.FALSE if node.operator == "<" else t.Not(t.IsNull(node.left))


@dataclass(frozen=True, slots=True)
class Complementary(PlaceIn[t.Or]):
    """Two branches of an OR, the one with a condition, the other with its negation."""

    rest: tuple[t.Expression, ...]
    """The remaining conjuncts of the branch with the condition."""
    other: tuple[t.Expression, ...]
    """The remaining conjuncts of the branch with its negation."""
    untaken: Scope
    """The scope in which the condition is not true."""
    facts: tuple[Fact, ...]
    """The facts by which one condition is the negation of the other."""
    read: Callable[[Sequence[t.Expression], Scope], t.Expression]
    """Simplifies a conjunction in a scope."""


def complementary(
    node: t.Or, scope: Scope, read: Callable[[Sequence[t.Expression], Scope], t.Expression]
) -> Iterator[Complementary]:
    """The splits of an OR into ``p AND a`` and ``NOT p AND b``."""
    match node.parts:
        case (one, two):
            for mine, theirs in ((one, two), (two, one)):
                parts = flat(t.And, (mine,))
                others = {t.alpha(part): part for part in flat(t.And, (theirs,))}
                for part in parts:
                    negated, facts = _negated(part, scope)
                    if negated in others:
                        rest = tuple(other for other in parts if other is not part)
                        wanted = tuple(other for name, other in others.items() if name != negated)
                        yield Complementary(node, rest, wanted, scope.under((others[negated],)), facts, read)


def _negated(part: t.Expression, scope: Scope) -> tuple[t.Expression, tuple[Fact, ...]]:
    """The key of the condition that another one is not true, and the facts that its simplification used."""
    mark = scope.world.open_step()
    with scope.world.aside():
        found = t.alpha(negation(is_true(part, scope), scope))
    return found, scope.world.close_step(mark, is_taken=False)


def branches_agree_elsewhere(at: Complementary, scope: Scope) -> bool:
    """Whether the remaining conjuncts of both branches agree where the condition is not true."""
    scope.world.use(at.facts)
    with scope.world.aside():
        return t.alpha(at.read(at.rest, at.untaken)) == t.alpha(at.read(at.other, at.untaken))


@rewrite(on=t.Or, keeps="truth", needs=(branches_agree_elsewhere,))
def merge_complementary_branches(at: Complementary, scope: Scope) -> t.Expression | None:
    """Merge ``p AND a OR NOT p AND b`` into a, where a and b agree if p is not true.

    Before:  t.p and t.x = 1 or not true(t.p) and t.x = 1
    After:   t.x = 1
    Refuse:  branches that part where the condition is not true
    Sound:   p AND a OR NOT p AND b is a, if a is b where p is not true
    """
    return t.conjunction(at.rest)
