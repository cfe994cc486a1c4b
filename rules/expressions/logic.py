"""Logic: literals, AND, OR and NOT in three-valued logic, and tests for NULL.

*Literals* have one spelling each, and operators between them are computed.  Integer division truncates
towards zero, and division by zero is NULL.  Only integers within 64 bits and text are evaluated; REAL
arithmetic is left to SQLite.

*AND and OR.*  SQLite has no boolean type: AND, OR and NOT read any value as a truth value (text through its
numeric prefix) and give 1, 0 or NULL.  So ``x AND 1`` is not ``x``: it is 1 where x is 7.  Such steps need an
operand that is 0, 1 or NULL already, or a place where only truth counts.  Most laws of the two-valued algebra
hold in Kleene's logic (De Morgan, absorption, distribution); the excluded middle does not: ``x OR NOT x`` is
NULL for NULL.

*NOT* gives 1 for zero, 0 for any other number and NULL for NULL.  So ``NOT NOT x`` is not ``x`` for x = 7,
unless only truth counts.  A comparison has an opposite; IS, IN, LIKE and EXISTS keep their NOT.

*IS NULL, IS, and predicates that imply them.*  NOT NULL of a column is a promise about its table, not about
the place where the column is read: an outer join pads it with NULLs, and so does an ungrouped aggregate query
over no rows.  Where false and NULL have the same effect, a predicate that is NULL for a NULL column already
says that it is not NULL.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_boolean, is_integer_literal, is_number, is_text
from equiv.core.claims.fingerprint import chain
from equiv.core.claims.nullness import is_condition, is_null_test, never_null, rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, all_of, is_repeatable
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    Node,
    dual,
    is_whole_chain,
    loses_no_aggregate,
    number,
    operand_is_never_null,
    parts_of,
    same,
    stands_in_condition,
    tests_for_null,
    unlike,
)

DECIMAL = re.compile(r"([0-9]+)\.([0-9]*)\Z")
LIMIT = 2**63


def _divided(left: int, right: int) -> int | None:
    return None if right == 0 else abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int | None:
    return None if right == 0 else abs(left) % abs(right) * (-1 if left < 0 else 1)


ARITHMETIC: dict[type[Node], Callable[[int, int], int | None]] = {
    exp.Add: lambda left, right: left + right,
    exp.Sub: lambda left, right: left - right,
    exp.Mul: lambda left, right: left * right,
    exp.Div: _divided,
    exp.Mod: _remainder,
}
HOLDS: dict[type[Node], tuple[int, ...]] = {
    exp.EQ: (0,),
    exp.NEQ: (-1, 1),
    exp.LT: (-1,),
    exp.LTE: (-1, 0),
    exp.GT: (1,),
    exp.GTE: (0, 1),
}
"""How the operands of a comparison that is true may compare."""


def integer_of(literal: Node) -> int:
    """The value of an integer literal."""
    return -int(literal.this.name) if isinstance(literal, exp.Neg) else int(literal.name)


def joins_integers(node: Node) -> bool:
    """An operator between two integer literals."""
    return is_integer_literal(node.this) and is_integer_literal(node.expression)


def joins_text(node: Node) -> bool:
    """An operator between two string literals."""
    return is_text(node.this) and is_text(node.expression)


def compares_like_literals(node: Node) -> bool:
    """A comparison of two integers or two strings."""
    return joins_integers(node) or joins_text(node)


@rule(on=exp.Literal)
def fold_number_spelling(literal: Node, ctx: Context) -> Node | None:
    """Spell a number without superfluous zeros.

    Before:  SELECT id FROM person WHERE score > 1.50
    After:   SELECT id FROM person WHERE score > 1.5
    Refuse:  1.0 stays REAL and does not become 1: 7 / 1.0 and 7 / 2 * 1 tell
    Sound:   the same value of the same storage class; up to 15 digits REAL is exact
    """
    if literal.is_string:
        return None
    found = DECIMAL.match(literal.name)
    if found is None:
        spelt = str(int(literal.name)) if is_integer_literal(literal) else literal.name
    elif len(literal.name) > 16:
        return None
    else:
        spelt = f"{int(found[1])}.{found[2].rstrip('0') or '0'}"
    return exp.Literal.number(spelt) if spelt != literal.name else None


@rule(on=tuple(ARITHMETIC), shape=(joins_integers,))
def fold_integer_arithmetic(node: Node, ctx: Context) -> Node | None:
    """Evaluate arithmetic on integer literals.

    Before:  SELECT id FROM person WHERE age > -7 / 2
    After:   SELECT id FROM person WHERE age > -3
    Refuse:  9223372036854775807 + 1, which is REAL
    Sound:   computed as SQLite does: truncating division, remainder with the dividend's sign, NULL for zero
    """
    value = ARITHMETIC[type(node)](integer_of(node.this), integer_of(node.expression))
    if value is None:
        return exp.Null()
    return number(value) if abs(value) < LIMIT else None


@rule(on=COMPARISONS, shape=(compares_like_literals,))
def fold_literal_comparison(node: Node, ctx: Context) -> Node | None:
    """Evaluate a comparison of two integers or two strings.

    Before:  SELECT id FROM person WHERE 1 = 1 AND age > 3
    After:   SELECT id FROM person WHERE 1 AND age > 3
    Refuse:  '1' = 1: false in SQLite, but left alone
    Sound:   integers compare by value, strings without a collation by their UTF-8 bytes
    """
    if is_text(node.this):
        left, right = node.this.name.encode(), node.expression.name.encode()
        order = (left > right) - (left < right)
    else:
        one, two = integer_of(node.this), integer_of(node.expression)
        order = (one > two) - (one < two)
    return number(1 if order in HOLDS[type(node)] else 0)


def truth_of(node: Node) -> bool | None:
    """The truth of a numeric literal; None for anything else."""
    if not is_number(node):
        return None
    return float((node.this if isinstance(node, exp.Neg) else node).name) != 0


def is_no_truth_test(node: Node) -> bool:
    """TRUE or FALSE other than in ``x IS TRUE``, which asks for any true value."""
    return not (isinstance(node.parent, exp.Is) and node.arg_key == "expression")


@rule(on=exp.Boolean, shape=(is_no_truth_test,))
def fold_boolean_keyword(keyword: Node, ctx: Context) -> Node | None:
    """Write TRUE and FALSE as 1 and 0.

    Before:  SELECT id FROM person WHERE active = TRUE
    After:   SELECT id FROM person WHERE active = 1
    Refuse:  x IS TRUE, which is true for 7, where x IS 1 is false
    Sound:   since 3.23 the two words are other spellings of the integers, except after IS
             (https://sqlite.org/lang_expr.html#boolean_expressions)
    """
    return number(1 if keyword.this else 0)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain, loses_no_aggregate))
def fold_literal_operand(node: Node, ctx: Context) -> Node | None:
    """Drop literals that do not matter to an AND or OR, and let those that decide it decide.

    Before:  SELECT id FROM person WHERE age > 3 AND 1
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT age AND 1, which is 1 where age is 7
    Sound:   1 is neutral and 0 absorbing for AND, the reverse for OR, also beside NULL; what is
             left over alone is 0, 1 or NULL, or only its truth counts
    """
    deciding = type(node) is exp.Or
    parts = parts_of(node)
    truths = [truth_of(part) for part in parts]
    if deciding in truths:
        return number(1 if deciding else 0)
    kept = [part for part, truth in zip(parts, truths, strict=True) if truth is None]
    if len(kept) == len(parts):
        return None
    if not kept:
        return number(0 if deciding else 1)
    if len(kept) == 1 and not (is_boolean(kept[0]) or is_condition(node)):
        return None
    return chain(type(node), kept)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,))
def eliminate_duplicate_operand(node: Node, ctx: Context) -> Node | None:
    """Keep equal operands of AND or OR once.

    Before:  SELECT id FROM person WHERE age > 3 AND age > 3
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT age AND age, which is 1 where age is 7
    Sound:   AND and OR are idempotent up to the reading as truth value
    """
    parts = parts_of(node)
    kept = unlike(parts)
    if len(kept) == len(parts) or (len(kept) == 1 and not (is_boolean(kept[0]) or is_condition(node))):
        return None
    return chain(type(node), kept)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,))
def pull_common_operand(node: Node, ctx: Context) -> Node | None:
    """Pull operands that all parts of an OR (or AND) share out of it.

    Before:  SELECT id FROM person WHERE age > 3 AND active = 1 OR age > 3 AND city = 'Bern'
    After:   SELECT id FROM person WHERE age > 3 AND (active = 1 OR city = 'Bern')
    Refuse:  (a AND b) OR c: no operand is shared by all parts
    Sound:   AND and OR distribute over each other in three-valued logic
    """
    outer, inner = type(node), dual(type(node))
    parts = parts_of(node)
    if not all(type(part) is inner for part in parts):
        return None
    lists = [parts_of(part) for part in parts]
    shared = frozenset.intersection(*(frozenset(map(key, parts)) for parts in lists))
    rests = [[x for x in parts if key(x) not in shared] for parts in lists]
    if not shared or not all(rests):
        return None
    common = [part for part in lists[0] if key(part) in shared]
    return chain(inner, [*common, chain(outer, [chain(inner, rest) for rest in rests])])


def tests_truth(node: Node) -> bool:
    """X IS TRUE or x IS FALSE."""
    return isinstance(node.expression, exp.Boolean)


@rule(on=exp.Is, shape=(tests_truth, stands_in_condition))
def eliminate_truth_test(test: Node, ctx: Context) -> Node | None:
    """Drop IS TRUE where only truth counts; IS FALSE becomes NOT.

    Before:  SELECT id FROM person WHERE (age > 3) IS TRUE
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT (age > 3) IS TRUE, which is 0 where age is NULL
    Sound:   x IS TRUE is true exactly where x is; x IS FALSE exactly where NOT x is
    """
    inner: Node = test.this
    return inner if test.expression.this else exp.Not(this=inner)


def _holds_always(clause: Node | None) -> bool:
    return clause is not None and truth_of(clause.this) is True


def filters_nothing(select: Node) -> bool:
    """WHERE or, with GROUP BY, HAVING that is a true literal."""
    has_group = select.args.get("group") is not None
    return _holds_always(select.args.get("where")) or (has_group and _holds_always(select.args.get("having")))


@rule(on=exp.Select, shape=(filters_nothing,))
def eliminate_true_filter(select: Node, ctx: Context) -> Node | None:
    """Drop WHERE and HAVING that are a true literal.

    Before:  SELECT id FROM person WHERE 1
    After:   SELECT id FROM person
    Refuse:  HAVING 1 without GROUP BY, which makes the query an aggregate one
    Sound:   every row passes
    """
    for clause in ("where", "having"):
        if _holds_always(select.args.get(clause)) and (clause == "where" or select.args.get("group")):
            select.set(clause, None)
    return select


NEGATED: dict[type[Node], type[Node]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}


@rule(on=exp.Not)
def fold_not_literal(negation: Node, ctx: Context) -> Node | None:
    """Evaluate NOT of a literal.

    Before:  SELECT id FROM person WHERE age > 3 OR NOT 1
    After:   SELECT id FROM person WHERE age > 3 OR 0
    Refuse:  NOT 'abc': text is left alone
    Sound:   NOT is 1 for zero, 0 for any other number, NULL for NULL
    """
    if isinstance(negation.this, exp.Null):
        return exp.Null()
    truth = truth_of(negation.this)
    return None if truth is None else number(0 if truth else 1)


@rule(on=exp.Not, esm_plus=20)
def push_not_into_comparison(negation: Node, ctx: Context) -> Node | None:
    """Turn a negated comparison round.

    Before:  SELECT id FROM person WHERE NOT age < 3
    After:   SELECT id FROM person WHERE age >= 3
    Refuse:  NOT age IS 3, which is true for NULL
    Sound:   values of all storage classes are totally ordered, and both forms are NULL for NULL
    """
    inner = negation.this
    opposite = NEGATED.get(type(inner))
    if opposite is None or isinstance(inner.this, exp.Tuple):
        return None
    return opposite(this=inner.this, expression=inner.expression)


@rule(on=exp.Not)
def push_not_into_chain(negation: Node, ctx: Context) -> Node | None:
    """Push NOT through AND and OR.

    Before:  SELECT id FROM person WHERE NOT (age < 3 AND active IS NULL)
    After:   SELECT id FROM person WHERE NOT age < 3 OR NOT active IS NULL
    Refuse:  NOT EXISTS (...): a subquery is no chain
    Sound:   De Morgan's laws hold in three-valued logic
    """
    inner = negation.this
    if type(inner) not in (exp.And, exp.Or):
        return None
    return chain(dual(type(inner)), [exp.Not(this=part) for part in parts_of(inner)])


@rule(
    on=exp.Is,
    shape=(tests_for_null, loses_no_aggregate),
    needs=(operand_is_never_null,),
    esm_plus=8,
)
def fold_null_test(test: Node, ctx: Context) -> Node | None:
    """Evaluate IS NULL on what is never NULL.

    Before:  SELECT id FROM person WHERE city IS NULL OR age > 3
    After:   SELECT id FROM person WHERE 0 OR age > 3
    Refuse:  the right side of a LEFT JOIN, whose NOT NULL columns are padded with NULL
    Sound:   the operand has a value in every row that reaches the test
    """
    return number(0)


def is_plain_is(node: Node) -> bool:
    """IS between two values: no test for NULL, TRUE or FALSE."""
    return not isinstance(node.expression, exp.Null | exp.Boolean)


def one_side_is_never_null(node: Node, ctx: Context) -> HoldingFacts:
    """NULL IS NULL cannot come up."""
    left = never_null(node.this, ctx)
    return left if left is not None else never_null(node.expression, ctx)


def null_does_not_show(node: Node, ctx: Context) -> HoldingFacts:
    """Only truth counts, or neither side is ever NULL."""
    return () if is_condition(node) else all_of(never_null(node.this, ctx), never_null(node.expression, ctx))


@rule(
    on=(exp.Is, exp.NullSafeEQ),
    shape=(is_plain_is,),
    needs=(one_side_is_never_null, null_does_not_show),
)
def convert_is_to_equality(test: Node, ctx: Context) -> Node | None:
    """Write IS as = where NULLs make no difference.

    Before:  SELECT id FROM person WHERE age IS 3
    After:   SELECT id FROM person WHERE age = 3
    Refuse:  age IS score: true where both are NULL; NOT age IS 3: true where age is NULL
    Sound:   IS and = differ only on NULL: with one, IS is 0 and = is NULL; with two, 1 and NULL
    """
    return exp.EQ(this=test.this, expression=test.expression)


def compares_with_itself(node: Node) -> bool:
    """X op x, a single value."""
    is_value = is_repeatable(node.this) and not isinstance(node.this, exp.Tuple)
    return is_value and same(node.this, node.expression)


@rule(on=COMPARISONS, shape=(compares_with_itself, stands_in_condition, loses_no_aggregate))
def convert_self_comparison(comparison: Node, ctx: Context) -> Node | None:
    """Compare a column with itself: a test for NULL, or never true.

    Before:  SELECT id FROM person WHERE age = age
    After:   SELECT id FROM person WHERE NOT age IS NULL
    Refuse:  SELECT age = age, which is NULL where age is NULL
    Sound:   =, <= and >= of equal values are 1, <>, < and > are 0; all are NULL for NULL
    """
    if not isinstance(comparison, exp.EQ | exp.LTE | exp.GTE):
        return number(0)
    return exp.Not(this=exp.Is(this=comparison.this, expression=exp.Null()))


@rule(on=exp.And, shape=(is_whole_chain, stands_in_condition))
def eliminate_implied_null_test(node: Node, ctx: Context) -> Node | None:
    """Drop IS NOT NULL beside a predicate that already rejects NULL.

    Before:  SELECT id FROM person WHERE age > 3 AND NOT age IS NULL
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  age IS NULL OR age > 3 beside it: that lets NULL pass
    Sound:   the other conjunct is not true where the column is NULL
    """
    parts = parts_of(node)
    for part in parts:
        others = [other for other in parts if other is not part]
        column = _asserted_column(part)
        if column is not None and any(column in rejected_nulls(other) for other in others):
            return chain(exp.And, others)
    return None


def _asserted_column(part: Node) -> tuple[str, str] | None:
    """The column of ``NOT column IS NULL``."""
    if not (isinstance(part, exp.Not) and is_null_test(part.this)):
        return None
    column = part.this.this
    return (column.table, column.name) if isinstance(column, exp.Column) else None
