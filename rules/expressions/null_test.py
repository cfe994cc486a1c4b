"""IS NULL, IS, and predicates that imply them.

NOT NULL of a column is a promise about its table, not about the place where
the column is read: an outer join pads it with NULLs, and so does an ungrouped
aggregate query over no rows.  Where false and NULL have the same effect, a
predicate that is NULL for a NULL column already says that it is not NULL.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS
from equiv.core.claims.nullness import is_condition, is_null_test, never_null, rejected_nulls
from equiv.core.claims.value_types import Claim, all_of, is_repeatable
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    Node,
    chain,
    is_whole_chain,
    loses_no_aggregate,
    number,
    operand_is_never_null,
    parts_of,
    same,
    stands_in_condition,
    tests_for_null,
)


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


def one_side_is_never_null(node: Node, ctx: Context) -> Claim:
    """NULL IS NULL cannot come up."""
    left = never_null(node.this, ctx)
    return left if left is not None else never_null(node.expression, ctx)


def null_does_not_show(node: Node, ctx: Context) -> Claim:
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


RULES = (fold_null_test, convert_is_to_equality, convert_self_comparison, eliminate_implied_null_test)
