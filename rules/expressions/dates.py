"""Dates: parts of an ISO date, and years compared as numbers.

SQLite has no date type: dates are text.  On any value strftime gives text of a
fixed width or NULL, so its parts compare as text as they do as numbers.  That
a part of strftime is a part of the text itself holds only for real dates of
the form YYYY-MM-DD, which is a fact that a column must have: of '2012' or 2012
strftime makes a Julian day.
"""

from __future__ import annotations

import re

from sqlglot import exp

from equiv.core.affinity import Affinity
from equiv.core.claims.predicates import COMPARISONS, is_integer_literal, is_text
from equiv.core.claims.sources import base_column
from equiv.core.claims.value_types import Claim, cast_affinity, is_binary
from equiv.core.context import Context
from equiv.facts import FactKind
from equiv.rewrite.rule import rule
from rules.guards.expressions import Node, may_replace

from .constants import integer_of

WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%M": 2, "%S": 2}
"""Formats that give digits of a fixed width; a year before 0 has a minus and sorts below all."""
SLICES = {"%Y": (1, 4), "%Y-%m": (1, 7), "%m": (6, 2), "%d": (9, 2), "%m-%d": (6, 5)}
"""Where the parts stand in YYYY-MM-DD: first character and length."""


def _format(call: Node) -> str:
    """The format of a strftime call; '' for anything else."""
    if isinstance(call, exp.TimeToStr) and is_text(call.args["format"]):
        return str(call.args["format"].name)
    return ""


def compares_part_as_number(node: Node) -> bool:
    """``CAST(strftime('%Y', x) AS INTEGER)`` compared with an integer that has no more digits."""
    cast, bound = node.this, node.expression
    if not isinstance(cast, exp.Cast) or cast_affinity(cast) is not Affinity.INTEGER:
        return False
    width = WIDTHS.get(_format(cast.this), 0)
    return width > 0 and is_integer_literal(bound) and 0 <= integer_of(bound) < 10**width


@rule(on=COMPARISONS, shape=(compares_part_as_number,))
def eliminate_cast_of_date_part(comparison: Node, ctx: Context) -> Node | None:
    """Compare a part of a date as text instead of as a number.

    Before:  SELECT id FROM person WHERE CAST(strftime('%Y', born) AS INTEGER) >= 1990
    After:   SELECT id FROM person WHERE strftime('%Y', born) >= '1990'
    Refuse:  strftime('%j', born), three digits, is left alone; strftime('%Y', born) = 1990 is false
    Sound:   digits of one width order as text as they do as numbers
    """
    part = comparison.this.this
    digits = str(integer_of(comparison.expression)).zfill(WIDTHS[_format(part)])
    kind = type(comparison)
    return kind(this=part, expression=exp.Literal.string(digits))


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


def takes_slice_of_column(node: Node) -> bool:
    """SUBSTR of a column at the place of a part of YYYY-MM-DD."""
    return isinstance(node.this, exp.Column) and _sliced(node) is not None


def _sliced(call: Node) -> str | None:
    start, length = call.args.get("start"), call.args.get("length")
    if start is None or length is None or not (is_integer_literal(start) and is_integer_literal(length)):
        return None
    place = (integer_of(start), integer_of(length))
    return next((part for part, where in SLICES.items() if where == place), None)


def subject_holds_iso_dates(node: Node, ctx: Context) -> Claim:
    """The column read is NULL or a real date of the form YYYY-MM-DD."""
    base = base_column(node.this, ctx) if isinstance(node.this, exp.Column) else None
    if base is None:
        return None
    fact = ctx.facts.find(FactKind.ISO_DATE, base[0].name, base[1].name)
    return (fact,) if fact is not None else None


def _part(column: Node, part: str) -> Node:
    return exp.TimeToStr(this=exp.TsOrDsToTimestamp(this=column), format=exp.Literal.string(part))


@rule(on=exp.Substring, shape=(takes_slice_of_column,), needs=(subject_holds_iso_dates,))
def convert_slice_to_date_part(call: Node, ctx: Context) -> Node | None:
    """Take a part of an ISO date by strftime instead of by its place in the text.

    Before:  SELECT id FROM person WHERE SUBSTR(born, 1, 4) = '1990'
    After:   SELECT id FROM person WHERE strftime('%Y', born) = '1990'
    Refuse:  a column that may hold '1990' or 1990, of which strftime makes another year
    Sound:   year, month and day stand at fixed places of a date that exists
    """
    part = _sliced(call)
    return _part(call.this, part) if part is not None else None


def reads_column(node: Node) -> bool:
    """``date(x)`` of a column."""
    return isinstance(node.this, exp.Column)


def column_may_stand_alone(node: Node, ctx: Context) -> Claim:
    """The column's affinity and collation do as well as none."""
    return may_replace(node, node.this, ctx)


@rule(on=exp.Date, shape=(reads_column,), needs=(subject_holds_iso_dates, column_may_stand_alone))
def eliminate_date_call(call: Node, ctx: Context) -> Node | None:
    """Drop date() of an ISO date.

    Before:  SELECT date(born) FROM person
    After:   SELECT born FROM person
    Refuse:  a column that may hold a time as well, which date() cuts off
    Sound:   date() gives a date of the form YYYY-MM-DD back as it is
    """
    column: Node = call.this
    return column


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


PREFIXES = {
    re.compile(r"([0-9]{4})-?%\Z"): "%Y",
    re.compile(r"([0-9]{4}-[0-9]{2})-?%\Z"): "%Y-%m",
}
"""Patterns that fix a year or a month."""


def matches_prefix(node: Node) -> bool:
    """``x LIKE '1990%'`` or ``x LIKE '1990-05%'``, without ESCAPE."""
    is_plain = is_text(node.expression) and not isinstance(node.parent, exp.Escape)
    return is_plain and _prefix(node.expression.name) is not None


def _prefix(pattern: str) -> tuple[str, str] | None:
    for form, part in PREFIXES.items():
        found = form.match(pattern)
        if found is not None:
            return part, found[1]
    return None


@rule(on=exp.Like, shape=(matches_prefix,), needs=(subject_holds_iso_dates,))
def convert_date_prefix(test: Node, ctx: Context) -> Node | None:
    """Ask for the year or month of an ISO date instead of matching its beginning.

    Before:  SELECT id FROM person WHERE born LIKE '1990-05%'
    After:   SELECT id FROM person WHERE strftime('%Y-%m', born) = '1990-05'
    Refuse:  a column that may hold '1990' or '1990-05-40'
    Sound:   digits and hyphens have no case, and year and month begin a date that exists
    """
    found = _prefix(test.expression.name)
    if found is None:
        return None
    return exp.EQ(this=_part(test.this, found[0]), expression=exp.Literal.string(found[1]))


RULES = (
    eliminate_cast_of_date_part,
    convert_strict_date_bound,
    convert_slice_to_date_part,
    eliminate_date_call,
    eliminate_cast_of_operand,
    eliminate_julian_day_of_term,
    convert_date_prefix,
)
