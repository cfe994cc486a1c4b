"""Resolved trees as SQL for SQLite, parentheses as its levels of operators ask, and compared exactly.

The printer never changes the tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from sqlglot import exp

from equiv.core.functions.table import INSTANTS, cast_affinity, uncall
from equiv.core.single_values import sql_literal
from equiv.names import quoted

OR, AND, NOT, EQUALITY, COMPARISON = range(1, 6)
"""How tightly operators bind: https://sqlite.org/src/file/src/parse.y."""
BITS, SUM, PRODUCT, CONCAT, COLLATE, UNARY, ATOM = range(6, 13)
BINARY: dict[type[exp.Expression], tuple[int, str]] = {
    exp.Or: (OR, "OR"),
    exp.And: (AND, "AND"),
    exp.EQ: (EQUALITY, "="),
    exp.NEQ: (EQUALITY, "<>"),
    exp.Is: (EQUALITY, "IS"),
    exp.NullSafeEQ: (EQUALITY, "IS"),
    exp.NullSafeNEQ: (EQUALITY, "IS NOT"),
    exp.Like: (EQUALITY, "LIKE"),
    exp.Glob: (EQUALITY, "GLOB"),
    exp.LT: (COMPARISON, "<"),
    exp.LTE: (COMPARISON, "<="),
    exp.GT: (COMPARISON, ">"),
    exp.GTE: (COMPARISON, ">="),
    exp.BitwiseAnd: (BITS, "&"),
    exp.BitwiseOr: (BITS, "|"),
    exp.BitwiseLeftShift: (BITS, "<<"),
    exp.BitwiseRightShift: (BITS, ">>"),
    exp.Add: (SUM, "+"),
    exp.Sub: (SUM, "-"),
    exp.Mul: (PRODUCT, "*"),
    exp.Div: (PRODUCT, "/"),
    exp.Mod: (PRODUCT, "%"),
    exp.DPipe: (CONCAT, "||"),
    exp.JSONExtract: (CONCAT, "->"),
    exp.JSONExtractScalar: (CONCAT, "->>"),
}
_CHAINED = (OR, AND, SUM, PRODUCT, CONCAT)
"""Levels where a left operand of the same level is printed without parentheses, as everybody reads them."""

_LEVELS: dict[type, int] = {node: level for node, (level, _) in BINARY.items()} | {
    exp.Not: NOT,
    exp.Escape: EQUALITY,
    exp.In: EQUALITY,
    exp.Between: EQUALITY,
    exp.Collate: COLLATE,
    exp.Neg: UNARY,
    exp.BitwiseNot: UNARY,
}
_NEGATED = (exp.In, exp.Between, exp.Like, exp.Glob, exp.Escape, exp.Is)
"""Predicates whose negation has a spelling of its own."""


def _level(node: exp.Expression) -> int:
    if isinstance(node, exp.Not) and isinstance(node.this, _NEGATED):
        return EQUALITY
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this)[:1] in "-+":
        return UNARY
    return _LEVELS.get(type(node), ATOM)


def is_position(node: exp.Expression) -> bool:
    """Whether SQLite takes a term of ORDER BY or GROUP BY as the position of a result column."""
    while isinstance(node, exp.Collate | exp.Neg):
        node = node.this
    return isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit()


def _kept(operand: exp.Expression) -> exp.Expression:
    """An operand of AND that is 0, as FALSE: SQLite's parser drops the other side of ``x AND 0``."""
    if isinstance(operand, exp.Literal) and not operand.is_string and operand.name.strip("0.") == "":
        return exp.false()
    return operand


def _compared(right: exp.Expression) -> exp.Expression:
    """A right side of IS between values, TRUE as 1: behind any COLLATE the word would test truth."""
    match right:
        case exp.Boolean():
            return exp.Literal.number(int(bool(right.this)))
        case exp.Collate():
            return exp.Collate(this=_compared(right.this), expression=right.expression)
    return right


class ExpressionPrinter(ABC):
    """Prints expressions; a method per construct."""

    def __init__(self, verbatim: bool) -> None:
        self.verbatim = verbatim

    @abstractmethod
    def query(self, node: exp.Expression) -> str:
        """The text of a query, without parentheses."""

    def expression(self, node: exp.Expression) -> str:
        operator = BINARY.get(type(node))
        if operator is not None:
            return self.binary(node, *operator)
        printer = _PRINTERS.get(type(node))
        if printer is not None:
            return printer(self, node)
        if isinstance(node, exp.Select | exp.SetOperation):
            return self.subquery(node)
        return self.call(node)

    def listed(self, nodes: Sequence[exp.Expression]) -> str:
        return ", ".join([self.expression(node) for node in nodes])

    def operand(self, node: exp.Expression, above: int) -> str:
        """An operand in parentheses unless it binds tighter than ``above``, as every reader knows.

        ``||`` binds tighter than ``*`` in SQLite alone.
        """
        text = self.expression(node)
        surprising = isinstance(node, exp.DPipe) and BITS <= above <= PRODUCT
        return f"({text})" if surprising or _level(node) <= above else text

    def binary(self, node: exp.Expression, level: int, sign: str, negation: str = "") -> str:
        left, right = node.this, node.expression
        if isinstance(node, exp.And) and not self.verbatim:
            left, right = _kept(left), _kept(right)
        below = EQUALITY + 1 if EQUALITY <= level <= COMPARISON else level
        chained = level in _CHAINED and _level(left) == level
        if isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ):
            right = _compared(right)
        if isinstance(node, exp.Is) and negation:
            sign, negation = "IS NOT", ""
        first = self.expression(left) if chained else self.operand(left, below)
        return f"{first} {negation}{sign} {self.operand(right, below)}"

    def not_(self, node: exp.Expression) -> str:
        inner = node.this
        if self.verbatim and isinstance(inner, exp.Is) and node.meta.get("prefix"):
            return f"NOT ({self.expression(inner)})"
        if isinstance(inner, exp.Escape):
            return self.escape(inner, "NOT ")
        if isinstance(inner, exp.In):
            return self.in_(inner, "NOT ")
        if isinstance(inner, exp.Between):
            return self.between(inner, "NOT ")
        if isinstance(inner, _NEGATED):
            return self.binary(inner, *BINARY[type(inner)], negation="NOT ")
        return f"NOT {self.operand(inner, UNARY)}"

    def escape(self, node: exp.Expression, negation: str = "") -> str:
        like = self.binary(node.this, *BINARY[type(node.this)], negation=negation)
        return f"{like} ESCAPE {self.operand(node.expression, COMPARISON)}"

    def in_(self, node: exp.Expression, negation: str = "") -> str:
        left = self.operand(node.this, COMPARISON)
        query = node.args.get("query")
        if query is None:
            return f"{left} {negation}IN ({self.listed(node.expressions)})"
        return f"{left} {negation}IN {self.subquery(query)}"

    def between(self, node: exp.Expression, negation: str = "") -> str:
        parts = [self.operand(node.args[name], COMPARISON) for name in ("this", "low", "high")]
        return f"{parts[0]} {negation}BETWEEN {parts[1]} AND {parts[2]}"

    def neg(self, node: exp.Expression) -> str:
        return f"-{self.operand(node.this, UNARY)}"

    def bitwise_not(self, node: exp.Expression) -> str:
        return f"~{self.operand(node.this, UNARY)}"

    def collate(self, node: exp.Expression) -> str:
        return f"{self.operand(node.this, COLLATE)} COLLATE {quoted(node.expression.name)}"

    def literal(self, node: exp.Expression) -> str:
        return sql_literal(str(node.this)) if node.is_string else str(node.this)

    def parameter(self, node: exp.Expression) -> str:
        """The name of a parameter; verbatim its number, since SQLite numbers names by where they stand."""
        return f"?{node.meta['number']}" if self.verbatim else node.name

    def column(self, node: exp.Expression) -> str:
        table = node.text("table")
        return f"{quoted(table)}.{quoted(node.name)}" if table else quoted(node.name)

    def case(self, node: exp.Expression) -> str:
        parts = ["CASE"]
        if node.this is not None:
            parts.append(self.expression(node.this))
        branches = [
            (self.expression(each.this), self.expression(each.args["true"])) for each in node.args["ifs"]
        ]
        parts += [f"WHEN {condition} THEN {value}" for condition, value in branches]
        if node.args.get("default") is not None:
            parts.append(f"ELSE {self.expression(node.args['default'])}")
        return " ".join([*parts, "END"])

    def cast(self, node: exp.Expression) -> str:
        return f"CAST({self.expression(node.this)} AS {cast_affinity(node)})"

    def subquery(self, node: exp.Expression) -> str:
        return f"({self.query(node.this if isinstance(node, exp.Subquery) else node)})"

    def exists(self, node: exp.Expression) -> str:
        return f"EXISTS {self.subquery(node.this)}"

    def distinct(self, node: exp.Expression) -> str:
        return f"DISTINCT {self.listed(node.expressions)}"

    def call(self, node: exp.Expression) -> str:
        found = uncall(node)
        if found is None:
            raise TypeError(f"SQLite has no syntax for {type(node).__name__}")
        name, arguments = found
        return f"{name}({self.listed(arguments)})"

    def filter(self, node: exp.Expression) -> str:
        return f"{self.expression(node.this)} FILTER (WHERE {self.expression(node.expression.this)})"

    def window(self, node: exp.Expression) -> str:
        parts = []
        if node.args.get("partition_by"):
            parts.append(f"PARTITION BY {self.listed(node.args['partition_by'])}")
        if node.args.get("order"):
            parts.append(self.order(node.args["order"]))
        if node.args.get("spec"):
            parts.append(self.frame(node.args["spec"]))
        return f"{self.expression(node.this)} OVER ({' '.join(parts)})"

    def frame(self, spec: exp.Expression) -> str:
        bounds = []
        for name in ("start", "end"):
            bound, side = spec.args.get(name), spec.args.get(f"{name}_side")
            text = self.expression(bound) if isinstance(bound, exp.Expression) else str(bound)
            bounds.append(f"{text} {side}" if side else text)
        exclude = f" EXCLUDE {spec.args['exclude'].name}" if spec.args.get("exclude") else ""
        return f"{spec.args['kind']} BETWEEN {bounds[0]} AND {bounds[1]}{exclude}"

    def order(self, node: exp.Expression) -> str:
        """The text of an ORDER BY; for one inside an aggregate, with the argument before it."""
        order = f"ORDER BY {self.listed(node.expressions)}"
        return order if node.this is None else f"{self.expression(node.this)} {order}"

    def ordered(self, node: exp.Expression) -> str:
        of_select = node.parent is not None and isinstance(node.parent.parent, exp.Select)
        text = self.term(node.this) if of_select else self.expression(node.this)
        desc = bool(node.args.get("desc"))
        first = node.args.get("nulls_first")
        nulls = "" if first is None or first is not desc else f" NULLS {'FIRST' if first else 'LAST'}"
        return text + (" DESC" if desc else "") + nulls

    def term(self, node: exp.Expression) -> str:
        """A term of GROUP BY, or of the ORDER BY of a SELECT: an integer is a constant in the tree."""
        place = node.meta.get("place") if self.verbatim else None
        if place is None:
            return "NULL" if is_position(node) else self.expression(node)
        return f"{place} COLLATE {node.expression.name}" if isinstance(node, exp.Collate) else str(place)


def _spelt(text: str, *_: object) -> str:
    return text


_PRINTERS: dict[type, Callable[[ExpressionPrinter, exp.Expression], str]] = {
    exp.Alias: lambda p, node: f"{p.expression(node.this)} AS {quoted(node.alias)}",
    exp.Between: ExpressionPrinter.between,
    exp.BitwiseNot: ExpressionPrinter.bitwise_not,
    exp.Boolean: lambda p, node: "TRUE" if node.this else "FALSE",
    exp.Case: ExpressionPrinter.case,
    exp.Cast: ExpressionPrinter.cast,
    exp.Collate: ExpressionPrinter.collate,
    exp.Column: ExpressionPrinter.column,
    exp.Distinct: ExpressionPrinter.distinct,
    exp.Escape: ExpressionPrinter.escape,
    exp.Exists: ExpressionPrinter.exists,
    exp.Filter: ExpressionPrinter.filter,
    exp.HexString: lambda p, node: f"x'{node.this}'",
    exp.Identifier: lambda p, node: quoted(node.name),
    exp.In: ExpressionPrinter.in_,
    exp.Literal: ExpressionPrinter.literal,
    exp.Neg: ExpressionPrinter.neg,
    exp.Not: ExpressionPrinter.not_,
    exp.Null: lambda p, node: "NULL",
    exp.Order: ExpressionPrinter.order,
    exp.Ordered: ExpressionPrinter.ordered,
    exp.Parameter: ExpressionPrinter.parameter,
    exp.Paren: lambda p, node: f"({p.expression(node.this)})",
    exp.Star: lambda p, node: "*",
    exp.Subquery: ExpressionPrinter.subquery,
    exp.Tuple: lambda p, node: f"({p.listed(node.expressions)})",
    exp.Window: ExpressionPrinter.window,
    **{each.node: partial(_spelt, each.spelling) for each in INSTANTS if each.node is not None},
}


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
    """The text of an expression over one row of one table, with unqualified names of columns.

    Args:
        node: an expression of a resolved tree.
        refused: further classes of nodes that the expression may not contain.

    Returns:
        None if the expression needs more than the row: it has a query, a window, an aggregate or a parameter.
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
        first = node.this
        while isinstance(first, exp.SetOperation) and not first.meta.get("values"):
            first = first.this
        if self.verbatim and first.meta.get("values"):
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
        text = self.call(node.this) if isinstance(node.this, exp.Anonymous) else text
        text = f"LATERAL {text}" if node.args.get("lateral") else text
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
