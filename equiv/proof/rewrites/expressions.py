"""Simplification of expressions by what is known in their scope.

Two readings: :func:`value` keeps the exact value; :func:`holds` keeps only whether an expression
is true, as of a condition: there FALSE and NULL are one.  Nested bags are handed to the scope.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Apply,
    Bag,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    First,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Term,
    conjunction,
    integer,
    map_children,
    walk,
)
from equiv.algebra.times import by_date, by_parts, of_number, on_numbers
from equiv.algebra.truths import is_truth
from equiv.proof.rewrites.comparisons import compared, is_same
from equiv.proof.rewrites.constants import fold_apply, fold_convert, truth_of
from equiv.proof.rewrites.logic import flat, is_true, junction, negation
from equiv.proof.rewrites.lookups import found_row, looked_up
from equiv.proof.rewrites.outputs import key
from equiv.proof.rewrites.same_row import by_own_key
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.aggregates import normal_number
from equiv.sqlite.functions.traits import Kind

Reading = Callable[[Expression, Scope], Expression]

_UNCHANGED: dict[tuple[str, bool], frozenset[Kind]] = {
    ("INTEGER", True): frozenset({"null", "integer"}),
    ("REAL", True): frozenset({"null", "real"}),
    ("TEXT", True): frozenset({"null", "text"}),
    ("BLOB", True): frozenset({"null", "blob"}),
    ("NUMERIC", True): frozenset({"null", "integer"}),
    ("NUMERIC", False): frozenset({"null", "integer", "real", "blob"}),
    ("TEXT", False): frozenset({"null", "text", "blob"}),
    ("BLOB", False): frozenset({"null", "integer", "real", "text", "blob"}),
}
"""The storage classes that a conversion leaves alone."""


def value(expression: Expression, scope: Scope) -> Expression:
    """A simpler expression of the same value for all rows of which the scope's knowledge is true."""
    match expression:
        case And(parts):
            return junction(And, [value(part, scope) for part in parts], scope)
        case Or(parts):
            return junction(Or, [value(part, scope) for part in parts], scope)
        case Not(part):
            return negation(value(part, scope), scope)
        case IsTrue(part):
            return is_true(holds(part, scope), scope)
        case Case():
            return _case(expression, scope)
        case Exists() | Aggregate() | First():
            return _by_knowledge(scope.nested(expression, scope), scope)
        case Constant():
            return expression
    changed: Expression = map_children(expression, lambda child: value(child, scope))  # type: ignore[arg-type]
    return _by_knowledge(_leaf(changed, scope), scope)


def holds(expression: Expression, scope: Scope) -> Expression:
    """A simpler expression that is true for the same rows."""
    match expression:
        case And(parts):
            return conditions(parts, scope)
        case Or(parts):
            return _true_only(junction(Or, _alternatives(parts, scope), scope), scope)
        case IsTrue(part):
            return holds(part, scope)
        case Case():
            return _true_only(_case(expression, scope, holds), scope)
        case Not(part):
            simple = value(expression, scope)
            return holds(simple, scope) if isinstance(simple, And) else _true_only(simple, scope)
    simple = value(expression, scope)
    reached = _reached(simple) or by_own_key(simple, scope)
    return _true_only(simple, scope) if reached is None else value(reached, scope)


def _reached(node: Expression) -> Exists | None:
    """A bound that an extreme value reaches as a row that reaches it; None if the node is no such thing."""
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


def conditions(parts: Sequence[Expression], scope: Scope) -> Expression:
    """The conjunction of some conditions, each simplified by the others."""
    todo, done = list(flat(And, parts)), list[Expression]()
    while todo:
        part, *todo = todo
        part = holds(part, scope.under((*done, *todo)))
        if part in (FALSE, NULL):
            return FALSE
        done += [each for each in flat(And, (part,)) if truth_of(each) is not True]
    kept = tuple({key(part): part for part in done}.values())
    return (TRUE if not kept else kept[0]) if len(kept) < 2 else And(kept)


def _alternatives(parts: Sequence[Expression], scope: Scope) -> list[Expression]:
    """The parts of a disjunction, each simplified where the smaller ones are not true."""
    listed = flat(Or, parts)
    here, simple = scope, dict[int, Expression]()
    for place in sorted(range(len(listed)), key=lambda at: sum(1 for _ in walk(listed[at]))):
        simple[place] = holds(listed[place], here)
        here = here.under((negation(is_true(simple[place], here), here),))
    kept = [simple[place] for place in range(len(listed)) if simple[place] not in (FALSE, NULL)]
    return _alternatives(kept, scope) if any(isinstance(part, Or) for part in kept) else kept


def _true_only(expression: Expression, scope: Scope) -> Expression:
    """What remains of a simplified value where only its truth counts."""
    truth = truth_of(expression)
    if truth is not None:
        return TRUE if truth else FALSE
    match expression:
        case Constant("null"):
            return FALSE
        case IsTrue(part):
            return part
        case Compare("IS", left, right) if scope.never_null(left) or scope.never_null(right):
            return _true_only(compared(Compare("=", left, right), scope), scope)
        case Compare("=" | "<=", left, right) if is_same(left, right):
            return is_not_null(left, scope)
        case Compare("<", left, right) if is_same(left, right):
            return FALSE
        case And(parts):
            return conditions(parts, scope)
        case Or((part,)):
            return part
        case Or((one, two)):
            joint = _by_cases(one, two, scope) or _by_cases(two, one, scope)
            if joint is not None:
                return joint
    if key(expression) in scope.known.true:
        return TRUE
    return FALSE if key(expression) in scope.known.untrue else expression


def _by_cases(one: Expression, two: Expression, scope: Scope) -> Expression | None:
    """What ``p AND a OR NOT p AND b`` says if a is b where p is not true: then it is a."""
    parts, others = flat(And, (one,)), {key(part): part for part in flat(And, (two,))}
    for part in parts:
        negated = key(negation(is_true(part, scope), scope))
        if negated in others:
            here = scope.under((others[negated],))
            rest = [other for other in parts if other is not part]
            wanted = [other for name, other in others.items() if name != negated]
            if key(conditions(rest, here)) == key(conditions(wanted, here)):
                return conditions(rest, scope)
    return None


def is_not_null(node: Expression, scope: Scope) -> Expression:
    """The condition that a value is not NULL."""
    return negation(_is_null(node, scope), scope)


def _is_null(node: Expression, scope: Scope) -> Expression:
    if scope.never_null(node):
        return FALSE
    if node == NULL or key(node) in scope.known.null:
        return TRUE
    match node:
        case Convert(_, inner):
            return _is_null(inner, scope)
        case Compare("=" | "<" | "<=", left, right) | Apply("||", (left, right)):
            return junction(Or, [_is_null(left, scope), _is_null(right, scope)], scope)
        case Lookup(table, names, values, column) if scope.never_null_column(table, column):
            return negation(_by_knowledge(found_row(Found(table, names, values), scope), scope), scope)
        case Case(branches, default):
            changed = tuple((condition, _is_null(each, scope)) for condition, each in branches)
            return _case(Case(changed, _is_null(default, scope)), scope)
    return IsNull(node)


def _leaf(node: Expression, scope: Scope) -> Expression:
    match node:
        case Compare("IS", left, right) if NULL in (left, right):
            return _is_null(right if left == NULL else left, scope)
        case Compare() | Apply() if (changed := _with_exact_sums(node, scope)) != node:
            return _leaf(changed, scope) if isinstance(changed, Compare | Apply) else value(changed, scope)
        case Compare() if parts := by_parts(node):
            return junction(And, [compared(part, scope) for part in parts], scope)
        case Compare():
            return compared(by_date(node), scope)
        case IsNull(inner):
            return _is_null(inner, scope)
        case Convert():
            return _conversion(node, scope)
        case Apply():
            return _call(node, scope)
        case Found():
            return found_row(node, scope)
        case Lookup():
            return looked_up(node, scope)
    return node


def _conversion(node: Convert, scope: Scope) -> Expression:
    node = of_number(node)
    kept = _UNCHANGED.get((node.to, node.explicit))
    return node.value if kept and scope.within_kinds(node.value, kept) else fold_convert(node)


def _call(node: Apply, scope: Scope) -> Expression:
    match on_numbers(node):
        case Apply("/", (Case() as numerator, denominator)) if _is_mixed(numerator, scope):
            return value(_spread_division(numerator, denominator, scope), scope)
        case Apply("/", (Constant("integer", "0"), denominator)) if _is_whole(denominator, scope):
            zero = Compare("=", denominator, integer(0))
            return Case(((Or((IsNull(denominator), zero)), NULL),), integer(0))
        case Apply("ROUND", (rounded, Constant("integer", "0"))):
            return Apply("ROUND", (rounded,))
        case other:
            return fold_apply(other)


def _is_mixed(node: Expression, scope: Scope) -> bool:
    """Whether a value may be an integer and may be a REAL, so that dividing it truncates or does not."""
    return scope.kinds(node) >= {"integer", "real"}


def _is_whole(node: Expression, scope: Scope) -> bool:
    return scope.within_kinds(node, frozenset({"integer", "null"}))


def _spread_division(numerator: Case, denominator: Expression, scope: Scope) -> Case:
    """The quotient of each branch, whose class may be known where that of the whole is not."""

    def over(part: Expression) -> Expression:
        return Apply("/", (part, scope.world.names.copy_of(denominator)))

    branches = tuple((condition, over(result)) for condition, result in numerator.branches)
    return Case(branches, over(numerator.default))


def _with_exact_sums(node: Compare | Apply, scope: Scope) -> Expression:
    """The node with its sums read by value, if it has any."""
    if not any(isinstance(inner, Aggregate | Exists) for inner in walk(node)):
        return node
    return normal_number(node, scope.world, scope.sources)


def _case(node: Case, scope: Scope, read: Reading = value) -> Expression:
    """A CASE with each branch simplified under its condition; ``read`` simplifies its values."""
    branches: list[tuple[Expression, Expression]] = []
    untaken = [scope]
    default = node.default
    for condition, result in node.branches:
        simple = holds(condition, untaken[-1])
        if simple == TRUE:
            default = result
            break
        if simple != FALSE:
            branches.append((simple, read(result, untaken[-1].under((simple,)))))
            here = untaken[-1]
            untaken.append(here.under((negation(is_true(simple, here), here),)))
    default = read(default, untaken[-1])
    # A last branch goes if its value is the default's also where it is not taken.
    while branches and is_same(read(branches[-1][1], untaken[-1]), default):
        default = branches.pop()[1]
        untaken.pop()
    merged: list[tuple[Expression, Expression]] = []
    for condition, result in branches:
        if merged and is_same(merged[-1][1], result):
            merged[-1] = (junction(Or, [merged[-1][0], condition], scope), result)
        else:
            merged.append((condition, result))
    if len(merged) == 1:
        return _choice(*merged[0], default, scope, only_truth=read is holds)
    return Case(tuple(merged), default) if merged else default


def _choice(
    condition: Expression, result: Expression, default: Expression, scope: Scope, *, only_truth: bool
) -> Expression:
    """A CASE of one branch, as AND, OR or NOT if it is one."""
    if (result, default) == (TRUE, FALSE):
        return is_true(condition, scope)
    if (result, default) == (FALSE, TRUE):
        return negation(is_true(condition, scope), scope)
    if only_truth and default in (FALSE, NULL):
        return junction(And, [condition, result], scope)
    if only_truth and result == TRUE:
        return junction(Or, [condition, default], scope)
    return Case(((condition, result),), default)


def _by_knowledge(node: Expression, scope: Scope) -> Expression:
    """A simplified value replaced by what is known of it."""
    name = key(node)
    if name in scope.known.null:
        return NULL
    if is_truth(node):
        if name in scope.known.true:
            return TRUE
        if name in scope.known.untrue and scope.never_null(node):
            return FALSE
    return node
