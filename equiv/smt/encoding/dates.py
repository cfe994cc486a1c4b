"""Dates and timestamps: one spelling for calls that take the same part of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from equiv.algebra import times
from equiv.algebra.terms import Apply, Constant, Expression, Field, Lookup, Scan, integer
from equiv.facts import FactKind

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_NOW = Apply("NOW_TIMESTAMP")
_TODAY = Apply("NOW_DATE")
_DAYS = frozenset(("%Y", "%m", "%d", "%j", "%w", "%W"))
_WRITTEN = frozenset(("%Y", "%m", "%d"))
_CODE = re.compile("%.?", re.DOTALL)
_PARTS = {"%Y": (1, 4), "%m": (6, 2), "%d": (9, 2), "%Y-%m": (1, 7), "%m-%d": (6, 5)}
_TIMES = {"%H": 12, "%M": 15, "%S": 18}
_DIGITS = {("1", "4"): 4, ("6", "2"): 2, ("9", "2"): 2}


def normalised(node: Apply, encoder: Encoder) -> Expression:
    """The call, or an equal one: on today for what depends on the date alone, on the text of an ISO date."""
    match node:
        case Apply("STRFTIME", (Constant("text", form), moment)):
            if moment == _NOW and _by_day(form):
                return normalised(Apply("STRFTIME", (node.arguments[0], _TODAY)), encoder)
            # For other codes SQLite rounds to milliseconds: by %w 23:59:59.9995 is the next day.
            if _codes(form) <= _WRITTEN and is_iso_timestamp(moment, encoder):
                return normalised(Apply("STRFTIME", (node.arguments[0], _day(moment))), encoder)
            if form in _TIMES and is_iso_timestamp(moment, encoder):
                return Apply("SUBSTR", (moment, integer(_TIMES[form]), integer(2)))
            if (form in _PARTS or form == "%Y-%m-%d") and is_iso_date(moment, encoder):
                if form == "%Y-%m-%d":
                    return moment
                start, length = _PARTS[form]
                return Apply("SUBSTR", (_whole(moment), integer(start), integer(length)))
        case Apply("DATE", (moment,)):
            return _date(moment, encoder) or node
        case Apply("DATETIME", (moment,)) if moment == _NOW:
            return _NOW
        case Apply("SUBSTR", (Apply("||", (moment, Constant("text"))), *places)):
            if _ends(places) in range(1, 11) and is_iso_date(moment, encoder):
                return Apply("SUBSTR", (moment, *places))
    return node


def _date(moment: Expression, encoder: Encoder) -> Expression | None:
    """What DATE makes of a date, a timestamp or the current time; None of anything else."""
    if moment in (_NOW, _TODAY):
        return _TODAY
    if is_iso_date(moment, encoder):
        return moment
    return _day(moment) if is_iso_timestamp(moment, encoder) else None


def _ends(places: Sequence[Expression]) -> int:
    """The last character that SUBSTR reads, its place and length being literals; 0 if they are not."""
    match places:
        case (Constant("integer", start), Constant("integer", length)) if int(start) > 0 < int(length):
            return int(start) + int(length) - 1
    return 0


def _day(moment: Expression) -> Expression:
    """The date that a timestamp's text begins with."""
    return Apply("SUBSTR", (moment, integer(1), integer(10)))


def _whole(moment: Expression) -> Expression:
    """The text of which a date is the beginning: that of a timestamp, or the date itself."""
    match moment:
        case Apply("SUBSTR", (whole, *_)):
            return whole
    return moment


def _by_day(form: str) -> bool:
    """Whether a format has no codes but those that depend on the date alone."""
    return _codes(form) <= _DAYS


def _codes(form: str) -> frozenset[str]:
    """The codes of a format, such as ``%Y``."""
    return frozenset(_CODE.findall(form))


def digits(expression: Expression, encoder: Encoder) -> int:
    """Of how many decimal digits a value consists that is a part of a date or time of day; else 0."""
    match expression:
        case Apply("SUBSTR", (moment, Constant("integer", start), Constant("integer", length))):
            count = _DIGITS.get((start, length), 0)
            spelt = is_iso_date(moment, encoder) or is_iso_timestamp(moment, encoder)
            return count if count and spelt else 0
    return times.width(expression)


def is_iso_date(expression: Expression, encoder: Encoder) -> bool:
    """Whether a value is NULL or a date YYYY-MM-DD by a fact, which is recorded."""
    match expression:
        case Apply("NOW_DATE"):
            return True
        case Apply("SUBSTR", (moment, Constant("integer", "1"), Constant("integer", "10"))):
            return is_iso_timestamp(moment, encoder)
    return _holds(FactKind.ISO_DATE, expression, encoder)


def is_iso_timestamp(expression: Expression, encoder: Encoder) -> bool:
    """Whether a value is NULL or a timestamp YYYY-MM-DD HH:MM:SS by a fact, which is recorded."""
    return _holds(FactKind.ISO_TIMESTAMP, expression, encoder)


def _holds(kind: FactKind, expression: Expression, encoder: Encoder) -> bool:
    """Whether a value is a column's of which a fact says how its texts are spelt; the fact is recorded."""
    match expression:
        case Field(row, str(column)):
            source = encoder.sources.get(row)
            table = source.table if isinstance(source, Scan) else ""
        case Lookup(table, _, _, column):
            pass
        case _:
            return False
    return bool(table) and encoder.world.holds(kind, table, column)
