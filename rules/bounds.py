"""Bounds: several comparisons of one operand with literals, and strict bounds of integers.

The values of SQLite are totally ordered across storage classes, so bounds
combine as on a number line, whatever the operand holds.  Both literals must
mean in the comparison what they say: an operand of TEXT affinity turns the
numbers 9 and 10 into texts, of which '10' is the lesser; text under NOCASE
orders otherwise than by its bytes.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from equiv.nullness import is_condition
from equiv.rule import Context, rule
from equiv.value_types import Applied, affinity, is_binary, is_number, is_text

from .guards import (
    Node,
    chain,
    compares_with_literal,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
    same,
    stands_in_condition,
    subject_is_not_text_affine,
    subject_is_whole,
)

BOUNDS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
Point = Fraction | bytes


def is_whole_bound(node: Node) -> bool:
    """An inequality with a number on the right that has a nearest integer to step to."""
    return _tightened(node) is not None


def _tightened(node: Node) -> Node | None:
    """The non-strict comparison with an integer that holds for the same integers."""
    right = node.expression
    literal = right.this if isinstance(right, exp.Neg) else right
    if not isinstance(literal, exp.Literal) or literal.is_string or not NUMBER_TEXT.match(literal.name):
        return None
    if len(literal.name) > 15:
        return None
    whole, _, fraction = literal.name.partition(".")
    is_negative = isinstance(right, exp.Neg)
    has_rest = bool(fraction.strip("0"))
    floor = -int(whole) - has_rest if is_negative else int(whole)
    match node:
        case exp.GT():
            return exp.GTE(this=node.this, expression=number(floor + 1))
        case exp.LT():
            return exp.LTE(this=node.this, expression=number(floor if has_rest else floor - 1))
        case exp.GTE() if has_rest:
            return exp.GTE(this=node.this, expression=number(floor + 1))
        case exp.LTE() if has_rest:
            return exp.LTE(this=node.this, expression=number(floor))
    return None



@rule(
    on=(exp.LT, exp.LTE, exp.GT, exp.GTE),
    shape=(is_whole_bound,),
    needs=(subject_is_not_text_affine, subject_is_whole),
)
def convert_strict_bound(bound: Node, ctx: Context) -> Node | None:
    """Write a strict or fractional bound of an integer as the nearest non-strict whole one.

    Before:  SELECT id FROM person WHERE age > 3
    After:   SELECT id FROM person WHERE age >= 4
    Refuse:  score > 3 where score may be 3.5; nick > 3 on TEXT, where '10' < '3'
    Sound:   no integer lies between a bound and the next integer
    """
    return _tightened(bound)


def _point(literal: Node) -> Point | None:
    """The place of a literal on its line: numbers by value, text by its UTF-8 bytes."""
    if is_text(literal):
        return str(literal.name).encode()
    if not is_number(literal):
        return None
    sign = -1 if isinstance(literal, exp.Neg) else 1
    text = str((literal.this if sign < 0 else literal).name)
    return sign * Fraction(text) if len(text) <= 15 else None


def _comparable(left: Node, right: Node, ctx: Context) -> tuple[Point, Point] | None:
    """The points of two bounds of one operand, if both literals mean what they say."""
    if not (isinstance(left, BOUNDS) and isinstance(right, BOUNDS) and same(left.this, right.this)):
        return None
    one, two = _point(left.expression), _point(right.expression)
    kind = affinity(left.this, ctx)
    if isinstance(one, Fraction) and isinstance(two, Fraction):
        return (one, two) if kind in (Applied.NUMERIC, Applied.BLOB, Applied.NONE) else None
    if isinstance(one, bytes) and isinstance(two, bytes) and is_binary(left.this, ctx):
        return (one, two) if kind in (Applied.TEXT, Applied.BLOB, Applied.NONE) else None
    return None


def _admits(bound: Node, limit: Point, point: Point) -> bool:
    """Whether a bound at ``limit`` admits a point."""
    one, two = (point, limit) if isinstance(point, bytes) else (Fraction(point), Fraction(limit))  # type: ignore[arg-type]
    match bound:
        case exp.EQ():
            return one == two
        case exp.NEQ():
            return one != two
        case exp.LT():
            return one < two  # type: ignore[operator]
        case exp.LTE():
            return one <= two  # type: ignore[operator]
        case exp.GT():
            return one > two  # type: ignore[operator]
    return one >= two  # type: ignore[operator]
