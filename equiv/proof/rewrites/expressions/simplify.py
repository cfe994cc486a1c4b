"""Simplification of expressions by what is known in their scope.

Two readings: :func:`value` keeps the exact value; :func:`holds` keeps only whether an expression
is true, as of a condition: there FALSE and NULL are one.  Nested bags are handed to the scope.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Term,
    alpha,
    conjunction,
    integer,
    map_children,
    walk,
)
from equiv.algebra.times import by_parts, of_number, on_numbers
from equiv.algebra.truths import is_truth
from equiv.proof.rewrite import changed_by, first, rewrite
from equiv.proof.rewrites.constants import fold_apply, fold_convert, truth_of
from equiv.proof.rewrites.expressions.comparisons import (
    compared,
    compares_with_itself,
    convert_strftime_to_date,
    is_null_if_a_side_is,
    is_null_safe,
    is_same,
)
from equiv.proof.rewrites.expressions.extremes import (
    convert_bound_by_extreme_to_equality,
    convert_difference_from_extreme_to_bound,
    fold_null_test_of_extreme,
)
from equiv.proof.rewrites.expressions.logic import flat, is_true, junction, negation
from equiv.proof.rewrites.lookups.found import found_row, looked_up
from equiv.proof.rewrites.lookups.same_row import convert_key_of_lookup_to_row
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
        case IsTrue() if (asked := eliminate_is_true_in_condition(expression, scope)) is not None:
            return holds(asked, scope)
        case Case():
            return _true_only(_case(expression, scope, holds), scope)
        case Not():
            simple = value(expression, scope)
            less = convert_difference_from_extreme_to_bound(simple, scope)
            if isinstance(simple, And) or less is not None:
                return holds(less or simple, scope)
            return _true_only(simple, scope)
    simple = value(expression, scope)
    simple = convert_bound_by_extreme_to_equality(simple, scope) or simple
    reached = convert_bound_on_extreme_to_exists(simple, scope) or convert_key_of_lookup_to_row(simple, scope)
    return _true_only(simple, scope) if reached is None else value(reached, scope)


@rewrite(on=Compare, keeps="truth")
def convert_bound_on_extreme_to_exists(node: Expression, scope: Scope) -> Expression | None:
    """A bound that a MAX or MIN reaches is a row that reaches it.

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


def conditions(parts: Sequence[Expression], scope: Scope) -> Expression:
    """The conjunction of some conditions, each simplified by the others."""
    todo, done = list(flat(And, parts)), list[Expression]()
    while todo:
        part, *todo = todo
        part = holds(part, scope.under((*done, *todo)))
        if part in (FALSE, NULL):
            return FALSE
        done += [each for each in flat(And, (part,)) if truth_of(each) is not True]
    kept = tuple({alpha(part): part for part in done}.values())
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
    """One of the sides is not NULL."""
    return scope.never_null(node.left) or scope.never_null(node.right)


@rewrite(on=Compare, keeps="truth", shape=(is_null_safe,), needs=(one_side_is_never_null,))
def convert_is_to_equals_in_condition(node: Compare, scope: Scope) -> Expression | None:
    """A condition that compares by IS with what is not NULL may compare by =.

    Before:  Σ t ∈ a, s ∈ b [t.id is s.y] → (s.y)
    After:   Σ t ∈ a, s ∈ b [t.id = s.y] → (s.y)
    Refuse:  both sides may be NULL; a place where NULL and 0 differ
    Sound:   where the other side is NULL, neither is true
    """
    return Compare("=", node.left, node.right)


@rewrite(on=Compare, keeps="truth", shape=(is_null_if_a_side_is, compares_with_itself))
def reduce_comparison_with_itself(node: Compare, scope: Scope) -> Expression | None:
    """A condition that compares a value with itself asks whether it is NULL.

    Before:  Σ t ∈ a [t.x = t.x] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  two choices that may choose differently; a place where NULL and 0 differ
    Sound:   a value equals itself unless it is NULL, and is never less
    """
    return FALSE if node.operator == "<" else is_not_null(node.left, scope)


@rewrite(on=Or, keeps="truth")
def merge_complementary_branches(node: Or, scope: Scope) -> Expression | None:
    """Of two branches that are one where a condition is not true, the other one says it all.

    Before:  t.p and t.x = 1 or not true(t.p) and t.x = 1
    After:   t.x = 1
    Refuse:  branches that part where the condition is not true
    Sound:   p AND a OR NOT p AND b is a, if a is b where p is not true
    """
    match node.parts:
        case (one, two):
            return _by_cases(one, two, scope) or _by_cases(two, one, scope)
    return None


@rewrite(
    on=(Field, Apply, Convert, Compare, Or, Not, IsNull, Case, Found, Lookup, Exists, Aggregate, First),
    keeps="truth",
)
def fold_known_condition(node: Expression, scope: Scope) -> Expression | None:
    """A condition that is known to be true, or not to be, is TRUE or FALSE.

    Before:  Σ t ∈ a [t.x = 1 and (t.x = 1 or t.y = 2)] → (t.y)
    After:   Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition outside a NOT or an aggregate, said of other rows
    Sound:   the conditions around are true of the same rows
    """
    name = alpha(node)
    if name in scope.known.true:
        return TRUE
    return FALSE if name in scope.known.untrue else None


def _true_only(expression: Expression, scope: Scope) -> Expression:
    """What remains of a simplified value where only its truth counts."""
    match expression:
        case Constant():
            decided = reduce_constant_condition(expression, scope)
            if decided is None and truth_of(expression) is None:
                return _known_condition(expression, scope)
            return decided or expression
        case IsTrue():
            return eliminate_is_true_in_condition(expression, scope) or expression
        case Compare():
            equal = convert_is_to_equals_in_condition(expression, scope)
            if isinstance(equal, Compare):
                return _true_only(compared(equal, scope), scope)
            return reduce_comparison_with_itself(expression, scope) or _known_condition(expression, scope)
        case And(parts):
            return conditions(parts, scope)
        case Or((part,)):
            return part
        case Or():
            joint = merge_complementary_branches(expression, scope)
            return _known_condition(expression, scope) if joint is None else joint
    return _known_condition(expression, scope)


def _known_condition(expression: Expression, scope: Scope) -> Expression:
    return fold_known_condition(expression, scope) or expression


def _by_cases(one: Expression, two: Expression, scope: Scope) -> Expression | None:
    """The rest of the first branch, if the other one's is the same where the case of the first is not."""
    parts, others = flat(And, (one,)), {alpha(part): part for part in flat(And, (two,))}
    for part in parts:
        with scope.world.aside():
            negated = alpha(negation(is_true(part, scope), scope))
            if negated not in others:
                continue
            here = scope.under((others[negated],))
            rest = [other for other in parts if other is not part]
            wanted = [other for name, other in others.items() if name != negated]
            is_same_rest = alpha(conditions(rest, here)) == alpha(conditions(wanted, here))
        if is_same_rest:
            return conditions(rest, scope)
    return None


def is_not_null(node: Expression, scope: Scope) -> Expression:
    """The condition that a value is not NULL."""
    return negation(_is_null(node, scope), scope)


def value_is_never_null(node: IsNull, scope: Scope) -> bool:
    """The value is not NULL."""
    return scope.never_null(node.value)


@rewrite(on=IsNull, keeps="value", needs=(value_is_never_null,))
def fold_test_of_not_null(node: IsNull, scope: Scope) -> Expression | None:
    """A value that is never NULL is not NULL.

    Before:  t.id is NULL
    After:   FALSE
    Refuse:  a column that may be NULL
    Sound:   by the facts, or by the conditions around
    """
    return FALSE


@rewrite(on=IsNull, keeps="value")
def fold_test_of_null(node: IsNull, scope: Scope) -> Expression | None:
    """NULL is NULL, and so is what the conditions around say is.

    Before:  Σ t ∈ a [t.x is NULL] → (t.x is NULL)
    After:   Σ t ∈ a [t.x is NULL] → (TRUE)
    Refuse:  a value of other rows
    Sound:   the conditions around are true
    """
    return TRUE if node.value == NULL or alpha(node.value) in scope.known.null else None


@rewrite(on=IsNull, keeps="value")
def push_null_test_into_operands(node: IsNull, scope: Scope) -> Expression | None:
    """Ask of operands whether they are NULL, where the value is NULL exactly if one of them is.

    Before:  (t.x || t.y) is NULL
    After:   t.x is NULL or t.y is NULL
    Refuse:  arithmetic: infinity minus infinity is NULL, and so is a division by zero; IS
    Sound:   a conversion, =, <, <= and || are NULL exactly if an operand is
    """
    match node.value:
        case Convert(_, inner):
            return _is_null(inner, scope)
        case Compare("=" | "<" | "<=", left, right) | Apply("||", (left, right)):
            return junction(Or, [_is_null(left, scope), _is_null(right, scope)], scope)
    return None


def looks_up(node: IsNull) -> bool:
    """The value is a column of a row that is looked up."""
    return isinstance(node.value, Lookup)


def column_is_never_null(node: IsNull, scope: Scope) -> bool:
    """The column holds no NULL."""
    assert isinstance(node.value, Lookup)
    return scope.never_null_column(node.value.table, node.value.column)


@rewrite(on=IsNull, keeps="value", shape=(looks_up,), needs=(column_is_never_null,))
def convert_null_test_of_lookup(node: IsNull, scope: Scope) -> Expression | None:
    """A column that holds no NULL is NULL only if its row is not there.

    Before:  a[id = s.a_id].id is NULL
    After:   not a[id = s.a_id] ≠ ∅
    Refuse:  a column that may be NULL
    Sound:   a look-up is NULL where there is no row, else the column
    """
    assert isinstance(node.value, Lookup)
    found = Found(node.value.table, node.value.key, node.value.values)
    return negation(_by_knowledge(found_row(found, scope), scope), scope)


@rewrite(on=IsNull, keeps="value")
def push_null_test_into_case(node: IsNull, scope: Scope) -> Expression | None:
    """Ask of each branch of a CASE whether it is NULL.

    Before:  {t.x = 1: t.y; else 0} is NULL
    After:   {t.x = 1: t.y is NULL; else FALSE}
    Refuse:  nothing
    Sound:   the value is that of the branch that is taken
    """
    match node.value:
        case Case(branches, default):
            changed = tuple((condition, _is_null(each, scope)) for condition, each in branches)
            return _case(Case(changed, _is_null(default, scope)), scope)
    return None


NULL_TESTS = (
    fold_test_of_not_null,
    fold_test_of_null,
    fold_null_test_of_extreme,
    push_null_test_into_operands,
    convert_null_test_of_lookup,
    push_null_test_into_case,
)
"""What becomes of the question whether a simplified value is NULL, in order."""


def _is_null(node: Expression, scope: Scope) -> Expression:
    question = IsNull(node)
    for each in NULL_TESTS:
        found = each(question, scope)
        if found is not None:
            return found
    return question


@rewrite(on=Compare, keeps="value")
def convert_is_null(node: Compare, scope: Scope) -> Expression | None:
    """A comparison with NULL by IS asks whether the value is NULL.

    Before:  t.x is NULL, as a comparison
    After:   t.x is NULL, as a test
    Refuse:  =
    Sound:   it is the definition
    """
    if node.operator != "IS" or NULL not in (node.left, node.right):
        return None
    return _is_null(node.right if node.left == NULL else node.left, scope)


@rewrite(on=Compare, keeps="value")
def split_date_equality(node: Compare, scope: Scope) -> Expression | None:
    """Equate the parts of a date one by one.

    Before:  STRFTIME('%m-%d', t.d) = '02-29'
    After:   STRFTIME('%m', t.d) = '02' and STRFTIME('%d', t.d) = '29'
    Refuse:  codes of no fixed width, but for one year; a literal of another form
    Sound:   texts of one format of fixed widths are equal if they are part by part; whether STRFTIME is NULL
             depends on its date alone
    """
    parts = by_parts(node)
    return junction(And, [compared(part, scope) for part in parts], scope) if parts else None


def _leaf(node: Expression, scope: Scope) -> Expression:
    match node:
        case Compare() | Apply():
            return _operation(node, scope)
        case IsNull(inner):
            return _is_null(inner, scope)
        case Convert():
            found: Expression = changed_by(CONVERSIONS, node, scope)
            return found
        case Found():
            return found_row(node, scope)
        case Lookup():
            return looked_up(node, scope)
    return node


def _operation(node: Compare | Apply, scope: Scope) -> Expression:
    if isinstance(node, Compare) and (tested := convert_is_null(node, scope)) is not None:
        return tested
    changed = _with_exact_sums(node, scope)
    if changed != node:
        return _leaf(changed, scope) if isinstance(changed, Compare | Apply) else value(changed, scope)
    found: Expression
    if isinstance(node, Apply):
        found = changed_by(CALLS, node, scope)
        return found
    if (parts := split_date_equality(node, scope)) is not None:
        return parts
    dated = convert_strftime_to_date(node, scope)
    return compared(dated if isinstance(dated, Compare) else node, scope)


@rewrite(on=Convert, keeps="value")
def convert_cast_of_date_part(node: Convert, scope: Scope) -> Expression | None:
    """Read the text of an integer that STRFTIME returns as that integer.

    Before:  CAST(STRFTIME('%Y', t.d) AS REAL)
    After:   CAST(CAST(STRFTIME('%Y', t.d) AS INTEGER) AS REAL)
    Refuse:  formats that return no integer, as %f
    Sound:   such a text spells an integer and nothing else
    """
    changed = of_number(node)
    return None if changed is node else changed


def has_affinity_or_cast(node: Convert) -> bool:
    """The conversion leaves some storage classes alone."""
    return (node.to, node.explicit) in _UNCHANGED


def operand_is_left_alone(node: Convert, scope: Scope) -> bool:
    """The operand is of a storage class that the conversion leaves alone."""
    return scope.within_kinds(node.value, _UNCHANGED[node.to, node.explicit])


@rewrite(on=Convert, keeps="value", shape=(has_affinity_or_cast,), needs=(operand_is_left_alone,))
def eliminate_conversion(node: Convert, scope: Scope) -> Expression | None:
    """Drop a conversion that changes nothing.

    Before:  CAST(t.id AS INTEGER)
    After:   t.id
    Refuse:  a column that may hold another storage class, whatever its declared type
    Sound:   the value has the class that it is converted to, or one that is left alone
    """
    return node.value


@rewrite(on=Convert, keeps="value")
def fold_conversion(node: Convert, scope: Scope) -> Expression | None:
    """Convert a constant, where that is plain.

    Before:  NUMERIC('5')
    After:   5
    Refuse:  '5.0', ' 5', '05', and texts that are no number
    Sound:   the text is how SQLite writes the integer
    """
    changed = fold_convert(node)
    return None if changed is node else changed


CONVERSIONS = (convert_cast_of_date_part, eliminate_conversion, fold_conversion)
"""What becomes of a conversion of a simplified value, in order."""


@rewrite(on=Apply, keeps="value")
def convert_date_part_in_arithmetic(node: Apply, scope: Scope) -> Expression | None:
    """Compute with the integer that a text of STRFTIME spells.

    Before:  STRFTIME('%Y', t.d) + 1
    After:   CAST(STRFTIME('%Y', t.d) AS INTEGER) + 1
    Refuse:  ABS and SUM, which make a REAL of a text
    Sound:   arithmetic reads such a text as that integer
    """
    changed = on_numbers(node)
    return None if changed is node else changed


def divides_case(node: Apply) -> bool:
    """A CASE is divided by something."""
    match node:
        case Apply("/", (Case(), _)):
            return True
    return False


@rewrite(on=Apply, keeps="value", shape=(divides_case,))
def push_division_into_case(node: Apply, scope: Scope) -> Expression | None:
    """Divide each branch of a CASE, whose class may be known where that of the whole is not.

    Before:  {t.x = 1: 1; else 0.5} / 2
    After:   {t.x = 1: 0; else 0.25}
    Refuse:  a CASE that is always an integer, or always a REAL
    Sound:   the value is that of the branch that is taken
    """
    numerator, denominator = node.arguments
    assert isinstance(numerator, Case)
    if not scope.kinds(numerator) >= {"integer", "real"}:
        return None
    return value(_spread_division(numerator, denominator, scope), scope)


def divides_zero(node: Apply) -> bool:
    """The integer 0 is divided by something."""
    match node:
        case Apply("/", (Constant("integer", "0"), _)):
            return True
    return False


def denominator_is_whole(node: Apply, scope: Scope) -> bool:
    """The denominator is an integer or NULL."""
    return scope.within_kinds(node.arguments[1], frozenset({"integer", "null"}))


@rewrite(on=Apply, keeps="value", shape=(divides_zero,), needs=(denominator_is_whole,))
def fold_division_of_zero(node: Apply, scope: Scope) -> Expression | None:
    """Zero divided by an integer is zero, unless that is zero or NULL.

    Before:  0 / t.x
    After:   {t.x is NULL or t.x = 0: NULL; else 0}
    Refuse:  a REAL denominator, which makes 0.0 or -0.0
    Sound:   the quotient of integers is one, and a division by zero is NULL
    """
    denominator = node.arguments[1]
    zero = Compare("=", denominator, integer(0))
    return Case(((Or((IsNull(denominator), zero)), NULL),), integer(0))


@rewrite(on=Apply, keeps="value")
def eliminate_round_to_no_digits(node: Apply, scope: Scope) -> Expression | None:
    """ROUND to 0 digits is ROUND.

    Before:  ROUND(t.x, 0)
    After:   ROUND(t.x)
    Refuse:  NULL digits, which make NULL
    Sound:   0 is the default
    """
    match node:
        case Apply("ROUND", (rounded, Constant("integer", "0"))):
            return Apply("ROUND", (rounded,))
    return None


@rewrite(on=Apply, keeps="value")
def eliminate_inner_letter_case(node: Apply, scope: Scope) -> Expression | None:
    """UPPER and LOWER of UPPER or LOWER are those of its argument.

    Before:  UPPER(LOWER(t.x))
    After:   UPPER(t.x)
    Refuse:  another function between them
    Sound:   both change ASCII letters alone, each by itself, into the same text
    """
    match node:
        case Apply("UPPER" | "LOWER" as outer, (Apply("UPPER" | "LOWER", (inner,)),)):
            return Apply(outer, (inner,))
    return None


@rewrite(on=Apply, keeps="value")
def fold_call(node: Apply, scope: Scope) -> Expression | None:
    """A strict function of NULL is NULL, and arithmetic of small integers is computed.

    Before:  1 + 2
    After:   3
    Refuse:  results beyond 2**53; division; REALs; functions that are not NULL for NULL
    Sound:   the result is beyond doubt
    """
    changed = fold_apply(node)
    return None if changed is node else changed


CALLS = (
    convert_date_part_in_arithmetic,
    push_division_into_case,
    fold_division_of_zero,
    eliminate_round_to_no_digits,
    eliminate_inner_letter_case,
    fold_call,
)
"""What becomes of a call of simplified values, in order."""


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
    return normal_number(node, scope)


@rewrite(on=Case, keeps="value")
def eliminate_decided_branch(node: Case, scope: Scope) -> Expression | None:
    """Drop the first branch of a CASE if it is never taken, and the others if it always is.

    Before:  {FALSE: 1; t.x = 1: 2; else 3}
    After:   {t.x = 1: 2; else 3}
    Refuse:  a condition that is not decided
    Sound:   the value is that of the first branch whose condition is true
    """
    (condition, result), *rest = node.branches
    if condition == TRUE:
        return result
    if condition != FALSE:
        return None
    return Case(tuple(rest), node.default) if rest else node.default


@dataclass(frozen=True, slots=True)
class LastBranch:
    """A CASE of one branch, which is the last of a longer one."""

    shown: Case
    untaken: Scope
    """Where it is not taken."""
    read: Reading

    def is_idle(self) -> bool:
        """Whether the value of the branch is the default's also where it is not taken."""
        ((_, result),) = self.shown.branches
        with self.untaken.world.aside():
            return is_same(self.read(result, self.untaken), self.shown.default)


def is_read_as_value(at: LastBranch) -> bool:
    """The value counts."""
    return at.read is value


def is_read_as_condition(at: LastBranch) -> bool:
    """Only the truth of the value counts."""
    return at.read is holds


@rewrite(on=Case, keeps="value", shape=(is_read_as_value,))
def eliminate_idle_branch(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE if its value is the default's also where it is not taken.

    Before:  {t.x = 1: t.x; else 1}, where t.x is 1 if the branch is not taken
    After:   t.x
    Refuse:  values that are equal where the branch is taken only
    Sound:   both ways have the value of the branch
    """
    return at.shown.branches[0][1] if at.is_idle() else None


@rewrite(on=Case, keeps="truth", shape=(is_read_as_condition,))
def eliminate_idle_branch_in_condition(at: LastBranch, scope: Scope) -> Expression | None:
    """Drop the last branch of a CASE in a condition if it is as true as the default where it is not taken.

    Before:  Σ t ∈ a [{t.x = 1: NULL; else 0}] → (t.y)
    After:   Σ t ∈ a [FALSE] → (t.y)
    Refuse:  a place where NULL and 0 differ
    Sound:   both ways are as true as the branch
    """
    return at.shown.branches[0][1] if at.is_idle() else None


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
    """A CASE in a condition that is never true in one way is AND; one that always is in one way is OR.

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
    return None


def _case(node: Case, scope: Scope, read: Reading = value) -> Expression:
    """A CASE with each branch simplified under its condition; ``read`` simplifies its values."""
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
        last = LastBranch(Case((branches[-1],), default), untaken[-1], read)
        found = first((eliminate_idle_branch, eliminate_idle_branch_in_condition), (last,), untaken[-2])
        if found is None:
            break
        default = found
        branches.pop()
        untaken.pop()
    if not branches:
        return default
    several = Case(tuple(branches), default)
    merged = merge_alike_branches(several, scope) or several
    truth = convert_case_to_truth_value(merged, scope)
    if truth is None and read is holds:
        truth = convert_case_to_condition(merged, scope)
    return merged if truth is None else truth


@rewrite(on=(Compare, And, Or, Not, IsTrue, IsNull, Found, Exists, Apply, Case), keeps="value")
def fold_known_value(node: Expression, scope: Scope) -> Expression | None:
    """A value that the conditions around fix is that value.

    Before:  Σ t ∈ a [t.x = 1] → (t.x = 1, t.y is NULL)
    After:   Σ t ∈ a [t.x = 1] → (TRUE, t.y is NULL)
    Refuse:  what is known not to be true, and may be NULL; a number, which is not 1 because it is true
    Sound:   the conditions around are true of the same rows
    """
    name = alpha(node)
    if name in scope.known.null:
        return None if node == NULL else NULL
    if is_truth(node):
        if name in scope.known.true:
            return None if node == TRUE else TRUE
        if name in scope.known.untrue and scope.never_null(node):
            return None if node == FALSE else FALSE
    return None


def _by_knowledge(node: Expression, scope: Scope) -> Expression:
    """A simplified value replaced by what is known of it."""
    return fold_known_value(node, scope) or node


CASES = (
    eliminate_decided_branch,
    eliminate_idle_branch,
    eliminate_idle_branch_in_condition,
    merge_alike_branches,
    convert_case_to_truth_value,
    convert_case_to_condition,
)
"""What becomes of a CASE, in order."""

CONDITIONS = (
    convert_difference_from_extreme_to_bound,
    convert_bound_by_extreme_to_equality,
    convert_bound_on_extreme_to_exists,
    convert_key_of_lookup_to_row,
    reduce_constant_condition,
    eliminate_is_true_in_condition,
    convert_is_to_equals_in_condition,
    reduce_comparison_with_itself,
    merge_complementary_branches,
    fold_known_condition,
)
"""What becomes of a simplified value of which only the truth counts, in order."""
