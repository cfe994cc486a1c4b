"""Dates: parts of an ISO date, and years compared as numbers.

SQLite has no date type: dates are text.  On any value strftime gives text of a
fixed width or NULL, so its parts compare as text as they do as numbers.  That
a part of strftime is a part of the text itself holds only for real dates of
the form YYYY-MM-DD, which is a fact that a column must have: of '2012' or 2012
strftime makes a Julian day.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.rule import Context, rule
from equiv.schema.facts import FactKind
from equiv.schema.model import Affinity
from equiv.sources import base_column
from equiv.value_types import COMPARISONS, Claim, cast_affinity, is_integer_literal, is_text

from .constants import integer_of
from .guards import Node, may_replace, number

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
    return is_integer_literal(bound) and 0 <= integer_of(bound) < 10**width


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


def takes_part_of_date(node: Node) -> bool:
    """strftime with a format that is a slice of YYYY-MM-DD, of a column."""
    return _format(node) in SLICES and isinstance(_moment(node), exp.Column)


def _moment(call: Node) -> Node:
    moment: Node = call.this.this if isinstance(call.this, exp.TsOrDsToTimestamp) else call.this
    return moment


def column_holds_iso_dates(node: Node, ctx: Context) -> Claim:
    """The column is NULL or a real date of the form YYYY-MM-DD."""
    base = base_column(_moment(node), ctx)
    if base is None:
        return None
    fact = ctx.facts.find(FactKind.ISO_DATE, base[0].name, base[1].name)
    return (fact,) if fact is not None else None


@rule(on=exp.TimeToStr, shape=(takes_part_of_date,), needs=(column_holds_iso_dates,))
def convert_date_part_to_slice(call: Node, ctx: Context) -> Node | None:
    """Take a part of an ISO date by its place in the text.

    Before:  SELECT id FROM person WHERE strftime('%Y', born) = '1990'
    After:   SELECT id FROM person WHERE SUBSTR(born, 1, 4) = '1990'
    Refuse:  a column that may hold '1990' or 1990, of which strftime makes another year
    Sound:   year, month and day stand at fixed places of a date that exists
    """
    start, length = SLICES[_format(call)]
    return exp.Substring(this=_moment(call), start=number(start), length=number(length))


def reads_column(node: Node) -> bool:
    """``date(x)`` of a column."""
    return isinstance(node.this, exp.Column)


def column_may_stand_alone(node: Node, ctx: Context) -> Claim:
    """The column's affinity and collation do as well as none."""
    return may_replace(node, node.this, ctx)


@rule(on=exp.Date, shape=(reads_column,), needs=(column_holds_iso_dates, column_may_stand_alone))
def eliminate_date_call(call: Node, ctx: Context) -> Node | None:
    """Drop date() of an ISO date.

    Before:  SELECT date(born) FROM person
    After:   SELECT born FROM person
    Refuse:  a column that may hold a time as well, which date() cuts off
    Sound:   date() gives a date of the form YYYY-MM-DD back as it is
    """
    column: Node = call.this
    return column


def matches_prefix(node: Node) -> bool:
    """``x LIKE '1990-%'``: digits and hyphens, then one percent sign."""
    pattern = str(node.expression.name) if is_text(node.expression) else ""
    prefix = pattern[:-1]
    return pattern.endswith("%") and bool(prefix) and all(c.isdigit() or c == "-" for c in prefix)


def subject_holds_iso_dates(node: Node, ctx: Context) -> Claim:
    """The column on the left is NULL or a real date of the form YYYY-MM-DD."""
    return column_holds_iso_dates(node, ctx) if isinstance(node.this, exp.Column) else None


@rule(on=exp.Like, shape=(matches_prefix,), needs=(subject_holds_iso_dates,))
def convert_date_prefix(test: Node, ctx: Context) -> Node | None:
    """Compare the first characters of an ISO date instead of matching a pattern.

    Before:  SELECT id FROM person WHERE born LIKE '1990-05%'
    After:   SELECT id FROM person WHERE SUBSTR(born, 1, 7) = '1990-05'
    Refuse:  LIKE 'ab%', which ignores case; a column that may hold numbers
    Sound:   digits and hyphens have no case, and the column is NULL or text
    """
    prefix = test.expression.name[:-1]
    start = exp.Substring(this=test.this, start=number(1), length=number(len(prefix)))
    return exp.EQ(this=start, expression=exp.Literal.string(prefix))


RULES = (
    eliminate_cast_of_date_part,
    convert_date_part_to_slice,
    eliminate_date_call,
    convert_date_prefix,
)
