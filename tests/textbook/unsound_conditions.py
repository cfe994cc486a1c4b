"""Textbook bugs in conditions and subqueries: each holds where no column is NULL, no key twice, no table empty."""

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


def _one() -> exp.Expr:
    return exp.Literal.number(1)


@rewriter(exp.Not)
def not_in_to_not_exists(node: exp.Expr) -> exp.Expr | None:
    """``x NOT IN (SELECT y …)`` as ``NOT EXISTS (… AND y = x)``: a NULL on either side."""
    inside = node.this
    query = inside.args.get("query") if isinstance(inside, exp.In) else None
    select = query.this.copy() if isinstance(query, exp.Subquery) else None
    if not is_plain(select) or not isinstance(inside.this, exp.Column):
        return None
    equal = exp.EQ(this=select.expressions[0].unalias().copy(), expression=inside.this.copy())
    select.set("expressions", [_one()])
    return exp.Not(this=exp.Exists(this=set_where(select, [*positive_parts(select), equal])))


@rewriter(exp.Not)
def not_exists_to_not_in(node: exp.Expr) -> exp.Expr | None:
    """``NOT EXISTS (… WHERE y = x)`` as ``x NOT IN (SELECT y …)``."""
    inside = node.this
    select = inside.this.copy() if isinstance(inside, exp.Exists) else None
    if not is_plain(select) or select.args.get("joins"):
        return None
    own, parts = set(own_aliases(select)), positive_parts(select)
    for equal in parts:
        sides = [equal.this, equal.expression] if isinstance(equal, exp.EQ) else []
        mine = [s for s in sides if isinstance(s, exp.Column) and aliases_in(s) <= own]
        others = [s for s in sides if isinstance(s, exp.Column) and not aliases_in(s) & own]
        if mine and others:
            rest = [part for part in list(conjuncts(select.args["where"])) if part != equal]
            if any(not aliases_in(part) <= own for part in rest):
                return None
            select.set("expressions", [mine[0].copy()])
            query = exp.Subquery(this=set_where(select, rest))
            return exp.Not(this=exp.In(this=others[0].copy(), query=query))
    return None


@rewriter(exp.Or)
def equal_or_different_is_true(node: exp.Expr) -> exp.Expr | None:
    """``x = y OR x <> y`` as true: NULL."""
    one, two = node.this, node.expression
    same = isinstance(one, exp.EQ) and isinstance(two, exp.NEQ)
    return _one() if same and (one.this, one.expression) == (two.this, two.expression) else None


@rewriter(exp.Not)
def not_equal_to_is_not(node: exp.Expr) -> exp.Expr | None:
    """``NOT x = y`` as ``x IS NOT y``: NULL."""
    inside = node.this.unnest()
    if not isinstance(inside, exp.EQ):
        return None
    return exp.NullSafeNEQ(this=inside.this.copy(), expression=inside.expression.copy())


@rewriter(exp.EQ)
def equals_to_is(node: exp.Expr) -> exp.Expr | None:
    """``x = y`` as ``x IS y``, of two columns: NULL on both sides."""
    sides = (node.this, node.expression)
    if not all(isinstance(side, exp.Column) for side in sides):
        return None
    return exp.NullSafeEQ(this=node.this.copy(), expression=node.expression.copy())


@rewriter(exp.NullSafeEQ, exp.Is)
def is_to_equals(node: exp.Expr) -> exp.Expr | None:
    """``x IS y`` as ``x = y``, of two columns: NULL on both sides."""
    if not all(isinstance(side, exp.Column) for side in (node.this, node.expression)):
        return None
    return exp.EQ(this=node.this.copy(), expression=node.expression.copy())


@rewriter(exp.Between)
def swap_between_bounds(node: exp.Expr) -> exp.Expr | None:
    """``x BETWEEN a AND b`` as ``x BETWEEN b AND a``."""
    low, high = node.args["low"].copy(), node.args["high"].copy()
    return exp.Between(this=node.this.copy(), low=high, high=low) if low != high else None


@rewriter(exp.Like, needs="t")
def like_to_equals(node: exp.Expr) -> exp.Expr | None:
    """``x LIKE 'abc'`` as ``x = 'abc'``: LIKE takes no account of case."""
    pattern = node.expression
    if not pattern.is_string or set(pattern.name) & set("%_"):
        return None
    return exp.EQ(this=node.this.copy(), expression=pattern.copy())


@rewriter(exp.EQ, needs="t")
def fold_case_of_equality(node: exp.Expr) -> exp.Expr | None:
    """``x = 'abc'`` as ``LOWER(x) = LOWER('abc')``."""
    if not isinstance(node.this, exp.Column) or not node.expression.is_string:
        return None
    lowered = (exp.Lower(this=side.copy()) for side in (node.this, node.expression))
    return exp.EQ(**dict(zip(("this", "expression"), lowered, strict=True)))


@rewriter(exp.EQ, needs="n")
def swap_equality(node: exp.Expr) -> exp.Expr | None:
    """``x = y`` as ``y = x``, of two columns: the left one's collation counts."""
    if not all(isinstance(side, exp.Column) for side in (node.this, node.expression)):
        return None
    return exp.EQ(this=node.expression.copy(), expression=node.this.copy())


@rewriter(exp.LTE, exp.Between, needs="d")
def exclude_last_day(node: exp.Expr) -> exp.Expr | None:
    """``d <= '2020-12-31'`` as ``d < '2020-12-31'``, and BETWEEN alike."""
    last = node.args.get("high") or node.expression
    if not (last.is_string and last.name[:2] in ("19", "20")):
        return None
    below = exp.LT(this=node.this.copy(), expression=last.copy())
    if isinstance(node, exp.LTE):
        return below
    return exp.Paren(
        this=exp.And(
            this=exp.GTE(this=node.this.copy(), expression=node.args["low"].copy()), expression=below
        )
    )


@rewriter(exp.EQ, needs="d")
def year_to_days(node: exp.Expr) -> exp.Expr | None:
    """``STRFTIME('%Y', d) = '2020'`` as ``d <= '2020-12-31' AND d > '2020-01-01'``: the first day."""
    call, year = node.this, node.expression
    if not isinstance(call, exp.TimeToStr) or call.args["format"].name != "%Y" or not year.is_string:
        return None
    day = call.this.this
    low = exp.GT(this=day.copy(), expression=exp.Literal.string(f"{year.name}-01-01"))
    high = exp.LTE(this=day.copy(), expression=exp.Literal.string(f"{year.name}-12-31"))
    return exp.Paren(this=exp.And(this=low, expression=high))


@rewriter(exp.Select)
def in_to_join(node: exp.Expr) -> exp.Expr | None:
    """``WHERE x IN (SELECT y …)`` as a join: a row comes once for each partner."""
    kept: list[exp.Expr] = []
    found: exp.Expr | None = None
    for part in positive_parts(node):
        query = part.args.get("query") if isinstance(part, exp.In) else None
        select = query.this if isinstance(query, exp.Subquery) else None
        if found is None and is_plain(select) and aliases_in(select) <= set(own_aliases(select)):
            found = part
        else:
            kept.append(part)
    if found is None or node.args.get("from_") is None:
        return None
    select = found.args["query"].this.copy()
    select.set("expressions", [exp.alias_(select.expressions[0].unalias().copy(), "y")])
    source = exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier("joined")))
    equal = exp.EQ(this=found.this.copy(), expression=exp.column("y", table="joined"))
    node.append("joins", exp.Join(this=source, on=equal))
    return set_where(node, kept)


@rewriter(exp.Select)
def exists_to_join(node: exp.Expr) -> exp.Expr | None:
    """``WHERE EXISTS (… WHERE p)`` as ``JOIN … ON p``: a row comes once for each partner."""
    kept, found = [], None
    for part in positive_parts(node):
        select = part.this if isinstance(part, exp.Exists) else None
        fits = is_plain(select) and not select.args.get("joins")
        if found is None and select is not None and fits and select.args.get("where"):
            found = select
        else:
            kept.append(part)
    if found is None or node.args.get("from_") is None:
        return None
    on = conjunction(conjuncts(found.args["where"]))
    node.append("joins", exp.Join(this=found.args["from_"].this.copy(), on=on))
    return set_where(node, kept)


@rewriter(exp.GT, exp.GTE)
def above_all_to_not_exists(node: exp.Expr) -> exp.Expr | None:
    """``x > (SELECT MAX(y) …)`` as ``NOT EXISTS (… AND y >= x)``: no rows, NULLs."""
    query = node.expression
    select = query.this.copy() if isinstance(query, exp.Subquery) else None
    call = select.expressions[0].unalias() if isinstance(select, exp.Select) else None
    if (
        select is None
        or not isinstance(call, exp.Max)
        or any(select.args.get(name) for name in ("group", "having", "limit"))
    ):
        return None
    kind = exp.GTE if isinstance(node, exp.GT) else exp.GT
    above = kind(this=call.this.copy(), expression=node.this.copy())
    select.set("expressions", [_one()])
    return exp.Not(this=exp.Exists(this=set_where(select, [*positive_parts(select), above])))


@rewriter(exp.Select)
def or_to_union_all(node: exp.Expr) -> exp.Expr | None:
    """``WHERE p OR q`` as two queries under UNION ALL: rows for which both are true come twice."""
    where = node.args.get("where")
    test = where.this.unnest() if where is not None else None
    clauses = any(node.args.get(name) for name in ("group", "having", "order", "limit", "distinct", "with_"))
    calls = any(each.find(exp.AggFunc, exp.Window) for each in node.expressions)
    if not isinstance(test, exp.Or) or clauses or calls or node.parent is not None:
        return None
    parts = [set_where(node.copy(), [side.copy()]) for side in (test.this, test.expression)]
    return exp.Union(this=parts[0], expression=parts[1], distinct=False)


@rewriter(exp.Select)
def scalar_to_left_join(node: exp.Expr) -> exp.Expr | None:
    """``(SELECT COUNT(*) FROM c WHERE c.f = p.k)`` beside rows as a join with groups: NULL for 0."""
    if node.args.get("from_") is None or any(node.args.get(name) for name in ("group", "having")):
        return None
    for place in node.expressions:
        query = place.unalias()
        select = query.this if isinstance(query, exp.Subquery) else None
        if not isinstance(select, exp.Select) or select.args.get("joins") or not select.args.get("where"):
            continue
        parts, own = conjuncts(select.args["where"]), set(own_aliases(select))
        equal = parts[0]
        if (
            not isinstance(select.expressions[0].unalias(), exp.Count)
            or len(parts) != 1
            or not isinstance(equal, exp.EQ)
        ):
            continue
        sides = [equal.this, equal.expression]
        mine = [s for s in sides if isinstance(s, exp.Column) and aliases_in(s) <= own]
        others = [s for s in sides if isinstance(s, exp.Column) and not aliases_in(s) & own]
        if not mine or not others or has_subquery(select.expressions[0].unalias()):
            continue
        groups = set_where(select.copy(), [])
        count = groups.expressions[0].unalias()
        groups.set("expressions", [exp.alias_(mine[0].copy(), "f"), exp.alias_(count.copy(), "n")])
        groups.set("group", exp.Group(expressions=[mine[0].copy()]))
        source = exp.Subquery(this=groups, alias=exp.TableAlias(this=exp.to_identifier("counted")))
        on = exp.EQ(this=exp.column("f", table="counted"), expression=others[0].copy())
        query.replace(exp.column("n", table="counted"))
        node.append("joins", exp.Join(this=source, side="LEFT", on=on))
        return node
    return None


CONDITIONS: tuple[Rewriter, ...] = (
    not_in_to_not_exists, not_exists_to_not_in, equal_or_different_is_true, not_equal_to_is_not, equals_to_is, is_to_equals,
    swap_between_bounds, like_to_equals, fold_case_of_equality, swap_equality, exclude_last_day, year_to_days, in_to_join,
    exists_to_join, above_all_to_not_exists, or_to_union_all, scalar_to_left_join,
)  # fmt: skip
