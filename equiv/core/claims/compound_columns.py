"""Columns whose affinity and collation SQLite does not take from what they hand on.

A comparison of a column of a compound query whose operands disagree in affinity or collation depends on the
plan: SQLite compares it as each operand's expression if it flattens the subquery, else as that of the first
operand.  The documentation fixes neither, and a join or a condition elsewhere in the query can change it.

A column of a derived table that hands on one of a derived table of a query around has neither, since it is
typed first (:func:`equiv.core.claims.sources.is_typed_early`); one that hands on a base table's has both.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.predicates import COLLATION_READERS
from equiv.core.claims.sources import feeds, select_operands
from equiv.core.claims.value_types import Applied, affinity, collation, loses_affinity, loses_collation
from equiv.core.context import Context
from equiv.core.model import Schema
from equiv.facts import Facts

_LOOKING = (*COLLATION_READERS, exp.Collate, exp.Case, exp.If)
"""Node classes that may depend on the affinity or the collation of a column."""
_HANDING_ON = (exp.Alias, exp.Paren, exp.Query)
"""Those that hand on both: a subquery has those of its first column."""
_SORTING = (exp.Ordered, exp.Group, exp.Window)
"""Those of them that depend on the collation alone: rows are sorted and grouped without any conversion
(https://sqlite.org/datatype3.html, section 5)."""


def compares_by_plan(tree: exp.Expression, schema: Schema) -> bool:
    """Whether the tree compares, groups or orders a column that SQLite types by its plan."""
    ctx = Context(schema, Facts())
    columns = filter(_is_looked_at, tree.find_all(exp.Column))
    return any(_is_ambiguous(column, ctx) for column in columns)


def compares_early(tree: exp.Expression, schema: Schema) -> bool:
    """Whether the tree compares, groups or orders a column that SQLite types before its origin has a type."""
    ctx = Context(schema, Facts())
    columns = filter(_is_looked_at, tree.find_all(exp.Column))
    return any(_hangs_on_early(column, ctx) for column in columns)


def _is_looked_at(column: exp.Column) -> bool:
    """Whether a column, or a subquery whose value it is, stands where affinity or collation counts."""
    node: exp.Expr = column
    while (parent := node.parent) is not None and not isinstance(parent, _LOOKING):
        if isinstance(parent, exp.Select) and node is not parent.expressions[0]:
            return False
        if not isinstance(parent, _HANDING_ON) or isinstance(parent.parent, exp.From | exp.Join):
            return False
        node = parent
    return node.parent is not None


def _hangs_on_early(node: exp.Expression, ctx: Context) -> bool:
    """Whether an affinity or a collation comes by way of a column that is typed early."""
    fed = feeds(node) if isinstance(node, exp.Column) else None
    for feed in fed or ():
        if loses_affinity(feed, ctx) or loses_collation(feed, ctx):
            return True
        if any(_hangs_on_early(column, ctx) for column in feed.find_all(exp.Column)):
            return True
    return False


def looks_up_by_plan(tree: exp.Expression, schema: Schema) -> bool:
    """Whether an IN has members under a COLLATE of their own, which an index on the left side overlooks.

    SQLite looks ``c IN (SELECT x COLLATE NOCASE …)`` up in an index on c, under the collation of that index,
    and compares under NOCASE where there is none, or where it does not use it.
    """
    ctx = Context(schema, Facts())
    for node in tree.find_all(exp.In):
        query = node.args.get("query")
        sides = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
        for operand in select_operands(query) if query is not None else ():
            for side, member in zip(sides, operand.expressions, strict=False):
                named = member.unalias()
                if isinstance(named, exp.Collate) and collation(side, ctx) != collation(named, ctx):
                    return True
    return False


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
