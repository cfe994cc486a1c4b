"""Three-valued logic: conjunction, disjunction, negation and "is true" of simplified parts.

Every function here keeps the exact truth value, NULL included.
"""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.terms import FALSE, NULL, TRUE, And, Compare, Constant, Expression, IsTrue, Not, Or
from equiv.algebra.truths import is_truth
from equiv.proof.rewrites.constants import truth_of
from equiv.proof.rewrites.outputs import key
from equiv.proof.rewrites.scope import Scope


def is_true(condition: Expression, scope: Scope) -> Expression:
    """IsTrue of a simplified condition, pushed inwards."""
    match condition:
        case And(parts):
            return junction(And, [is_true(part, scope) for part in parts], scope)
        case Or(parts):
            return junction(Or, [is_true(part, scope) for part in parts], scope)
        case Constant("null"):
            return FALSE
    truth = truth_of(condition)
    if truth is not None:
        return TRUE if truth else FALSE
    return condition if is_truth(condition) and scope.never_null(condition) else IsTrue(condition)


def flat(kind: type[And | Or], parts: Sequence[Expression]) -> list[Expression]:
    """The parts, those of nested conjunctions (or disjunctions) among them."""
    found: list[Expression] = []
    for part in parts:
        found += flat(kind, part.parts) if isinstance(part, kind) else [part]
    return found


def junction(kind: type[And | Or], parts: Sequence[Expression], scope: Scope) -> Expression:
    """AND or OR of simplified parts, in three-valued logic."""
    neutral, final = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    unique: dict[Expression, Expression] = {}
    for part in flat(kind, parts):
        truth = truth_of(part)
        if truth is (kind is Or):
            return final
        if truth is None:
            unique.setdefault(key(part), part)
    kept = list(unique.values())
    if not kept:
        return neutral
    if len(kept) == 1 and is_truth(kept[0]):
        return kept[0]
    return _factored(kept, scope) if kind is Or else And(tuple(kept))


def _factored(parts: list[Expression], scope: Scope) -> Expression:
    """OR with the conjuncts that all parts share taken out; Kleene's logic is distributive."""
    lists = [{key(each): each for each in flat(And, (part,))} for part in parts]
    shared = [name for name in lists[0] if all(name in each for each in lists)]
    if not shared or len(parts) < 2:
        return Or(tuple(parts))
    common = [lists[0][name] for name in shared]
    rests = [tuple(part for name, part in each.items() if name not in shared) for each in lists]
    if not all(rests):
        return junction(And, common, scope)
    remaining = [rest[0] if len(rest) == 1 else And(rest) for rest in rests]
    return junction(And, [*common, junction(Or, remaining, scope)], scope)


def negation(part: Expression, scope: Scope) -> Expression:
    """NOT of a simplified part, pushed inwards; each step is exact in three-valued logic."""
    match part:
        case And(parts):
            return junction(Or, [negation(each, scope) for each in parts], scope)
        case Or(parts):
            return junction(And, [negation(each, scope) for each in parts], scope)
        case Not(inner) if is_truth(inner):
            return inner
        case Compare("<", left, right):
            return Compare("<=", right, left)
        case Compare("<=", left, right):
            return Compare("<", right, left)
        case Constant("null"):
            return NULL
    truth = truth_of(part)
    return Not(part) if truth is None else (FALSE if truth else TRUE)
