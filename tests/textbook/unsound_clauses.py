"""Textbook bugs in joins, groups, sets, orders and values."""

# ruff: noqa: E501 - a schema or a list of names stands on few lines

from __future__ import annotations

from sqlglot import exp
from textbook.rewriting import (
    Rewriter,
    aliases_in,
    conjunction,
    conjuncts,
    has_subquery,
    is_plain,
    own_aliases,
    positive_parts,
    rewriter,
    set_where,
)

_OPERATORS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


@rewriter(exp.Join)
def left_join_to_join(node: exp.Expr) -> exp.Expr | None:
    """Rows without a partner are lost."""
    if node.text("side") != "LEFT":
        return None
    node.set("side", None)
    return node


@rewriter(exp.Select)
def swap_left_join(node: exp.Expr) -> exp.Expr | None:
    """``a LEFT JOIN b`` as ``b LEFT JOIN a``."""
    joins = list(node.args.get("joins") or ())
    if len(joins) != 1 or joins[0].text("side") != "LEFT" or any(each.is_star for each in node.expressions):
        return None
    one, two = node.args["from_"].this.copy(), joins[0].this.copy()
    node.args["from_"].set("this", two)
    joins[0].set("this", one)
    return node


@rewriter(exp.Select)
def on_filter_to_where(node: exp.Expr) -> exp.Expr | None:
    """``LEFT JOIN b ON link AND p`` as ``LEFT JOIN b ON link WHERE p``."""
    for join in node.args.get("joins") or ():
        parts = conjuncts(join.args.get("on"))
        if join.text("side") == "LEFT" and len(parts) > 1:
            join.set("on", parts[0])
            return set_where(node, [*positive_parts(node), *parts[1:]])
    return None


@rewriter(exp.Select)
def where_filter_to_on(node: exp.Expr) -> exp.Expr | None:
    """``LEFT JOIN b ON link WHERE p``, p on columns of b, as ``LEFT JOIN b ON link AND p``."""
    parts = list(positive_parts(node))
    for join in node.args.get("joins") or ():
        for part in parts:
            own = aliases_in(part) == {join.this.alias_or_name} and not has_subquery(part)
            if join.text("side") == "LEFT" and own and join.args.get("on") is not None:
                join.set("on", exp.And(this=join.args["on"].copy(), expression=part.copy()))
                return set_where(node, [each for each in parts if each is not part])
    return None


@rewriter(exp.Count)
def count_column_to_star(node: exp.Expr) -> exp.Expr | None:
    """``COUNT(x)`` as ``COUNT(*)``: NULLs."""
    return exp.Count(this=exp.Star()) if isinstance(node.this, exp.Column) else None


@rewriter(exp.Count)
def count_without_distinct(node: exp.Expr) -> exp.Expr | None:
    """``COUNT(DISTINCT x)`` as ``COUNT(x)``."""
    inner = node.this
    return exp.Count(this=inner.expressions[0].copy()) if isinstance(inner, exp.Distinct) else None


@rewriter(exp.Select)
def drop_distinct(node: exp.Expr) -> exp.Expr | None:
    """``SELECT DISTINCT`` as ``SELECT``."""
    if not node.args.get("distinct"):
        return None
    node.set("distinct", None)
    return node


@rewriter(exp.Union)
def union_to_union_all(node: exp.Expr) -> exp.Expr | None:
    """UNION as UNION ALL."""
    if not node.args.get("distinct"):
        return None
    node.set("distinct", False)
    return node


def _two_plain(node: exp.Expr) -> bool:
    return (
        is_plain(node.this) and is_plain(node.expression) and not any(map(node.args.get, ("order", "limit")))
    )


@rewriter(exp.Except)
def except_to_not_in(node: exp.Expr) -> exp.Expr | None:
    """``SELECT x … EXCEPT SELECT y …`` as ``SELECT DISTINCT x … WHERE x NOT IN (SELECT y …)``: NULLs."""
    if not _two_plain(node):
        return None
    select = node.this.copy()
    query = exp.Subquery(this=node.expression.copy())
    outside = exp.Not(this=exp.In(this=select.expressions[0].unalias().copy(), query=query))
    select.set("distinct", exp.Distinct())
    return set_where(select, [*positive_parts(select), outside])


@rewriter(exp.Except)
def except_to_anti_join(node: exp.Expr) -> exp.Expr | None:
    """EXCEPT as NOT EXISTS with IS: duplicates stay."""
    if not _two_plain(node):
        return None
    select, other = node.this.copy(), node.expression.copy()
    if set(own_aliases(select)) & set(own_aliases(other)):
        return None
    same = exp.NullSafeEQ(
        this=other.expressions[0].unalias().copy(), expression=select.expressions[0].unalias().copy()
    )
    other.set("expressions", [exp.Literal.number(1)])
    missing = exp.Not(this=exp.Exists(this=set_where(other, [*positive_parts(other), same])))
    return set_where(select, [*positive_parts(select), missing])


@rewriter(exp.Intersect)
def intersect_to_join(node: exp.Expr) -> exp.Expr | None:
    """INTERSECT as a join of the distinct values: NULL meets NULL in the one, not in the other."""
    if not _two_plain(node):
        return None
    sources = []
    for name, side in (("l", node.this), ("r", node.expression)):
        select = side.copy()
        select.set("expressions", [exp.alias_(select.expressions[0].unalias().copy(), "v")])
        sources.append(exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier(name))))
    on = exp.EQ(this=exp.column("v", table="l"), expression=exp.column("v", table="r"))
    return exp.Select(
        expressions=[exp.column("v", table="l")],
        distinct=exp.Distinct(),
        from_=exp.From(this=sources[0]),
        joins=[exp.Join(this=sources[1], on=on)],
    )


@rewriter(exp.Union)
def union_to_or(node: exp.Expr) -> exp.Expr | None:
    """``SELECT x FROM t WHERE p UNION SELECT x FROM t WHERE q`` as ``… WHERE p OR q``: duplicates stay."""
    one, two = node.this, node.expression
    if not _two_plain(node) or not node.args.get("distinct"):
        return None
    names = [[source.name for source in side.find_all(exp.Table)] for side in (one, two)]
    if names[0] != names[1] or len(names[0]) != 1 or one.expressions[0].name != two.expressions[0].name:
        return None
    other, same = two.copy(), own_aliases(one)[0]
    for column in other.find_all(exp.Column):
        column.set("table", exp.to_identifier(same))
    tests = [conjunction(list(positive_parts(side))) for side in (one, other)]
    if None in tests:
        return None
    return set_where(one.copy(), [exp.Or(this=tests[0], expression=tests[1])])


@rewriter(exp.Select)
def having_to_where(node: exp.Expr) -> exp.Expr | None:
    """``HAVING MAX(x) > 1`` as ``WHERE x > 1``: the other rows of the group."""
    having = node.args.get("having")
    test = having.this if having is not None else None
    if not isinstance(test, _OPERATORS) or not isinstance(test.this, exp.Max | exp.Min | exp.Sum | exp.Avg):
        return None
    call = test.this
    if (
        not isinstance(call.this, exp.Column)
        or test.expression.find(exp.AggFunc)
        or not node.args.get("group")
    ):
        return None
    plain = type(test)(this=call.this.copy(), expression=test.expression.copy())
    node.set("having", None)
    return set_where(node, [*positive_parts(node), plain])


def _inner_of(node: exp.Expr) -> exp.Expr | None:
    """The SELECT that is the only source of another one with a condition on its columns."""
    clause = node.args.get("from_")
    source = clause.this if clause is not None else None
    inner = source.this if isinstance(source, exp.Subquery) else None
    plain = isinstance(inner, exp.Select) and not node.args.get("joins") and node.args.get("where")
    names = {each.alias_or_name for each in inner.expressions} if inner is not None and plain else set()
    seen = {column.name for part in positive_parts(node) for column in part.find_all(exp.Column)}
    subqueries = any(has_subquery(part) for part in positive_parts(node))
    return inner if plain and seen <= names and not subqueries else None


def _pushed(node: exp.Expr, inner: exp.Expr) -> exp.Expr:
    values = {each.alias_or_name: each.unalias() for each in inner.expressions}
    test = conjunction(list(positive_parts(node)))
    assert test is not None
    holder = exp.Paren(this=test)
    for column in list(holder.find_all(exp.Column)):
        column.replace(values[column.name].copy())
    set_where(inner, [*positive_parts(inner), holder])
    return set_where(node, [])


@rewriter(exp.Select)
def filter_below_limit(node: exp.Expr) -> exp.Expr | None:
    """``SELECT … FROM (SELECT … LIMIT n) WHERE p`` with p below the LIMIT."""
    inner = _inner_of(node)
    if inner is None or not inner.args.get("limit") or inner.find(exp.AggFunc, exp.Window):
        return None
    return _pushed(node, inner)


@rewriter(exp.Select)
def filter_below_window(node: exp.Expr) -> exp.Expr | None:
    """A condition on other columns below a window function."""
    inner = _inner_of(node)
    if inner is None or not inner.find(exp.Window) or inner.args.get("limit") or inner.args.get("group"):
        return None
    calls = {each.alias_or_name for each in inner.expressions if each.find(exp.Window)}
    parts = list(positive_parts(node))
    below = [part for part in parts if not {c.name for c in part.find_all(exp.Column)} & calls]
    if not below or not any(part.find(exp.Column) for part in below):
        return None
    set_where(node, below)
    node = _pushed(node, inner)
    return set_where(node, [part for part in parts if part not in below])


@rewriter(exp.Select)
def limit_below_distinct(node: exp.Expr) -> exp.Expr | None:
    """``SELECT DISTINCT x … LIMIT n`` as the different ones of n rows."""
    if not node.args.get("distinct") or not node.args.get("limit") or node.parent is not None:
        return None
    node.set("distinct", None)
    names = [f"d{n}" for n in range(len(node.expressions))]
    node.set(
        "expressions",
        [exp.alias_(e.unalias().copy(), n) for e, n in zip(node.expressions, names, strict=True)],
    )
    source = exp.Subquery(this=node.copy(), alias=exp.TableAlias(this=exp.to_identifier("cut")))
    shown = [exp.column(name, table="cut") for name in names]
    return exp.Select(expressions=shown, distinct=exp.Distinct(), from_=exp.From(this=source))


@rewriter(exp.Select)
def drop_order_under_limit(node: exp.Expr) -> exp.Expr | None:
    """``ORDER BY x LIMIT n`` as ``LIMIT n``."""
    if not node.args.get("order") or not node.args.get("limit"):
        return None
    node.set("order", None)
    return node


@rewriter(exp.Rank, exp.DenseRank)
def rank_to_row_number(node: exp.Expr) -> exp.Expr | None:
    """RANK as ROW_NUMBER: ties."""
    del node
    return exp.RowNumber()


@rewriter(exp.Group)
def drop_group_key(node: exp.Expr) -> exp.Expr | None:
    """``GROUP BY x, y`` as ``GROUP BY x``."""
    if len(node.expressions) < 2:
        return None
    node.set("expressions", [each.copy() for each in node.expressions[:-1]])
    return node


@rewriter(exp.Select)
def skip_null_groups(node: exp.Expr) -> exp.Expr | None:
    """``GROUP BY x`` with ``WHERE x IS NOT NULL``."""
    group = node.args.get("group")
    if group is None or len(group.expressions) != 1 or not isinstance(group.expressions[0], exp.Column):
        return None
    present = exp.Not(this=exp.Is(this=group.expressions[0].copy(), expression=exp.Null()))
    return set_where(node, [*positive_parts(node), present])


@rewriter(exp.Select)
def extreme_to_first_row(node: exp.Expr) -> exp.Expr | None:
    """``SELECT MAX(x) FROM t`` as ``SELECT x FROM t ORDER BY x DESC LIMIT 1``, MIN alike: no rows, NULLs."""
    call = node.expressions[0].unalias() if len(node.expressions) == 1 else None
    clauses = ("group", "having", "order", "limit", "distinct", "with_")
    if not isinstance(call, exp.Max | exp.Min) or call.expressions or any(map(node.args.get, clauses)):
        return None
    if isinstance(node.parent, exp.SetOperation):
        return None
    node.set("expressions", [call.this.copy()])
    key = exp.Ordered(this=call.this.copy(), desc=isinstance(call, exp.Max))
    node.set("order", exp.Order(expressions=[key]))
    node.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    return node


@rewriter(exp.Mul)
def divide_last(node: exp.Expr) -> exp.Expr | None:
    """``a / b * c`` as ``a * c / b``: the division of integers cuts."""
    inner = node.this.unnest()
    if not isinstance(inner, exp.Div):
        return None
    return exp.Div(
        this=exp.Mul(this=inner.this.copy(), expression=node.expression.copy()),
        expression=inner.expression.copy(),
    )


@rewriter(exp.Div)
def halve_by_real(node: exp.Expr) -> exp.Expr | None:
    """``a / 2`` as ``a * 0.5``."""
    if node.expression != exp.Literal.number(2):
        return None
    return exp.Mul(this=node.this.copy(), expression=exp.Literal.number("0.5"))


@rewriter(exp.Sum)
def sum_to_zero(node: exp.Expr) -> exp.Expr | None:
    """``SUM(x)`` as ``COALESCE(SUM(x), 0)``: no rows, NULLs."""
    if isinstance(node.parent, exp.Coalesce | exp.Window | exp.Filter):
        return None
    return exp.Coalesce(this=node.copy(), expressions=[exp.Literal.number(0)])


@rewriter(exp.Avg)
def average_to_quotient(node: exp.Expr) -> exp.Expr | None:
    """``AVG(x)`` as ``SUM(x) / COUNT(x)``: the division of integers cuts."""
    if not isinstance(node.this, exp.Column) or isinstance(node.parent, exp.Window | exp.Filter):
        return None
    call = exp.Div(this=exp.Sum(this=node.this.copy()), expression=exp.Count(this=node.this.copy()))
    return exp.Paren(this=call)


@rewriter(exp.Coalesce)
def swap_coalesce(node: exp.Expr) -> exp.Expr | None:
    """``COALESCE(x, y)`` as ``COALESCE(y, x)``."""
    if len(node.expressions) != 1:
        return None
    return exp.Coalesce(this=node.expressions[0].copy(), expressions=[node.this.copy()])


@rewriter(exp.Case)
def else_zero(node: exp.Expr) -> exp.Expr | None:
    """CASE without ELSE with ``ELSE 0``."""
    if node.args.get("default") is not None:
        return None
    node.set("default", exp.Literal.number(0))
    return node


@rewriter(exp.Sum)
def distribute_sum(node: exp.Expr) -> exp.Expr | None:
    """``SUM(x + y)`` as ``SUM(x) + SUM(y)``: a NULL on one side alone."""
    inner = node.this
    if not isinstance(inner, exp.Add) or isinstance(node.parent, exp.Window | exp.Filter):
        return None
    parts = [exp.Sum(this=side.copy()) for side in (inner.this, inner.expression)]
    return exp.Paren(this=exp.Add(this=parts[0], expression=parts[1]))


CLAUSES: tuple[Rewriter, ...] = (
    left_join_to_join, swap_left_join, on_filter_to_where, where_filter_to_on, count_column_to_star, count_without_distinct,
    drop_distinct, union_to_union_all, except_to_not_in, except_to_anti_join, intersect_to_join, union_to_or, having_to_where,
    filter_below_limit, filter_below_window, limit_below_distinct, drop_order_under_limit, rank_to_row_number, drop_group_key,
    skip_null_groups, extreme_to_first_row, divide_last, halve_by_real, sum_to_zero, average_to_quotient, swap_coalesce, else_zero,
    distribute_sum,
)  # fmt: skip
