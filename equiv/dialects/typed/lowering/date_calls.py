"""Operators and functions of dates, times and intervals in the core."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.texts import is_known
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import call, number, part, string
from equiv.dialects.typed.lowering.calls import (
    ANY_INT,
    DATE,
    INTERVAL,
    STAMP,
    TEXT,
    TIME,
    Given,
    Meaning,
    same,
)
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.types import STAMPS
from equiv.dialects.typed.tree import Call, Expr


def _plus_interval(given: Given) -> exp.Expression:
    """A timestamp, from a date too."""
    date, span, sign = _moving(given)
    months, days, micros = (sign * each for each in span)
    found = dates.moved(given.value(date), months, days, micros)
    return found if micros else dates.as_timestamp(found)


def _moving(given: Given) -> tuple[int, tuple[int, int, int], int]:
    """The index of the date, the constant interval, and its sign."""
    arguments = given.call.arguments
    date = 1 if arguments[0].type.name == "interval" else 0
    span = dates.interval_of(arguments[1 - date])
    if span is None:
        raise UnsupportedError("Operator", f"{given.call.routine} with an interval that is no constant")
    return date, span, -1 if given.call.routine.name == "-" else 1


def _plus_stamp_interval(given: Given) -> exp.Expression:
    date, span, sign = _moving(given)
    months, days, micros = (number(str(sign * each)) for each in span)
    return call("ADD_INTERVAL", given.value(date), months, days, micros)


def day_of(value: Expr, place: Place) -> exp.Expression | None:
    """The date of a timestamp that begins a day: of a date, or of one and whole days or months."""
    inner = dates.at_midnight(value)
    if inner is not None:
        from equiv.dialects.typed.lowering.expressions import lowered

        return lowered(inner, place)
    if not isinstance(value, Call) or value.routine.name not in "+-" or len(value.arguments) != 2:
        return None
    if {each.type.name for each in value.arguments} != {"date", "interval"}:
        return None
    given = Given(value, place)
    date, span, sign = _moving(given)
    if span[2]:
        return None
    return dates.moved(given.value(date), sign * span[0], sign * span[1], 0)


def _day(given: Given) -> exp.Expression:
    known = day_of(given.call.arguments[0], given.place)
    return dates.of_timestamp(given.value(0)) if known is None else known


def _plus_days(given: Given) -> exp.Expression:
    arguments = given.call.arguments
    date = 0 if arguments[0].type.name == "date" else 1
    days = given.value(1 - date)
    if given.call.routine.name == "-":
        days = exp.Neg(this=days)
    return call("ADD_INTERVAL", given.value(date), number("0"), days, number("0"))


def _extracted(given: Given) -> exp.Expression:
    subject = given.call.arguments[1]
    if subject.type.name == "interval":
        return call("INTERVAL_PART", string(given.literal(0).lower()), given.value(1))
    if subject.type.name == "time":
        return dates.of_clock(given.literal(0), given.value(1))
    day = day_of(subject, given.place) if subject.type.name in STAMPS else None
    if day is not None:
        return dates.extracted(given.literal(0), day, is_date=True)
    return dates.extracted(given.literal(0), given.value(1), is_date=subject.type.name == "date")


def _age(given: Given) -> exp.Expression:
    if len(given.call.arguments) == 2:
        return call("AGE", *given.values())
    return call("AGE", exp.CurrentDate(), given.value(0))


def _to_date(given: Given) -> exp.Expression:
    if not is_known(form := given.literal(1)):
        raise UnsupportedError("Func", f"TO_DATE with the format {form!r}")
    return call("PARSE_DATE", given.value(0), string(form))


OF_DATES: tuple[Meaning, ...] = (
    Meaning(
        ("timestamp", "timestamptz"), (DATE,), lambda given: dates.as_timestamp(given.value(0)), "its begin"
    ),
    Meaning(("timestamp", "timestamptz"), (STAMP,), same, "the same under UTC"),
    Meaning(("date",), (STAMP,), _day, "its day"),
    Meaning(("time",), (STAMP,), lambda given: part(given.value(0), 12), "the time of its day"),
    Meaning(("+", "-"), (DATE, INTERVAL), _plus_interval, "own for months; DATE for days"),
    Meaning(("+",), (INTERVAL, DATE), _plus_interval, "as above"),
    Meaning(("+", "-"), (STAMP, INTERVAL), _plus_stamp_interval, "own"),
    Meaning(("+", "-"), (DATE, ANY_INT), _plus_days, "own"),
    Meaning(("+",), (ANY_INT, DATE), _plus_days, "own"),
    Meaning(
        ("-",), (DATE, DATE), lambda given: dates.days_between(given.value(0), given.value(1)), "whole days"
    ),
    Meaning(
        ("extract",),
        (TEXT, DATE | STAMP | INTERVAL | TIME),
        _extracted,
        "STRFTIME and parts of the text",
    ),
    Meaning(("date_part",), (TEXT, DATE | STAMP | INTERVAL | TIME), _extracted, "as above"),
    Meaning(("now", "transaction_timestamp"), (), lambda given: dates.now(), "one unknown instant"),
    Meaning(("age",), (STAMP,), _age, "own: from the current date"),
    Meaning(("age",), (STAMP, STAMP), _age, "own"),
    Meaning(
        ("date_trunc",),
        (TEXT, STAMP),
        lambda given: dates.truncated(given.literal(0), given.value(1)),
        "the first part of the text",
    ),
    Meaning(
        ("to_char",),
        (STAMP, TEXT),
        lambda given: dates.formatted(
            given.value(0), given.literal(1), day_of(given.call.arguments[0], given.place)
        ),
        "STRFTIME, of plain formats",
    ),
    Meaning(("to_date",), (TEXT, TEXT), _to_date, "own"),
)
"""Their rows, by name and types of arguments."""
