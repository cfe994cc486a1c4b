"""Arbitrary rows of a group: the row of a bare column, and the row that DISTINCT keeps or sorts by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlglot import exp

from equiv.answers.calls import AS_NUMBER, AS_TEXT, CELL, cells_of_a_row, sql_call
from equiv.answers.choices.representatives import is_plain_distinct, is_plain_extreme, mixes_numbers
from equiv.core.claims.blocks import (
    QUERY_BLOCKS,
    aggregates,
    is_aggregate,
    is_grouped,
    result_clauses,
    source_aliases,
)
from equiv.core.claims.value_types import Applied, affinity, is_binary
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.core.query import Opaque

_GROUPS = "equiv_groups"


def randomise_distinct_order(select: exp.Expression, ctx: Context | None) -> bool:
    """Sort SELECT DISTINCT by an arbitrary one of the merged rows, where the sort key is not projected."""
    order = select.args.get("order")
    if order is None or select.args.get("distinct") is None:
        return False
    projected = {key(x.unalias()) for x in select.expressions}
    hidden = [term for term in order.expressions if key(term.this) not in projected]
    if not hidden:
        return False
    if is_grouped(select):
        if select.parent is not None:
            raise Opaque(
                "Order", "SELECT DISTINCT with GROUP BY in a subquery, ordered by what it does not project"
            )
        _wrap_groups(select, ctx)
        return True
    keys = [x.unalias().copy() for x in select.expressions if x.find(exp.Column) is not None]
    if not keys:
        raise Opaque("Order", "SELECT DISTINCT of constants, ordered")
    for term, cell in zip(hidden, cells_of_a_row([term.this for term in hidden]), strict=True):
        term.set("this", cell)
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=keys))
    return True


def _wrap_groups(select: exp.Expression, ctx: Context | None) -> None:
    """Make the groups of SELECT DISTINCT the rows of a subquery, merged around it, sorted by any of them."""
    outputs = [x.unalias().copy() for x in select.expressions]
    terms = select.args["order"].expressions
    inner = select.copy()
    for name in ("distinct", "order", "limit", "offset", "with_"):
        inner.set(name, None)
    aliased = [exp.alias_(x, f"equiv_d{n}") for n, x in enumerate(outputs)]
    keys = [exp.alias_(term.this.copy(), f"equiv_k{n}") for n, term in enumerate(terms)]
    inner.set("expressions", [*aliased, *keys])
    randomise_bare_columns(inner, ctx)
    places = {key(x): n for n, x in reversed(list(enumerate(outputs)))}
    merged = cells_of_a_row([exp.column(f"equiv_k{n}", table=_GROUPS) for n in range(len(terms))])
    for cell, term in zip(merged, terms, strict=True):
        place = places.get(key(term.this))
        term.set("this", cell if place is None else exp.column(f"equiv_d{place}", table=_GROUPS))
    columns = [exp.column(f"equiv_d{n}", table=_GROUPS) for n in range(len(outputs))]
    for name in ("distinct", "joins", "laterals", "where", "having", "windows"):
        select.set(name, None)
    select.set("expressions", [x.copy() for x in columns])
    select.set("group", exp.Group(expressions=columns))
    alias = exp.TableAlias(this=exp.to_identifier(_GROUPS))
    select.set("from_", exp.From(this=exp.Subquery(this=inner, alias=alias)))


def randomise_distinct_numbers(select: exp.Expression, ctx: Context) -> bool:
    """Keep any of the equal numbers, such as 1 and 1.0, that DISTINCT merges."""
    outputs = [x.unalias() for x in select.expressions]
    if not is_plain_distinct(select) or not any(mixes_numbers([x], ctx) for x in outputs):
        return False
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[x.copy() for x in outputs]))
    for x in outputs:
        kind = affinity(x, ctx)
        x.replace(_with_affinity(cells_of_a_row([x])[0], kind))
    return True


def randomise_extremes(root: exp.Expression, ctx: Context) -> bool:
    """Keep any of the equal numbers, such as 1 and 1.0, that are the least or greatest of a group."""
    # Inner ones first: an argument stands twice in what replaces the call.
    calls = reversed(list(cast(Iterator[exp.Expression], root.find_all(exp.Min, exp.Max))))
    mixed = [call for call in calls if is_plain_extreme(call) and mixes_numbers([call.this], ctx)]
    for call in mixed:
        call.replace(cells_of_a_row([call.this], [(_sign(call), call.this)])[0])
    return bool(mixed)


def _sign(call: exp.Expression) -> str:
    return "<" if isinstance(call, exp.Min) else ">"


def randomise_bare_columns(select: exp.Expression, ctx: Context | None) -> bool:
    """Take the bare columns of a grouped SELECT from any row of its group, the same row for all of them."""
    if not is_grouped(select):
        return False
    group = select.args.get("group")
    terms = group.expressions if group is not None else []
    keys = {key(x) for x in terms}
    # Equal numbers of a key differ as 1 and 1.0 do; that they are of the row of the others is nowhere said.
    mixed = {
        key(x) for x in terms if ctx is not None and isinstance(x, exp.Column) and mixes_numbers([x], ctx)
    }
    own = source_aliases(select)
    bare = [
        column for clause in result_clauses(select) for column in _bare_columns(clause, keys - mixed, own)
    ]
    if not all(_is_in_block(column, select) for column in bare):
        raise Opaque("Column", "a bare column inside a correlated subquery")
    extremes = _extremes(select, ctx)
    kinds = {key(column): column for column in bare}
    together = [column for kind, column in kinds.items() if kind not in mixed]
    cells = dict(zip(map(key, together), cells_of_a_row(together, extremes), strict=True))
    cells |= {kind: cells_of_a_row([kinds[kind]], extremes)[0] for kind in kinds.keys() & mixed}
    for column in bare:
        kind = affinity(column, ctx) if ctx is not None and _may_be_compared(column) else Applied.NONE
        column.replace(_with_affinity(cells[key(column)].copy(), kind))
    return bool(bare)


def _may_be_compared(column: exp.Expression) -> bool:
    """Whether the affinity of a result column's value can matter: in a comparison, here or further out."""
    parent = column.parent.parent if isinstance(column.parent, exp.Alias) else column.parent
    if isinstance(parent, exp.Select):
        return parent.parent is not None
    return isinstance(parent, (exp.Predicate, exp.Case, exp.If, exp.Tuple, exp.Collate))


def _with_affinity(chosen: exp.Expression, kind: Applied) -> exp.Expression:
    """A chosen value with the affinity of its column, which decides how comparisons convert."""
    match kind:
        case Applied.NUMERIC:
            return exp.Cast(this=sql_call(AS_NUMBER, chosen), to=exp.DataType(this=exp.DType.DECIMAL))
        case Applied.TEXT:
            return exp.Cast(this=sql_call(AS_TEXT, chosen), to=exp.DataType(this=exp.DType.TEXT))
        case Applied.UNKNOWN:
            raise Opaque("Column", "a bare column of unknown affinity")
    return chosen


def _extremes(select: exp.Expression, ctx: Context | None) -> list[tuple[str, exp.Expression]]:
    """The plain MINs and MAXs of which one at least has its value from the row of the bare columns.

    Which one, SQLite does not say: https://sqlite.org/lang_select.html#bareagg.  None of them, and so any
    row, is a safe answer.
    """
    extremes = {key(call): call for call in aggregates(select) if isinstance(call, exp.Min | exp.Max)}
    calls = list(extremes.values())
    is_plain = not any(isinstance(c.this, exp.Distinct) or isinstance(c.parent, exp.Filter) for c in calls)
    # Under another collation more rows give an extreme than the function at hand sees.
    is_seen = len(calls) == 1 or (ctx is not None and all(is_binary(call.this, ctx) for call in calls))
    # What a nested query may choose is not chosen alike in a copy.
    is_flat = not any(call.find(*QUERY_BLOCKS) for call in calls)
    return [(_sign(call), call.this) for call in calls] if is_plain and is_seen and is_flat else []


def _bare_columns(node: exp.Expression, keys: set[tuple[object, ...]], own: set[str]) -> list[exp.Expression]:
    """Columns of the own sources outside aggregates and group keys, nested queries included."""
    if keys and key(node.this if isinstance(node, exp.Alias) else node) in keys:
        return []
    call = node.this if isinstance(node, exp.Filter) else node
    if is_aggregate(call) and _own_aggregate(call, own):
        return []
    if isinstance(node, exp.Anonymous) and node.name == CELL:
        return []
    if isinstance(node, exp.Column):
        return [node] if node.table in own else []
    bare = []
    for child in node.iter_expressions():
        bare += _bare_columns(child, keys, own)
    return bare


def _own_aggregate(call: exp.Expression, own: set[str]) -> bool:
    """Whether an aggregate is of the query with these sources, not of one nested in it."""
    select = call.find_ancestor(exp.Select)
    return select is None or source_aliases(select) == own


def _is_in_block(node: exp.Expr, select: exp.Expression) -> bool:
    while node.parent is not None and not isinstance(node, QUERY_BLOCKS):
        node = node.parent
    return node is select
