"""Comparisons: of values that the core compares alike, of dates with timestamps, of labels of enumerations.

Labels are equal as texts.  Where their bytes sort as they are declared they are in order as texts too; of any
other type a label is compared by its rank, its place from 1 in the declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS
from equiv.core.printing import BINARY
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.calls import LoweringPlace, constant_of
from equiv.dialects.typed.lowering.numbers import widened
from equiv.dialects.typed.lowering.texts import glob_literal

_ORDERS: dict[str, tuple[type[exp.Expression], Callable[[int, int], bool]]] = {
    "<": (exp.LT, lt),
    "<=": (exp.LTE, le),
    ">": (exp.GT, gt),
    ">=": (exp.GTE, ge),
}


def sorts_otherwise(found: t.Type) -> bool:
    """Whether a type is an enumeration whose labels are not in the order of their bytes."""
    return found.sort == "e" and list(found.labels) != sorted(found.labels, key=str.encode)


def rank(value: exp.Expression, found: t.Type) -> exp.Expression:
    """A value that sorts as a type's values do: the rank of labels whose bytes do not sort so."""
    if not sorts_otherwise(found):
        return value
    inner = value.this if isinstance(value, exp.Case) else None
    if isinstance(inner, exp.Expression) and value == ranked_label(inner.copy(), found):
        return inner
    if isinstance(value, exp.Subquery) and isinstance(value.this, exp.Select):
        shown = value.this.expressions[0]
        if isinstance(shown.this, exp.Case):
            shown.set("this", rank(shown.this, found))
            return value
    ifs = [exp.If(this=b.string(label), true=b.number(str(at))) for at, label in enumerate(found.labels, 1)]
    return exp.Case(this=value, ifs=ifs)


def ranked_label(value: exp.Expression, found: t.Type) -> exp.Expression:
    """The label that has a rank, which :func:`rank` gave to a value of the type."""
    if not sorts_otherwise(found):
        return value
    ifs = [exp.If(this=b.number(str(at)), true=b.string(label)) for at, label in enumerate(found.labels, 1)]
    return exp.Case(this=value, ifs=ifs)


def _ordered_labels(
    sign: str, left: tuple[t.Expr, exp.Expression], right: tuple[t.Expr, exp.Expression]
) -> exp.Expression:
    """A comparison by ``<``, ``<=``, ``>`` or ``>=`` of two values of an enumeration, each with its lowering.

    A constant chooses labels: the other value is one of them, or NULL.

    Raises:
        UnsupportedError: the values are of two types.
    """
    (one, first), (other, second) = left, right
    node, holds = _ORDERS[sign]
    if not one.type.labels or one.type.labels != other.type.labels:
        raise UnsupportedError("Type", "the order of two enumerated types")
    if not sorts_otherwise(one.type):
        return node(this=first, expression=second)
    labels = one.type.labels
    if isinstance(other, t.TypedConstant) and other.text in labels:
        place = labels.index(other.text)
        return _one_of(first, [label for at, label in enumerate(labels) if holds(at, place)], one.type)
    if isinstance(one, t.TypedConstant) and one.text in labels:
        place = labels.index(one.text)
        return _one_of(second, [label for at, label in enumerate(labels) if holds(place, at)], one.type)
    return node(this=rank(first, one.type), expression=rank(second, other.type))


def _one_of(value: exp.Expression, labels: list[str], found: t.Type) -> exp.Expression:
    """Whether a value is one of some labels of its type; NULL of NULL."""
    if len(labels) in (0, len(found.labels)):
        there = exp.false() if not labels else exp.true()
        return exp.Case(ifs=[exp.If(this=exp.Not(this=b.is_null(value)), true=there)])
    return exp.In(this=value, expressions=[b.string(label) for label in labels])


NODES: dict[str, type[exp.Expression]] = {BINARY[node][1]: node for node in COMPARISONS}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
"""The comparison that says the same of both sides turned round."""
_GROUPS = (b.NUMBERS, b.TEXTS, b.STAMPS, *({name} for name in b.PLAIN - b.NUMBERS - b.TEXTS - b.STAMPS))
"""Types of which any two compare as their cells do."""


def is_direct(routine: t.Routine) -> bool:
    """Whether an operator is a comparison that the core makes of the same cells."""
    if routine.name not in NODES or routine.schema != "pg_catalog" or len(routine.arguments) != 2:
        return False
    if {*routine.arguments} == {"float4", "float8"}:
        return False
    if set(routine.arguments) in ({"anyenum"}, {"oid"}, {"char"}):
        return routine.name in ("=", "<>")
    return any(set(routine.arguments) <= group for group in _GROUPS)


def compared(routine: t.Routine, left: t.Expr, right: t.Expr, place: LoweringPlace) -> exp.Expression:
    """A comparison of two values.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    if {*routine.arguments} <= b.STAMPS | {"date"} and routine.name in NODES:
        found = _of_moved(routine.name, left, right, place)
        if found is not None:
            return found
    for one, other, sign in (
        (left, right, routine.name),
        (right, left, TURNED.get(routine.name, routine.name)),
    ):
        empty = _of_length_or_place(sign, one, other, place)
        if empty is not None:
            return empty
    singles = {*routine.arguments} == {"float4", "float8"} and routine.name in NODES
    if (is_direct(routine) or singles) and not (dates.is_stamp(left) and dates.is_stamp(right)):
        sides = place.lowered(left), place.lowered(right)
        if singles:
            sides = widened(left, sides[0], right), widened(right, sides[1], left)
        return NODES[routine.name](this=sides[0], expression=sides[1])
    if {*routine.arguments} == {"anyenum"} and routine.name in NODES:
        return _ordered_labels(routine.name, (left, place.lowered(left)), (right, place.lowered(right)))
    if routine.arguments == ("interval", "interval") and routine.name in NODES:
        return _of_spans(routine, left, right, place)
    if not {*routine.arguments} <= b.STAMPS | {"date"} or routine.name not in NODES:
        raise UnsupportedError("Operator", str(routine))
    return _of_times(routine.name, left, right, place)


_EMPTY = frozenset((("=", "0"), ("<", "1"), ("<=", "0")))
_FILLED = frozenset((("<>", "0"), (">", "0"), (">=", "1")))


def _of_length_or_place(sign: str, one: t.Expr, other: t.Expr, place: LoweringPlace) -> exp.Expression | None:
    """A text's length, or the place of a constant in it, beside 0: whether it is empty, or has it.

    None of anything else.
    """
    number = constant_of(other)
    is_empty = (sign, "" if number is None else number.text) in _EMPTY
    is_filled = (sign, "" if number is None else number.text) in _FILLED
    if not isinstance(one, t.RoutineCall) or not (is_empty or is_filled):
        return None
    if one.routine.schema != "pg_catalog" and one.routine.schema not in place.state.routines:
        return None
    if not b.TEXTS.union(("bpchar",)).issuperset(one.routine.arguments):
        return None
    match one.routine.name, one.arguments:
        case "length" | "len" | "char_length" | "character_length", (text,):
            node = exp.EQ if is_empty else exp.NEQ
            return node(this=place.lowered(text), expression=b.string(""))
        case "strpos" | "position" | "instr", (text, t.TypedConstant(text=str(sought))) if sought:
            found = exp.Glob(this=place.lowered(text), expression=b.string(f"*{glob_literal(sought)}*"))
            return exp.Not(this=found) if is_empty else found
    return None


def _of_moved(
    sign: str, left: t.Expr, right: t.Expr, place: LoweringPlace, later: int = 0
) -> exp.Expression | None:
    """A comparison of dates and timestamps to which constants are added; None if there is none to take over.

    Args:
        sign: the operator.
        left: a date or a timestamp.
        right: another one.
        place: where they stand.
        later: by how many microseconds the right one is later besides.
    """
    (one, before), (other, after) = dates.unmoved(left), dates.unmoved(right)
    later += after - before
    if one is left and other is right and not later:
        return None
    for base, by, constant, turned in (
        (one, later, other, sign),
        (other, -later, one, TURNED.get(sign, sign)),
    ):
        if isinstance(constant, t.TypedConstant):
            moved = dates.constant_moved(constant, by)
            return None if moved is None else _of_times(turned, base, moved, place)
    if not later and one.type == other.type:
        return NODES[sign](this=place.lowered(one), expression=place.lowered(other))
    if not dates.is_stamp(one) or not dates.is_stamp(other):
        return None
    # The one that is moved is the current time, or else is moved ahead.
    to_left = dates.is_now(one) or (later < 0 and not dates.is_now(other))
    sides = place.lowered(one), place.lowered(other)
    if to_left:
        return NODES[sign](this=dates.ahead(sides[0], -later), expression=sides[1])
    return NODES[sign](this=sides[0], expression=dates.ahead(sides[1], later))


def _of_spans(routine: t.Routine, left: t.Expr, right: t.Expr, place: LoweringPlace) -> exp.Expression:
    """A comparison of what is between two timestamps with a constant, in which months have 30 days.

    Raises:
        UnsupportedError: another one.
    """
    for span, other, sign in (
        (left, right, routine.name),
        (right, left, TURNED.get(routine.name, routine.name)),
    ):
        length = dates.interval_of(other)
        match span:
            case t.RoutineCall(
                routine=t.Routine("-", kinds, schema="pg_catalog"), arguments=(end, begin)
            ) if length is not None and set(kinds) in ({"timestamp"}, {"timestamptz"}):
                micros = (length[0] * 30 + length[1]) * dates.DAY_OF_MICROSECONDS + length[2]
                found = _of_moved(sign, end, begin, place, micros)
                if found is None and not micros:
                    found = _of_times(sign, end, begin, place)
                if found is not None:
                    return found
    raise UnsupportedError("Operator", str(routine))


def _of_times(sign: str, left: t.Expr, right: t.Expr, place: LoweringPlace) -> exp.Expression:
    """A comparison of dates and timestamps: of dates where both are begins of days."""
    for one, other, turned in ((left, right, sign), (right, left, TURNED.get(sign, sign))):
        match one, other:
            case (
                t.RoutineCall(
                    routine=t.Routine("date_trunc", schema="pg_catalog"),
                    arguments=(t.TypedConstant(text=str(unit)), stamp),
                ),
                t.TypedConstant(text=str(text)),
            ):
                text = text.removesuffix("+00")
                found = dates.compared_by_units(turned, unit, place.lowered(stamp), text)
                if found is not None:
                    return found
    days = [_as_day(each, place) for each in (left, right)]
    if days[0] is not None and days[1] is not None:
        return NODES[sign](this=days[0], expression=days[1])
    if days[0] is not None and isinstance(right, t.TypedConstant) and right.text is not None:
        found = dates.apart(sign, days[0], right)
        if found is not None:
            return found
    if days[1] is not None and isinstance(left, t.TypedConstant) and left.text is not None:
        found = dates.apart(TURNED.get(sign, sign), days[1], left)
        if found is not None:
            return found
    sides = [
        place.lowered(each) if dates.is_stamp(each) else dates.as_timestamp(place.lowered(each))
        for each in (left, right)
    ]
    return NODES[sign](this=sides[0], expression=sides[1])


def _as_day(value: t.Expr, place: LoweringPlace) -> exp.Expression | None:
    """The date of a value that is a date, or a timestamp at the begin of one."""
    if value.type.name == "date":
        return place.lowered(value)
    if isinstance(value, t.TypedConstant) and value.text is not None:
        text = value.text.removesuffix("+00")
        return b.string(text[:10]) if text.endswith(dates.MIDNIGHT) else None
    return dates.day_of(value, place)
