"""Aggregates and their idioms.

COUNT counts rows or values; SUM, AVG, MIN and MAX skip NULL and are NULL where
nothing is left.  That is why ``SUM(CASE WHEN p THEN 1 ELSE 0 END)`` is
``COUNT(*) FILTER (WHERE p)`` only for a group that has rows: over no rows the
SUM is NULL and the COUNT 0.  A group of GROUP BY always has rows, the one group
of a query without GROUP BY may have none, unless it is a whole table that is not empty.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import escapes, is_bit, is_boolean
from equiv.core.claims.nullness import never_null
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import group_keys
from equiv.rules.guards.expressions import Node, operand_is_never_null
from equiv.rules.guards.selects import has_no_filter, has_one_source, source_has_rows

SKIPPING_NULL = (exp.Count, exp.Sum, exp.Avg)


def counts_values(node: Node) -> bool:
    """``COUNT(x)``, neither ``COUNT(*)`` nor ``COUNT(DISTINCT x)``."""
    return isinstance(node.this, exp.Expression) and not isinstance(node.this, exp.Star | exp.Distinct)


def aggregates_own_rows(node: Node) -> bool:
    """The call aggregates rows of the query in which it stands, not of an outer one."""
    return not escapes(node)


@rule(on=exp.Count, shape=(counts_values, aggregates_own_rows), needs=(operand_is_never_null,), esm_plus=7)
def convert_count_to_star(call: Node, ctx: Context) -> Node | None:
    """Count rows instead of values that are never NULL.

    Before:  SELECT COUNT(city) FROM person
    After:   SELECT COUNT(*) FROM person
    Refuse:  the right side of a LEFT JOIN, whose NOT NULL columns are padded with NULL
    Sound:   COUNT(x) counts the rows in which x is not NULL, and that is all of them
    """
    return exp.Count(this=exp.Star())


def guards_its_argument(node: Node) -> bool:
    """``AGG(CASE WHEN p THEN x END)``, DISTINCT or not, and no window function."""
    case = _argument(node)
    is_case = (
        isinstance(case, exp.Case) and case.args.get("this") is None and case.args.get("default") is None
    )
    is_plain = not isinstance(node.parent, exp.Filter | exp.Window) and not node.expressions
    return is_case and is_plain and len(case.args["ifs"]) == 1


def _argument(call: Node) -> Node:
    argument: Node = call.this
    if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
        argument = argument.expressions[0]
    return argument


@rule(on=SKIPPING_NULL, shape=(guards_its_argument,))
def convert_guarded_argument(call: Node, ctx: Context) -> Node | None:
    """Write a CASE inside an aggregate as FILTER.

    Before:  SELECT COUNT(CASE WHEN age > 3 THEN city END) FROM person
    After:   SELECT COUNT(city) FILTER (WHERE age > 3) FROM person
    Refuse:  CASE ... ELSE 0 END, which adds values; MIN and MAX, which choose the row of bare columns
    Sound:   rows for which the CASE is NULL are skipped, which is what FILTER does with them
    """
    branch = _argument(call).args["ifs"][0]
    condition, value = branch.this, branch.args["true"]
    if isinstance(call.this, exp.Distinct):
        value = exp.Distinct(expressions=[value])
    return exp.Filter(this=type(call)(this=value), expression=exp.Where(this=condition))


def _is(node: Node, bit: str) -> bool:
    return is_bit(node) and node.name == bit


def _counted(summed: Node) -> Node | None:
    """The condition that ``CASE WHEN p THEN 1 ELSE 0 END`` or a predicate that is summed counts."""
    if isinstance(summed, exp.Case) and summed.args.get("this") is None and len(summed.args["ifs"]) == 1:
        branch, default = summed.args["ifs"][0], summed.args.get("default")
        if default is not None and _is(branch.args["true"], "1") and _is(default, "0"):
            condition: Node = branch.this
            return condition
    return summed if is_boolean(summed) else None


def sums_bits(node: Node) -> bool:
    """``SUM(CASE WHEN p THEN 1 ELSE 0 END)`` or ``SUM(p)``, and no window function."""
    is_plain = not isinstance(node.parent, exp.Filter | exp.Window)
    return is_plain and isinstance(node.this, exp.Expression) and _counted(node.this) is not None


def bits_are_never_null(node: Node, ctx: Context) -> Claim:
    """What is summed is 0 or 1 in every row."""
    return never_null(node.this, ctx)


def group_has_rows(node: Node, ctx: Context) -> Claim:
    """The query groups, so that each of its groups has a row; or it reads a whole table that has one."""
    select = node.find_ancestor(exp.Select)
    if select is None:
        return None
    if group_keys(select):
        return ()
    return source_has_rows(select, ctx) if has_one_source(select) and has_no_filter(select) else None


@rule(on=exp.Sum, shape=(sums_bits,), needs=(bits_are_never_null, group_has_rows))
def convert_sum_to_count(call: Node, ctx: Context) -> Node | None:
    """Write the sum of 0 and 1 over rows of which there are some as a count.

    Before:  SELECT city, SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM person GROUP BY city
    After:   SELECT city, COUNT(*) FILTER (WHERE age > 3) FROM person GROUP BY city
    Refuse:  without GROUP BY, unless over a whole table that is not empty: of no rows SUM is NULL and COUNT 0
    Sound:   there are rows, and in each the summand is 1 where p is true, else 0
    """
    return count_instead(call)


def count_instead(call: Node) -> Node:
    """The count of the rows in which the bit is 1 that a call sums."""
    condition = _counted(call.this)
    assert condition is not None
    return _count_where(condition)


def _count_where(condition: Node) -> Node:
    count = exp.Count(this=exp.Star())
    return count if _is(condition, "1") else exp.Filter(this=count, expression=exp.Where(this=condition))


RULES = (convert_guarded_argument, convert_sum_to_count, convert_count_to_star)
