"""Projections of derived tables and CTEs: only those that are read.

DISTINCT and set operations compare whole rows, so there every column counts;
and an aggregate that nobody reads may still make the query an aggregate one,
or (MIN, MAX) decide its bare columns.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_aggregate, is_grouped, walk_block
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import columns, group_keys
from equiv.rules.guards.selects import is_distinct


def source_names(select: exp.Expression) -> set[str]:
    """The aliases under which a derived table or CTE is read; empty for other queries."""
    parent = select.parent
    if isinstance(parent, exp.Subquery) and isinstance(parent.parent, exp.From | exp.Join):
        return {parent.alias_or_name}
    if isinstance(parent, exp.CTE):
        tables = (t for t in parent.root().find_all(exp.Table) if t.name.lower() == parent.alias.lower())
        return {t.alias_or_name for t in tables}
    return set()


def unread(select: exp.Expression) -> list[exp.Expression]:
    """The projections of a derived SELECT that may go because nothing reads them."""
    names = source_names(select)
    if not names or is_distinct(select) or (is_grouped(select) and not group_keys(select)):
        return []
    read = {c.name for c in columns(select.root()) if c.text("table") in names}
    return [
        x
        for x in select.expressions
        if x.alias_or_name not in read and not any(is_aggregate(node) for node in walk_block(x))
    ]


def projects_unread_columns(select: exp.Expression) -> bool:
    """A derived SELECT projects a column that is not read, and another one."""
    return len(select.expressions) > 1 and bool(unread(select))


@rule(on=exp.Select, shape=(projects_unread_columns,))
def eliminate_unread_projection(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a column of a derived table that is not read.

    Before:  SELECT q.x FROM (SELECT a.x, a.y FROM a LIMIT 3) AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a LIMIT 3) AS q
    Refuse:  DISTINCT inside, operands of set operations; aggregates
    Sound:   each derived row keeps the columns that are read
    """
    gone = unread(select)
    kept = [x for x in select.expressions if not any(x is other for other in gone)]
    select.set("expressions", kept or select.expressions[:1])
    return select


RULES = (eliminate_unread_projection,)
