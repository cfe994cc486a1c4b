"""Rewriters of SQL made of functions that change one node, applied wherever they fit, innermost first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TypeGuard, cast

from sqlglot import exp

from equiv.core.printing import to_sql
from equiv.testing.schema_facts import QueryGround, ground_of, schema_of

Change = Callable[[exp.Expr], exp.Expr | None]
"""Gives what stands in the place of a node, which it may have changed; None where it does not fit."""

CLAUSES = ("group", "having", "order", "limit", "offset", "distinct", "with_", "windows")


@dataclass(frozen=True)
class Rewriter:
    """A function from SQL to SQL, with the kinds of columns without which nothing shows that it is wrong."""

    name: str
    kinds: tuple[type[exp.Expr], ...]
    change: Change
    needs: str = ""
    """(i)nteger, (t)ext, (d)ate, (n)ocase: see :mod:`textbook.schemas`."""

    def on(self, schema: str) -> Callable[[str], str | None]:
        """The rewriter of queries on a schema."""
        ground = ground_of(schema_of(schema))

        def rewrite(sql: str) -> str | None:
            return self.rewritten(sql, ground)

        rewrite.__name__ = self.name
        return rewrite

    def rewritten(self, sql: str, ground: QueryGround) -> str | None:
        """The query with each node changed that fits; None where none does."""
        resolved = ground.tree(sql)
        if resolved is None:
            return None
        tree: exp.Expr = resolved.copy()
        found = False
        for node in reversed(list(tree.walk())):
            new = self.change(node) if isinstance(node, self.kinds) else None
            if new is None:
                continue
            found = True
            if node is tree:
                tree = new
            elif new is not node:
                node.replace(new)
        return to_sql(cast(exp.Expression, tree)) if found else None


def rewriter(*kinds: type[exp.Expr], needs: str = "") -> Callable[[Change], Rewriter]:
    """A decorator: the rewriter that changes nodes of some kinds."""

    def made(change: Change) -> Rewriter:
        return Rewriter(change.__name__, kinds, change, needs)

    return made


def is_plain(query: exp.Expr | None) -> TypeGuard[exp.Select]:
    """Whether a query is a SELECT of one value with no clause but FROM and WHERE, and no aggregate."""
    return (
        isinstance(query, exp.Select)
        and query.args.get("from_") is not None
        and not any(query.args.get(name) for name in CLAUSES)
        and len(query.expressions) == 1
        and not query.expressions[0].find(exp.AggFunc, exp.Window, exp.Star)
    )


def conjuncts(clause: exp.Expr | None) -> list[exp.Expr]:
    """Copies of the parts of a condition, or of the condition of a clause."""
    node = clause.this if isinstance(clause, exp.Where | exp.Having) else clause
    while isinstance(node, exp.Paren):
        node = node.this
    if node is None:
        return []
    if isinstance(node, exp.And):
        return [part for side in (node.this, node.expression) for part in conjuncts(side)]
    return [node.copy()]


def conjunction(parts: list[exp.Expr]) -> exp.Expr | None:
    """Some conditions joined by AND."""
    return reduce(lambda a, b: exp.And(this=a, expression=b), parts) if parts else None


def set_where(select: exp.Expr, parts: list[exp.Expr]) -> exp.Expr:
    """The SELECT with other conditions."""
    test = conjunction(parts)
    select.set("where", exp.Where(this=test) if test is not None else None)
    return select


def aliases_in(node: exp.Expr) -> set[str]:
    """The names of sources that the columns of an expression are written with."""
    return {column.text("table") for column in node.find_all(exp.Column)}


def own_aliases(select: exp.Expr) -> list[str]:
    """The names of the sources of a SELECT."""
    clauses = [select.args["from_"], *(select.args.get("joins") or ())]
    return [clause.this.alias_or_name for clause in clauses]


def has_subquery(node: exp.Expr) -> bool:
    """Whether an expression asks other rows."""
    return node.find(exp.Query, exp.Subquery, exp.Exists) is not None


def positive_parts(select: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of the WHERE of a SELECT."""
    yield from conjuncts(select.args.get("where"))
