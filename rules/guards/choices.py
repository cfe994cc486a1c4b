"""Choices that are made anew for each row: how often a row is repeated then shows."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.answers.choices import randomised
from equiv.core.claims.blocks import QUERY_BLOCKS
from equiv.core.query import Opaque
from equiv.rules.guards.clauses import body, columns, filters, outer_joins


def picks_nothing_for_each_row(select: exp.Expression) -> bool:
    """No subquery that is run for each row picks one of several rows: for a repeated row it picks anew."""
    parts = [*body(select), *filters(select), *outer_joins(select)]
    return not any(_is_correlated(query) and _picks(query) for part in parts for query in _nested(part))


def _nested(part: exp.Expression) -> list[exp.Expression]:
    """The outermost queries in a part of a SELECT, derived tables that are joined apart."""
    found: list[exp.Expression] = []
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, QUERY_BLOCKS):
            found.append(node)
        elif not isinstance(node, exp.Join):
            stack += node.iter_expressions()
        elif node.args.get("on") is not None:
            stack.append(node.args["on"])
    return found


def _is_correlated(query: exp.Expression) -> bool:
    own = {clause.this.alias_or_name for clause in query.find_all(exp.From, exp.Join)}
    return any(column.text("table") not in own for column in columns(query))


def _picks(query: exp.Expression) -> bool:
    """Whether a nested query, as it is read where it stands, leaves a choice."""
    node = query
    while isinstance(node.parent, exp.Subquery | exp.Exists) or (
        isinstance(node.parent, exp.In) and node.arg_key == "query"
    ):
        node = cast(exp.Expression, node.parent)
    try:
        return randomised(exp.Select(expressions=[node.copy()])) is not None
    except Opaque:
        return True
