"""Literals: their spelling, and operators between them.

Integer division truncates towards zero, and division by zero is NULL.  Only
integers within 64 bits and text are evaluated; REAL arithmetic is left to
SQLite.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_integer_literal, is_text
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, number

DECIMAL = re.compile(r"([0-9]+)\.([0-9]*)\Z")
LIMIT = 2**63


def _divided(left: int, right: int) -> int | None:
    return None if right == 0 else abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int | None:
    return None if right == 0 else abs(left) % abs(right) * (-1 if left < 0 else 1)


ARITHMETIC: dict[type[Node], Callable[[int, int], int | None]] = {
    exp.Add: lambda left, right: left + right,
    exp.Sub: lambda left, right: left - right,
    exp.Mul: lambda left, right: left * right,
    exp.Div: _divided,
    exp.Mod: _remainder,
}
HOLDS: dict[type[Node], tuple[int, ...]] = {
    exp.EQ: (0,),
    exp.NEQ: (-1, 1),
    exp.LT: (-1,),
    exp.LTE: (-1, 0),
    exp.GT: (1,),
    exp.GTE: (0, 1),
}
"""How the operands of a comparison that is true may compare."""


def integer_of(literal: Node) -> int:
    """The value of an integer literal."""
    return -int(literal.this.name) if isinstance(literal, exp.Neg) else int(literal.name)


def joins_integers(node: Node) -> bool:
    """An operator between two integer literals."""
    return is_integer_literal(node.this) and is_integer_literal(node.expression)


@rule(on=tuple(ARITHMETIC), shape=(joins_integers,))
def fold_integer_arithmetic(node: Node, ctx: Context) -> Node | None:
    """Evaluate arithmetic on integer literals.

    Before:  SELECT id FROM person WHERE age > -7 / 2
    After:   SELECT id FROM person WHERE age > -3
    Refuse:  9223372036854775807 + 1, which is REAL
    Sound:   computed as SQLite does: truncating division, remainder with the dividend's sign, NULL for zero
    """
    value = ARITHMETIC[type(node)](integer_of(node.this), integer_of(node.expression))
    if value is None:
        return exp.Null()
    return number(value) if abs(value) < LIMIT else None


def joins_text(node: Node) -> bool:
    """An operator between two string literals."""
    return is_text(node.this) and is_text(node.expression)


def compares_like_literals(node: Node) -> bool:
    """A comparison of two integers or two strings."""
    return joins_integers(node) or joins_text(node)


@rule(on=COMPARISONS, shape=(compares_like_literals,))
def fold_literal_comparison(node: Node, ctx: Context) -> Node | None:
    """Evaluate a comparison of two integers or two strings.

    Before:  SELECT id FROM person WHERE 1 = 1 AND age > 3
    After:   SELECT id FROM person WHERE 1 AND age > 3
    Refuse:  '1' = 1: false in SQLite, but left alone
    Sound:   integers compare by value, strings without a collation by their UTF-8 bytes
    """
    if is_text(node.this):
        left, right = node.this.name.encode(), node.expression.name.encode()
        order = (left > right) - (left < right)
    else:
        one, two = integer_of(node.this), integer_of(node.expression)
        order = (one > two) - (one < two)
    return number(1 if order in HOLDS[type(node)] else 0)


@rule(on=exp.Literal)
def fold_number_spelling(literal: Node, ctx: Context) -> Node | None:
    """Spell a number without superfluous zeros.

    Before:  SELECT id FROM person WHERE score > 1.50
    After:   SELECT id FROM person WHERE score > 1.5
    Refuse:  1.0 stays REAL and does not become 1: 7 / 1.0 and 7 / 2 * 1 tell
    Sound:   the same value of the same storage class; up to 15 digits REAL is exact
    """
    if literal.is_string:
        return None
    found = DECIMAL.match(literal.name)
    if found is None:
        spelt = str(int(literal.name)) if is_integer_literal(literal) else literal.name
    elif len(literal.name) > 16:
        return None
    else:
        spelt = f"{int(found[1])}.{found[2].rstrip('0') or '0'}"
    return exp.Literal.number(spelt) if spelt != literal.name else None


RULES = (fold_number_spelling, fold_integer_arithmetic, fold_literal_comparison)
