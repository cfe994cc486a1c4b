"""Smaller queries of a query, one part less each, to find the smallest that still shows a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from sqlglot import exp

from equiv.core.lexer import GrammarError
from equiv.core.printing import to_sql
from equiv.dialects.registry import reference

_CLAUSES = ("with_", "where", "having", "group", "order", "limit", "offset", "distinct")


def reduced(sql: str, is_wanted: Callable[[str], bool], most: int) -> str:
    """The smallest query found by leaving parts out, one after the other, of which a test still holds.

    Args:
        sql: a query of which it holds.
        is_wanted: the test.
        most: how often it may be made.
    """
    seen = {sql}
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in smaller_queries(sql):
            if smaller in seen:
                continue
            if len(seen) > most:
                return sql
            seen.add(smaller)
            if is_wanted(smaller):
                sql, is_smaller = smaller, True
                break
    return sql


def smaller_queries(sql: str) -> Iterator[str]:
    """Texts with one part of a query left out, larger parts first; not all of them are queries."""
    try:
        tree = reference().parse(sql)
    except (GrammarError, RecursionError):
        return
    for inner in list(tree.find_all(exp.Select, exp.SetOperation))[1:]:
        yield to_sql(cast(exp.Expression, inner.copy()))
    for place, node in enumerate(list(tree.walk(bfs=True))):
        for number in range(len(list(_without(node)))):
            changed = tree.copy()
            twin = list(changed.walk(bfs=True))[place]
            new = list(_without(twin))[number]()
            try:
                text = to_sql(_replaced(changed, twin, new))
            except (AttributeError, KeyError, TypeError, ValueError):
                continue
            if len(text) < len(sql):
                yield text


def _replaced(tree: exp.Expression, node: exp.Expr, new: exp.Expr | None) -> exp.Expression:
    """The tree after a change in place (``new`` is None), or with another node at a place."""
    if new is None:
        return tree
    if node is tree:
        return cast(exp.Expression, new)
    node.replace(new)
    return tree


def _without(node: exp.Expr) -> Iterator[Callable[[], exp.Expr | None]]:
    """Ways to make a node smaller: each gives what stands in its place, or changes it and gives None."""
    match node:
        case exp.SetOperation():
            yield node.this.copy
            yield node.expression.copy
        case exp.Select():
            yield from (_dropper(node, name) for name in _CLAUSES if node.args.get(name))
            yield from (_item_dropper(node, "joins", n) for n in range(len(node.args.get("joins") or ())))
            yield from _fewer(node)
            yield from _body(node)
        case exp.Join() if node.text("side"):
            yield _dropper(node, "side")
        case exp.Connector() | exp.Binary():
            yield node.this.copy
            yield node.expression.copy
        case exp.Not() | exp.Paren() | exp.Alias() | exp.Func() | exp.Cast() | exp.Neg() | exp.Filter():
            if isinstance(node.this, exp.Expression) and not isinstance(node.this, exp.Star):
                yield node.this.copy
        case exp.Group() | exp.Order() | exp.In():
            yield from _fewer(node)
    if isinstance(node, exp.SetOperation):
        yield from (_dropper(node, name) for name in _CLAUSES if node.args.get(name))
    if isinstance(node, exp.Case | exp.If):
        default = node.args.get("default") or node.args.get("false")
        if default is not None:
            yield default.copy


def _fewer(node: exp.Expr) -> Iterator[Callable[[], exp.Expr | None]]:
    if len(node.expressions) > 1:
        yield from (_item_dropper(node, "expressions", number) for number in range(len(node.expressions)))


def _body(select: exp.Select) -> Iterator[Callable[[], exp.Expr | None]]:
    """The query in FROM in place of the one around it."""
    clause = select.args.get("from_")
    if clause is not None and isinstance(clause.this, exp.Subquery):
        yield clause.this.this.copy


def _dropper(node: exp.Expr, name: str) -> Callable[[], None]:
    return lambda: node.set(name, None)


def _item_dropper(node: exp.Expr, name: str, number: int) -> Callable[[], None]:
    def drop() -> None:
        node.set(name, [each for n, each in enumerate(node.args[name]) if n != number])

    return drop
