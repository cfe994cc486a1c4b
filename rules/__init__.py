"""The rewrite rules, in firing order, as they stand in modules: one for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  On one node the rules of
an expression come before those of the query around it, so that the latter see
conditions in one form.
"""

from __future__ import annotations

from equiv.rewrite.rule import Rule, rules_of
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

_MODULES = (
    *(logic, comparisons, texts, case, cast),
    *(aggregates, joins, derived_tables, wrappers, grouping, outer_joins, semi_joins, subqueries, exists),
    *(extremes, set_operations, order_by),
)
RULES: tuple[Rule, ...] = tuple(each for module in _MODULES for each in rules_of(module))
"""Every rule, in the order in which they are tried on a node."""
