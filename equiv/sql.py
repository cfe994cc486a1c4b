"""Printing resolved trees for SQLite, and comparing them exactly.

The printer knows SQLite's levels of operators, so trees need no ``exp.Paren``.
It never changes the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from equiv.functions import uncall

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEYWORDS = frozenset(
    [
        "ABORT",
        "ACTION",
        "ADD",
        "AFTER",
        "ALL",
        "ALTER",
        "ALWAYS",
        "ANALYZE",
        "AND",
        "AS",
        "ASC",
        "ATTACH",
        "AUTOINCREMENT",
        "BEFORE",
        "BEGIN",
        "BETWEEN",
        "BY",
        "CASCADE",
        "CASE",
        "CAST",
        "CHECK",
        "COLLATE",
        "COLUMN",
        "COMMIT",
        "CONFLICT",
        "CONSTRAINT",
        "CREATE",
        "CROSS",
        "CURRENT",
        "CURRENT_DATE",
        "CURRENT_TIME",
        "CURRENT_TIMESTAMP",
        "DATABASE",
        "DEFAULT",
        "DEFERRABLE",
        "DEFERRED",
        "DELETE",
        "DESC",
        "DETACH",
        "DISTINCT",
        "DO",
        "DROP",
        "EACH",
        "ELSE",
        "END",
        "ESCAPE",
        "EXCEPT",
        "EXCLUDE",
        "EXCLUSIVE",
        "EXISTS",
        "EXPLAIN",
        "FAIL",
        "FALSE",
        "FILTER",
        "FIRST",
        "FOLLOWING",
        "FOR",
        "FOREIGN",
        "FROM",
        "FULL",
        "GENERATED",
        "GLOB",
        "GROUP",
        "GROUPS",
        "HAVING",
        "IF",
        "IGNORE",
        "IMMEDIATE",
        "IN",
        "INDEX",
        "INDEXED",
        "INITIALLY",
        "INNER",
        "INSERT",
        "INSTEAD",
        "INTERSECT",
        "INTO",
        "IS",
        "ISNULL",
        "JOIN",
        "KEY",
        "LAST",
        "LEFT",
        "LIKE",
        "LIMIT",
        "MATCH",
        "MATERIALIZED",
        "NATURAL",
        "NO",
        "NOT",
        "NOTHING",
        "NOTNULL",
        "NULL",
        "NULLS",
        "OF",
        "OFFSET",
        "ON",
        "OR",
        "ORDER",
        "OTHERS",
        "OUTER",
        "OVER",
        "PARTITION",
        "PLAN",
        "PRAGMA",
        "PRECEDING",
        "PRIMARY",
        "QUERY",
        "RAISE",
        "RANGE",
        "RECURSIVE",
        "REFERENCES",
        "REGEXP",
        "REINDEX",
        "RELEASE",
        "RENAME",
        "REPLACE",
        "RESTRICT",
        "RETURNING",
        "RIGHT",
        "ROLLBACK",
        "ROW",
        "ROWS",
        "SAVEPOINT",
        "SELECT",
        "SET",
        "TABLE",
        "TEMP",
        "TEMPORARY",
        "THEN",
        "TIES",
        "TO",
        "TRANSACTION",
        "TRIGGER",
        "TRUE",
        "UNBOUNDED",
        "UNION",
        "UNIQUE",
        "UPDATE",
        "USING",
        "VACUUM",
        "VALUES",
        "VIEW",
        "VIRTUAL",
        "WHEN",
        "WHERE",
        "WINDOW",
        "WITH",
        "WITHOUT",
    ]
)

_OR, _AND, _NOT, _EQUALITY, _COMPARISON, _BITS, _SUM, _PRODUCT, _CONCAT, _COLLATE, _UNARY, _ATOM = range(
    1, 13
)
_BINARY: dict[type, tuple[int, str]] = {
    exp.Or: (_OR, "OR"),
    exp.And: (_AND, "AND"),
    exp.EQ: (_EQUALITY, "="),
    exp.NEQ: (_EQUALITY, "<>"),
    exp.Is: (_EQUALITY, "IS"),
    exp.NullSafeEQ: (_EQUALITY, "IS"),
    exp.NullSafeNEQ: (_EQUALITY, "IS NOT"),
    exp.Like: (_EQUALITY, "LIKE"),
    exp.Glob: (_EQUALITY, "GLOB"),
    exp.LT: (_COMPARISON, "<"),
    exp.LTE: (_COMPARISON, "<="),
    exp.GT: (_COMPARISON, ">"),
    exp.GTE: (_COMPARISON, ">="),
    exp.BitwiseAnd: (_BITS, "&"),
    exp.BitwiseOr: (_BITS, "|"),
    exp.BitwiseLeftShift: (_BITS, "<<"),
    exp.BitwiseRightShift: (_BITS, ">>"),
    exp.Add: (_SUM, "+"),
    exp.Sub: (_SUM, "-"),
    exp.Mul: (_PRODUCT, "*"),
    exp.Div: (_PRODUCT, "/"),
    exp.Mod: (_PRODUCT, "%"),
    exp.DPipe: (_CONCAT, "||"),
}
_CHAINED = (_OR, _AND, _SUM, _PRODUCT, _CONCAT)
"""Levels where a left operand of the same level is printed without parentheses, as everybody reads them."""

_LEVELS: dict[type, int] = {node: level for node, (level, _) in _BINARY.items()} | {
    exp.Not: _NOT,
    exp.Escape: _EQUALITY,
    exp.In: _EQUALITY,
    exp.Between: _EQUALITY,
    exp.Collate: _COLLATE,
    exp.Neg: _UNARY,
    exp.BitwiseNot: _UNARY,
}
_NEGATED = (exp.In, exp.Between, exp.Like, exp.Glob, exp.Escape, exp.Is)
"""Predicates whose negation has a spelling of its own."""

_TYPES = {
    "INT": "INTEGER",
    "BIGINT": "INTEGER",
    "DOUBLE": "REAL",
    "FLOAT": "REAL",
    "TEXT": "TEXT",
    "VARCHAR": "TEXT",
    "DECIMAL": "NUMERIC",
    "BLOB": "BLOB",
    "VARBINARY": "BLOB",
}
_NEUTRAL = frozenset({"big_int", "safe", "typed"})
"""Args that sqlglot's own parser sets and that mean nothing in SQLite."""


def key(tree: exp.Expression) -> tuple[object, ...]:
    """An exact structural key: nested tuples of class names and args; equal keys mean equal trees."""
    found: list[object] = [type(tree).__name__]
    for name, value in sorted(tree.args.items()):
        if value is None or name in _NEUTRAL:
            continue
        if isinstance(value, exp.Expression):
            found.append((name, key(value)))
        elif isinstance(value, list):
            if value:
                found.append(
                    (name, *[key(each) if isinstance(each, exp.Expression) else each for each in value])
                )
        elif value is not False or name == "nulls_first":
            found.append((name, value))
    return tuple(found)


def to_sql(tree: exp.Expression, verbatim: bool = False) -> str:
    """The SQL text of a resolved tree or of any node in it.

    Args:
        tree: built of the node types that resolution gives, in any shape.
        verbatim: spell as the original did where the tree has one form for two
            spellings, so that SQLite compiles the same program.

    Raises:
        TypeError: a node that has no SQLite spelling.
    """
    return _Printer(verbatim).root(tree)


def quoted(name: str) -> str:
    """A name as SQL, in double quotes if it needs them."""
    if _PLAIN.match(name) and name.upper() not in _KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def string(value: str) -> str:
    """A string literal."""
    return "'" + value.replace("'", "''") + "'"


def _level(node: exp.Expression) -> int:
    if isinstance(node, exp.Not) and isinstance(node.this, _NEGATED):
        return _EQUALITY
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this)[:1] in "-+":
        return _UNARY
    return _LEVELS.get(type(node), _ATOM)


class _Printer:
    """One printing; a method per construct."""

    def __init__(self, verbatim: bool) -> None:
        self.verbatim = verbatim
        self.views: list[str] = []
        """In a verbatim text the views, as common table expressions of the whole."""

    def root(self, node: exp.Expression) -> str:
        if not isinstance(node, exp.Select | exp.SetOperation):
            return self.expression(node)
        ctes, body = self.ctes(node), self.body(node)
        names = [*self.views, *ctes]
        return f"WITH {', '.join(names)} {body}" if names else body

    def expression(self, node: exp.Expression) -> str:
        operator = _BINARY.get(type(node))
        if operator is not None:
            return self.binary(node, *operator)
        printer = _PRINTERS.get(type(node))
        if printer is not None:
            return printer(self, node)
        return self.call(node)

    def list(self, nodes: list[exp.Expression]) -> str:
        return ", ".join([self.expression(node) for node in nodes])

    def operand(self, node: exp.Expression, above: int) -> str:
        """An operand in parentheses unless it binds tighter than ``above``."""
        text = self.expression(node)
        return text if _level(node) > above else f"({text})"

    def binary(self, node: exp.Expression, level: int, sign: str, negation: str = "") -> str:
        left, right = node.this, node.expression
        below = _EQUALITY + 1 if _EQUALITY <= level <= _COMPARISON else level
        chained = level in _CHAINED and _level(left) == level
        if isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ) and isinstance(right, exp.Boolean):
            right = exp.Literal.number(int(bool(right.this)))
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
            return self.binary(inner, *_BINARY[type(inner)], negation="NOT ")
        return f"NOT {self.operand(inner, _UNARY)}"

    def escape(self, node: exp.Expression, negation: str = "") -> str:
        like = self.binary(node.this, *_BINARY[type(node.this)], negation=negation)
        return f"{like} ESCAPE {self.operand(node.expression, _COMPARISON)}"

    def in_(self, node: exp.Expression, negation: str = "") -> str:
        left = self.operand(node.this, _COMPARISON)
        query = node.args.get("query")
        if query is None:
            return f"{left} {negation}IN ({self.list(node.expressions)})"
        return f"{left} {negation}IN {self.subquery(query)}"

    def between(self, node: exp.Expression, negation: str = "") -> str:
        parts = [self.operand(node.args[name], _COMPARISON) for name in ("this", "low", "high")]
        return f"{parts[0]} {negation}BETWEEN {parts[1]} AND {parts[2]}"

    def neg(self, node: exp.Expression) -> str:
        return f"-{self.operand(node.this, _UNARY)}"

    def bitwise_not(self, node: exp.Expression) -> str:
        return f"~{self.operand(node.this, _UNARY)}"

    def collate(self, node: exp.Expression) -> str:
        return f"{self.operand(node.this, _COLLATE)} COLLATE {quoted(node.expression.name)}"

    def literal(self, node: exp.Expression) -> str:
        return string(str(node.this)) if node.is_string else str(node.this)

    def column(self, node: exp.Expression) -> str:
        table = node.text("table")
        return f"{quoted(table)}.{quoted(node.name)}" if table else quoted(node.name)

    def case(self, node: exp.Expression) -> str:
        parts = ["CASE"]
        if node.this is not None:
            parts.append(self.expression(node.this))
        for branch in node.args["ifs"]:
            parts.append(f"WHEN {self.expression(branch.this)} THEN {self.expression(branch.args['true'])}")
        if node.args.get("default") is not None:
            parts.append(f"ELSE {self.expression(node.args['default'])}")
        return " ".join([*parts, "END"])

    def cast(self, node: exp.Expression) -> str:
        kind = node.args["to"].this
        name = kind.value if isinstance(kind, exp.DType) else str(kind)
        return f"CAST({self.expression(node.this)} AS {_TYPES[name]})"

    def subquery(self, node: exp.Expression) -> str:
        return f"({self.query(node.this if isinstance(node, exp.Subquery) else node)})"

    def exists(self, node: exp.Expression) -> str:
        return f"EXISTS {self.subquery(node.this)}"

    def distinct(self, node: exp.Expression) -> str:
        return f"DISTINCT {self.list(node.expressions)}"

    def call(self, node: exp.Expression) -> str:
        found = uncall(node)
        if found is None:
            raise TypeError(f"no SQLite spelling of {type(node).__name__}")
        name, arguments = found
        return f"{name}({self.list(arguments)})"

    def filter(self, node: exp.Expression) -> str:
        return f"{self.expression(node.this)} FILTER (WHERE {self.expression(node.expression.this)})"

    def window(self, node: exp.Expression) -> str:
        parts = []
        if node.args.get("partition_by"):
            parts.append(f"PARTITION BY {self.list(node.args['partition_by'])}")
        if node.args.get("order"):
            parts.append(self.order(node.args["order"]))
        if node.args.get("spec"):
            parts.append(self.frame(node.args["spec"]))
        return f"{self.expression(node.this)} OVER ({' '.join(parts)})"

    def frame(self, spec: exp.Expression) -> str:
        bounds = []
        for name in ("start", "end"):
            bound, side = spec.args.get(name), spec.args.get(f"{name}_side")
            text = (
                self.expression(bound) if isinstance(bound, exp.Expression) else str(bound or "CURRENT ROW")
            )
            bounds.append(f"{text} {side}" if side else text)
        exclude = f" EXCLUDE {spec.args['exclude'].name}" if spec.args.get("exclude") else ""
        return f"{spec.args['kind']} BETWEEN {bounds[0]} AND {bounds[1]}{exclude}"

    def order(self, node: exp.Expression) -> str:
        return f"ORDER BY {self.list(node.expressions)}"

    def term(self, node: exp.Expression) -> str:
        """A term of ORDER BY or GROUP BY."""
        place = node.meta.get("place") if self.verbatim else None
        if place is None:
            return self.expression(node)
        return f"{place} COLLATE {node.expression.name}" if isinstance(node, exp.Collate) else str(place)

    def ordered(self, node: exp.Expression) -> str:
        text = self.term(node.this)
        desc = bool(node.args.get("desc"))
        first = node.args.get("nulls_first")
        nulls = "" if first is None or first is not desc else f" NULLS {'FIRST' if first else 'LAST'}"
        return text + (" DESC" if desc else "") + nulls

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
            parts.append(f"LIMIT {self.expression(node.args['limit'].expression)}")
        if node.args.get("offset") is not None:
            if node.args.get("limit") is None:
                parts.append("LIMIT -1")
            parts.append(f"OFFSET {self.expression(node.args['offset'].expression)}")
        return " ".join(parts)

    def cte(self, node: exp.Expression) -> str:
        names = ""
        if self.verbatim and node.this.meta.get("values"):
            names = f" ({', '.join(quoted(each.alias) for each in node.this.selects)})"
        return f"{quoted(node.args['alias'].name)}{names} AS ({self.query(node.this)})"

    def compound(self, node: exp.Expression) -> str:
        if self.verbatim and node.meta.get("values"):
            return "VALUES " + ", ".join(self.rows(node))
        name = type(node).__name__.upper()
        sign = name if node.args.get("distinct", True) else f"{name} ALL"
        left = node.this
        bare = isinstance(left, exp.SetOperation) and not _has_modifiers(left)
        first = self.compound(left) if bare else self.member(left)
        return f"{first} {sign} {self.member(node.expression)}"

    def rows(self, node: exp.Expression) -> list[str]:
        """The rows of a UNION ALL that was written as VALUES."""
        if isinstance(node, exp.SetOperation):
            return [*self.rows(node.this), *self.rows(node.expression)]
        return [f"({self.list([each.unalias() for each in node.expressions])})"]

    def member(self, node: exp.Expression) -> str:
        """An operand of a compound: SQLite takes a plain SELECT only."""
        if isinstance(node, exp.Select) and not _has_modifiers(node):
            return self.select(node)
        inner = node.this if isinstance(node, exp.Subquery) else node
        return f"SELECT * FROM ({self.query(inner)})"

    def select(self, node: exp.Expression) -> str:
        parts = ["SELECT DISTINCT" if node.args.get("distinct") is not None else "SELECT"]
        parts.append(self.list(node.expressions))
        if node.args.get("from_") is not None:
            parts.append(f"FROM {self.source(node.args['from_'].this)}")
        parts += [self.join(join) for join in node.args.get("joins") or ()]
        for name in ("where", "group", "having"):
            clause = node.args.get(name)
            if clause is not None and name == "group":
                parts.append(f"GROUP BY {', '.join([self.term(term) for term in clause.expressions])}")
            elif clause is not None:
                parts.append(f"{name.upper()} {self.expression(clause.this)}")
        return " ".join(parts)

    def source(self, node: exp.Expression) -> str:
        alias = node.args.get("alias")
        if self.verbatim and node.meta.get("view"):
            name = quoted(f"view {alias.name}")
            self.views.append(f"{name} AS {self.subquery(node)}")
            return f"{name} AS {quoted(alias.name)}"
        text = self.subquery(node) if isinstance(node, exp.Subquery) else quoted(node.name)
        if alias is None or (isinstance(node, exp.Table) and alias.name == node.name):
            return text
        return f"{text} AS {quoted(alias.name)}"

    def join(self, node: exp.Expression) -> str:
        word = f"{node.args['side']} JOIN" if node.args.get("side") else "JOIN"
        if self.verbatim and node.meta.get("cross"):
            word = "CROSS JOIN"
        on = node.args.get("on")
        return f"{word} {self.source(node.this)}" + (f" ON {self.expression(on)}" if on is not None else "")


def _has_modifiers(node: exp.Expression) -> bool:
    return any(node.args.get(name) is not None for name in ("with_", "order", "limit", "offset"))


def _constant(text: str) -> Callable[[_Printer, exp.Expression], str]:
    return lambda printer, node: text


_PRINTERS: dict[type, Callable[[_Printer, exp.Expression], str]] = {
    exp.Alias: lambda p, node: f"{p.expression(node.this)} AS {quoted(node.alias)}",
    exp.Between: _Printer.between,
    exp.BitwiseNot: _Printer.bitwise_not,
    exp.Boolean: lambda p, node: "TRUE" if node.this else "FALSE",
    exp.Case: _Printer.case,
    exp.Cast: _Printer.cast,
    exp.Collate: _Printer.collate,
    exp.Column: _Printer.column,
    exp.CurrentDate: _constant("CURRENT_DATE"),
    exp.CurrentTime: _constant("CURRENT_TIME"),
    exp.CurrentTimestamp: _constant("CURRENT_TIMESTAMP"),
    exp.Distinct: _Printer.distinct,
    exp.Escape: _Printer.escape,
    exp.Exists: _Printer.exists,
    exp.Filter: _Printer.filter,
    exp.HexString: lambda p, node: f"x'{node.this}'",
    exp.Identifier: lambda p, node: quoted(node.name),
    exp.In: _Printer.in_,
    exp.Literal: _Printer.literal,
    exp.Neg: _Printer.neg,
    exp.Not: _Printer.not_,
    exp.Null: _constant("NULL"),
    exp.Order: _Printer.order,
    exp.Ordered: _Printer.ordered,
    exp.Paren: lambda p, node: f"({p.expression(node.this)})",
    exp.Star: _constant("*"),
    exp.Subquery: _Printer.subquery,
    exp.Table: _Printer.source,
    exp.Tuple: lambda p, node: f"({p.list(node.expressions)})",
    exp.Window: _Printer.window,
}
