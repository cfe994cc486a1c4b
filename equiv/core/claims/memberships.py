"""The comparisons that IN makes, with a list and with a subquery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sqlglot import exp

from equiv.core.claims.comparison import UNKNOWN, Collation, Comparison, components, conversion
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.sources import defining_query, select_operands
from equiv.core.claims.value_types import Applied, affinity
from equiv.core.context import Context


def membership(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """IN, with a list or a subquery."""
    query = node.args.get("query")
    if query is None:
        return _in_list(node, ctx, collation_of)
    return _in_query(node, query, ctx, collation_of)


def _in_list(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """Of a list only the left side has a say, but where SQLite makes ``=`` of it: one constant."""
    left, listed = node.this, node.expressions
    applied = conversion(affinity(left, ctx), Applied.NONE)
    is_equation = len(listed) == 1 and listed[0].find(exp.Column, exp.Query) is None
    for item in listed:
        name = collation_of((left, item) if is_equation else (left,), ctx)
        yield Comparison((left,), (item,), name, applied)


def _in_query(
    node: exp.Expression, query: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    left = components(node.this)
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(query)]
    is_misread = len(left) > 1 and _may_use_index(query) and _differ(chain(left, *rows), ctx)
    for one, *others in zip(left, *rows, strict=False):
        found = {conversion(affinity(one, ctx), affinity(other, ctx)) for other in others}
        if is_misread:
            found = {Applied.UNKNOWN}
        names = {collation_of((one, other), ctx) for other in others}
        yield Comparison(
            (one,),
            tuple(others),
            names.pop() if len(names) == 1 else UNKNOWN,
            found.pop() if len(found) == 1 else Applied.UNKNOWN,
            of_rows=len(left) > 1,
        )


def _may_use_index(query: exp.Expression) -> bool:
    """Whether SQLite may look rows up in an index of the subquery's table (``isCandidateForInOpt``).

    SQLite 3.40 then converts each component as the column at its place in the index asks for.
    """
    select = query.this if isinstance(query, exp.Subquery) else query
    clauses = ("joins", "where", "group", "having", "distinct", "limit", "with_")
    if not isinstance(select, exp.Select) or any(select.args.get(name) for name in clauses):
        return False
    source = next(iter(sources(select)), None)
    if not isinstance(source, exp.Table) or defining_query(source) is not None:
        return False
    return all(isinstance(projection.unalias(), exp.Column) for projection in select.expressions)


def _differ(nodes: Iterable[exp.Expression], ctx: Context) -> bool:
    return len({affinity(node, ctx) for node in nodes}) > 1
