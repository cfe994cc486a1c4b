"""Random conditions and values over the rows that are bound."""

from __future__ import annotations

from smt.random_claims.rows import DATES, REALS, TEXTS, WHOLE, Rows
from smt.random_claims.world import ABOVE, DISTINCT, ONE, TWO

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
    Not,
    Or,
    Scan,
    Term,
    Variable,
    integer,
)


class Expressions(Rows):
    """Makes expressions."""

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
            return Exists(self.bag(integer(1)))
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
                (date, Constant("text", choice(DATES))),
                (Constant("text", choice(("1990", "1990-05", "1990-05-00", "1991-02-31"))), date),
            )
        )
        return Compare(choice(("=", "<", "<=")), *pair)

    def _compared(self, depth: int) -> Expression:
        left = self.value(depth)
        right = self.value(max(depth - 1, 0)) if self.random.random() < 0.5 else self.constant()
        pair = (left, right) if self.random.random() < 0.7 else (right, left)
        return Compare(self.random.choice(("=", "<", "<=", "IS")), *pair)

    def constant(self) -> Constant:
        choice = self.random.choice
        return choice(
            (
                integer(choice(WHOLE)),
                Constant("real", repr(choice(REALS))),
                Constant("text", choice(TEXTS)),
                NULL,
                Constant("text", choice(DATES)),
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
            return self._field() if self.random.random() < 0.8 else self.constant()
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
            return Aggregate(choice(("COUNT", "SUM", "MIN", "MAX", "COUNT")), self.bag(None))
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

    def bag(self, output: Expression | None) -> Bag:
        row = self.variable()
        outer = self.random.choice((Field(ONE, "n"), Field(TWO, "i"), Field(ABOVE, "id"), integer(2)))
        column = Field(row, self.random.choice(("p", "i", "n")))
        condition = Compare(self.random.choice(("=", "<")), column, outer)
        value = output or Field(row, self.random.choice(("n", "i", "s", "r")))
        return Bag((Term((Binding(row, Scan("child")),), condition, (value,)),))

    def variable(self) -> Variable:
        self._next += 1
        return Variable(self._next, "x")


def coalesced(value: Expression, default: Expression) -> Expression:
    return Case(((Not(IsNull(value)), value),), default)


def _call(name: str, inner: list[Expression], making: Expressions) -> Expression:
    choice = making.random.choice
    match name:
        case "NOW":
            part = choice((Apply("NOW_DATE"), Apply("NOW_TIMESTAMP")))
            return Apply("STRFTIME", (Constant("text", choice(("%Y", "%m", "%Y-%m-%d", "%H", "%j"))), part))
        case "MAX" | "MIN" | "INSTR":
            return Apply(name, tuple(inner))
        case "COALESCE":
            return coalesced(inner[0], inner[1])
        case "NULLIF":
            return Case(((Compare("=", inner[0], inner[1]), NULL),), inner[0])
        case "IIF":
            return Case(((making.condition(0), inner[0]),), inner[1])
        case "SUBSTR":
            start, length = choice(((1, 4), (1, 1), (1, 3), (6, 2), (2, 1), (1, 7), (0, 2), (-1, 1)))
            text = choice((inner[0], Field(ONE, "s"), Field(ONE, "d")))
            return Apply(name, (text, integer(start), integer(length)))
        case "REPLACE":
            pattern = choice((Constant("text", "a"), Constant("text", ""), Field(ONE, "t")))
            return Apply(name, (inner[0], pattern, choice((inner[1], Constant("text", "")))))
    return Apply(name, (inner[0],))
