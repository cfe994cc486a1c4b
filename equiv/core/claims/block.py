"""Walking one query block of a resolved tree, and telling its aggregates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlglot import exp

from equiv.core.claims.fingerprint import sources
from equiv.core.claims.tree_memo import of_node
from equiv.core.functions.nodes import function_of
from equiv.core.functions.traits import Sort

QUERY_BLOCKS = (exp.Select, exp.SetOperation, exp.Values)
"""Node classes at the root of a nested query."""

UNGROUPED_CLAUSES = ("from_", "joins", "where")
"""The clauses of a SELECT that are computed before grouping."""


def walk_block(node: exp.Expression) -> Iterator[exp.Expression]:
    """The nodes of an expression without those of queries nested in it (the node itself included)."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [child for child in current.iter_expressions() if not isinstance(child, QUERY_BLOCKS)]


def is_aggregate(node: exp.Expression) -> bool:
    """Whether a node is an aggregate call, neither scalar MIN and MAX nor a window function."""
    function = function_of(node)
    if function is None or function.sort is not Sort.AGGREGATE:
        return False
    parent = node.parent.parent if isinstance(node.parent, exp.Filter) else node.parent
    return not isinstance(parent, exp.Window)


def result_clauses(select: exp.Expression) -> list[exp.Expression]:
    """The expressions of a SELECT that are computed after grouping: projections, HAVING, ORDER BY."""
    later = [select.args.get(name) for name in ("having", "order")]
    return [*select.expressions, *(clause for clause in later if clause is not None)]


@of_node
def aggregates(select: exp.Expression) -> list[exp.Expression]:
    """The aggregate calls of a SELECT, those of nested queries left out."""
    return [node for clause in result_clauses(select) for node in walk_block(clause) if is_aggregate(node)]


def calls_of_aggregates(tree: exp.Expression) -> Iterator[exp.Expression]:
    """All aggregate calls of a tree, wherever they stand."""
    return (node for node in tree.find_all(exp.Expression) if is_aggregate(node))


def escapes(call: exp.Expression) -> bool:
    """Whether an aggregate call belongs to an outer query, not to the one in which it stands.

    SQLite then aggregates over the outer query's rows (``resolve.c``, "aggregate belongs to"): all columns of
    its arguments and its FILTER are of outer sources.  One in WHERE or ON, where no rows are grouped yet, can
    be no other: SQLite refuses those of the query's own rows there.
    """
    clause, block = call, call.parent
    while block is not None and not isinstance(block, QUERY_BLOCKS):
        clause, block = cast(exp.Expression, block), block.parent
    if not isinstance(block, exp.Select):
        return False
    if clause.arg_key in UNGROUPED_CLAUSES:
        return True
    whole = call.parent if isinstance(call.parent, exp.Filter) else call
    tables = {column.table for column in whole.find_all(exp.Column)}
    return bool(tables) and not tables & source_aliases(block)


def is_grouped(select: exp.Expression) -> bool:
    """Whether a SELECT aggregates: by GROUP BY or by an aggregate call."""
    return select.args.get("group") is not None or bool(aggregates(select))


def returns_one_row(query: exp.Expression) -> bool:
    """Whether a query returns exactly one row on every database: an ungrouped aggregate without HAVING."""
    return (
        isinstance(query, exp.Select)
        and query.args.get("group") is None
        and query.args.get("having") is None
        and query.args.get("limit") is None
        and query.args.get("offset") is None
        and bool(aggregates(query))
    )


def is_scalar(query: exp.Expression) -> bool:
    """Whether a nested query stands for a value: that of its first row."""
    parent = query.parent
    if isinstance(parent, exp.Subquery):
        query, parent = parent, parent.parent
        if isinstance(parent, exp.From | exp.Join):
            return False
    if isinstance(parent, exp.In):
        return query.arg_key != "query"
    return parent is not None and not isinstance(parent, exp.CTE | exp.SetOperation | exp.Exists)


def source_aliases(select: exp.Expression) -> set[str]:
    """The aliases of a SELECT's own sources."""
    return {source.alias_or_name for source in sources(select)}
