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
from functools import cache, cached_property
from itertools import combinations
from math import floor

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_literal, is_number, is_text
from equiv.core.claims.nullness import is_condition
from equiv.core.claims.value_types import WEAK, Applied, affinity, is_binary
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    Node,
    chain,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
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


Point = Fraction | bytes
"""Where a literal stands: a number, or text by its bytes."""


class Line:
    """The line on which the literals stand that an operand is compared with.

    Args:
        operand: a node in its tree.
    """

    def __init__(self, operand: Node, ctx: Context) -> None:
        self._operand = operand
        self._ctx = ctx

    @cached_property
    def _kind(self) -> Applied:
        return affinity(self._operand, self._ctx)

    @cached_property
    def _orders_bytes(self) -> bool:
        return (self._kind in WEAK or self._kind is Applied.TEXT) and is_binary(self._operand, self._ctx)

    def point(self, literal: Node) -> Point | None:
        """Where a literal stands; None if what it means in the comparison is not known."""
        value = _value(literal)
        if value is not None:
            return value if self._kind in WEAK or self._kind is Applied.NUMERIC else None
        return literal.name.encode() if is_text(literal) and self._orders_bytes else None


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
    for (one, its, low), (two, other, high) in combinations(_placed(parts, ctx), 2):
        if its != other:
            continue
        turn = (low > high) - (low < high)
        found = _union_or_common(type(node), type(one), type(two), turn)  # type: ignore[arg-type]
        merged = _merged(node, one, two, found) if found is not None else None
        if merged is not None:
            return chain(type(node), [merged if p is one else p for p in parts if p is not two])
    return None


def _placed(parts: list[Node], ctx: Context) -> list[tuple[Node, int, int]]:
    """The comparisons with a literal, each with the number of its line and its rank on it.

    Numbers and texts that one operand is compared with stand on lines of their own.
    """
    lines: dict[tuple[object, ...], tuple[int, Line]] = {}
    points: dict[tuple[int, bool], set[Point]] = {}
    found: list[tuple[Node, tuple[int, bool], Point]] = []
    compared = [part for part in parts if isinstance(part, COMPARISONS) and is_literal(part.expression)]
    for part in compared if len(compared) > 1 else ():
        operand, line = lines.setdefault(key(part.this), (len(lines), Line(part.this, ctx)))
        point = line.point(part.expression)
        if point is not None:
            place = (operand, isinstance(point, bytes))
            points.setdefault(place, set()).add(point)
            found.append((part, place, point))
    ranks = {
        place: {point: rank for rank, point in enumerate(sorted(known))} for place, known in points.items()
    }
    return [(part, 2 * place[0] + place[1], ranks[place][point]) for part, place, point in found]


Found = tuple[type[Node], bool] | int
"""One comparison for two, and whether with the first one's literal; or nothing (0) or everything."""


@cache
def _union_or_common(outer: type[Node], one: type[Node], two: type[Node], turn: int) -> Found | None:
    """What two bounds say together, joined by AND or OR, whose literals compare as ``turn`` says; or None."""
    low, high = (one, two) if turn <= 0 else (two, one)
    line = LINE if turn else BELOW | LOW | ABOVE
    at_high = AT_HIGH if turn else AT_LOW
    left, right = AT_LOW[low] & line, at_high[high] & line
    wanted = left & right if outer is exp.And else left | right
    if wanted in (0, line):
        return wanted
    for kind in COMPARISONS:
        if AT_LOW[kind] & line == wanted:
            return kind, turn <= 0
        if at_high[kind] & line == wanted:
            return kind, turn > 0
    return None


def _merged(node: Node, one: Node, two: Node, found: Found) -> Node | None:
    """One predicate for two bounds of what was found that they say together."""
    if isinstance(found, int):
        return _nothing_or_all(node, one.this, found)
    kind, is_first = found
    bound = one if is_first else two
    return kind(this=bound.this.copy(), expression=bound.expression.copy())


def _nothing_or_all(node: Node, operand: Node, wanted: int) -> Node | None:
    if not is_condition(node):
        return None
    return exp.Not(this=exp.Is(this=operand.copy(), expression=exp.Null())) if wanted else number(0)


def _value(literal: Node) -> Fraction | None:
    """The value of a plain decimal literal."""
    digits = literal.this if isinstance(literal, exp.Neg) else literal
    if not is_number(literal) or not DECIMAL.match(digits.name) or len(digits.name) > DIGITS:
        return None
    return Fraction(digits.name) * (-1 if isinstance(literal, exp.Neg) else 1)


RULES = (convert_strict_bound, merge_bounds)
