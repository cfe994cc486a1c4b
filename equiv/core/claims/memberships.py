"""The comparisons that IN makes, with a list and with a subquery."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.comparison import UNKNOWN, Collation, Comparison, components, conversion
from equiv.core.claims.sources import select_operands
from equiv.core.claims.value_types import Applied, affinity
from equiv.core.context import Context


def membership(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """IN, with a list or a subquery."""
    query = node.args.get("query")
    if query is None:
        return _in_list(node, ctx, collation_of)
    return _in_query(node, query, ctx, collation_of)


def _in_list(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """Of a list only the left side has a say."""
    left = node.this
    applied = conversion(affinity(left, ctx), Applied.NONE)
    for item in node.expressions:
        yield Comparison((left,), (item,), collation_of((left,), ctx), applied)


def _in_query(
    node: exp.Expression, query: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    left = components(node.this)
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(query)]
    for one, *others in zip(left, *rows, strict=False):
        found = {conversion(affinity(one, ctx), affinity(other, ctx)) for other in others}
        names = {collation_of((one, other), ctx) for other in others}
        yield Comparison(
            (one,),
            tuple(others),
            names.pop() if len(names) == 1 else UNKNOWN,
            found.pop() if len(found) == 1 else Applied.UNKNOWN,
            of_rows=len(left) > 1,
        )
