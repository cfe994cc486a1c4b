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


_WITH_BOUND: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.LTE, exp.LTE: exp.LT, exp.GT: exp.GTE, exp.GTE: exp.GT,
}  # fmt: skip
_TURNED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE, exp.NEQ: exp.NullSafeEQ,
}  # fmt: skip


def _turn_denied(old: type[exp.Expr], new: type[exp.Expr]) -> Rewriter:
    """``NOT (x < y)`` as ``x > y``: equal values."""

    def change(node: exp.Expr) -> exp.Expr | None:
        inner = node.this.unnest()
        if type(inner) is not old:
            return None
        return exp.Paren(this=new(this=inner.this.copy(), expression=inner.expression.copy()))

    return Rewriter(f"turn_denied_{old.key}", (exp.Not,), change)


def _move_bound(old: type[exp.Expr], new: type[exp.Expr]) -> Rewriter:
    """``x < y`` as ``x <= y``."""

    def change(node: exp.Expr) -> exp.Expr:
        return new(this=node.this.copy(), expression=node.expression.copy())

    return Rewriter(f"move_bound_of_{old.key}", (old,), change)


def _forget_not(kind: type[exp.Expr], needs: str = "") -> Rewriter:
    """``NOT p`` as ``p``."""

    def change(node: exp.Expr) -> exp.Expr | None:
        inner: exp.Expr = node.this.unnest().copy()
        return exp.Paren(this=inner) if type(inner) is kind else None

    return Rewriter(f"forget_not_of_{kind.key}", (exp.Not,), change, needs)


@rewriter(exp.Not)
def deny_each_choice(node: exp.Expr) -> exp.Expr | None:
    """``NOT (p OR q)`` as ``NOT p OR NOT q``."""
    inner = node.this.unnest()
    if not isinstance(inner, exp.Or):
        return None
    parts = [exp.Not(this=exp.Paren(this=side.copy())) for side in (inner.this, inner.expression)]
    return exp.Paren(this=exp.Or(this=parts[0], expression=parts[1]))


@rewriter(exp.Not)
def keep_bounds_of_denied_between(node: exp.Expr) -> exp.Expr | None:
    """``NOT (x BETWEEN a AND b)`` as ``x <= a OR x >= b``."""
    inner = node.this.unnest()
    if not isinstance(inner, exp.Between):
        return None
    low = exp.LTE(this=inner.this.copy(), expression=inner.args["low"].copy())
    high = exp.GTE(this=inner.this.copy(), expression=inner.args["high"].copy())
    return exp.Paren(this=exp.Or(this=low, expression=high))


@rewriter(exp.LT, exp.GT)
def swap_without_turning(node: exp.Expr) -> exp.Expr | None:
    """``1 < x`` as ``x < 1``, of a literal and a column."""
    if not isinstance(node.this, exp.Literal) or not isinstance(node.expression, exp.Column):
        return None
    return type(node)(this=node.expression.copy(), expression=node.this.copy())


CLASSICS: tuple[Rewriter, ...] = (
    *[_turn_denied(old, new) for old, new in _TURNED.items()],
    *[_move_bound(old, new) for old, new in _WITH_BOUND.items()],
    *[_forget_not(kind) for kind in (exp.EQ, exp.Is, exp.In, exp.Between, exp.And, exp.Or)],
    _forget_not(exp.Like, "t"), deny_each_choice, keep_bounds_of_denied_between, swap_without_turning, negate_each_part,
)  # fmt: skip
"""Every comparison, connective and predicate denied, and every bound: found at the default number, whatever the seed."""

OTHERS: tuple[Rewriter, ...] = (
    swap_nullif, not_in_to_some_different, negate_each_part, right_join_to_left, full_join_to_left, drop_filter, drop_offset,
    include_bound, intersect_to_in, join_texts_without_null, round_to_cast, sum_without_distinct,
)  # fmt: skip
