"""Random claims about values, many of them true, many of them nearly true; and random rows to try them on."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from math import isfinite
from random import Random
from typing import Any

from equiv.algebra.evaluate import Evaluator, MeaninglessError, Value
from equiv.algebra.terms import (
    NULL,
    Aggregate,
    And,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Node,
    Not,
    Or,
    Scan,
    Squash,
    Term,
    Variable,
    integer,
    map_children,
    renamed,
    walk,
)
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.schema.model import Column, Schema, Table

CHILD = Table(
    "child",
    (
        Column("id", "INTEGER"),
        Column("i", "INTEGER"),
        Column("n", "INTEGER"),
        Column("r", "REAL"),
        Column("s", "TEXT"),
        Column("t", "TEXT"),
        Column("d", "DATE"),
        Column("a"),
        Column("m", "NUMERIC"),
        Column("b", "BOOLEAN"),
        Column("p", "INTEGER"),
        Column("q", "REAL"),
    ),
    ("id",),
)
PARENT = Table(
    "parent",
    (Column("id", "INTEGER"), Column("name", "TEXT"), Column("d", "DATE"), Column("g", "INTEGER")),
    ("id",),
)
SCHEMA = Schema((CHILD, PARENT))


def _fact(kind: FactKind, table: str = "", *columns: str, **more: object) -> Fact:
    return Fact(kind, Grade.INTENDED, table, columns, **more)  # type: ignore[arg-type]


FACTS = Facts(
    [
        *(_fact(FactKind.TYPE, t.name, c.name) for t in SCHEMA.tables for c in t.columns if c.declared_type),
        *(_fact(FactKind.NOT_NULL, *place) for place in (("child", "id"), ("child", "n"), ("parent", "id"))),
        _fact(FactKind.UNIQUE, "child", "id"),
        _fact(FactKind.UNIQUE, "parent", "id"),
        _fact(FactKind.INCLUSION, "child", "p", parent="parent", parent_columns=("id",)),
        _fact(FactKind.INCLUSION, "child", "q", parent="parent", parent_columns=("id",)),
        _fact(FactKind.INCLUSION, "parent", "g", parent="parent", parent_columns=("id",)),
        _fact(FactKind.ISO_DATE, "child", "d"),
        _fact(FactKind.ISO_DATE, "parent", "d"),
    ]
)
EXACT = (_fact(FactKind.EXACT_ARITHMETIC), _fact(FactKind.NO_OVERFLOW))

ONE, TWO, ABOVE = Variable(1, "one"), Variable(2, "two"), Variable(3, "above")
DISTINCT, _INNER, _OTHER = Variable(4, "distinct"), Variable(5, "inner"), Variable(6, "other")
DERIVED = Squash(
    Bag(
        (
            Term(
                (Binding(_INNER, Scan("child")),),
                And(
                    (
                        Compare("<", integer(0), Field(_INNER, "n")),
                        Compare("=", Field(_INNER, "p"), Field(_INNER, "p")),
                    )
                ),
                (Field(_INNER, "p"), Field(_INNER, "s"), Apply("+", (Field(_INNER, "n"), integer(1)))),
            ),
            Term(
                (Binding(_OTHER, Scan("parent")),),
                Compare("<", Field(_OTHER, "id"), integer(3)),
                (Field(_OTHER, "id"), Field(_OTHER, "name"), Constant("real", "7.0")),
            ),
        )
    )
)
"""A derived table: a row of it is a child's (n positive, p not NULL) or a parent's (id below 3)."""

_BOUND = frozenset({ONE, TWO, ABOVE, DISTINCT})

ROWS = (
    Binding(ONE, Scan("child")),
    Binding(TWO, Scan("child")),
    Binding(ABOVE, Scan("parent")),
    Binding(DISTINCT, DERIVED),
)

_TEXTS = (
    *(
        "",
        "a",
        "A",
        "ab",
        "AB",
        "abc",
        "Abc",
        "ABC",
        "abd",
        "b",
        "12",
        "12abc",
        "1e1",
        " 5",
        "05",
        "1990",
        "1990-05",
    ),
    *(
        "1991",
        "é",
        "É",
        "a%",
        "a_c",
        "1.0",
        "0.5",
        "abc\0",
        "ab\0c",
        "\0",
        "abcé",
        "~",
        "}",
        "5",
        "-",
        "1990-05-0",
    ),
)
_DATES = (
    *("1990-01-01", "1990-05-03", "1990-05-31", "1990-12-31", "1991-01-01", "1989-12-31", "2024-02-29"),
    *("0000-01-01", "0000-12-31", "0001-01-01", "9999-12-31", "1990-06-01", "2000-10-05", "1990-05-01"),
)
_WHOLE = (0, 1, 2, 3, -1, -2, 5, 12, 1990, 1991)
_HUGE = (2**63 - 1, -(2**63), 2**53 + 1, 2**53)
_REALS = (0.0, 1.0, 0.5, -0.5, 2.0, -1.0, 1990.0, 12.25, -2.5)
_ROUGH = (
    -0.0,
    0.1,
    0.30000000000000004,
    1e308,
    float("inf"),
    float("-inf"),
    2.0**53,
    9.007199254740993e15,
    1e-320,
)
_BLOBS = (b"", b"abc", b"12", b"\xff")


class Claims:
    """Makes claims; under exact arithmetic with numbers on which SQLite is exact."""

    def __init__(self, seed: int, *, exact: bool) -> None:
        self.random = Random(seed)
        self.exact = exact
        self._next = 100

    # Rows

    def rows(self) -> dict[str, list[dict[str, object]]]:
        parents = [
            self._parent(number) for number in self.random.sample(range(-1, 5), self.random.randint(1, 4))
        ]
        ids = [int(str(row["id"])) for row in parents]
        for row in parents:
            row["g"] = self.random.choice([None, *ids])
        children = [
            self._child(number, ids) for number in self.random.sample(range(5), self.random.randint(1, 4))
        ]
        return {"child": children, "parent": parents}

    def _parent(self, number: int) -> dict[str, object]:
        choice = self.random.choice
        return {"id": number, "name": choice([None, *_TEXTS]), "d": choice([None, *_DATES])}

    def _child(self, number: int, parents: Sequence[int]) -> dict[str, object]:
        choice = self.random.choice
        whole = _WHOLE if self.exact else _WHOLE + _HUGE
        reals = _REALS if self.exact else _REALS + _ROUGH
        first = choice([None, *_TEXTS])
        return {
            "id": number,
            "i": choice([None, *whole]),
            "n": choice(whole),
            "r": choice([None, *reals]),
            "s": first,
            "t": choice([first, None, *_TEXTS]),
            "d": choice([None, *_DATES]),
            "a": choice([None, choice(whole), choice(reals), choice(_TEXTS), choice(_BLOBS), choice(_DATES)]),
            "m": choice([None, choice(whole), choice([0.5, -2.5])]),
            "b": choice([None, 0, 1]),
            "p": choice([None, *parents]),
            "q": choice([None, *(float(each) for each in parents)]),
        }

    # Expressions

    def claim(self) -> tuple[Expression, tuple[Expression, ...]]:
        """A goal and what is given."""
        given = tuple(self.condition(1) for _ in range(self.random.choice((0, 0, 1, 1, 2))))
        kind = self.random.random()
        if kind < 0.25:
            left = self.value(2)
            return Compare("IS", left, self._varied(left)), given
        if kind < 0.6:
            condition = self.condition(2)
            return Compare("IS", IsTrue(condition), IsTrue(self._varied(condition))), given
        if kind < 0.8:
            strong = self.condition(2)
            return self._weaker(strong), (*given, strong)
        if kind < 0.9:
            parts = tuple(self.condition(1) for _ in range(3))
            return Or((*parts, self._opposite(parts[0]))), given
        return self.condition(2), given

    def observed(self) -> tuple[Expression, ...]:
        """What some expressions are on rows of a database, and maybe what the fields in them are."""
        expressions = [
            self.condition(2),
            self.value(2),
            self._varied(self.value(2)),
            self._varied(self.condition(1)),
        ]
        expressions = self.random.sample(expressions, self.random.randint(1, 3))
        fields = [
            each
            for node in expressions
            for each in walk(node)
            if isinstance(each, Field) and each.row in _BOUND
        ]
        if self.random.random() < 0.7:
            expressions += dict.fromkeys(field for field in fields if self.random.random() < 0.85)
        tables = self.rows()
        evaluator = Evaluator(tables)  # type: ignore[arg-type]
        rows: Any = {ONE: self.random.choice(tables["child"]), TWO: self.random.choice(tables["child"])}
        rows[ABOVE] = self.random.choice(tables["parent"])
        derived = evaluator.source(DERIVED, {})
        if not derived:
            return ()
        rows[DISTINCT] = self.random.choice(derived)
        found = []
        for expression in expressions:
            try:
                cell = evaluator.value(expression, rows)
                if not (self.exact and _is_rounded(cell)):
                    found.append(Compare("IS", expression, _literal(cell)))
            except (MeaninglessError, sqlite3.Error, OverflowError):
                continue
        return tuple(found)

    def _opposite(self, condition: Expression) -> Expression:
        match condition:
            case Compare("<", left, right):
                return self.random.choice((Compare("<=", right, left), Compare("<", right, left)))
            case Compare("<=", left, right):
                return Compare("<", right, left)
        return Not(condition)

    def _weaker(self, condition: Expression) -> Expression:
        match condition:
            case And(parts):
                return self._weaker(self.random.choice(parts))
            case Compare("<" | "=", left, right):
                return self.random.choice((Compare("<=", left, right), Not(Compare("<", right, left))))
        return self._varied(condition)

    def _varied(self, node: Expression) -> Expression:
        """The expression after a few changes that look harmless; some are."""
        for _ in range(self.random.choice((1, 1, 2, 3))):
            below = [
                each for each in walk(node) if not isinstance(each, Bag | Term | Binding | Scan | Squash)
            ]
            target = self.random.choice(below)
            new = self._change(target)  # type: ignore[arg-type]
            if new is not None:
                node = _replaced(node, target, new)
        return node

    def _change(self, node: Expression) -> Expression | None:
        match node:
            case Compare():
                return self._other_comparison(node)
            case And() | Or() | Not() | IsNull() | Case():
                return self._other_condition(node)
            case Found() | Lookup() | Exists() | Aggregate():
                return self._other_atom(node)
            case Constant():
                return self._other_constant(node)
            case Apply("LIKE" | "GLOB" | "STRFTIME" | "SUBSTR"):
                return self._other_text(node)
            case Apply():
                return self._other_call(node)
        return self._other_operand(node)

    def _other_comparison(self, node: Expression) -> Expression | None:
        choice = self.random.choice
        match node:
            case Compare("=", left, right):
                return choice(
                    (
                        Compare("=", right, left),
                        Compare("IS", left, right),
                        And((Compare("<=", left, right), Compare("<=", right, left))),
                    )
                )
            case Compare("<", left, right):
                return choice(
                    (
                        Not(Compare("<=", right, left)),
                        Compare("<=", left, right),
                        Not(Compare("<", right, left)),
                    )
                )
            case Compare("<=", left, right):
                return choice(
                    (
                        Not(Compare("<", right, left)),
                        Or((Compare("<", left, right), Compare("=", left, right))),
                    )
                )
            case Compare("IS", left, right):
                return choice(
                    (
                        Compare("IS", right, left),
                        Compare("=", left, right),
                        Or((Compare("=", left, right), And((IsNull(left), IsNull(right))))),
                    )
                )
        return None

    def _other_condition(self, node: Expression) -> Expression | None:
        choice = self.random.choice
        match node:
            case And(parts):
                return choice((And(parts[::-1]), Not(Or(tuple(Not(part) for part in parts))), And(parts[1:])))
            case Or(parts):
                return choice((Or(parts[::-1]), Not(And(tuple(Not(part) for part in parts)))))
            case Not(part):
                return choice((part, Not(IsTrue(part)), Case(((part, integer(0)),), integer(1))))
            case IsNull(value):
                return choice(
                    (Compare("IS", value, NULL), Not(Compare("=", value, value)), Compare("=", value, NULL))
                )
            case Case(((condition, value), *rest), default):
                return choice(
                    (
                        Case(((Not(condition), default), *rest), value),
                        _coalesced(value, default),
                        Case(((condition, value),), default),
                    )
                )
        return None

    def _other_operand(self, node: Expression) -> Expression | None:
        choice = self.random.choice
        match node:
            case Convert(to, value, explicit):
                return choice(
                    (
                        value,
                        Convert(choice(("INTEGER", "REAL", "TEXT", "NUMERIC")), value, explicit=True),
                        Convert(to, value, not explicit),
                    )
                )
            case Field(row, column):
                return choice(
                    (
                        Field(choice((ONE, TWO)), column) if row in (ONE, TWO) else node,
                        Apply("+", (node, integer(0))),
                        _coalesced(node, node),
                        Field(DISTINCT, 0),
                        Apply("||", (node, Constant("text", ""))),
                        Convert("TEXT", node, explicit=True),
                    )
                )
        return None

    def _other_atom(self, node: Expression) -> Expression | None:
        choice = self.random.choice
        match node:
            case Lookup(table, key, _, column):
                return choice(
                    (
                        Lookup(table, key, (Field(TWO, "p"),), column),
                        Field(ABOVE, column),
                        Lookup(table, key, (Field(ABOVE, "g"),), column),
                    )
                )
            case Found(table, key, (value,)):
                return choice(
                    (
                        Not(IsNull(value)),
                        Not(IsNull(Lookup(table, key, (value,), "name"))),
                        Not(IsNull(Lookup(table, key, (value,), "id"))),
                    )
                )
            case Exists(bag):
                row = bag.terms[0].bindings[0].row
                counted = _with_output(
                    bag, choice((integer(1), Field(row, "n"), Field(row, "i"), Field(row, "s")))
                )
                return choice(
                    (
                        Compare("<", integer(0), Aggregate("COUNT", counted)),
                        Not(IsNull(Aggregate(choice(("MAX", "SUM", "AVG")), counted))),
                        Exists(self._renamed(bag)),
                    )
                )
            case Aggregate(function, bag):
                return choice(
                    (
                        Aggregate(function, self._renamed(bag)),
                        Aggregate(choice(("MIN", "MAX", "SUM", "COUNT")), bag),
                        _coalesced(node, integer(0)),
                    )
                )
        return None

    def _renamed(self, bag: Bag) -> Bag:
        old = bag.terms[0].bindings[0].row
        new = self._variable()
        return renamed(bag, {old: new})

    def _variable(self) -> Variable:
        self._next += 1
        return Variable(self._next, "x")

    def _other_constant(self, node: Constant) -> Expression:
        choice = self.random.choice
        if node.kind == "integer":
            value = int(node.text)
            return choice(
                (
                    integer(value + 1),
                    Constant("real", f"{value}.0"),
                    Constant("text", str(value)),
                    Apply("+", (integer(value - 1), integer(1))),
                )
            )
        if node.kind == "text":
            return choice(
                (
                    Constant("text", node.text.upper()),
                    Constant("text", node.text.lower()),
                    Constant("text", node.text[:-1]),
                    Constant("text", node.text + "%"),
                    Apply("||", (Constant("text", node.text[:1]), Constant("text", node.text[1:]))),
                )
            )
        return choice((Constant("integer", "1"), node))

    def _other_text(self, node: Apply) -> Expression:
        choice = self.random.choice
        match node:
            case Apply("LIKE", (text, Constant("text", pattern))):
                plain = pattern.rstrip("%")
                start = Apply("SUBSTR", (text, integer(1), integer(len(plain))))
                return choice(
                    (
                        Compare("=", start, Constant("text", plain)),
                        Compare("=", text, Constant("text", plain)),
                        Apply("GLOB", (text, Constant("text", plain + "*"))),
                        Apply("LIKE", (Apply("UPPER", (text,)), Constant("text", pattern.upper()))),
                        And(
                            (
                                Compare("<=", Constant("text", plain), text),
                                Compare(
                                    "<", text, Constant("text", plain[:-1] + chr(ord((plain or "a")[-1]) + 1))
                                ),
                            )
                        ),
                    )
                )
            case Apply("GLOB", (text, Constant("text", pattern))):
                return Apply("LIKE", (text, Constant("text", pattern.replace("*", "%"))))
            case Apply("STRFTIME", (Constant("text", form), moment)):
                part = {"%Y": (1, 4), "%m": (6, 2), "%d": (9, 2), "%Y-%m": (1, 7)}.get(form)
                if part is not None:
                    return Apply("SUBSTR", (moment, integer(part[0]), integer(part[1])))
            case Apply("SUBSTR", (text, Constant("integer", "1"), Constant("integer", "4"))):
                return choice(
                    (
                        Apply("STRFTIME", (Constant("text", "%Y"), text)),
                        Apply("SUBSTR", (text, integer(0), integer(5))),
                        Apply(
                            "SUBSTR",
                            (Apply("SUBSTR", (text, integer(1), integer(7))), integer(1), integer(4)),
                        ),
                    )
                )
        return node

    def _other_call(self, node: Apply) -> Expression:
        choice, arguments = self.random.choice, node.arguments
        match node:
            case Apply("+" | "*" | "-" as sign, (left, right)):
                return choice(
                    (
                        Apply(sign, (right, left)),
                        Apply("NEG", (Apply(sign, (Apply("NEG", (left,)), Apply("NEG", (right,)))),)),
                    )
                )
            case Apply("/", (left, right)):
                return choice(
                    (
                        Apply("/", (Convert("REAL", left, explicit=True), right)),
                        Apply("*", (left, Apply("/", (Constant("real", "1.0"), right)))),
                        Apply("NEG", (Apply("/", (Apply("NEG", (left,)), right)),)),
                    )
                )
            case Apply("%", (left, right)):
                return Apply("-", (left, Apply("*", (right, Apply("/", (left, right))))))
            case Apply("MAX" | "MIN", (left, right)):
                return choice(
                    (Case(((Compare("<", left, right), right),), left), Apply(node.function, (right, left)))
                )
            case Apply("ABS", (value,)):
                return Case(((Compare("<", value, integer(0)), Apply("NEG", (value,))),), value)
            case Apply("LENGTH", (value,)):
                return Apply("LENGTH", (Convert("TEXT", value, explicit=True),))
        return Apply(node.function, arguments[::-1]) if len(arguments) == 2 else node

    def condition(self, depth: int) -> Expression:
        choice, random = self.random.choice, self.random.random()
        if depth and random < 0.25:
            return choice((And, Or))((self.condition(depth - 1), self.condition(depth - 1)))
        if depth and random < 0.35:
            return choice((Not, IsTrue))(self.condition(depth - 1))
        if random < 0.42:
            return IsNull(self.value(1))
        if random < 0.55:
            text = choice(
                (
                    Field(ONE, "s"),
                    Field(ONE, "t"),
                    Field(ONE, "a"),
                    Field(ONE, "d"),
                    Field(ABOVE, "name"),
                    self.value(1),
                )
            )
            pattern = choice(
                ("ab%", "a%", "1990%", "12%", "%", "abc", "1990-05%", "%b%", "A_c", "12", "~%", "}%", "-%")
            )
            return Apply("LIKE", (text, Constant("text", pattern)))
        if random < 0.62:
            text = choice((Field(ONE, "s"), Field(ONE, "a"), Field(ABOVE, "name")))
            return Apply(
                "GLOB", (text, Constant("text", choice(("ab*", "A*", "*", "1990-*", "12", "a?c", "}*"))))
            )
        if random < 0.68:
            return Found(
                "parent",
                ("id",),
                (
                    choice(
                        (
                            Field(ONE, "p"),
                            Field(ONE, "q"),
                            Field(ONE, "n"),
                            Field(ABOVE, "g"),
                            Field(ONE, "a"),
                        )
                    ),
                ),
            )
        if random < 0.73:
            return Exists(self._bag(integer(1)))
        if random < 0.85:
            return self._dated()
        return self._compared(depth)

    def _dated(self) -> Expression:
        choice = self.random.choice
        date = choice(
            (
                Field(ONE, "d"),
                Field(ONE, "d"),
                Field(ABOVE, "d"),
                Field(ONE, "s"),
                Lookup("parent", ("id",), (Field(ONE, "p"),), "d"),
            )
        )
        form = choice(("%Y", "%Y", "%m", "%d", "%Y-%m"))
        part: Expression = Apply("STRFTIME", (Constant("text", form), date))
        if self.random.random() < 0.3:
            part = Convert("INTEGER", part, explicit=True)
            return Compare(choice(("=", "<", "<=")), part, integer(choice((1990, 1991, 5, 12, 3, 0, 19900))))
        literal = Constant(
            "text",
            choice(
                {
                    "%Y": ("1990", "1991", "199", "19900"),
                    "%m": ("05", "5", "12"),
                    "%d": ("03", "31"),
                    "%Y-%m": ("1990-05", "1990-12", "1990"),
                }[form]
            ),
        )
        pair = choice(
            (
                (part, literal),
                (literal, part),
                (date, Constant("text", choice(_DATES))),
                (Constant("text", choice(("1990", "1990-05", "1990-05-00", "1991-02-31"))), date),
            )
        )
        return Compare(choice(("=", "<", "<=")), *pair)

    def _compared(self, depth: int) -> Expression:
        left = self.value(depth)
        right = self.value(max(depth - 1, 0)) if self.random.random() < 0.5 else self._constant()
        pair = (left, right) if self.random.random() < 0.7 else (right, left)
        return Compare(self.random.choice(("=", "<", "<=", "IS")), *pair)

    def _constant(self) -> Constant:
        choice = self.random.choice
        return choice(
            (
                integer(choice(_WHOLE)),
                Constant("real", repr(choice(_REALS))),
                Constant("text", choice(_TEXTS)),
                NULL,
                Constant("text", choice(_DATES)),
            )
        )

    def _field(self) -> Expression:
        choice = self.random.choice
        if self.random.random() < 0.1:
            return Field(DISTINCT, choice((0, 1, 2)))
        if self.random.random() < 0.2:
            column = choice(("name", "id", "d", "g"))
            return choice(
                (
                    Field(ABOVE, column),
                    Lookup(
                        "parent",
                        ("id",),
                        (choice((Field(ONE, "p"), Field(ABOVE, "g"), Field(ONE, "n"))),),
                        column,
                    ),
                )
            )
        return Field(
            choice((ONE, ONE, ONE, TWO)),
            choice(("id", "i", "n", "r", "s", "t", "d", "a", "m", "b", "p", "q")),
        )

    def value(self, depth: int) -> Expression:
        choice, random = self.random.choice, self.random.random()
        if not depth or random < 0.25:
            return self._field() if self.random.random() < 0.8 else self._constant()
        if random < 0.3:
            divisor = choice((integer(2), integer(-2), integer(3), integer(-1)))
            return Apply(choice(("/", "%")), (Field(ONE, choice(("n", "i"))), divisor))
        inner = [self.value(depth - 1), self.value(depth - 1)]
        if random < 0.45:
            sign = choice(("+", "-", "*", "/", "%", "||", "+"))
            if self.exact and sign in ("/", "%", "*"):
                inner[1] = choice((integer(2), Constant("real", "4.0"), integer(-2), integer(0)))
            return Apply(sign, tuple(inner))
        if random < 0.6:
            return Case(((self.condition(depth - 1), inner[0]),), inner[1])
        if random < 0.7:
            return Convert(choice(("INTEGER", "REAL", "TEXT", "NUMERIC")), inner[0], explicit=True)
        if random < 0.75:
            return Convert(choice(("NUMERIC", "TEXT")), inner[0], explicit=False)
        if random < 0.8:
            return Aggregate(choice(("COUNT", "SUM", "MIN", "MAX", "COUNT")), self._bag(None))
        name = choice(
            (
                "ABS",
                "ROUND",
                "LENGTH",
                "UPPER",
                "LOWER",
                "TRIM",
                "NEG",
                "MAX",
                "MIN",
                "COALESCE",
                "SUBSTR",
                "SUBSTR",
                "INSTR",
                "REPLACE",
                "JULIANDAY",
                "DATE",
                "NULLIF",
                "IIF",
            )
        )
        return _call(name, inner, self)

    def _bag(self, output: Expression | None) -> Bag:
        row = self._variable()
        outer = self.random.choice((Field(ONE, "n"), Field(TWO, "i"), Field(ABOVE, "id"), integer(2)))
        column = Field(row, self.random.choice(("p", "i", "n")))
        condition = Compare(self.random.choice(("=", "<")), column, outer)
        value = output or Field(row, self.random.choice(("n", "i", "s", "r")))
        return Bag((Term((Binding(row, Scan("child")),), condition, (value,)),))


def _coalesced(value: Expression, default: Expression) -> Expression:
    return Case(((Not(IsNull(value)), value),), default)


def _call(name: str, inner: list[Expression], claims: Claims) -> Expression:
    choice = claims.random.choice
    match name:
        case "NOW":
            part = choice((Apply("NOW_DATE"), Apply("NOW_TIMESTAMP")))
            return Apply("STRFTIME", (Constant("text", choice(("%Y", "%m", "%Y-%m-%d", "%H", "%j"))), part))
        case "MAX" | "MIN" | "INSTR":
            return Apply(name, tuple(inner))
        case "COALESCE":
            return _coalesced(inner[0], inner[1])
        case "NULLIF":
            return Case(((Compare("=", inner[0], inner[1]), NULL),), inner[0])
        case "IIF":
            return Case(((claims.condition(0), inner[0]),), inner[1])
        case "SUBSTR":
            start, length = choice(((1, 4), (1, 1), (1, 3), (6, 2), (2, 1), (1, 7), (0, 2), (-1, 1)))
            text = choice((inner[0], Field(ONE, "s"), Field(ONE, "d")))
            return Apply(name, (text, integer(start), integer(length)))
        case "REPLACE":
            pattern = choice((Constant("text", "a"), Constant("text", ""), Field(ONE, "t")))
            return Apply(name, (inner[0], pattern, choice((inner[1], Constant("text", "")))))
    return Apply(name, (inner[0],))


def _with_output(bag: Bag, output: Expression) -> Bag:
    return Bag(tuple(Term(term.bindings, term.condition, (output,)) for term in bag.terms))


def _is_rounded(cell: Value) -> bool:
    """Whether a number may have been rounded, so that exact arithmetic has another one."""
    return isinstance(cell, float) and isfinite(cell) and cell * 1024 != int(cell * 1024)


def _literal(cell: Value) -> Constant:
    match cell:
        case None:
            return NULL
        case int():
            return integer(cell)
        case float():
            if cell in (float("inf"), float("-inf")):
                raise OverflowError
            return Constant("real", repr(cell))
        case bytes():
            return Constant("blob", cell.hex())
    return Constant("text", cell)


def _replaced(node: Expression, target: Node, new: Expression) -> Expression:
    def change(inner: Node) -> Node:
        return new if inner == target else map_children(inner, change)

    return change(node)  # type: ignore[return-value]
