"""Columns of compound queries whose operands disagree in affinity or collation.

A comparison of such a column depends on the plan: SQLite compares it as each
operand's expression if it flattens the subquery, else as that of the first
operand.  The documentation fixes neither, and a join or a condition elsewhere
in the query can change the plan.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.predicates import COLLATION_READERS
from equiv.core.claims.sources import feeds
from equiv.core.claims.value_types import Applied, affinity, collation
from equiv.core.context import Context
from equiv.core.model import Schema
from equiv.facts import Facts

_LOOKING = (*COLLATION_READERS, exp.Collate, exp.Case, exp.If)
"""Node classes that may depend on the affinity or the collation of a column."""
_SORTING = (exp.Ordered, exp.Group, exp.Window)
"""Those of them that depend on the collation alone: rows are sorted and grouped without any conversion
(https://sqlite.org/datatype3.html, section 5)."""


def compares_by_plan(tree: exp.Expression, schema: Schema) -> bool:
    """Whether the tree compares, groups or orders a column that SQLite types by its plan."""
    ctx = Context(schema, Facts())
    columns = (column for column in tree.find_all(exp.Column) if isinstance(column.parent, _LOOKING))
    return any(_is_ambiguous(column, ctx) for column in columns)


def _is_ambiguous(column: exp.Column, ctx: Context) -> bool:
    traits = _traits(column, ctx)
    if isinstance(column.parent, _SORTING):
        return len({collated for _, collated in traits}) > 1
    return len(traits) > 1


def _traits(node: exp.Expression, ctx: Context) -> set[tuple[Applied, str]]:
    """The affinities and collations under which an expression may be compared."""
    fed = feeds(node) if isinstance(node, exp.Column) else None
    if fed is None:
        return {(affinity(node, ctx), collation(node, ctx) or "BINARY")}
    return {trait for feed in fed for trait in _traits(feed, ctx)}
