"""Bounds: several comparisons of one operand with literals, and strict bounds of integers.

The values of SQLite are totally ordered across storage classes, so bounds
combine as on a number line, whatever the operand holds.  Both literals must
mean in the comparison what they say: an operand of TEXT affinity turns the
numbers 9 and 10 into texts, of which '10' is the lesser; text under NOCASE
orders otherwise than by its bytes.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from math import floor

from sqlglot import exp

from equiv.nullness import is_condition
from equiv.predicates import COMPARISONS, is_number, is_text
from equiv.rule import Context, rule
from equiv.value_types import WEAK, Applied, affinity, is_binary

from .guards import (
    Node,
    chain,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
    same,
    subject_is_whole,
)

DECIMAL = re.compile(r"[0-9]+(\.[0-9]*)?\Z")
DIGITS = 15
"""Decimal numbers of up to so many digits are told apart by REAL."""

BELOW, LOW, BETWEEN, HIGH, ABOVE = 1, 2, 4, 8, 16
"""The five parts into which two points cut a line."""
AT_LOW: dict[type[Node], int] = {
    exp.EQ: LOW,
    exp.NEQ: BELOW | BETWEEN | HIGH | ABOVE,
    exp.LT: BELOW,
    exp.LTE: BELOW | LOW,
    exp.GT: BETWEEN | HIGH | ABOVE,
    exp.GTE: LOW | BETWEEN | HIGH | ABOVE,
}
AT_HIGH: dict[type[Node], int] = {
    exp.EQ: HIGH,
    exp.NEQ: BELOW | LOW | BETWEEN | ABOVE,
    exp.LT: BELOW | LOW | BETWEEN,
    exp.LTE: BELOW | LOW | BETWEEN | HIGH,
    exp.GT: ABOVE,
    exp.GTE: HIGH | ABOVE,
}
LINE = BELOW | LOW | BETWEEN | HIGH | ABOVE


def is_whole_bound(node: Node) -> bool:
    """An inequality with a number on the right that has a nearest integer to step to."""
    return _whole_bound(node) is not None


def _whole_bound(node: Node) -> tuple[type[Node], int] | None:
    """The non-strict comparison with an integer that holds for the same integers."""
    value = _value(node.expression)
    if value is None:
        return None
    low = floor(value)
    has_rest = low != value
    match node:
        case exp.GT():
            return exp.GTE, low + 1
        case exp.LT():
            return exp.LTE, low if has_rest else low - 1
        case exp.GTE() if has_rest:
            return exp.GTE, low + 1
        case exp.LTE() if has_rest:
            return exp.LTE, low
    return None


@rule(
    on=(exp.LT, exp.LTE, exp.GT, exp.GTE),
    shape=(is_whole_bound,),
    needs=(subject_is_whole,),
)
def convert_strict_bound(bound: Node, ctx: Context) -> Node | None:
    """Write a strict or fractional bound of an integer as the nearest non-strict whole one.

    Before:  SELECT id FROM person WHERE age > 3
    After:   SELECT id FROM person WHERE age >= 4
    Refuse:  score > 3 where score may be 3.5; nick > 3 on TEXT, where '10' < '3'
    Sound:   no integer lies between a bound and the next integer, and no operand of TEXT affinity is whole
    """
    found = _whole_bound(bound)
    return found[0](this=bound.this, expression=number(found[1])) if found is not None else None


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain, loses_no_aggregate))
def merge_bounds(node: Node, ctx: Context) -> Node | None:
    """Merge two bounds of one operand into the one that says the same.

    Before:  SELECT id FROM person WHERE age >= 5 AND age <= 5 AND score > 3 AND score > 4
    After:   SELECT id FROM person WHERE age = 5 AND score > 4
    Refuse:  nick > 9 AND nick > 10 on TEXT, where '10' < '9'
    Sound:   values are totally ordered, each bound is a set of parts of that line, and all are NULL
             for NULL; nothing or everything is left only where NULL has the effect of false
    """
    parts = parts_of(node)
    for one, two in combinations(parts, 2):
        merged = _merged(node, one, two, ctx)
        if merged is not None:
            return chain(type(node), [merged if p is one else p for p in parts if p is not two])
    return None


def _merged(node: Node, one: Node, two: Node, ctx: Context) -> Node | None:
    """One predicate for two bounds joined by AND or OR, or None."""
    order = _order(one, two, ctx)
    if order is None:
        return None
    low, high = (one, two) if order <= 0 else (two, one)
    line = LINE if order else BELOW | LOW | ABOVE
    at_high = AT_HIGH if order else AT_LOW
    left, right = AT_LOW[type(low)] & line, at_high[type(high)] & line
    wanted = left & right if type(node) is exp.And else left | right
    if wanted in (0, line):
        return _nothing_or_all(node, low.this, wanted)
    for kind in COMPARISONS:
        if AT_LOW[kind] & line == wanted:
            return kind(this=low.this.copy(), expression=low.expression.copy())
        if at_high[kind] & line == wanted:
            return kind(this=high.this.copy(), expression=high.expression.copy())
    return None


def _nothing_or_all(node: Node, operand: Node, wanted: int) -> Node | None:
    if not is_condition(node):
        return None
    return exp.Not(this=exp.Is(this=operand.copy(), expression=exp.Null())) if wanted else number(0)


def _order(one: Node, two: Node, ctx: Context) -> int | None:
    """How the literals of two bounds of one operand compare (-1, 0, 1); None if that is not known."""
    if not (isinstance(one, COMPARISONS) and isinstance(two, COMPARISONS) and same(one.this, two.this)):
        return None
    return literal_order(one.this, one.expression, two.expression, ctx)


def literal_order(operand: Node, left: Node, right: Node, ctx: Context) -> int | None:
    """How two literals compare (-1, 0, 1) as what an operand is compared with; None if that is not known."""
    kind = affinity(operand, ctx)
    low, high = _value(left), _value(right)
    if low is not None and high is not None:
        is_plain = kind in WEAK or kind is Applied.NUMERIC
        return (low > high) - (low < high) if is_plain else None
    if is_text(left) and is_text(right) and is_binary(operand, ctx):
        first, second = left.name.encode(), right.name.encode()
        is_plain = kind in WEAK or kind is Applied.TEXT
        return (first > second) - (first < second) if is_plain else None
    return None


def _value(literal: Node) -> Fraction | None:
    """The value of a plain decimal literal."""
    digits = literal.this if isinstance(literal, exp.Neg) else literal
    if not is_number(literal) or not DECIMAL.match(digits.name) or len(digits.name) > DIGITS:
        return None
    return Fraction(digits.name) * (-1 if isinstance(literal, exp.Neg) else 1)


RULES = (convert_strict_bound, merge_bounds)
