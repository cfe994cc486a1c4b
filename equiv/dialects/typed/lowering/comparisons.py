"""Comparisons: of values of which the core's comparison says the same, and of dates with timestamps."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import string
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.enumerations import ordered_labels
from equiv.dialects.typed.lowering.numbers.singles import widened
from equiv.dialects.typed.lowering.types import NUMBERS, PLAIN, STAMPS, TEXTS
from equiv.dialects.typed.tree import Constant, Expr, Routine

NODES: dict[str, type[exp.Expression]] = {
    "=": exp.EQ,
    "<>": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_GROUPS = (NUMBERS, TEXTS, STAMPS, *({name} for name in PLAIN - NUMBERS - TEXTS - STAMPS))
"""Types of which any two compare as their cells do."""


def is_direct(routine: Routine) -> bool:
    """Whether an operator is a comparison that the core makes of the same cells."""
    if routine.name not in NODES or routine.schema != "pg_catalog" or len(routine.arguments) != 2:
        return False
    if {*routine.arguments} == {"float4", "float8"}:
        return False
    if set(routine.arguments) == {"anyenum"}:
        return routine.name in ("=", "<>")
    return any(set(routine.arguments) <= group for group in _GROUPS)


def compared(routine: Routine, left: Expr, right: Expr, place: Place) -> exp.Expression:
    """A comparison of two values.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    from equiv.dialects.typed.lowering.expressions import lowered

    singles = {*routine.arguments} == {"float4", "float8"} and routine.name in NODES
    if (is_direct(routine) or singles) and not (is_stamp(left) and is_stamp(right)):
        sides = lowered(left, place), lowered(right, place)
        if singles:
            sides = widened(left, sides[0], right), widened(right, sides[1], left)
        return NODES[routine.name](this=sides[0], expression=sides[1])
    if {*routine.arguments} == {"anyenum"} and routine.name in NODES:
        return ordered_labels(routine.name, (left, lowered(left, place)), (right, lowered(right, place)))
    if not {*routine.arguments} <= STAMPS | {"date"} or routine.name not in NODES:
        raise UnsupportedError("Operator", str(routine))
    return _of_times(routine.name, left, right, place)


def is_stamp(value: Expr) -> bool:
    """Whether a value is a timestamp."""
    return value.type.name in STAMPS


def _of_times(sign: str, left: Expr, right: Expr, place: Place) -> exp.Expression:
    """A comparison of dates and timestamps: of dates where both are begins of days."""
    from equiv.dialects.typed.lowering.expressions import lowered

    days = [_as_day(each, place) for each in (left, right)]
    if days[0] is not None and days[1] is not None:
        return NODES[sign](this=days[0], expression=days[1])
    if days[0] is not None and isinstance(right, Constant) and right.text is not None:
        found = dates.apart(sign, days[0], right)
        if found is not None:
            return found
    if days[1] is not None and isinstance(left, Constant) and left.text is not None:
        found = dates.apart(_TURNED.get(sign, sign), days[1], left)
        if found is not None:
            return found
    sides = [
        lowered(each, place) if is_stamp(each) else dates.as_timestamp(lowered(each, place))
        for each in (left, right)
    ]
    return NODES[sign](this=sides[0], expression=sides[1])


def _as_day(value: Expr, place: Place) -> exp.Expression | None:
    """The date of a value that is a date, or a timestamp at the begin of one."""
    from equiv.dialects.typed.lowering.date_calls import day_of
    from equiv.dialects.typed.lowering.expressions import lowered

    if value.type.name == "date":
        return lowered(value, place)
    if isinstance(value, Constant) and value.text is not None:
        text = value.text.removesuffix("+00")
        return string(text[:10]) if text.endswith(dates.MIDNIGHT) else None
    return day_of(value, place)
