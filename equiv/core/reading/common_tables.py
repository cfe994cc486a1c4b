"""Common table expressions written out where they are read, so that each reading has rows of its own."""

from __future__ import annotations

from collections import Counter
from itertools import count

from sqlglot import exp

MOST_TABLES = 32
"""A query that would read more tables stays as it is."""
_DEEPEST = 16


def with_rows_of_their_own(tree: exp.Expr) -> exp.Expr:
    """The query with every common table expression in the places that read it, if one of them is read twice.

    ``WITH c AS (…) SELECT … FROM c AS a JOIN c AS b ON a.year = b.year + 1`` asks for two different rows of
    what ``c`` reads.  Recursive expressions, and what grows large, are left alone.
    """
    definitions = list(tree.find_all(exp.CTE))
    bodies = {cte.alias: cte.this for cte in definitions}
    if len(bodies) < len(definitions) or any(clause.recursive for clause in tree.find_all(exp.With)):
        return tree
    readings = Counter(table.name for table in tree.find_all(exp.Table))
    if all(readings[name] < 2 for name in bodies) or _size(tree, bodies) > MOST_TABLES:
        return tree
    copy = tree.copy()
    for clause in list(copy.find_all(exp.With)):
        clause.pop()
    numbers = count()
    reading = [table for table in copy.find_all(exp.Table) if table.name in bodies]
    while reading:
        table = reading.pop()
        body = _with_own_aliases(bodies[table.name], f"equiv_{next(numbers)}")
        alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name, quoted=True))
        reading += [inner for inner in body.find_all(exp.Table) if inner.name in bodies]
        table.replace(exp.Subquery(this=body, alias=alias))
    return copy


def _size(tree: exp.Expr, bodies: dict[str, exp.Expr]) -> int:
    """The number of tables that a query reads once everything is written out; capped."""
    known: dict[str, int] = {}

    def weight(node: exp.Expr, depth: int) -> int:
        if depth > _DEEPEST:
            return MOST_TABLES + 1
        total = 0
        for table in node.find_all(exp.Table):
            if table.find_ancestor(exp.With) is not None and node is tree:
                continue
            body = bodies.get(table.name)
            if body is not None and table.name not in known:
                known[table.name] = weight(body, depth + 1)
            total += 1 if body is None else known[table.name]
        return min(total, MOST_TABLES + 1)

    return weight(tree, 0)


def _with_own_aliases(body: exp.Expr, prefix: str) -> exp.Expr:
    """A copy of a query, each of whose sources has another alias."""
    copy: exp.Expr = body.copy()
    for clause in list(copy.find_all(exp.With)):
        clause.pop()
    sources = [node for node in copy.find_all(exp.Table, exp.Subquery) if node.alias_or_name]
    known = {node.alias_or_name: f"{prefix}_{node.alias_or_name}" for node in sources}
    for node in sources:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(known[node.alias_or_name], quoted=True)))
    for column in copy.find_all(exp.Column):
        if column.table in known:
            column.set("table", exp.to_identifier(known[column.table], quoted=True))
    return copy
