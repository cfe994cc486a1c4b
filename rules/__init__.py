"""The rewrite rules, in firing order: one module for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  On one node the rules of
an expression come before those of the query around it, so that the latter see
conditions in one form.
"""

from __future__ import annotations

from equiv.rewrite.rule import Rule
from equiv.rules.expressions import case, cast, comparisons, logic, texts
from equiv.rules.queries import (
    aggregates,
    derived_tables,
    exists,
    extremes,
    grouping,
    joins,
    order_by,
    outer_joins,
    semi_joins,
    set_operations,
    subqueries,
    wrappers,
)

RULES: tuple[Rule, ...] = (
    *logic.RULES,
    *comparisons.RULES,
    *texts.RULES,
    *case.RULES,
    *cast.RULES,
    *aggregates.RULES,
    *joins.RULES,
    *derived_tables.RULES,
    *wrappers.RULES,
    *grouping.RULES,
    *outer_joins.RULES,
    *semi_joins.RULES,
    *subqueries.RULES,
    *exists.RULES,
    *extremes.RULES,
    *set_operations.RULES,
    *order_by.RULES,
)
"""Every rule, in the order in which they are tried on a node."""
