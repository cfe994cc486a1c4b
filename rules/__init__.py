"""The rewrite rules, in firing order: one module for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  CITATIONS.md says where
rules come from that are not folklore.
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

EXPRESSIONS: tuple[Rule, ...] = (
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
)
"""Rules that rewrite one expression where it stands."""

STRUCTURE: tuple[Rule, ...] = (
    *joins.RULES,
    *derived_tables.RULES,
    *projections.RULES,
    *subqueries.RULES,
    *group_by.RULES,
    *distinct.RULES,
    *set_operations.RULES,
    *order_by.RULES,
    *limits.RULES,
)
"""Rules that rewrite the clauses of a query."""

RULES: tuple[Rule, ...] = (*EXPRESSIONS, *STRUCTURE)
"""Every rule, in the order in which they are tried on a node."""
