"""CASE: decided and redundant branches dropped, and CASE in a condition as AND and OR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from equiv.algebra.terms import FALSE, NULL, TRUE, Aggregate, And, Case, Expression, Or
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.expressions.comparisons import is_same
from equiv.proof.rewrites.expressions.logic import is_true, junction, negation
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows

Reading = Callable[[Expression, Scope], Expression]
"""How an expression is simplified: what is kept of it, its value or only its truth."""


@rewrite(on=Case, keeps="value")
def eliminate_decided_branch(node: Case, scope: Scope) -> Expression | None:
    """Drop the first branch of a CASE if it is never taken, and the others if it always is.

    Before:  {FALSE: 1; t.x = 1: 2; else 3}
    After:   {t.x = 1: 2; else 3}
    Refuse:  a condition that is not decided
    Sound:   the value is that of the first branch whose condition is true
    """
    (condition, result), *later = node.branches
    if condition == TRUE:
        return result
    if condition != FALSE:
        return None
    return Case(tuple(later), node.default) if later else node.default


@dataclass(frozen=True, slots=True)
class LastBranch:
    """A CASE of one branch, which is the last of a longer one."""

    shown: Case
    untaken: Scope
    """The scope in which the branch is not taken."""
    taken: Scope
    """The scope in which it is."""
    read: Reading
    """How its values are read."""
    is_condition: bool
    """Whether only their truth counts."""


def is_read_as_value(at: LastBranch) -> bool:
    """The value counts."""
    return not at.is_condition


def is_read_as_condition(at: LastBranch) -> bool:
    """Only the truth of the value counts."""
    return at.is_condition


def branch_is_the_default_elsewhere(at: LastBranch, scope: Scope) -> bool:
    """The branch and the default have equal values wherever the branch is not taken."""
    ((_, result),) = at.shown.branches
    with scope.world.aside():
        return is_same(at.read(result, at.untaken), at.shown.default)


@rewrite(on=Case, keeps="value", shape=(is_read_as_value,), needs=(branch_is_the_default_elsewhere,))
def eliminate_idle_branch(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE if the branch's value equals the default wherever it is not taken.

    Before:  {t.x = 1: t.x; else 1}, where t.x is 1 if the branch is not taken
    After:   t.x
    Refuse:  values that are equal where the branch is taken only
    Sound:   both ways have the value of the branch
    """
    return at.shown.branches[0][1]


@rewrite(on=Case, keeps="truth", shape=(is_read_as_condition,), needs=(branch_is_the_default_elsewhere,))
def eliminate_idle_branch_in_condition(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE in a condition if it is as true as the default when it is not taken.

    Before:  Σ t ∈ a [{t.x = 1: NULL; else 0}] → (t.y)
    After:   Σ t ∈ a [FALSE] → (t.y)
    Refuse:  a place where NULL and 0 differ
    Sound:   both ways are as true as the branch
    """
    return at.shown.branches[0][1]


def is_null(at: LastBranch) -> bool:
    """The value of the branch is NULL."""
    return at.shown.branches[0][1] == NULL


def default_is_null_where_taken(at: LastBranch, scope: Scope) -> bool:
    """The default is NULL too wherever the branch is taken."""
    with scope.world.aside():
        return at.read(at.shown.default, at.taken) == NULL


@rewrite(on=Case, keeps="value", shape=(is_null, is_read_as_value), needs=(default_is_null_where_taken,))
def eliminate_null_branch(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE if it is NULL and the default would be, too.

    Before:  {t.y = 0: NULL; else t.x / t.y}
    After:   t.x / t.y
    Refuse:  a default that has a value where the branch is taken
    Sound:   both ways have the value of the default
    """
    return at.shown.default


def default_is_null(at: LastBranch) -> bool:
    """The value is NULL where the branch is not taken."""
    return at.shown.default == NULL and isinstance(at.shown.branches[0][1], Aggregate)


def value_shows_the_condition(at: LastBranch, scope: Scope) -> bool:
    """Where the value is not NULL, a row of which the aggregate is taken makes the condition true."""
    ((condition, result),) = at.shown.branches
    assert isinstance(result, Aggregate)
    given = GivenRows.of_argument(result, scope)
    return given is not None and given.implies(condition)


@rewrite(on=Case, keeps="value", shape=(default_is_null,), needs=(value_shows_the_condition,))
def eliminate_guard_of_aggregate(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE if its value is NULL of itself wherever the branch is not taken.

    Before:  {(∃ t ∈ a [t.x = 1]): MAX{Σ t ∈ a [t.x = 1] → (t.y)}; else NULL}
    After:   MAX{Σ t ∈ a [t.x = 1] → (t.y)}
    Refuse:  COUNT, which is 0 of no rows; a condition of which the rows say less
    Sound:   without an argument the aggregate is NULL, and an argument is of a row that shows the condition
    """
    return at.shown.branches[0][1]


@rewrite(on=Case, keeps="value")
def merge_alike_branches(node: Case, scope: Scope) -> Case | None:
    """Join branches of a CASE that follow each other and have one value.

    Before:  {t.x = 1: t.y; t.x = 2: t.y; else 0}
    After:   {t.x = 1 or t.x = 2: t.y; else 0}
    Refuse:  a branch with another value between them
    Sound:   whichever of them is taken, the value is that one
    """
    merged: list[tuple[Expression, Expression]] = []
    for condition, result in node.branches:
        if merged and is_same(merged[-1][1], result):
            merged[-1] = (junction(Or, [merged[-1][0], condition], scope), result)
        else:
            merged.append((condition, result))
    return Case(tuple(merged), node.default) if len(merged) < len(node.branches) else None


@rewrite(on=Case, keeps="value")
def convert_case_to_truth_value(node: Case, scope: Scope) -> Expression | None:
    """A CASE that is 1 or 0 is a truth value.

    Before:  {t.x = 1: 1; else 0}
    After:   true(t.x = 1)
    Refuse:  another value; more branches
    Sound:   it is 1 exactly if the condition is true, NULL excluded
    """
    match node:
        case Case(((condition, result),), default) if (result, default) == (TRUE, FALSE):
            return is_true(condition, scope)
        case Case(((condition, result),), default) if (result, default) == (FALSE, TRUE):
            return negation(is_true(condition, scope), scope)
    return None


@rewrite(on=Case, keeps="truth")
def convert_case_to_condition(node: Case, scope: Scope) -> Expression | None:
    """Turn a CASE of a condition into AND if one way is never true, into OR if its branch is always true.

    Before:  Σ t ∈ a [{t.x = 1: t.y = 2; else NULL}] → (t.y)
    After:   Σ t ∈ a [t.x = 1 and t.y = 2] → (t.y)
    Refuse:  a place where NULL and 0 differ; more branches
    Sound:   it is true if the branch is taken and its value is true, or for OR, if one of both is
    """
    match node:
        case Case(((condition, result),), default) if default in (FALSE, NULL):
            return junction(And, [condition, result], scope)
        case Case(((condition, result),), default) if result == TRUE:
            return junction(Or, [condition, default], scope)
        case Case(((condition, result),), default) if result in (FALSE, NULL):
            return junction(And, [negation(is_true(condition, scope), scope), default], scope)
    return None


CASES = (
    eliminate_decided_branch,
    eliminate_idle_branch,
    eliminate_idle_branch_in_condition,
    eliminate_null_branch,
    eliminate_guard_of_aggregate,
    merge_alike_branches,
    convert_case_to_truth_value,
    convert_case_to_condition,
)
"""Rewrites of a CASE, in firing order."""

_SHORTER = (
    eliminate_idle_branch,
    eliminate_idle_branch_in_condition,
    eliminate_null_branch,
    eliminate_guard_of_aggregate,
)


def read_case(node: Case, scope: Scope, read: Reading, holds: Reading, *, is_condition: bool) -> Expression:
    """A CASE with each branch read under its condition.

    Args:
        node: the CASE.
        scope: what is around it.
        read: reads its values.
        holds: reads its conditions, of which only the truth counts.
        is_condition: whether only the truth of its values counts.
    """
    branches: list[tuple[Expression, Expression]] = []
    untaken, default = [scope], node.default
    for place, (condition, result) in enumerate(node.branches):
        here = untaken[-1]
        simple = holds(condition, here)
        left = Case(((simple, result), *node.branches[place + 1 :]), node.default)
        if eliminate_decided_branch(left, here) is None:
            branches.append((simple, read(result, here.under((simple,)))))
            untaken.append(here.under((negation(is_true(simple, here), here),)))
        elif simple == TRUE:
            default = result
            break
    default = read(default, untaken[-1])
    while branches:
        taken = untaken[-2].under((branches[-1][0],))
        last = LastBranch(Case((branches[-1],), default), untaken[-1], taken, read, is_condition)
        shorter = first(_SHORTER, (last,), untaken[-2])
        if shorter is None:
            break
        default = shorter
        branches.pop()
        untaken.pop()
    return _plain(Case(tuple(branches), default), scope, is_condition=is_condition) if branches else default


def _plain(node: Case, scope: Scope, *, is_condition: bool) -> Expression:
    """A CASE of simplified parts, as a truth value if it is one."""
    merged = merge_alike_branches(node, scope) or node
    truth = convert_case_to_truth_value(merged, scope)
    if truth is None and is_condition:
        truth = convert_case_to_condition(merged, scope)
    return merged if truth is None else truth
