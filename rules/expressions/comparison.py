"""Comparisons: BETWEEN, NULL, and the type of the literal compared with.

Before comparing, SQLite applies affinity (https://sqlite.org/datatype3.html
section 4.2): beside an operand of numeric affinity, text that looks like a
number becomes one; beside an operand of TEXT affinity, a number without
affinity becomes text.  Nothing happens between two operands without affinity:
there '5' = 5 is false, and so it is beside a column without a declared type.
"""

from __future__ import annotations

import re

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_integer_literal, is_number, is_text
from equiv.core.claims.value_types import WEAK, Applied, Claim, affinity
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, chain, loses_no_aggregate, number, subject_is_repeatable

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


def subject_has_numeric_affinity(node: Node, ctx: Context) -> Claim:
    """Text on the right that looks like a number is converted to one."""
    return () if affinity(node.this, ctx) is Applied.NUMERIC else None


def subject_has_text_affinity(node: Node, ctx: Context) -> Claim:
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


def subject_makes_no_text(node: Node, ctx: Context) -> Claim:
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


RULES = (
    convert_between,
    fold_null_operand,
    convert_numeric_text,
    convert_integer_to_text,
    convert_whole_real,
)
