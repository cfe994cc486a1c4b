"""The rewrite rules, in firing order: one module for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  On one node the rules of
an expression come before those of the query around it, so that the latter see
conditions in one form.
"""

from __future__ import annotations

from equiv.rewrite.rule import Rule
from equiv.rules.expressions import (
    boolean,
    bounds,
    case,
    cast,
    clock,
    comparison,
    constants,
    dates,
    like,
    membership,
    negation,
    null_test,
    prefixes,
    quotient,
)
from equiv.rules.queries import (
    aggregate,
    counting,
    ctes,
    derived_tables,
    distinct,
    equal_columns,
    exists,
    extremes,
    first_groups,
    group_by,
    grouped_sources,
    joins,
    lookups,
    order_by,
    outer_joins,
    projections,
    ratios,
    semi_joins,
    set_operations,
    subqueries,
    wrappers,
)

RULES: tuple[Rule, ...] = (
    *constants.RULES,
    *boolean.RULES,
    *negation.RULES,
    *null_test.RULES,
    *comparison.RULES,
    *bounds.RULES,
    *membership.RULES,
    *like.RULES,
    *clock.RULES,
    *dates.RULES,
    *prefixes.RULES,
    *case.RULES,
    *cast.RULES,
    *aggregate.RULES,
    *counting.RULES,
    *ratios.RULES,
    *quotient.RULES,
    *joins.RULES,
    *derived_tables.RULES,
    *grouped_sources.RULES,
    *projections.RULES,
    *wrappers.RULES,
    *ctes.RULES,
    *group_by.RULES,
    *distinct.RULES,
    *outer_joins.RULES,
    *equal_columns.RULES,
    *semi_joins.RULES,
    *subqueries.RULES,
    *exists.RULES,
    *extremes.RULES,
    *first_groups.RULES,
    *lookups.RULES,
    *set_operations.RULES,
    *order_by.RULES,
)
"""Every rule, in the order in which they are tried on a node."""
