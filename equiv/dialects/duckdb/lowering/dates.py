"""Functions of dates and timestamps, whose cells are texts of ISO 8601."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import call, case, cast, is_null, joined, number, string
from equiv.dialects.typed.lowering.build import part as text_part
from equiv.dialects.typed.lowering.calls import Given
from equiv.dialects.typed.lowering.date_calls import day_of
from equiv.dialects.typed.lowering.operators import called as as_in_postgres

PARTS = {
    "year": ("year",),
    "month": ("month",),
    "day": ("day", "dayofmonth"),
    "hour": ("hour",),
    "minute": ("minute",),
    "second": ("second",),
    "quarter": ("quarter",),
    "dow": ("dayofweek", "weekday"),
    "isodow": ("isodow",),
    "doy": ("dayofyear",),
}
"""The functions of each part of a date."""
_WORDS = {
    **{each: each for each in PARTS},
    **{f"{each}s": each for each in ("year", "month", "day", "hour", "minute", "second", "quarter")},
    "dayofmonth": "day",
    "dayofweek": "dow",
    "weekday": "dow",
    "dayofyear": "doy",
}
_TRUNCATED = frozenset(("year", "month", "day", "hour", "minute", "second"))
_CLOCK = {"%H": (12, 2), "%M": (15, 2), "%S": (18, 2)}
_CALENDAR = frozenset(("%Y", "%m", "%d", "%j"))


def part_named(field: str) -> Callable[[Given], exp.Expression]:
    """What a function such as ``year`` is."""
    return lambda given: _part(field, given, 0)


def part(given: Given) -> exp.Expression:
    """DATE_PART and EXTRACT: whole numbers, of seconds too."""
    field = _WORDS.get(given.literal(0).lower())
    if field is None:
        raise UnsupportedError("Func", f"DATE_PART of {given.literal(0)}")
    return _part(field, given, 1)


def _part(field: str, given: Given, place: int) -> exp.Expression:
    value = given.call.arguments[place]
    if value.type.name == "date":
        if field in ("hour", "minute", "second"):
            raise UnsupportedError("Func", f"the {field} of a date")
        return dates.extracted(field, given.value(place), is_date=True)
    if field == "second":
        return cast(text_part(given.value(place), 18, 2), "INTEGER")
    day = day_of(value, given.place)
    if day is not None and field not in ("hour", "minute"):
        return dates.extracted(field, day, is_date=True)
    return dates.extracted(field, given.value(place), is_date=False)


def truncated(given: Given) -> exp.Expression:
    """DATE_TRUNC: a timestamp, of a date too."""
    field = _WORDS.get(given.literal(0).lower())
    if field not in _TRUNCATED:
        raise UnsupportedError("Func", f"DATE_TRUNC to {given.literal(0)}")
    value = given.value(1)
    if given.call.arguments[1].type.name == "date":
        if field in ("hour", "minute", "second", "day"):
            return dates.as_timestamp(value)
        kept, rest = (4, "-01-01") if field == "year" else (7, "-01")
        return joined(dates.begin_of(value, kept), string(rest + dates.MIDNIGHT))
    return dates.truncated(field, value)


def between(given: Given) -> exp.Expression:
    """DATE_DIFF: how many ends of days, months or years lie between."""
    field = _WORDS.get(given.literal(0).lower())
    is_date = given.call.arguments[1].type.name == "date"
    first, second = (
        given.value(place) if is_date else dates.of_timestamp(given.value(place)) for place in (1, 2)
    )
    if field == "day":
        return dates.days_between(second, first)
    years = _difference("year", second, first)
    if field == "year":
        return years
    if field == "month":
        months = _difference("month", second.copy(), first.copy())
        return exp.Add(this=exp.Mul(this=years, expression=number("12")), expression=months)
    raise UnsupportedError("Func", f"DATE_DIFF in {given.literal(0)}")


def _difference(field: str, later: exp.Expression, earlier: exp.Expression) -> exp.Expression:
    return exp.Sub(
        this=dates.extracted(field, later, is_date=True),
        expression=dates.extracted(field, earlier, is_date=True),
    )


def formatted(given: Given) -> exp.Expression:
    """STRFTIME with a plain format, which stands before or behind the date."""
    at = 0 if given.call.arguments[0].type.name in ("date", "timestamp") else 1
    value, pattern = given.value(at), given.literal(1 - at)
    is_date = given.call.arguments[at].type.name == "date"
    pieces = _pieces(pattern)
    if all(piece not in _CLOCK for piece in pieces):
        day = value if is_date else day_of(given.call.arguments[at], given.place)
        return call("STRFTIME", string(pattern), dates.of_timestamp(value) if day is None else day)
    shown = []
    for piece in pieces:
        if piece in _CLOCK:
            shown.append(_midnight(value) if is_date else text_part(value.copy(), *_CLOCK[piece]))
        elif piece in _CALENDAR:
            shown.append(call("STRFTIME", string(piece), dates.of_timestamp(value.copy())))
        else:
            shown.append(string(piece))
    return joined(*shown)


def _midnight(day: exp.Expression) -> exp.Expression:
    return case([(exp.Not(this=is_null(day.copy())), string("00"))], exp.Null())


def _pieces(pattern: str) -> list[str]:
    pieces, place = [], 0
    while place < len(pattern):
        piece = pattern[place : place + 2] if pattern[place] == "%" else pattern[place]
        if piece.startswith("%") and piece not in _CLOCK and piece not in _CALENDAR:
            raise UnsupportedError("Func", f"STRFTIME with the format {pattern[:40]!r}")
        pieces.append(piece)
        place += len(piece)
    return pieces


def moved_by(given: Given) -> exp.Expression:
    """An interval and a timestamp, as a timestamp and an interval."""
    one, other = given.call.arguments
    routine = replace(given.call.routine, schema="pg_catalog", arguments=given.call.routine.arguments[::-1])
    return as_in_postgres(replace(given.call, routine=routine, arguments=(other, one)), given.place)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def month_name(given: Given) -> exp.Expression:
    """MONTHNAME, in English."""
    return _named(_part("month", given, 0), dict(enumerate(_MONTHS, 1)))


def day_name(given: Given) -> exp.Expression:
    """DAYNAME, in English."""
    return _named(_part("dow", given, 0), dict(enumerate(_DAYS)))


def _named(value: exp.Expression, names: dict[int, str]) -> exp.Expression:
    ways = [
        (exp.EQ(this=value.copy(), expression=number(str(each))), string(name))
        for each, name in names.items()
    ]
    return case(ways, exp.Null())
