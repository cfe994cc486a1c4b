"""Comparisons: BETWEEN, NULL and types, several bounds of one operand, and lists of IN.

*The type of the literal compared with.*  Before comparing, SQLite applies affinity
(https://sqlite.org/datatype3.html section 4.2): beside an operand of numeric affinity, text that looks like a
number becomes one; beside an operand of TEXT affinity, a number without affinity becomes text.  Nothing
happens between two operands without affinity: there '5' = 5 is false, and so it is beside a column without a
declared type.

*Bounds*, and strict bounds of integers.  The values of SQLite are totally ordered across storage classes, so
bounds combine as on a number line, whatever the operand holds.  Both literals must mean in the comparison
what they say: an operand of TEXT affinity turns the numbers 9 and 10 into texts, of which '10' is the lesser;
text under NOCASE orders otherwise than by its bytes.

*IN lists*: ``x IN (a, b)`` stands for ``x = +a OR x = +b``.  The plus strips the right side of its
affinity and collation, so only literals may move between IN and =; beside a column of another type, = may
convert where IN does not.  NULL in a list makes every miss unknown: ``x NOT IN (1, NULL)`` is never true.
``x IN ()`` is false even for NULL.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import floor

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_integer_literal, is_literal, is_number, is_text
from equiv.core.claims.fingerprint import chain
from equiv.core.claims.nullness import is_condition
from equiv.core.claims.value_types import WEAK, Applied, HoldingFacts, affinity, is_binary, is_repeatable
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    REAL_DIGITS,
    Node,
    is_listed,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
    step_of,
    subject_is_repeatable,
    subject_is_whole,
    unlike,
)

NUMBER_TEXT = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?\Z")
"""Decimal text that numeric affinity converts; at most 15 digits are exact."""


@rule(on=exp.Between, shape=(subject_is_repeatable,), esm_plus=19)
def convert_between(between: Node, ctx: Context) -> Node | None:
    """Write BETWEEN as two comparisons.

    Before:  SELECT id FROM person WHERE age BETWEEN 3 AND 5
    After:   SELECT id FROM person WHERE age >= 3 AND age <= 5
    Refuse:  (SELECT ...) BETWEEN 3 AND 5: the subquery would be read twice
    Sound:   that is how SQLite defines it, affinity and collation of each comparison included
    """
    value = between.this
    low = exp.GTE(this=value.copy(), expression=between.args["low"])
    high = exp.LTE(this=value.copy(), expression=between.args["high"])
    return chain(exp.And, [low, high])


STRICT_OPERATORS = (*COMPARISONS, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.DPipe)


def has_null_operand(node: Node) -> bool:
    """One side is NULL."""
    return isinstance(node.this, exp.Null) or isinstance(node.expression, exp.Null)


@rule(on=STRICT_OPERATORS, shape=(has_null_operand, loses_no_aggregate))
def fold_null_operand(node: Node, ctx: Context) -> Node | None:
    """An operator with NULL is NULL.

    Before:  SELECT id FROM person WHERE NOT age = NULL
    After:   SELECT id FROM person WHERE NOT NULL
    Refuse:  NULL AND 0, which is 0; tag LIKE NULL, 0 for some BLOBs; SELECT COUNT(*) + NULL, one row
    Sound:   comparison, arithmetic and || give NULL as soon as one operand is NULL
    """
    return exp.Null()


def subject_has_numeric_affinity(node: Node, ctx: Context) -> HoldingFacts:
    """Text on the right that looks like a number is converted to one."""
    return () if affinity(node.this, ctx) is Applied.NUMERIC else None


def subject_has_text_affinity(node: Node, ctx: Context) -> HoldingFacts:
    """A number on the right is converted to text."""
    return () if affinity(node.this, ctx) is Applied.TEXT else None


def has_numeric_text(node: Node) -> bool:
    """Some literal on the right is text that reads as a decimal number."""
    return any(_as_number(literal) is not None for literal in _right(node))


def has_integer(node: Node) -> bool:
    """Some literal on the right is an integer."""
    return any(is_integer_literal(literal) for literal in _right(node))


def _right(node: Node) -> list[Node]:
    return list(node.expressions) if isinstance(node, exp.In) else [node.expression]


def _as_number(literal: Node) -> Node | None:
    """The number that numeric affinity makes of a string literal; None where that is not plain."""
    text = str(literal.name) if is_text(literal) else ""
    if not NUMBER_TEXT.match(text) or sum(c.isdigit() for c in text) > 15:
        return None
    digits = text.lstrip("+-").lstrip("0").rstrip(".") or "0"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
        digits = f"0{digits}" if digits.startswith(".") else digits or "0"
    positive = exp.Literal.number(digits)
    return exp.Neg(this=positive) if text.startswith("-") and digits != "0" else positive


@rule(
    on=(*COMPARISONS, exp.In),
    shape=(has_numeric_text,),
    needs=(subject_has_numeric_affinity,),
    esm_plus=11,
)
def convert_numeric_text(node: Node, ctx: Context) -> Node | None:
    """Write a numeric string as a number beside an operand of numeric affinity.

    Before:  SELECT id FROM person WHERE age = '5'
    After:   SELECT id FROM person WHERE age = 5
    Refuse:  nick = '5' on TEXT; tag = '5' on a column without type, where 5 is not '5'
    Sound:   numeric affinity converts the literal before it compares, whatever the column holds
    """
    for literal in _right(node):
        converted = _as_number(literal)
        if converted is not None:
            literal.replace(converted)
    return node


@rule(on=(*COMPARISONS, exp.In), shape=(has_integer,), needs=(subject_has_text_affinity,), esm_plus=11)
def convert_integer_to_text(node: Node, ctx: Context) -> Node | None:
    """Write an integer as a string beside an operand of TEXT affinity.

    Before:  SELECT id FROM person WHERE nick = 5
    After:   SELECT id FROM person WHERE nick = '5'
    Refuse:  age = 5 on INTEGER; nick = 5.0, whose text is '5.0'
    Sound:   TEXT affinity converts a number without affinity to its text before it compares
    """
    for literal in _right(node):
        if is_integer_literal(literal):
            sign = "-" if isinstance(literal, exp.Neg) else ""
            digits = str(int((literal.this if sign else literal).name))
            literal.replace(exp.Literal.string(digits if digits == "0" else sign + digits))
    return node


WHOLE_REAL = re.compile(r"([0-9]{1,15})\.0*\Z")


def has_whole_real(node: Node) -> bool:
    """Some literal on the right is a REAL without a fraction."""
    return any(_as_integer(literal) is not None for literal in _right(node))


def _as_integer(literal: Node) -> Node | None:
    digits = literal.this if isinstance(literal, exp.Neg) else literal
    found = WHOLE_REAL.match(digits.name) if is_number(literal) else None
    if found is None:
        return None
    return number(int(found[1]) * (-1 if isinstance(literal, exp.Neg) else 1))


def subject_makes_no_text(node: Node, ctx: Context) -> HoldingFacts:
    """A number on the right stays a number."""
    return () if affinity(node.this, ctx) in WEAK | {Applied.NUMERIC} else None


@rule(on=(*COMPARISONS, exp.In), shape=(has_whole_real,), needs=(subject_makes_no_text,))
def convert_whole_real(node: Node, ctx: Context) -> Node | None:
    """Write a REAL without a fraction as an integer where it is only compared.

    Before:  SELECT id FROM person WHERE score > 29.0
    After:   SELECT id FROM person WHERE score > 29
    Refuse:  nick > 9.0 on TEXT, where '9.0' is not '9'; score / 2.0
    Sound:   integers and REALs compare by value, and text and BLOBs are greater than both
    """
    for literal in _right(node):
        integer = _as_integer(literal)
        if integer is not None:
            literal.replace(integer)
    return node


DECIMAL = re.compile(r"[0-9]+(\.[0-9]*)?\Z")

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


def _whole_bound(node: Node, step: Fraction = Fraction(1)) -> tuple[type[Node], Fraction] | None:
    """The non-strict comparison with a multiple of a step that holds for the same multiples."""
    value = _value(node.expression)
    if value is None:
        return None
    low = floor(value / step) * step
    has_rest = low != value
    match node:
        case exp.GT():
            return exp.GTE, low + step
        case exp.LT():
            return exp.LTE, low if has_rest else low - step
        case exp.GTE() if has_rest:
            return exp.GTE, low + step
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

    So too one of a DECIMAL(10, 2), whose numbers are whole hundredths.

    Before:  SELECT id FROM person WHERE age > 3
    After:   SELECT id FROM person WHERE age >= 4
    Refuse:  score > 3 where score may be 3.5; nick > 3 on TEXT, where '10' < '3'
    Sound:   no integer lies between a bound and the next integer; a column of TEXT affinity is never whole
    """
    found = _whole_bound(bound, step_of(bound.this, ctx))
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
    if not is_number(literal) or not DECIMAL.match(digits.name) or len(digits.name) > REAL_DIGITS:
        return None
    return Fraction(digits.name) * (-1 if isinstance(literal, exp.Neg) else 1)


def lists_one_literal(node: Node) -> bool:
    """``x IN (5)``."""
    return len(node.expressions) == 1 and is_literal(node.expressions[0])


@rule(on=exp.In, shape=(is_listed,))
def eliminate_duplicate_member(membership: Node, ctx: Context) -> Node | None:
    """List a member once.

    Before:  SELECT id FROM person WHERE age IN (5, 7, 5)
    After:   SELECT id FROM person WHERE age IN (5, 7)
    Refuse:  tag IN (5, '5'): different values where nothing converts them
    Sound:   x = a OR x = a is x = a
    """
    kept = unlike(membership.expressions)
    if len(kept) == len(membership.expressions):
        return None
    membership.set("expressions", kept)
    return membership


@rule(on=exp.In, shape=(lists_one_literal,), esm_plus=15)
def convert_single_in(membership: Node, ctx: Context) -> Node | None:
    """Write IN with one literal as =.

    Before:  SELECT id FROM person WHERE age IN (5)
    After:   SELECT id FROM person WHERE age = 5
    Refuse:  tag IN (age): = would give the right side's affinity a say
    Sound:   a literal has neither affinity nor collation to be stripped of
    """
    return exp.EQ(this=membership.this, expression=membership.expressions[0])


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,), esm_plus=15)
def merge_equalities(node: Node, ctx: Context) -> Node | None:
    """Collect equalities of one operand with literals into IN; under AND inequalities into NOT IN.

    Before:  SELECT id FROM person WHERE age = 5 OR age = 7 OR age IN (8, 9)
    After:   SELECT id FROM person WHERE age IN (5, 7, 8, 9)
    Refuse:  age = 5 OR score = 7; age = 5 OR age = score: not one operand, not a literal
    Sound:   IN is that OR; NOT IN is the AND of its negation, by De Morgan
    """
    parts = parts_of(node)
    wanted = exp.EQ if type(node) is exp.Or else exp.NEQ
    groups: dict[tuple[object, ...], list[Node]] = {}
    for part in parts:
        if _members(part, wanted) is not None:
            groups.setdefault(key(_tested(part)), []).append(part)
    for first, *others in groups.values():
        if not others or not is_repeatable(_tested(first)):
            continue
        listed: Node = exp.In(
            this=_tested(first).copy(),
            expressions=[
                member.copy() for part in (first, *others) for member in _members(part, wanted) or []
            ],
        )
        merged = listed if wanted is exp.EQ else exp.Not(this=listed)
        gone = set(map(id, others))
        return chain(
            type(node), [merged if part is first else part for part in parts if id(part) not in gone]
        )
    return None


def _members(part: Node, wanted: type[Node]) -> list[Node] | None:
    """The literals with which a part says that its operand is (or, for NEQ, is not) equal."""
    if type(part) is wanted:
        return [part.expression] if is_literal(part.expression) and not is_literal(part.this) else None
    if isinstance(part, exp.Not) is not (wanted is exp.NEQ):
        return None
    listed = part.this if isinstance(part, exp.Not) else part
    members = list(listed.expressions) if isinstance(listed, exp.In) else []
    return members if members and all(is_literal(member) for member in members) else None


def _tested(part: Node) -> Node:
    """The operand of a comparison, IN or NOT IN."""
    operand: Node = part.this.this if isinstance(part, exp.Not) else part.this
    return operand
