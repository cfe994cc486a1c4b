"""The current time: one name for one instant.

In one statement 'now' and CURRENT_* are one frozen instant.  date('now') is
CURRENT_DATE and datetime('now') CURRENT_TIMESTAMP, but 'now' itself has a part
of a second that CURRENT_TIMESTAMP lacks, which julianday and %f show.
"""

from __future__ import annotations

import re
from typing import cast

from sqlglot import exp

from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node

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


RULES = (convert_clock_call, reduce_instant_to_day)
