"""Bugs that nothing was drawn for: they were written when the traps of the kit were done."""

# ruff: noqa: E501 - a schema or a list of names stands on few lines

from __future__ import annotations

from sqlglot import exp
from textbook.rewriting import Rewriter, is_plain, positive_parts, rewriter, set_where


@rewriter(exp.Nullif)
def swap_nullif(node: exp.Expr) -> exp.Expr | None:
    """``NULLIF(x, y)`` as ``NULLIF(y, x)``."""
    return exp.Nullif(this=node.expression.copy(), expression=node.this.copy())


@rewriter(exp.Not)
def not_in_to_some_different(node: exp.Expr) -> exp.Expr | None:
    """``x NOT IN (a, b)`` as ``x <> a OR x <> b``."""
    inner = node.this
    if not isinstance(inner, exp.In) or len(inner.expressions) != 2:
        return None
    sides = [exp.NEQ(this=inner.this.copy(), expression=each.copy()) for each in inner.expressions]
    return exp.Paren(this=exp.Or(this=sides[0], expression=sides[1]))


@rewriter(exp.Not)
def negate_each_part(node: exp.Expr) -> exp.Expr | None:
    """``NOT (p AND q)`` as ``NOT p AND NOT q``."""
    inner = node.this.unnest()
    if not isinstance(inner, exp.And):
        return None
    parts = [exp.Not(this=exp.Paren(this=side.copy())) for side in (inner.this, inner.expression)]
    return exp.Paren(this=exp.And(this=parts[0], expression=parts[1]))


@rewriter(exp.Join)
def right_join_to_left(node: exp.Expr) -> exp.Expr | None:
    """RIGHT JOIN as LEFT JOIN, in its place."""
    if node.text("side") != "RIGHT":
        return None
    node.set("side", "LEFT")
    return node


@rewriter(exp.Join)
def full_join_to_left(node: exp.Expr) -> exp.Expr | None:
    """FULL JOIN as LEFT JOIN."""
    if node.text("side") != "FULL":
        return None
    node.set("side", "LEFT")
    return node


@rewriter(exp.Filter)
def drop_filter(node: exp.Expr) -> exp.Expr | None:
    """An aggregate without its FILTER."""
    inner: exp.Expr = node.this.copy()
    return inner


@rewriter(exp.Select)
def drop_offset(node: exp.Expr) -> exp.Expr | None:
    """A LIMIT without its OFFSET."""
    if not node.args.get("offset"):
        return None
    node.set("offset", None)
    return node


@rewriter(exp.GT)
def include_bound(node: exp.Expr) -> exp.Expr | None:
    """``x > y`` as ``x >= y``."""
    return exp.GTE(this=node.this.copy(), expression=node.expression.copy())


@rewriter(exp.Intersect)
def intersect_to_in(node: exp.Expr) -> exp.Expr | None:
    """``SELECT x … INTERSECT SELECT y …`` as ``SELECT x … WHERE x IN (SELECT y …)``: duplicates, NULL."""
    if (
        not is_plain(node.this)
        or not is_plain(node.expression)
        or any(map(node.args.get, ("order", "limit")))
    ):
        return None
    select, query = node.this.copy(), exp.Subquery(this=node.expression.copy())
    inside = exp.In(this=select.expressions[0].unalias().copy(), query=query)
    return set_where(select, [*positive_parts(select), inside])


@rewriter(exp.DPipe, needs="t")
def join_texts_without_null(node: exp.Expr) -> exp.Expr | None:
    """``x || y`` with '' in the place of NULL."""
    sides = [
        exp.Coalesce(this=side.copy(), expressions=[exp.Literal.string("")])
        for side in (node.this, node.expression)
    ]
    return exp.Paren(this=exp.DPipe(this=sides[0], expression=sides[1]))


@rewriter(exp.Round)
def round_to_cast(node: exp.Expr) -> exp.Expr | None:
    """``ROUND(x)`` as ``CAST(x AS INTEGER)``."""
    if node.args.get("decimals") is not None:
        return None
    return exp.Cast(this=node.this.copy(), to=exp.DataType.build("int"))


@rewriter(exp.Sum)
def sum_without_distinct(node: exp.Expr) -> exp.Expr | None:
    """``SUM(DISTINCT x)`` as ``SUM(x)``."""
    inner = node.this
    return exp.Sum(this=inner.expressions[0].copy()) if isinstance(inner, exp.Distinct) else None


OTHERS: tuple[Rewriter, ...] = (
    swap_nullif, not_in_to_some_different, negate_each_part, right_join_to_left, full_join_to_left, drop_filter, drop_offset,
    include_bound, intersect_to_in, join_texts_without_null, round_to_cast, sum_without_distinct,
)  # fmt: skip
