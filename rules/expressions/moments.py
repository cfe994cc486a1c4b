"""Parts of a timestamp: its day, its hours, minutes and seconds are slices of its text.

That a column holds timestamps ``YYYY-MM-DD HH:MM:SS``, maybe with a fraction, is a fact that it must have:
'12:00' is a timestamp to SQLite, too, and so is 2012, a Julian day.
"""

from __future__ import annotations

import re

from sqlglot import exp

from equiv.core.claims.predicates import is_text
from equiv.core.claims.sources import base_column
from equiv.core.claims.value_types import Claim
from equiv.core.context import Context
from equiv.facts import FactKind
from equiv.rewrite.rule import rule
from rules.guards.expressions import Node, number

DAY_FORMAT = re.compile(r"(%[Ymd]|[^%])+")
"""Codes of year, month and day as they are written; for other codes strftime rounds to milliseconds."""
PLACES = {"%H": 12, "%M": 15, "%S": 18}
"""Where a part of two digits stands in a timestamp's text."""


def _slice(moment: Node, start: int, length: int) -> Node:
    return exp.Substring(this=moment, start=number(start), length=number(length))


def formats_day_of_column(node: Node) -> bool:
    """``strftime('%Y-%m', c)`` of a column, with parts of the day alone and no modifier."""
    if not isinstance(node.this, exp.TsOrDsToTimestamp) or not isinstance(node.this.this, exp.Column):
        return False
    return is_text(node.args["format"]) and DAY_FORMAT.fullmatch(node.args["format"].name) is not None


def formats_time_of_column(node: Node) -> bool:
    """``strftime('%H', c)`` of a column: one part of two digits, no modifier."""
    if not isinstance(node.this, exp.TsOrDsToTimestamp) or not isinstance(node.this.this, exp.Column):
        return False
    return is_text(node.args["format"]) and node.args["format"].name in PLACES


def takes_day_of_column(node: Node) -> bool:
    """``date(c)`` of a column, without a modifier."""
    return isinstance(node.this, exp.Column) and not node.args.get("zone") and not node.expressions


def holds_timestamps(node: Node, ctx: Context) -> Claim:
    """The column is NULL or a real timestamp of the form YYYY-MM-DD HH:MM:SS, maybe with a fraction."""
    column = node.this if isinstance(node.this, exp.Column) else node.this.this
    base = base_column(column, ctx)
    fact = ctx.facts.find(FactKind.ISO_TIMESTAMP, base[0].name, base[1].name) if base is not None else None
    return (fact,) if fact is not None else None


@rule(on=exp.TimeToStr, shape=(formats_day_of_column,), needs=(holds_timestamps,))
def convert_timestamp_to_its_day(call: Node, ctx: Context) -> Node | None:
    """Format the day that a timestamp begins with instead of the timestamp.

    Before:  SELECT strftime('%Y', seen) FROM visit
    After:   SELECT strftime('%Y', substr(seen, 1, 10)) FROM visit
    Refuse:  '%s', which counts seconds; '%w', by which 23:59:59.9995 is the next day; a modifier; a column
             that may hold '12:00' or a number
    Sound:   the day of a timestamp without a zone is the one that its text begins with
    """
    moment: Node = call.this.this
    call.this.set("this", _slice(moment, 1, 10))
    return call


@rule(on=exp.Date, shape=(takes_day_of_column,), needs=(holds_timestamps,))
def convert_day_to_slice(call: Node, ctx: Context) -> Node | None:
    """Take the day of a timestamp from its text.

    Before:  SELECT date(seen) FROM visit
    After:   SELECT substr(seen, 1, 10) FROM visit
    Refuse:  a modifier; a column that may hold '12:00' or a number
    Sound:   as convert_timestamp_to_its_day
    """
    return _slice(call.this, 1, 10)


@rule(on=exp.TimeToStr, shape=(formats_time_of_column,), needs=(holds_timestamps,))
def convert_time_to_slice(call: Node, ctx: Context) -> Node | None:
    """Take the hour, minute or second of a timestamp from its text.

    Before:  SELECT strftime('%H', seen) FROM visit
    After:   SELECT substr(seen, 12, 2) FROM visit
    Refuse:  '%f', which rounds; a modifier; a column that may hold '2012-01-01', whose hour is 00
    Sound:   the seconds of strftime are cut off, not rounded
    """
    return _slice(call.this.this, PLACES[call.args["format"].name], 2)


RULES = (convert_timestamp_to_its_day, convert_day_to_slice, convert_time_to_slice)
