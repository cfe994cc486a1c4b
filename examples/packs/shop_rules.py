"""A rule pack: two sound rules, and one that is not.

equiv rules verify examples/packs/shop_rules.py
equiv check pred.sql gold.sql --schema shop.sql --rules examples/packs/shop_rules.py
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.value_types import HoldingFacts, conforms
from equiv.core.model import Context, Domain
from equiv.rewrite.rule import rule

SCHEMA = "CREATE TABLE orders (id INTEGER PRIMARY KEY, shop INT NOT NULL, code TEXT, total INT)"


def adds_a_column_to_itself(node: exp.Expression) -> bool:
    """``x + x``; of a call such as random(), the two would be two."""
    return isinstance(node.left, exp.Column) and node.left == node.right


def operand_is_number(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """By its column's type the operand is a number, or NULL."""
    return conforms(node.left, Domain.NUMBER, ctx)


@rule(on=exp.Add, shape=(adds_a_column_to_itself,), needs=(operand_is_number,))
def convert_sum_to_double(node: exp.Expression, ctx: Context) -> exp.Expression:
    """Multiply by 2 what is added to itself.

    Before:  SELECT total + total FROM orders
    After:   SELECT 2 * total FROM orders
    Refuse:  random() + random()
    Sound:   both are NULL for NULL, and the same number else, past the largest integer as well
    """
    del ctx
    return exp.Mul(this=exp.Literal.number(2), expression=node.left.copy())


def trims_both_sides(node: exp.Expression) -> bool:
    """``TRIM(x)``."""
    return not node.args.get("position")


def trims_what_is_trimmed(node: exp.Expression) -> bool:
    """``TRIM(LTRIM(x))`` or ``TRIM(RTRIM(x))``, all of spaces."""
    inner = node.this
    return not is_particular(node) and isinstance(inner, exp.Trim) and not is_particular(inner)


def is_particular(trim: exp.Expression) -> bool:
    """It says which characters it takes away."""
    return trim.expression is not None


@rule(on=exp.Trim, shape=(trims_both_sides, trims_what_is_trimmed))
def eliminate_trim_below_trim(node: exp.Expression, ctx: Context) -> exp.Expression:
    """Take spaces away once.

    Before:  SELECT TRIM(LTRIM(code)) FROM orders
    After:   SELECT TRIM(code) FROM orders
    Refuse:  LTRIM(TRIM(code)) is left alone, and so is TRIM(LTRIM(code, 'x'))
    Sound:   TRIM takes away at both ends whatever an inner one left there
    """
    del ctx
    node.set("this", node.this.this)
    return node


@rule(on=exp.Distinct)
def eliminate_distinct(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Count all values instead of different ones.

    Before:  SELECT COUNT(DISTINCT shop) FROM orders
    After:   SELECT COUNT(shop) FROM orders
    Refuse:  SELECT DISTINCT
    Sound:   it is not: two orders of one shop count twice
    """
    del ctx
    return node.expressions[0] if isinstance(node.parent, exp.Count) else None
