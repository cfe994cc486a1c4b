"""A quick look for comparisons that may convert something: the usual query has none, and is read often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from equiv.core.affinity import Affinity
from equiv.core.claims.comparing import conversions
from equiv.core.claims.comparison import Comparison
from equiv.core.claims.predicates import COMPARISONS
from equiv.core.context import Context
from equiv.core.model import Table

_SIDES: frozenset[type] = frozenset((*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ))
_CONVERTING = _SIDES | {exp.Is, exp.Between, exp.In, exp.Case}
"""The kinds of nodes that may convert what they compare."""
_LEAVES = frozenset((exp.Column, exp.Literal, exp.Identifier, exp.Null, exp.DataType, exp.Star))
_CLASSES = {Affinity.INTEGER: "n", Affinity.REAL: "n", Affinity.NUMERIC: "n", Affinity.TEXT: "t"}
_PLAIN = frozenset(("nn", "tt", "n0", "0n", "t'", "'t", "00", "0'", "'0", "''"))
"""Classes that no conversion changes: columns of numbers (n) and texts (t), literals of both (0, ')."""


def unsettled(root: exp.Expression, ctx: Context) -> Iterator[Comparison] | None:
    """The comparisons of a tree without collations that may convert something; None if it has a COLLATE."""
    nodes, tables = [], {}
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        kind = node.__class__
        if kind in _LEAVES or not isinstance(node, exp.Expression):
            continue
        if kind is exp.Collate:
            return None
        if kind is exp.Table:
            tables[node.alias_or_name] = ctx.schema.table(node.name)
            continue
        if kind in _CONVERTING:
            nodes.append(node)
        for value in node.args.values():
            if value.__class__ is list:
                stack += value
            else:
                stack.append(value)
    doubtful = (node for node in nodes if not _is_settled(node, tables))
    return (each for node in doubtful for each in conversions(node, ctx))


def _is_settled(node: exp.Expression, tables: dict[str, Table | None]) -> bool:
    kind: type = type(node)
    if kind in _SIDES:
        return _class(node.this, tables) + _class(node.expression, tables) in _PLAIN
    if kind is exp.Is:
        return isinstance(node.expression, exp.Null | exp.Boolean)
    if kind is exp.Case:
        return node.args.get("this") is None
    if kind is exp.Between:
        others: Iterable[exp.Expression] = (node.args["low"], node.args["high"])
    else:
        others = node.expressions
    left = _class(node.this, tables)
    return bool(others) and all(left + _class(other, tables) in _PLAIN for other in others)


def _class(node: exp.Expression, tables: dict[str, Table | None]) -> str:
    if isinstance(node, exp.Column):
        table = tables.get(node.text("table"))
        column = table.column(node.name) if table is not None else None
        return _CLASSES.get(column.affinity, "") if column is not None else ""
    if isinstance(node, exp.Literal):
        return "'" if node.is_string else "0"
    return ""
