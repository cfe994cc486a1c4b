"""The rewrite rules, in firing order: one module for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  On one node the rules of
an expression come before those of the query around it, so that the latter see
conditions in one form.
"""

from __future__ import annotations

from equiv.rule import Rule

from . import (
    aggregate,
    boolean,
    bounds,
    case,
    cast,
    comparison,
    constants,
    dates,
    derived_tables,
    distinct,
    group_by,
    joins,
    like,
    limits,
    membership,
    null_test,
    order_by,
    projections,
    quotient,
    set_operations,
    subqueries,
)

RULES: tuple[Rule, ...] = (
    *constants.RULES,
    *boolean.RULES,
    *null_test.RULES,
    *comparison.RULES,
    *bounds.RULES,
    *membership.RULES,
    *like.RULES,
    *dates.RULES,
    *case.RULES,
    *cast.RULES,
    *aggregate.RULES,
    *quotient.RULES,
    *derived_tables.RULES,
    *joins.RULES,
    *subqueries.RULES,
    *set_operations.RULES,
    *group_by.RULES,
    *distinct.RULES,
    *limits.RULES,
    *order_by.RULES,
    *projections.RULES,
)
"""Every rule, in the order in which they are tried on a node."""
