"""Printing resolved trees for SQLite, and comparing them exactly.

The printer never changes the tree.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from equiv.core.identifiers import quoted
from equiv.core.printing.expressions import ExpressionPrinter, is_position

__all__ = ["is_position", "key", "quoted", "to_sql"]

_NEUTRAL = frozenset({"big_int", "safe", "typed"})
"""Args that sqlglot's own parser sets and that mean nothing in SQLite."""

_Expression = exp.Expression

_FALSE_COUNTS = frozenset({"nulls_first", "distinct"})
"""Args of which False says something else than absence."""


def key(tree: exp.Expression) -> tuple[object, ...]:
    """An exact structural key: nested tuples of class names and args; equal keys mean equal trees."""
    args = tree.args
    parts: list[object] = [type(tree).__name__]
    for name in sorted(args) if len(args) > 1 else args:
        value = args[name]
        if value is None or name in _NEUTRAL:
            continue
        if isinstance(value, _Expression):
            parts.append((name, key(value)))
        elif isinstance(value, list):
            if value:
                parts.append(
                    (name, *[key(each) if isinstance(each, _Expression) else each for each in value])
                )
        elif value is not False or name in _FALSE_COUNTS:
            parts.append((name, value))
    return tuple(parts)


def to_sql(tree: exp.Expression, verbatim: bool = False) -> str:
    """The SQL text of a resolved tree or of any node in it.

    Args:
        tree: built of the node types that resolution gives, in any shape.
        verbatim: where the tree has one form for several spellings of the
            original, spell as the original did, so that SQLite compiles the same
            program: CROSS JOIN (which only forbids reordering), NOT before IS
            NULL, VALUES, views (as common table expressions), MATERIALIZED, and the
            position of a result column for a copy of it in ORDER BY or GROUP BY.

    Raises:
        TypeError: a node that has no SQLite spelling.
    """
    return _Printer(verbatim).root(tree)


def text_over_row(node: exp.Expression, *refused: type[exp.Expression]) -> str | None:
    """The text of an expression over one row of one table, whose columns it has by their names alone.

    Args:
        node: of a resolved tree.
        refused: further nodes that make it more than that.

    Returns:
        None if it asks for more than the row: a query, a window, an aggregate, a parameter.
    """
    if node.find(exp.Select, exp.Window, exp.AggFunc, exp.Parameter, *refused):
        return None
    bare = node.copy()
    for column in [bare, *bare.find_all(exp.Column)]:
        if isinstance(column, exp.Column):
            column.set("table", None)
    return to_sql(bare)


class _Printer(ExpressionPrinter):
    """Prints queries and their clauses."""

    def __init__(self, verbatim: bool) -> None:
        super().__init__(verbatim)
        self.views: list[str] = []

    def root(self, node: exp.Expression) -> str:
        clause = _CLAUSES.get(type(node))
        if clause is not None:
            return clause(self, node)
        if not isinstance(node, exp.Select | exp.SetOperation):
            return self.expression(node)
        ctes, body = self.ctes(node), self.body(node)
        names = [*self.views, *ctes]
        return f"WITH {', '.join(names)} {body}" if names else body

    def query(self, node: exp.Expression) -> str:
        ctes, body = self.ctes(node), self.body(node)
        return f"WITH {', '.join(ctes)} {body}" if ctes else body

    def ctes(self, node: exp.Expression) -> list[str]:
        clause = node.args.get("with_")
        return [] if clause is None else [self.cte(cte) for cte in clause.expressions]

    def body(self, node: exp.Expression) -> str:
        parts = [self.compound(node) if isinstance(node, exp.SetOperation) else self.select(node)]
        if node.args.get("order") is not None:
            parts.append(self.order(node.args["order"]))
        if node.args.get("limit") is not None:
            parts.append(self.bound(node.args["limit"]))
        if node.args.get("offset") is not None:
            if node.args.get("limit") is None:
                parts.append("LIMIT -1")
            parts.append(self.bound(node.args["offset"]))
        return " ".join(parts)

    def bound(self, node: exp.Expression) -> str:
        return f"{type(node).__name__.upper()} {self.expression(node.expression)}"

    def cte(self, node: exp.Expression) -> str:
        names, hint = "", node.meta.get("hint", "") if self.verbatim else ""
        if self.verbatim and node.this.meta.get("values"):
            names = f" ({', '.join(quoted(each.alias) for each in node.this.selects)})"
        return f"{quoted(node.args['alias'].name)}{names} AS {hint}({self.query(node.this)})"

    def compound(self, node: exp.Expression) -> str:
        if self.verbatim and node.meta.get("values"):
            return "VALUES " + ", ".join(self.rows(node))
        name = type(node).__name__.upper()
        sign = f"{name} ALL" if node.args.get("distinct") is False else name
        left = node.this
        bare = isinstance(left, exp.SetOperation) and not _has_modifiers(left)
        first = self.compound(left) if bare else self.member(left)
        return f"{first} {sign} {self.member(node.expression)}"

    def rows(self, node: exp.Expression) -> list[str]:
        """The rows of a UNION ALL that was written as VALUES."""
        if isinstance(node, exp.SetOperation):
            return [*self.rows(node.this), *self.rows(node.expression)]
        return [f"({self.listed([each.unalias() for each in node.expressions])})"]

    def member(self, node: exp.Expression) -> str:
        """An operand of a compound: SQLite takes a plain SELECT only, or VALUES."""
        if self.verbatim and node.meta.get("all_of"):
            return self.compound(node.args["from_"].this.this)
        if isinstance(node, exp.Select) and not _has_modifiers(node):
            return self.select(node)
        inner = node.this if isinstance(node, exp.Subquery) else node
        return f"SELECT * FROM ({self.query(inner)})"

    def select(self, node: exp.Expression) -> str:
        parts = ["SELECT DISTINCT" if node.args.get("distinct") else "SELECT"]
        parts.append(self.listed(node.expressions))
        if node.args.get("from_") is not None:
            parts.append(self.start(node.args["from_"]))
        parts += [self.join(join) for join in node.args.get("joins") or ()]
        for name in ("where", "group", "having"):
            if node.args.get(name) is not None:
                parts.append(self.clause(node.args[name]))
        return " ".join(parts)

    def start(self, node: exp.Expression) -> str:
        return f"FROM {self.source(node.this)}"

    def clause(self, node: exp.Expression) -> str:
        if isinstance(node, exp.Group):
            return f"GROUP BY {', '.join([self.term(term) for term in node.expressions])}"
        return f"{type(node).__name__.upper()} {self.expression(node.this)}"

    def source(self, node: exp.Expression) -> str:
        alias = node.alias
        if self.verbatim and node.meta.get("view"):
            name = quoted(f"view {alias}")
            self.views.append(f"{name} AS NOT MATERIALIZED {self.subquery(node)}")
            return f"{name} AS {quoted(alias)}"
        if self.verbatim and node.meta.get("group"):
            joins = [self.join(join) for join in node.this.args.get("joins") or ()]
            return f"({' '.join([self.source(node.this.args['from_'].this), *joins])})"
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.From):
            # A join in parentheses, of a tree that is not resolved.
            joined = (self.source(node.this.this), *map(self.join, node.args.get("joins") or ()))
            return f"({' '.join(joined)})"
        text = self.subquery(node) if isinstance(node, exp.Subquery) else quoted(node.name)
        if not alias or (isinstance(node, exp.Table) and alias == node.name):
            return text
        return f"{text} AS {quoted(alias)}"

    def join(self, node: exp.Expression) -> str:
        word = f"{node.args['side']} JOIN" if node.args.get("side") else "JOIN"
        if self.verbatim and node.meta.get("cross"):
            word = "CROSS JOIN"
        on = node.args.get("on")
        return f"{word} {self.source(node.this)}" + (f" ON {self.expression(on)}" if on is not None else "")


def _has_modifiers(node: exp.Expression) -> bool:
    return any(node.args.get(name) is not None for name in ("with_", "order", "limit", "offset"))


_CLAUSES: dict[type, Callable[[_Printer, exp.Expression], str]] = {
    exp.CTE: _Printer.cte,
    exp.From: _Printer.start,
    exp.Group: _Printer.clause,
    exp.Having: _Printer.clause,
    exp.Join: _Printer.join,
    exp.Limit: _Printer.bound,
    exp.Offset: _Printer.bound,
    exp.Table: _Printer.source,
    exp.Where: _Printer.clause,
    exp.With: lambda printer, node: f"WITH {', '.join(printer.cte(cte) for cte in node.expressions)}",
}
