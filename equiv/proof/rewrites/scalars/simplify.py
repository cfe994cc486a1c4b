"""Simplification of expressions by what is known in their scope.

Two readings: :func:`value` keeps the exact value; :func:`holds` keeps only whether an expression
is true, as of a condition: there FALSE and NULL are one.  Nested bags are handed to the scope.
The rewrites beside this module only build; what they return is read again here.
"""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra import terms as t
from equiv.proof.rewrite import changed_by, first
from equiv.proof.rewrites.lookups import convert_key_of_lookup_to_row, found_row, looked_up
from equiv.proof.rewrites.scalars.calls import (
    CALLS,
    CONVERSIONS,
    convert_strftime_to_date,
    eliminate_test_of_divisor,
    push_comparison_into_case,
    split_date_equality,
)
from equiv.proof.rewrites.scalars.comparisons import compared, split_concatenation, truth_of
from equiv.proof.rewrites.scalars.conditions import (
    complementary,
    convert_bound_on_all_to_exists,
    convert_bound_on_extreme_to_exists,
    convert_extreme_of_truths_to_exists,
    convert_is_to_equals_in_condition,
    eliminate_is_true_in_condition,
    fold_exists_of_argument,
    merge_complementary_branches,
    read_case,
    reduce_comparison_with_itself,
    reduce_constant_condition,
)
from equiv.proof.rewrites.scalars.extremes import (
    convert_bound_by_extreme_to_equality,
    convert_checked_extreme_to_bound,
    convert_difference_from_extreme_to_bound,
    convert_extreme_of_some_group_to_own,
    fold_condition_of_extreme_row,
)
from equiv.proof.rewrites.scalars.logic import (
    NULL_TESTS,
    by_knowledge,
    by_known_condition,
    convert_is_null,
    flat,
    is_true,
    junction,
    merge_opposite_bounds,
    negation,
    push_or_into_conjuncts,
)
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.aggregates import normal_number
from equiv.proof.rewrites.sums.existence import fold_exists_of_row_around
from equiv.proof.rewrites.sums.linear import eliminate_guard_of_sum
from equiv.proof.rewrites.sums.referring_rows import fold_exists_by_reference


def value(expression: t.Expression, scope: Scope) -> t.Expression:
    """A simpler expression of the same value for all rows of which the scope's knowledge is true."""
    match expression:
        case t.And(parts):
            return junction(t.And, [value(part, scope) for part in parts], scope)
        case t.Or(parts):
            return junction(t.Or, [value(part, scope) for part in parts], scope)
        case t.Not(part):
            return negation(value(part, scope), scope)
        case t.IsTrue(part):
            return is_true(holds(part, scope), scope)
        case t.Case():
            read = read_case(expression, scope, value, holds, is_condition=False)
            unguarded = eliminate_guard_of_sum(read, scope) if isinstance(read, t.Case) else None
            return read if unguarded is None else value(unguarded, scope)
        case t.Exists() | t.Aggregate() | t.First():
            found = by_knowledge(_shown(scope.nested(expression, scope), scope), scope)
            is_decided = isinstance(found, t.Case) and t.alpha(found.branches[0][0]) in scope.known.true
            return value(found, scope) if is_decided else found
        case t.Constant():
            return expression
        case t.Compare("=" | "<" | "<=", left, right) if _hold_bags(left, right):
            # NULL beside a NULL, whatever the other side is: so each is read where the other is not NULL.
            left = value(left, scope.under((t.Not(t.IsNull(right)),)))
            right = value(right, scope.under((t.Not(t.IsNull(left)),)))
            return by_knowledge(_leaf(t.Compare(expression.operator, left, right), scope), scope)
    changed: t.Expression = t.map_children(expression, lambda child: value(child, scope))  # type: ignore[arg-type]
    return by_knowledge(_leaf(changed, scope), scope)


def _hold_bags(*sides: t.Expression) -> bool:
    """Whether rows are bound within each side, and both mention a row around them."""
    return all(map(t.bound, sides)) and not t.free(sides[0]).isdisjoint(t.free(sides[1]))


def holds(expression: t.Expression, scope: Scope) -> t.Expression:
    """A simpler expression that is true for the same rows."""
    match expression:
        case t.And(parts):
            return conditions(parts, scope)
        case t.Or(parts):
            return _true_only(junction(t.Or, _alternatives(parts, scope), scope), scope)
        case t.IsTrue() if (asked := eliminate_is_true_in_condition(expression, scope)) is not None:
            return holds(asked, scope)
        case t.Case():
            return _true_only(read_case(expression, scope, holds, holds, is_condition=True), scope)
        case t.Not():
            simple = value(expression, scope)
            less = convert_difference_from_extreme_to_bound(simple, scope)
            if isinstance(simple, t.And) or less is not None:
                return holds(less or simple, scope)
            return _true_only(simple, scope)
    simple = value(expression, scope)
    spread = push_comparison_into_case(simple, scope) if isinstance(simple, t.Compare) else None
    if spread is not None:
        return holds(spread, scope)
    simple = convert_bound_by_extreme_to_equality(simple, scope) or simple
    simple = convert_checked_extreme_to_bound(simple, scope) or simple
    if isinstance(simple, t.Compare) and (pieces := split_concatenation(simple, scope)) is not None:
        return holds(pieces, scope)
    reached = (
        convert_bound_on_extreme_to_exists(simple, scope)
        or (convert_bound_on_all_to_exists(simple, scope) if isinstance(simple, t.Compare) else None)
        or (convert_extreme_of_truths_to_exists(simple, scope) if isinstance(simple, t.Aggregate) else None)
        or convert_key_of_lookup_to_row(simple, scope)
    )
    return _true_only(simple, scope) if reached is None else value(reached, scope)


def conditions(parts: Sequence[t.Expression], scope: Scope) -> t.Expression:
    """The conjunction of some conditions, each simplified by the others."""
    todo, done = list(flat(t.And, parts)), list[t.Expression]()
    while (merged := merge_opposite_bounds(t.And(tuple(todo)), scope)) is not None:
        todo = list(flat(t.And, (merged,)))
    while todo:
        part, *todo = todo
        others = scope.under((*done, *todo))
        part = fold_condition_of_extreme_row(part, others) or holds(part, others)
        if part in (t.FALSE, t.NULL):
            return t.FALSE
        done += [each for each in flat(t.And, (part,)) if truth_of(each) is not True]
    kept = tuple({t.alpha(part): part for part in done}.values())
    return (t.TRUE if not kept else kept[0]) if len(kept) < 2 else t.And(kept)


def _alternatives(parts: Sequence[t.Expression], scope: Scope) -> list[t.Expression]:
    """The parts of a disjunction, each simplified where the smaller ones are not true."""
    listed = flat(t.Or, parts)
    here, simple = scope, dict[int, t.Expression]()
    for place in sorted(range(len(listed)), key=lambda at: sum(1 for _ in t.walk(listed[at]))):
        simple[place] = holds(listed[place], here)
        here = here.under((negation(is_true(simple[place], here), here),))
    kept = [simple[place] for place in range(len(listed)) if simple[place] not in (t.FALSE, t.NULL)]
    return _alternatives(kept, scope) if any(isinstance(part, t.Or) for part in kept) else kept


def _true_only(expression: t.Expression, scope: Scope) -> t.Expression:
    """A simplified value as a condition, of which only the truth counts."""
    match expression:
        case t.Constant():
            decided = reduce_constant_condition(expression, scope)
            if decided is None and truth_of(expression) is None:
                return by_known_condition(expression, scope)
            return decided or expression
        case t.IsTrue():
            return eliminate_is_true_in_condition(expression, scope) or expression
        case t.Compare():
            equal = convert_is_to_equals_in_condition(expression, scope)
            if isinstance(equal, t.Compare):
                return _true_only(compared(equal, scope), scope)
            own = reduce_comparison_with_itself(expression, scope)
            return by_known_condition(expression, scope) if own is None else _tested(own, scope)
        case t.Not():
            return eliminate_test_of_divisor(expression, scope) or by_known_condition(expression, scope)
        case t.And(parts):
            return conditions(parts, scope)
        case t.Or((part,)):
            return part
        case t.Or():
            joint = first(
                (merge_complementary_branches,), complementary(expression, scope, conditions), scope
            )
            joint = joint or push_or_into_conjuncts(expression, scope)
            return by_known_condition(expression, scope) if joint is None else conditions((joint,), scope)
    return by_known_condition(expression, scope)


def _shown(node: t.Expression, scope: Scope) -> t.Expression:
    """What is left of an EXISTS whose row other conditions, or foreign keys, show to be there."""
    if not isinstance(node, t.Exists):
        return node
    own = convert_extreme_of_some_group_to_own(node, scope)
    if own is not None:
        return value(own, scope)
    return (
        fold_exists_of_argument(node, scope)
        or fold_exists_by_reference(node, scope)
        or fold_exists_of_row_around(node, scope)
        or node
    )


def _leaf(node: t.Expression, scope: Scope) -> t.Expression:
    match node:
        case t.Compare() | t.Apply():
            return _operation(node, scope)
        case t.IsNull():
            return _tested(node, scope)
        case t.Convert():
            return changed_by(CONVERSIONS, node, scope)
        case t.Found():
            return found_row(node, scope)
        case t.Lookup():
            return looked_up(node, scope)
    return node


def _operation(node: t.Compare | t.Apply, scope: Scope) -> t.Expression:
    if isinstance(node, t.Compare) and (tested := convert_is_null(node, scope)) is not None:
        return _tested(tested, scope)
    changed = _with_exact_sums(node, scope)
    if changed != node:
        return _leaf(changed, scope) if isinstance(changed, t.Compare | t.Apply) else value(changed, scope)
    simplified: t.Expression
    if isinstance(node, t.Apply):
        simplified = changed_by(CALLS, node, scope)
        return value(simplified, scope) if isinstance(simplified, t.Case) else simplified
    if isinstance(dates := split_date_equality(node, scope), t.And):
        return junction(
            t.And, [compared(part, scope) for part in dates.parts if isinstance(part, t.Compare)], scope
        )
    dated = convert_strftime_to_date(node, scope)
    return compared(dated if isinstance(dated, t.Compare) else node, scope)


def _with_exact_sums(node: t.Compare | t.Apply, scope: Scope) -> t.Expression:
    """The node with its sums read by value, if it has any."""
    if not any(isinstance(inner, t.Aggregate | t.Exists) for inner in t.walk(node)):
        return node
    return normal_number(node, scope)


def _tested(node: t.Expression, scope: Scope) -> t.Expression:
    """NULL tests of simplified values, decided or pushed into operands."""
    match node:
        case t.IsNull():
            decided = first(NULL_TESTS, (node,), scope)
            return node if decided is None else _tested(decided, scope)
        case t.Or(parts):
            return junction(t.Or, [_tested(part, scope) for part in parts], scope)
        case t.Not(part):
            return negation(_tested(part, scope), scope)
        case t.Found():
            return by_knowledge(found_row(node, scope), scope)
        case t.Case(branches, default):
            asked = tuple((condition, _tested(result, scope)) for condition, result in branches)
            return value(t.Case(asked, _tested(default, scope)), scope)
    return node
