"""Random changes of expressions that look harmless; some are."""

from __future__ import annotations

from smt.random_claims.expressions import Expressions, coalesced
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
    Node,
    Not,
    Or,
    Scan,
    Squash,
    Term,
    integer,
    map_children,
    renamed,
    walk,
)


class Changes(Expressions):
    """Makes expressions, and others that are nearly the same."""

    def opposite(self, condition: Expression) -> Expression:
        match condition:
            case Compare("<", left, right):
                return self.random.choice((Compare("<=", right, left), Compare("<", right, left)))
            case Compare("<=", left, right):
                return Compare("<", right, left)
        return Not(condition)

    def weaker(self, condition: Expression) -> Expression:
        match condition:
            case And(parts):
                return self.weaker(self.random.choice(parts))
            case Compare("<" | "=", left, right):
                return self.random.choice((Compare("<=", left, right), Not(Compare("<", right, left))))
        return self.varied(condition)

    def varied(self, node: Expression) -> Expression:
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
                        coalesced(value, default),
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
                        coalesced(node, node),
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
                        coalesced(node, integer(0)),
                    )
                )
        return None

    def _renamed(self, bag: Bag) -> Bag:
        old = bag.terms[0].bindings[0].row
        new = self.variable()
        return renamed(bag, {old: new})

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


def _with_output(bag: Bag, output: Expression) -> Bag:
    return Bag(tuple(Term(term.bindings, term.condition, (output,)) for term in bag.terms))


def _replaced(node: Expression, target: Node, new: Expression) -> Expression:
    def change(inner: Node) -> Node:
        return new if inner == target else map_children(inner, change)

    return change(node)  # type: ignore[return-value]
