"""Rewriters that change no answer: whatever is found against one of them is a fault of the kit."""

# ruff: noqa: E501 - a schema or a list of names stands on few lines

from __future__ import annotations

from sqlglot import exp
from textbook.rewriting import (
    Rewriter,
    aliases_in,
    is_plain,
    own_aliases,
    positive_parts,
    rewriter,
    set_where,
)

_OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LTE, exp.LTE: exp.GT, exp.LT: exp.GTE, exp.GTE: exp.LT, exp.EQ: exp.NEQ, exp.NEQ: exp.EQ,
}  # fmt: skip


@rewriter(exp.Not)
def negate_comparison(node: exp.Expr) -> exp.Expr | None:
    """``NOT x > y`` as ``x <= y``."""
    inner = node.this.unnest()
    kind = _OPPOSITES.get(type(inner))
    return kind(this=inner.this.copy(), expression=inner.expression.copy()) if kind is not None else None


@rewriter(exp.Between)
def between_to_range(node: exp.Expr) -> exp.Expr | None:
    """``x BETWEEN a AND b`` as two comparisons."""
    low = exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
    high = exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
    return exp.Paren(this=exp.And(this=low, expression=high))


@rewriter(exp.Count)
def count_star_to_one(node: exp.Expr) -> exp.Expr | None:
    """``COUNT(*)`` as ``COUNT(1)``."""
    return exp.Count(this=exp.Literal.number(1)) if isinstance(node.this, exp.Star) else None


@rewriter(exp.Where)
def deny_twice(node: exp.Expr) -> exp.Expr | None:
    """``WHERE p`` as ``WHERE NOT (NOT (p))``."""
    inner = exp.Not(this=exp.Paren(this=node.this.copy()))
    return exp.Where(this=exp.Not(this=exp.Paren(this=inner)))


@rewriter(exp.Select)
def distinct_to_group(node: exp.Expr) -> exp.Expr | None:
    """``SELECT DISTINCT x FROM t`` as ``SELECT x FROM t GROUP BY x``."""
    clauses = ("group", "having", "order", "limit", "with_")
    calls = any(
        each.find(exp.AggFunc, exp.Window, exp.Subquery, exp.Star, exp.Literal) for each in node.expressions
    )
    if not node.args.get("distinct") or calls or any(map(node.args.get, clauses)):
        return None
    node.set("distinct", None)
    node.set("group", exp.Group(expressions=[each.unalias().copy() for each in node.expressions]))
    return node


@rewriter(exp.Union)
def union_to_distinct(node: exp.Expr) -> exp.Expr | None:
    """``a UNION b`` as ``a UNION ALL b UNION b``."""
    if (
        not node.args.get("distinct")
        or node.parent is not None
        or any(map(node.args.get, ("order", "limit", "with_")))
    ):
        return None
    both = exp.Union(this=node.this.copy(), expression=node.expression.copy(), distinct=False)
    return exp.Union(this=both, expression=node.expression.copy(), distinct=True)


@rewriter(exp.Select)
def in_to_exists(node: exp.Expr) -> exp.Expr | None:
    """``WHERE x IN (SELECT y …)`` as ``WHERE EXISTS (… AND x = y)``."""
    found, parts = False, []
    for part in positive_parts(node):
        query = part.args.get("query") if isinstance(part, exp.In) else None
        select = query.this.copy() if isinstance(query, exp.Subquery) else None
        own = set(own_aliases(select)) if is_plain(select) else set[str]()
        if not is_plain(select) or aliases_in(part.this) & own:
            parts.append(part)
            continue
        equal = exp.EQ(this=part.this.copy(), expression=select.expressions[0].unalias().copy())
        select.set("expressions", [exp.Literal.number(1)])
        parts.append(exp.Exists(this=set_where(select, [*positive_parts(select), equal])))
        found = True
    return set_where(node, parts) if found else None


@rewriter(exp.Avg)
def average_to_real_quotient(node: exp.Expr) -> exp.Expr | None:
    """``AVG(x)`` as ``CAST(SUM(x) AS REAL) / COUNT(x)``."""
    if not isinstance(node.this, exp.Column) or isinstance(node.parent, exp.Window | exp.Filter):
        return None
    total = exp.Cast(this=exp.Sum(this=node.this.copy()), to=exp.DataType.build("double"))
    return exp.Paren(this=exp.Div(this=total, expression=exp.Count(this=node.this.copy())))


@rewriter(exp.Select)
def swap_join(node: exp.Expr) -> exp.Expr | None:
    """``a JOIN b`` as ``b JOIN a``."""
    joins = list(node.args.get("joins") or ())
    free = not any(node.args.get(name) for name in ("limit", "group")) and not node.find(exp.Window)
    stars = any(each.is_star for each in node.expressions)
    if len(joins) != 1 or joins[0].text("side") or joins[0].args.get("on") is None or stars or not free:
        return None
    one, two = node.args["from_"].this.copy(), joins[0].this.copy()
    node.args["from_"].set("this", two)
    joins[0].set("this", one)
    return node


@rewriter(exp.Case)
def else_null(node: exp.Expr) -> exp.Expr | None:
    """CASE without ELSE with ``ELSE NULL``."""
    if node.args.get("default") is not None:
        return None
    node.set("default", exp.Null())
    return node


SOUND: tuple[Rewriter, ...] = (
    negate_comparison, between_to_range, count_star_to_one, deny_twice, distinct_to_group, union_to_distinct, in_to_exists,
    average_to_real_quotient, swap_join, else_null,
)  # fmt: skip
