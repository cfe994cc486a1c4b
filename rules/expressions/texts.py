"""Texts: LIKE and the prefixes that it asks for, the clock, and dates, which SQLite keeps as text.

*LIKE* ignores the case of ASCII letters where = does not, and matches the text of numbers: ``x LIKE
'abc'`` is not ``x = 'abc'``, nor is ``x LIKE 'te%'`` a comparison of SUBSTR(x, 1, 2); only a prefix
without letters is the same for both.

*The current time* has one name for one instant.  In one statement 'now' and CURRENT_* are one frozen
instant. date('now') is CURRENT_DATE and datetime('now') CURRENT_TIMESTAMP, but 'now' itself has a part of
a second that CURRENT_TIMESTAMP lacks, which julianday and %f show.

*Dates*: bounds and arithmetic on parts of a date, and the order of ISO dates.  On any value strftime gives
text of a fixed width or NULL, so its parts compare as text as they do as numbers.  That dates sort as text as
they do in time holds only for real dates of the form YYYY-MM-DD, which is a fact that a column must have:
'2012' and 2012 are Julian days.
"""

from __future__ import annotations

import re
from typing import cast

from sqlglot import exp

from equiv.core.claims.blocks import base_column, is_text
from equiv.core.claims.value_types import HoldingFacts, conforms, is_binary
from equiv.core.functions.table import cast_affinity
from equiv.core.functions.traits import TIME_CODES
from equiv.core.model import Affinity, Context, Domain
from equiv.facts import FactKind
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, number


def has_capitals(node: Node) -> bool:
    """A pattern with ASCII capitals, without ESCAPE, whose character may be one."""
    is_plain = is_text(node.expression) and not isinstance(node.parent, exp.Escape)
    return is_plain and _without_capitals(node.expression.name) != node.expression.name


def _without_capitals(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


@rule(on=exp.Like, shape=(has_capitals,))
def fold_pattern_case(test: Node, ctx: Context) -> Node | None:
    """Spell a LIKE pattern without capitals.

    Before:  SELECT id FROM person WHERE nick LIKE '%North%'
    After:   SELECT id FROM person WHERE nick LIKE '%north%'
    Refuse:  GLOB '*North*', which heeds case; LIKE 'É%', whose case LIKE heeds too; LIKE 'aE%' ESCAPE 'E'
    Sound:   LIKE ignores the case of ASCII letters, unless PRAGMA case_sensitive_like is set
    """
    test.set("expression", exp.Literal.string(_without_capitals(test.expression.name)))
    return test


DAY_FORMAT = re.compile(r"(?:[^%]|%[Ymd])*")
"""What shows no more of an instant than its day."""


def _is_now(node: Node) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and node.name.lower() == "now"


def _called(node: Node) -> str:
    """The date function that a node calls."""
    return "DATE" if isinstance(node, exp.Date) else node.name.upper()


def _moments(call: Node) -> list[Node]:
    """The arguments of a call of DATE or DATETIME."""
    if isinstance(call, exp.Date):
        return [part for part in cast(list[Node | None], [call.this, *call.expressions]) if part is not None]
    return list(call.expressions)


def tells_the_clock(node: Node) -> bool:
    """``date('now')``, ``datetime()``, ``date(CURRENT_TIMESTAMP)``: one moment, no modifier."""
    name, moments = _called(node), _moments(node)
    if name not in ("DATE", "DATETIME") or len(moments) > 1:
        return False
    if not moments or _is_now(moments[0]) or isinstance(moments[0], exp.CurrentTimestamp):
        return True
    return name == "DATE" and isinstance(moments[0], exp.CurrentDate)


@rule(on=(exp.Date, exp.Anonymous), shape=(tells_the_clock,))
def convert_clock_call(call: Node, ctx: Context) -> Node | None:
    """Write date('now') and datetime('now') as CURRENT_DATE and CURRENT_TIMESTAMP.

    Before:  SELECT date('now'), datetime('now') FROM person
    After:   SELECT CURRENT_DATE, CURRENT_TIMESTAMP FROM person
    Refuse:  date('now', '-1 day'), another day; julianday('now'), which has the part of a second
    Sound:   that is how SQLite defines the two words, and all of them stand for one instant
             (https://sqlite.org/lang_datefunc.html)
    """
    return exp.CurrentDate() if _called(call) == "DATE" else exp.CurrentTimestamp()


def shows_the_day_of_an_instant(node: Node) -> bool:
    """``strftime('%Y', 'now')`` or of CURRENT_TIMESTAMP, with a format of year, month and day alone."""
    layout, moment = node.args["format"], node.this.this
    if not isinstance(layout, exp.Literal) or not layout.is_string or not DAY_FORMAT.fullmatch(layout.name):
        return False
    return _is_now(moment) or isinstance(moment, exp.CurrentTimestamp)


@rule(on=exp.TimeToStr, shape=(shows_the_day_of_an_instant,))
def reduce_instant_to_day(call: Node, ctx: Context) -> Node | None:
    """Take parts of the current day from CURRENT_DATE.

    Before:  SELECT strftime('%Y', 'now'), strftime('%m-%d', CURRENT_TIMESTAMP) FROM person
    After:   SELECT strftime('%Y', CURRENT_DATE), strftime('%m-%d', CURRENT_DATE) FROM person
    Refuse:  strftime('%H', 'now'), which is 00 of a day; strftime('%Y', 'now', '-6 hours'), another day
    Sound:   year, month and day of an instant are those of its day
    """
    call.this.set("this", exp.CurrentDate())
    return call


WIDTHS = {code: known.digits for code, known in TIME_CODES.items() if known.place}
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


def term_holds_iso_dates(node: Node, ctx: Context) -> HoldingFacts:
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


CASELESS_PREFIX = re.compile(r"([ !-$&-@\[-^`{-~]+)%")
"""Printable ASCII but letters, underscore and percent, and then anything."""


def matches_caseless_prefix(node: Node) -> bool:
    """``x LIKE '2013%'``, without ESCAPE: a prefix that holds no letter."""
    is_plain = is_text(node.expression) and not isinstance(node.parent, exp.Escape)
    return is_plain and CASELESS_PREFIX.fullmatch(node.expression.name) is not None


def subject_is_binary_text(node: Node, ctx: Context) -> HoldingFacts:
    """The left side is NULL or text, and compares by BINARY."""
    return conforms(node.this, Domain.TEXT, ctx) if is_binary(node.this, ctx) else None


@rule(on=exp.Like, shape=(matches_caseless_prefix,), needs=(subject_is_binary_text,))
def convert_prefix_pattern_to_slice(test: Node, ctx: Context) -> Node | None:
    """Compare the first characters instead of matching a prefix without letters.

    Before:  SELECT id FROM person WHERE nick LIKE '2013%'
    After:   SELECT id FROM person WHERE SUBSTR(nick, 1, 4) = '2013'
    Refuse:  LIKE 'te%', which 'Test' matches; '20_3%'; a BLOB, which SUBSTR keeps a BLOB
    Sound:   without letters, LIKE compares a text character by character, as = does
    """
    found = CASELESS_PREFIX.fullmatch(test.expression.name)
    if found is None:
        return None
    start, length = number(1), number(len(found[1]))
    first = exp.Substring(this=test.this, start=start, length=length)
    return exp.EQ(this=first, expression=exp.Literal.string(found[1]))
