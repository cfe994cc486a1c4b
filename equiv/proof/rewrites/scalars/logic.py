"""Three-valued logic: conjunction, disjunction, negation, "is true" and "is NULL" of simplified parts.

Every function here keeps the exact truth value, NULL included, but where conditions in scope decide only
whether a condition is true.  Whether a value is NULL is decided, or asked of its parts; what such a rewrite
returns is built of further tests, which whoever asked puts in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from equiv.algebra import terms as t
from equiv.algebra.kinds import is_truth
from equiv.proof.rewrite import Rewrite, changed_by, rewrite
from equiv.proof.rewrites.scalars.comparisons import truth_of
from equiv.proof.rewrites.scalars.extremes import fold_null_test_of_extreme
from equiv.proof.rewrites.scope import Scope


def flat(kind: type[t.And | t.Or], parts: Sequence[t.Expression]) -> list[t.Expression]:
    """The conjuncts (or disjuncts) of some expressions, nested ones flattened."""
    found: list[t.Expression] = []
    for part in parts:
        found += flat(kind, part.parts) if isinstance(part, kind) else [part]
    return found


@rewrite(on=(t.And, t.Or), keeps="value")
def fold_junction(node: t.And | t.Or, scope: Scope) -> t.Expression | None:
    """AND and OR without nesting, repetition, and what decides nothing; FALSE or TRUE if a part decides.

    Before:  t.x = 1 and (t.y = 2 and t.x = 1) and TRUE
    After:   t.x = 1 and t.y = 2
    Refuse:  NULL, which decides neither; a single part that is a number and not a truth value
    Sound:   AND is the least and OR the greatest of truth values in the order FALSE, NULL, TRUE
    """
    kind = type(node)
    neutral, final = (t.TRUE, t.FALSE) if kind is t.And else (t.FALSE, t.TRUE)
    unique: dict[t.Expression, t.Expression] = {}
    for part in flat(kind, node.parts):
        truth = truth_of(part)
        if truth is (kind is t.Or):
            return final
        if truth is None:
            unique.setdefault(t.alpha(part), part)
    kept = tuple(unique.values())
    if not kept:
        return neutral
    if len(kept) == 1 and is_truth(kept[0]):
        return kept[0]
    return None if kept == node.parts else kind(kept)


@rewrite(on=t.Or, keeps="value")
def pull_shared_conjuncts(node: t.Or, scope: Scope) -> t.Expression | None:
    """Take out of an OR the conjuncts that all its parts share.

    Before:  t.x = 1 and t.y = 2 or t.x = 1 and t.z = 3
    After:   t.x = 1 and (t.y = 2 or t.z = 3)
    Refuse:  a part without the conjunct
    Sound:   Kleene's logic is distributive, and absorbs: p OR p AND q is p
    """
    lists = [{t.alpha(each): each for each in flat(t.And, (part,))} for part in node.parts]
    shared = [name for name in lists[0] if all(name in each for each in lists)]
    if not shared or len(lists) < 2:
        return None
    common = [lists[0][name] for name in shared]
    rests = [tuple(part for name, part in each.items() if name not in shared) for each in lists]
    if not all(rests):
        return junction(t.And, common, scope)
    remaining = [rest[0] if len(rest) == 1 else t.And(rest) for rest in rests]
    return junction(t.And, [*common, junction(t.Or, remaining, scope)], scope)


MAX_CLAUSES = 8
"""Into how many conjuncts an OR is spread."""


def is_spread_into_few(node: t.Or) -> bool:
    """A part is an AND, the parts have few conjuncts, and each of these asks a question of one row."""
    parts = [t.conjuncts(part) for part in node.parts]
    return 1 < prod(map(len, parts)) <= MAX_CLAUSES and all(
        _asks_of_row(one) for part in parts for one in part
    )


def _asks_of_row(condition: t.Expression) -> bool:
    """Whether a condition speaks of one row alone, and not of what another branch leaves."""
    is_rest = isinstance(condition, t.Not) and isinstance(condition.part, t.IsTrue)
    return len(t.free(condition)) < 2 and not t.bound(condition) and not is_rest


@rewrite(on=t.Or, keeps="truth", shape=(is_spread_into_few,))
def push_or_into_conjuncts(node: t.Or, scope: Scope) -> t.Expression | None:
    """Spread an OR over the conjuncts of its parts, less what others imply.

    Before:  (t.x = 1 and t.y = 2) or t.x = 3
    After:   (t.x = 1 or t.x = 3) and (t.y = 2 or t.x = 3)
    Refuse:  many conjuncts; a condition on two rows, as in t.x < s.x or t.x = s.x and t.y < s.y, an order
    Sound:   of truth values OR is the greatest, AND the least, and each spreads over the other
    """
    clauses = [dict.fromkeys(flat(t.Or, chosen)) for chosen in product(*map(t.conjuncts, node.parts))]
    least = [one for one in clauses if not any(other.keys() < one.keys() for other in clauses)]
    return t.conjunction(t.disjunction(clause) for clause in least)


@rewrite(on=t.Or, keeps="value")
def merge_bound_with_equality(node: t.Or, scope: Scope) -> t.Expression | None:
    """Ask once whether a value is less or equal.

    Before:  t.x < t.y or t.x = t.y
    After:   t.x ≤ t.y
    Refuse:  IS; the two comparisons with a value converted in one of them alone
    Sound:   each of the three is NULL exactly if a side is
    """
    equal = {
        t.alpha(sides)
        for part in node.parts
        if isinstance(part, t.Compare) and part.operator == "="
        for sides in (part, t.Compare("=", part.right, part.left))
    }
    for bound in node.parts:
        if isinstance(bound, t.Compare) and bound.operator == "<":
            same = t.alpha(t.Compare("=", bound.left, bound.right))
            if same in equal:
                pair = (same, t.alpha(t.Compare("=", bound.right, bound.left)))
                kept = [part for part in node.parts if part is not bound and t.alpha(part) not in pair]
                return junction(t.Or, [*kept, t.Compare("<=", bound.left, bound.right)], scope)
    return None


@rewrite(on=t.And, keeps="value")
def merge_opposite_bounds(node: t.And, scope: Scope) -> t.Expression | None:
    """Ask once whether two values are equal.

    Before:  t.x ≤ t.y and t.y ≤ t.x
    After:   t.x = t.y
    Refuse:  <
    Sound:   the values of a comparison are totally ordered; a side that is NULL makes all three NULL
    """
    bounds = {
        t.alpha(part): part for part in node.parts if isinstance(part, t.Compare) and part.operator == "<="
    }
    for name, bound in bounds.items():
        other = bounds.get(t.alpha(t.Compare("<=", bound.right, bound.left)))
        if other is not None and t.alpha(other) != name:
            kept = [part for part in node.parts if part is not bound and part is not other]
            return junction(t.And, [*kept, t.Compare("=", bound.right, bound.left)], scope)
    return None


JUNCTIONS: tuple[Rewrite[Any, Scope, t.Expression | None], ...] = (
    fold_junction,
    pull_shared_conjuncts,
    merge_bound_with_equality,
)
"""Rewrites of OR, and the first of AND, of simplified parts, in firing order."""


def junction(kind: type[t.And | t.Or], parts: Sequence[t.Expression], scope: Scope) -> t.Expression:
    """AND or OR of simplified parts, in three-valued logic."""
    rewrites = JUNCTIONS[:1] if kind is t.And else JUNCTIONS
    return changed_by(rewrites, kind(tuple(parts)), scope)


@rewrite(on=t.IsTrue, keeps="value")
def push_is_true_into_junction(node: t.IsTrue, scope: Scope) -> t.Expression | None:
    """Ask of each part of an AND or OR whether it is true.

    Before:  true(t.x = 1 and t.y = 2)
    After:   true(t.x = 1) and true(t.y = 2)
    Refuse:  NOT
    Sound:   AND is true if all parts are, OR if one is
    """
    match node.part:
        case t.And(parts) | t.Or(parts):
            return junction(type(node.part), [is_true(part, scope) for part in parts], scope)
    return None


@rewrite(on=t.IsTrue, keeps="value")
def fold_is_true(node: t.IsTrue, scope: Scope) -> t.Expression | None:
    """Decide whether a constant is true.

    Before:  true(NULL)
    After:   FALSE
    Refuse:  texts, which are read as numbers
    Sound:   a number is true unless it is 0, and NULL is not
    """
    if node.part == t.NULL:
        return t.FALSE
    truth = truth_of(node.part)
    return None if truth is None else (t.TRUE if truth else t.FALSE)


def asks_truth_value(node: t.IsTrue) -> bool:
    """Whether the operand is a truth value: 1, 0 or NULL."""
    return is_truth(node.part)


def part_is_never_null(node: t.IsTrue, scope: Scope) -> bool:
    """Whether the value is not NULL."""
    return scope.never_null(node.part)


@rewrite(on=t.IsTrue, keeps="value", shape=(asks_truth_value,), needs=(part_is_never_null,))
def eliminate_is_true(node: t.IsTrue, scope: Scope) -> t.Expression | None:
    """Drop IS TRUE around a truth value that is never NULL.

    Before:  true(t.id = 1)
    After:   t.id = 1
    Refuse:  a value that may be NULL; a number
    Sound:   it is 1 or 0, and IS TRUE is the same
    """
    return node.part


TRUTHS = (push_is_true_into_junction, fold_is_true, eliminate_is_true)
"""Rewrites of IS TRUE of a simplified value, in firing order."""


def is_true(condition: t.Expression, scope: Scope) -> t.Expression:
    """IsTrue of a simplified condition, pushed inwards."""
    return changed_by(TRUTHS, t.IsTrue(condition), scope)


@rewrite(on=t.Not, keeps="value")
def push_not_into_junction(node: t.Not, scope: Scope) -> t.Expression | None:
    """Push NOT through AND and OR.

    Before:  not (t.x = 1 and t.y = 2)
    After:   t.x ≠ 1 or t.y ≠ 2
    Refuse:  nothing
    Sound:   De Morgan's laws hold in Kleene's logic
    """
    match node.part:
        case t.And(parts) | t.Or(parts):
            other = t.Or if isinstance(node.part, t.And) else t.And
            return junction(other, [negation(each, scope) for each in parts], scope)
    return None


@rewrite(on=t.Not, keeps="value")
def eliminate_double_not(node: t.Not, scope: Scope) -> t.Expression | None:
    """Drop two NOTs.

    Before:  not not t.x = 1
    After:   t.x = 1
    Refuse:  a number: NOT NOT 5 is 1
    Sound:   NOT swaps 1 and 0 and leaves NULL
    """
    match node.part:
        case t.Not(inner) if is_truth(inner):
            return inner
    return None


@rewrite(on=t.Not, keeps="value")
def push_not_into_inequality(node: t.Not, scope: Scope) -> t.Expression | None:
    """Turn an inequality round.

    Before:  not t.x < 1
    After:   1 ≤ t.x
    Refuse:  = and IS
    Sound:   the values of a comparison are totally ordered; a side that is NULL makes both NULL
    """
    match node.part:
        case t.Compare("<", left, right):
            return t.Compare("<=", right, left)
        case t.Compare("<=", left, right):
            return t.Compare("<", right, left)
    return None


@rewrite(on=t.Not, keeps="value")
def fold_not(node: t.Not, scope: Scope) -> t.Expression | None:
    """Negate a constant.

    Before:  not 0
    After:   TRUE
    Refuse:  texts, which are read as numbers
    Sound:   NOT NULL is NULL, NOT of another number is 1 if it is 0, else 0
    """
    if node.part == t.NULL:
        return t.NULL
    truth = truth_of(node.part)
    return None if truth is None else (t.FALSE if truth else t.TRUE)


NEGATIONS = (push_not_into_junction, eliminate_double_not, push_not_into_inequality, fold_not)
"""Rewrites of the negation of a simplified value, in firing order."""


def negation(part: t.Expression, scope: Scope) -> t.Expression:
    """NOT of a simplified part, pushed inwards; each step is exact in three-valued logic."""
    return changed_by(NEGATIONS, t.Not(part), scope)


def untrue_value_is_false(node: t.Expression, scope: Scope) -> bool:
    """Whether a truth value that is known to be untrue is never NULL, so that it is FALSE."""
    name, known = t.alpha(node), scope.known
    if name not in known.untrue or name in known.null or name in known.true or not is_truth(node):
        return True
    return scope.never_null(node)


@rewrite(
    on=(t.Compare, t.And, t.Or, t.Not, t.IsTrue, t.IsNull, t.Found, t.Exists, t.Apply, t.Case),
    keeps="value",
    needs=(untrue_value_is_false,),
)
def fold_known_value(node: t.Expression, scope: Scope) -> t.Expression | None:
    """Fold a value that the conditions in scope fix: TRUE, FALSE or NULL.

    Before:  Σ t ∈ a [t.x = 1] → (t.x = 1, t.y is NULL)
    After:   Σ t ∈ a [t.x = 1] → (TRUE, t.y is NULL)
    Refuse:  what is known not to be true, and may be NULL; a number, which is not 1 because it is true
    Sound:   the conditions around are true of the same rows
    """
    name = t.alpha(node)
    if name in scope.known.null:
        return None if node == t.NULL else t.NULL
    if is_truth(node):
        if name in scope.known.true:
            return None if node == t.TRUE else t.TRUE
        if name in scope.known.untrue:
            return None if node == t.FALSE else t.FALSE
    return None


def by_knowledge(node: t.Expression, scope: Scope) -> t.Expression:
    """A simplified value, folded where the conditions in scope decide it."""
    return fold_known_value(node, scope) or node


@rewrite(
    on=(
        t.Field,
        t.Apply,
        t.Convert,
        t.Compare,
        t.Or,
        t.Not,
        t.IsNull,
        t.Case,
        t.Found,
        t.Lookup,
        t.Exists,
        t.Aggregate,
        t.First,
    ),
    keeps="truth",
)
def fold_known_condition(node: t.Expression, scope: Scope) -> t.Expression | None:
    """A condition that is known to be true, or not to be, is TRUE or FALSE.

    Before:  Σ t ∈ a [t.x = 1 and (t.x = 1 or t.y = 2)] → (t.y)
    After:   Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition outside a NOT or an aggregate, said of other rows
    Sound:   the conditions around are true of the same rows
    """
    name = t.alpha(node)
    if name in scope.known.true:
        return t.TRUE
    return t.FALSE if name in scope.known.untrue else None


def by_known_condition(expression: t.Expression, scope: Scope) -> t.Expression:
    """A simplified condition, folded where the conditions in scope decide it."""
    return fold_known_condition(expression, scope) or expression


def value_is_never_null(node: t.IsNull, scope: Scope) -> bool:
    """Whether the value is not NULL."""
    return scope.never_null(node.value)


@rewrite(on=t.IsNull, keeps="value", needs=(value_is_never_null,))
def fold_test_of_not_null(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """A value that is never NULL is not NULL.

    Before:  t.id is NULL
    After:   FALSE
    Refuse:  a column that may be NULL
    Sound:   by the facts, or by the conditions around
    """
    return t.FALSE


def value_is_null(node: t.IsNull, scope: Scope) -> bool:
    """Whether the value is NULL, or the conditions around say so."""
    return node.value == t.NULL or t.alpha(node.value) in scope.known.null


@rewrite(on=t.IsNull, keeps="value", needs=(value_is_null,))
def fold_test_of_null(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """NULL is NULL, and so is what the conditions around say is.

    Before:  Σ t ∈ a [t.x is NULL] → (t.x is NULL)
    After:   Σ t ∈ a [t.x is NULL] → (TRUE)
    Refuse:  a value of other rows
    Sound:   the conditions around are true
    """
    return t.TRUE


@rewrite(on=t.IsNull, keeps="value")
def push_null_test_into_operands(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """Push IS NULL into the operands of an operator that is NULL exactly if an operand is.

    Before:  (t.x || t.y) is NULL
    After:   t.x is NULL or t.y is NULL
    Refuse:  arithmetic: infinity minus infinity is NULL, and so is a division by zero; IS
    Sound:   a conversion, =, <, <= and || are NULL exactly if an operand is
    """
    match node.value:
        case t.Convert(_, inner):
            return t.IsNull(inner)
        case t.Compare("=" | "<" | "<=", left, right) | t.Apply("||", (left, right)):
            return t.Or((t.IsNull(left), t.IsNull(right)))
    return None


def looks_up(node: t.IsNull) -> bool:
    """Whether the value is a column of a row that is looked up."""
    return isinstance(node.value, t.Lookup)


def column_is_never_null(node: t.IsNull, scope: Scope) -> bool:
    """Whether the column holds no NULL."""
    assert isinstance(node.value, t.Lookup)
    return scope.never_null_column(node.value.table, node.value.column)


@rewrite(on=t.IsNull, keeps="value", shape=(looks_up,), needs=(column_is_never_null,))
def convert_null_test_of_lookup(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """A column that holds no NULL is NULL only if its row is not there.

    Before:  a[id = s.a_id].id is NULL
    After:   not a[id = s.a_id] ≠ ∅
    Refuse:  a column that may be NULL
    Sound:   a look-up is NULL where there is no row, else the column
    """
    assert isinstance(node.value, t.Lookup)
    return t.Not(t.Found(node.value.table, node.value.key, node.value.values))


@rewrite(on=t.IsNull, keeps="value")
def push_null_test_into_case(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """Ask of each branch of a CASE whether it is NULL.

    Before:  {t.x = 1: t.y; else 0} is NULL
    After:   {t.x = 1: t.y is NULL; else FALSE}
    Refuse:  nothing
    Sound:   the value is that of the branch that is taken
    """
    match node.value:
        case t.Case(branches, default):
            return t.Case(
                tuple((condition, t.IsNull(each)) for condition, each in branches), t.IsNull(default)
            )
    return None


NULL_TESTS = (
    fold_test_of_not_null,
    fold_test_of_null,
    fold_null_test_of_extreme,
    push_null_test_into_operands,
    convert_null_test_of_lookup,
    push_null_test_into_case,
)
"""Rewrites of a NULL test of a simplified value, in firing order."""


@rewrite(on=t.Compare, keeps="value")
def convert_is_null(node: t.Compare, scope: Scope) -> t.Expression | None:
    """A comparison with NULL by IS asks whether the value is NULL.

    Before:  t.x is NULL, as a comparison
    After:   t.x is NULL, as a test
    Refuse:  =
    Sound:   it is the definition
    """
    if node.operator != "IS" or t.NULL not in (node.left, node.right):
        return None
    return t.IsNull(node.right if node.left == t.NULL else node.left)
