"""Dates: bounds and arithmetic on parts of a date, and the order of ISO dates.

SQLite has no date type: dates are text.  On any value strftime gives text of a
fixed width or NULL, so its parts compare as text as they do as numbers.  That
dates sort as text as they do in time holds only for real dates of the form
YYYY-MM-DD, which is a fact that a column must have: '2012' and 2012 are Julian days.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import base_column, is_text
from equiv.core.claims.value_types import Claim, cast_affinity, is_binary
from equiv.core.model import Affinity, Context
from equiv.facts import FactKind
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node

WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2}
"""Formats that give digits of a fixed width; a year before 0 has a minus and sorts below all."""


def _format(call: Node) -> str:
    """The format of a strftime call; '' for anything else."""
    if isinstance(call, exp.TimeToStr) and is_text(call.args["format"]):
        return str(call.args["format"].name)
    return ""


def bounds_part_strictly(node: Node) -> bool:
    """A date part beyond or before digits of its width that have a neighbour."""
    width, bound = WIDTHS.get(_format(node.this), 0), node.expression
    if not (is_text(bound) and bound.name.isdecimal() and bound.name.isascii() and len(bound.name) == width):
        return False
    return int(bound.name) > 0 if isinstance(node, exp.LT) else int(bound.name) < 10**width - 1


@rule(on=(exp.LT, exp.GT), shape=(bounds_part_strictly,))
def convert_strict_date_bound(bound: Node, ctx: Context) -> Node | None:
    """Write a strict bound of a date part as the neighbouring non-strict one.

    Before:  SELECT id FROM person WHERE strftime('%Y', born) > '1989'
    After:   SELECT id FROM person WHERE strftime('%Y', born) >= '1990'
    Refuse:  strftime('%Y', born) > '199': other widths compare otherwise
    Sound:   the part is NULL or digits of that width (a negative year sorts below): none lie between
    """
    steps: tuple[type[Node], int] = (exp.LTE, -1) if isinstance(bound, exp.LT) else (exp.GTE, 1)
    digits = str(int(bound.expression.name) + steps[1]).zfill(len(bound.expression.name))
    return steps[0](this=bound.this, expression=exp.Literal.string(digits))


def counts_part_in_arithmetic(node: Node) -> bool:
    """``CAST(strftime('%Y', x) AS INTEGER)`` as an operand of arithmetic."""
    is_operand = isinstance(node.parent, exp.Add | exp.Sub | exp.Mul)
    return is_operand and cast_affinity(node) is Affinity.INTEGER and _format(node.this) in WIDTHS


@rule(on=exp.Cast, shape=(counts_part_in_arithmetic,))
def eliminate_cast_of_operand(cast: Node, ctx: Context) -> Node | None:
    """Reckon with a part of a date as it is instead of as an integer.

    Before:  SELECT 2024 - CAST(strftime('%Y', born) AS INTEGER) FROM person
    After:   SELECT 2024 - strftime('%Y', born) FROM person
    Refuse:  CAST(strftime('%f', born) AS INTEGER), which truncates; a comparison or a column of the result
    Sound:   the part is digits, perhaps after a minus, or NULL, and arithmetic reads these as the integer
    """
    inner: Node = cast.this
    return inner


def orders_by_julian_day(node: Node) -> bool:
    """``ORDER BY julianday(x)`` of a column, without a modifier; a window's frame may reckon with it."""
    call, order = node.this, node.parent
    named = isinstance(call, exp.Anonymous) and call.name.upper() == "JULIANDAY"
    of_query = isinstance(order, exp.Order) and isinstance(order.parent, exp.Query)
    return named and of_query and len(call.expressions) == 1 and isinstance(call.expressions[0], exp.Column)


def term_holds_iso_dates(node: Node, ctx: Context) -> Claim:
    """The column is NULL or a real date of the form YYYY-MM-DD, and compares by BINARY."""
    column = node.this.expressions[0]
    base = base_column(column, ctx)
    if base is None or not is_binary(column, ctx):
        return None
    fact = ctx.facts.find(FactKind.ISO_DATE, base[0].name, base[1].name)
    return (fact,) if fact is not None else None


@rule(on=exp.Ordered, shape=(orders_by_julian_day,), needs=(term_holds_iso_dates,))
def eliminate_julian_day_of_term(term: Node, ctx: Context) -> Node | None:
    """Order by ISO dates instead of by their Julian days.

    Before:  SELECT id FROM person ORDER BY julianday(born)
    After:   SELECT id FROM person ORDER BY born
    Refuse:  a column that may hold '1990-1-5', of which julianday makes NULL, or 1990, a Julian day itself; a
             window's order, whose frame RANGE 7 PRECEDING is a week of Julian days, and nothing of texts
    Sound:   dates of one form sort as text as they do in time, and NULL stays NULL
    """
    term.set("this", term.this.expressions[0])
    return term


RULES = (convert_strict_date_bound, eliminate_cast_of_operand, eliminate_julian_day_of_term)
