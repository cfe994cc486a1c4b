"""Quotients over the rows of one query: NULL anyway where there are none.

``SUM(CASE WHEN p THEN 1 ELSE 0 END)`` and ``COUNT(*) FILTER (WHERE p)`` differ over
no rows alone, where the SUM is NULL and the COUNT 0.  Inside a quotient whose
divisor counts or sums the same rows that cannot be seen: a divisor of NULL or 0
makes NULL, whatever is divided.  NULLIF(x, 0) as a divisor says the same twice.
"""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node
from equiv.rules.queries.aggregate import aggregates_own_rows, bits_are_never_null, count_instead, sums_bits

DIVISIONS = (exp.Div, exp.Mod)
_KEEPING_NULL_OR_ZERO = (exp.Mul, exp.Div, exp.Cast, exp.Neg, exp.Paren, exp.Nullif)
"""NULL or 0 if an operand is, of NULLIF the first one."""


def vanishes_without_rows(node: Node) -> bool:
    """Whether an expression is NULL or 0 if the query in which it stands aggregates no rows."""
    match node:
        case exp.Count() | exp.Sum() | exp.Avg():
            return aggregates_own_rows(node)
        case exp.Filter():
            return vanishes_without_rows(node.this)
        case exp.Mul() | exp.Div():
            return vanishes_without_rows(node.this) or vanishes_without_rows(node.expression)
        case exp.Cast() | exp.Neg() | exp.Paren() | exp.Nullif():
            return vanishes_without_rows(node.this)
    return False


def is_divided_by_its_rows(node: Node) -> bool:
    """A quotient of the query in which it stands is NULL if there are no rows, as it is if this is 0 then."""
    is_factor = True
    below, above = node, cast(Node | None, node.parent)
    while above is not None and not isinstance(above, exp.Query):
        if isinstance(above, exp.Div):
            if above.expression is below and is_factor:
                return True
            if above.this is below and vanishes_without_rows(above.expression):
                return True
        is_factor = is_factor and isinstance(above, _KEEPING_NULL_OR_ZERO) and below.arg_key != "expressions"
        if isinstance(above, exp.Nullif):
            is_factor = is_factor and above.this is below
        below, above = above, cast(Node | None, above.parent)
    return False


@rule(
    on=exp.Sum,
    shape=(sums_bits, aggregates_own_rows, is_divided_by_its_rows),
    needs=(bits_are_never_null,),
)
def convert_divided_sum_to_count(call: Node, ctx: Context) -> Node | None:
    """Write a sum of 0 and 1 as a count where it is divided by an aggregate of the same rows.

    Before:  SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM person
    After:   SELECT COUNT(*) FILTER (WHERE age > 3) * 100.0 / COUNT(*) FROM person
    Refuse:  SUM(...) / 2, and SUM(...) / (SELECT COUNT(*) FROM pet): of no rows NULL, where COUNT gives 0
    Sound:   over some rows both are one integer; over none the divisor is NULL or 0, and the quotient NULL
    """
    return count_instead(call)


def divides_by_nullif_zero(node: Node) -> bool:
    """``x / NULLIF(y, 0)``."""
    divisor = node.expression
    zero = divisor.expression if isinstance(divisor, exp.Nullif) else None
    return isinstance(zero, exp.Literal) and not zero.is_string and zero.name == "0"


@rule(on=DIVISIONS, shape=(divides_by_nullif_zero,))
def eliminate_nullif_of_divisor(division: Node, ctx: Context) -> Node | None:
    """Drop NULLIF(…, 0) around a divisor.

    Before:  SELECT age / NULLIF(score, 0) FROM person
    After:   SELECT age / score FROM person
    Refuse:  NULLIF(score, 1); NULLIF(score, 0) * 2 as a factor, which would be 0
    Sound:   division by 0 is NULL in SQLite, and so is division by NULL
    """
    division.set("expression", division.expression.this)
    return division


RULES = (eliminate_nullif_of_divisor, convert_divided_sum_to_count)
