"""Dates: one spelling for calls that take the same part of a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.algebra import times
from equiv.algebra.terms import Apply, Constant, Expression, Field, Lookup, Scan, integer
from equiv.facts import FactKind

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_NOW = Apply("NOW_TIMESTAMP")
_TODAY = Apply("NOW_DATE")
_DAYS = frozenset(("%Y", "%m", "%d", "%j", "%w", "%W"))
_PARTS = {"%Y": (1, 4), "%m": (6, 2), "%d": (9, 2), "%Y-%m": (1, 7), "%m-%d": (6, 5)}
_DIGITS = {("1", "4"): 4, ("6", "2"): 2, ("9", "2"): 2}


def normalised(node: Apply, encoder: Encoder) -> Expression:
    """The call, or an equal one: on today for what depends on the date alone, on the text of an ISO date."""
    match node:
        case Apply("STRFTIME", (Constant("text", form), moment)):
            if moment == _NOW and _by_day(form):
                return normalised(Apply("STRFTIME", (node.arguments[0], _TODAY)), encoder)
            if (form in _PARTS or form == "%Y-%m-%d") and is_iso_date(moment, encoder):
                if form == "%Y-%m-%d":
                    return moment
                start, length = _PARTS[form]
                return Apply("SUBSTR", (moment, integer(start), integer(length)))
        case Apply("DATE", (moment,)):
            if moment in (_NOW, _TODAY):
                return _TODAY
            if is_iso_date(moment, encoder):
                return moment
        case Apply("DATETIME", (moment,)) if moment == _NOW:
            return _NOW
    return node


def _by_day(form: str) -> bool:
    """Whether a format has no codes but those that depend on the date alone."""
    at = 0
    while at < len(form):
        if form[at] == "%":
            if form[at : at + 2] not in _DAYS:
                return False
            at += 1
        at += 1
    return True


def digits(expression: Expression, encoder: Encoder) -> int:
    """Of how many decimal digits a value consists that is a part of a date or time of day; else 0."""
    match expression:
        case Apply("SUBSTR", (moment, Constant("integer", start), Constant("integer", length))):
            count = _DIGITS.get((start, length), 0)
            return count if count and is_iso_date(moment, encoder) else 0
    return times.width(expression)


def is_iso_date(expression: Expression, encoder: Encoder) -> bool:
    """Whether a value is NULL or a date YYYY-MM-DD by a fact, which is recorded."""
    match expression:
        case Field(row, str(column)):
            source = encoder.sources.get(row)
            table = source.table if isinstance(source, Scan) else ""
        case Lookup(table, _, _, column):
            pass
        case Apply("NOW_DATE"):
            return True
        case _:
            return False
    return bool(table) and encoder.world.holds(FactKind.ISO_DATE, table, column)
