"""Functions of dates and timestamps, whose cells are texts of ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from equiv.core.functions.texts import UNITS, rest_of
from equiv.core.functions.traits import TIME_CODES, pieces_of
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.tree import SCHEMA, TIMESTAMP, own
from equiv.dialects.duckdb.session_settings import FIRM
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.calls import ANY_INT, STAMP, Given
from equiv.dialects.typed.lowering.dates import day_of
from equiv.dialects.typed.symbols import (
    BY_CALENDAR,
    instant_of,
    local_time,
    moved_instant,
    symbol_of,
    word_of,
)
from equiv.dialects.typed.tree import Expr, Routine, RoutineCall, TypedConstant, TypedQuery
from equiv.dialects.typed.walks import mapped, parts_of

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
_TRUNCATED = ("year", "quarter", "month", "day", "hour", "minute", "second")
_WORDS = {name: part for part, names in PARTS.items() for name in (part, *names)}
_WORDS |= {f"{unit}s": unit for unit in _TRUNCATED}
_CLOCK = {code: (known.place, known.digits) for code, known in TIME_CODES.items() if not known.of_day}
_CALENDAR = {each: each for each in ("%Y", "%m", "%d", "%j")}


def part_named(field: str) -> Callable[[Given], exp.Expression]:
    """The translation of a function such as ``year``."""
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
        return b.cast(b.part(given.value(place), 18, 2), "INTEGER")
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
        if field == "quarter":
            return dates.truncated(field, dates.as_timestamp(value))
        return b.joined(dates.begin_of(value, UNITS[field]), b.string(rest_of(UNITS[field])))
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
        return exp.Add(this=exp.Mul(this=years, expression=b.number("12")), expression=months)
    raise UnsupportedError("Func", f"DATE_DIFF in {given.literal(0)}")


def _difference(field: str, later: exp.Expression, earlier: exp.Expression) -> exp.Expression:
    return exp.Sub(
        this=dates.extracted(field, later, is_date=True),
        expression=dates.extracted(field, earlier, is_date=True),
    )


def formatted(given: Given) -> exp.Expression:
    """STRFTIME with a plain format, which stands before or behind the date."""
    at = 1 if given.call.arguments[0].type.name == "text" else 0
    value, pattern = given.value(at), given.literal(1 - at)
    is_date = given.call.arguments[at].type.name == "date"
    day = value if is_date else day_of(given.call.arguments[at], given.place)
    pieces = pieces_of(pattern)
    if not {piece for piece in pieces if piece.startswith("%")} <= _CLOCK.keys() | _CALENDAR.keys():
        raise UnsupportedError("Func", f"STRFTIME with the format {pattern[:40]!r}")
    return dates.spelt(pieces, value, day, _CALENDAR, _CLOCK)


_WEEKS = {"week": "week", "weeks": "week"}
_MOVES = frozenset(
    (
        *((kind, "interval") for kind in ("date", *STAMP)),
        *(("interval", kind) for kind in ("date", *STAMP)),
        *(("date", kind) for kind in (*ANY_INT, "date")),
        *((kind, "date") for kind in ANY_INT),
        *((kind, kind) for kind in STAMP),
    )
)
"""Types that times are moved by, or that a difference is of; of two timestamps it is compared alone."""


def with_shared_moves(query: TypedQuery) -> TypedQuery:
    """The query with PostgreSQL's operators for those of times that mean the same there.

    Comparisons take over what is added on either side.
    """
    return mapped(query, _shared)


def _shared(value: object) -> object:
    match value:
        case RoutineCall(routine=Routine(name="+" | "-", arguments=(one, other), schema=schema)) if (
            schema == SCHEMA and (one, other) in _MOVES
        ):
            way = -1 if one == "interval" else 1
            routine = replace(value.routine, schema="pg_catalog", arguments=value.routine.arguments[::way])
            return replace(value, routine=routine, arguments=value.arguments[::way])
        case RoutineCall(
            routine=Routine(name="date_trunc" | "datetrunc", arguments=("text", kind), schema=schema),
            arguments=(TypedConstant(text=str(unit)) as field, stamp),
        ) if schema == SCHEMA and kind in STAMP and (word := (_WORDS | _WEEKS).get(unit.lower())):
            routine = Routine("date_trunc", ("text", kind))
            return replace(value, routine=routine, arguments=(replace(field, text=word), stamp))
    return value


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
        (exp.EQ(this=value.copy(), expression=b.number(str(each))), b.string(name))
        for each, name in names.items()
    ]
    return b.case(ways, exp.Null())


_LOCAL = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?\Z")
"""A text that is the time of a clock on the wall: of an instant, whatever the zone."""
_OF_CLOCKS = frozenset(name for names in PARTS.values() for name in names) | {
    *("date_part", "datepart", "strftime", "monthname", "dayname")
}
"""Functions of what a clock on the wall shows."""


def with_symbols(query: TypedQuery) -> TypedQuery:
    """The query with a symbol for each conversion between instants and times of a clock on the wall.

    So are instants of literals without an offset.  Each equation was put to DuckDB under zones whose clocks
    change.  No constant is computed before, since DuckDB would do so in the zone of the session here.

    Raises:
        UnsupportedError: another part depends on the zone.
    """
    return mapped(query, _of_instants)


def _of_instants(value: object) -> object:
    match value:
        case RoutineCall(cast=True, arguments=(inner,)):
            return _converted(value, inner)
        case RoutineCall(routine=Routine(name="+" | "-", arguments=kinds)) if "timestamptz" in kinds:
            if "interval" not in kinds:
                raise UnsupportedError("Setting", str(value.routine))
        case RoutineCall(routine=routine) if routine.schema == SCHEMA and "timestamptz" in routine.arguments:
            return _of_clocks(value)
    return value


def with_moved_instants(query: TypedQuery) -> TypedQuery:
    """The query with symbols, its constants computed, with one for each instant and days or months.

    Raises:
        UnsupportedError: a part depends on the zone that is not a symbol.
    """
    found = mapped(query, _of_moves)
    for part in parts_of(found):
        match part:
            case RoutineCall(routine=Routine(name=name, arguments=kinds, schema=schema)) if schema == SCHEMA:
                if "timestamptz" in (part.type.name, *kinds) and name not in ("+", "-"):
                    raise UnsupportedError("Setting", str(part.routine))
    return found


def _of_moves(value: object) -> object:
    match value:
        case RoutineCall(routine=Routine(name="+" | "-", arguments=kinds), arguments=sides) if (
            "timestamptz" in kinds
        ):
            instant, span = sides if kinds[0] == "timestamptz" else sides[::-1]
            routine = replace(value.routine, arguments=("timestamptz", "interval"))
            found = moved_instant(replace(value, routine=routine, arguments=(instant, span)), instant, span)
            if found is None:
                raise UnsupportedError("Setting", str(routine))
            return found
    return value


def _converted(value: RoutineCall, inner: Expr) -> Expr:
    """A cast to an instant, or of one.

    Raises:
        UnsupportedError: of a text that names a zone, or is none.
    """
    match inner.type.name, value.type.name:
        case "text", "timestamptz" if isinstance(inner, TypedConstant) and inner.text is not None:
            return _of_literal(value, inner, inner.text)
        case "timestamptz", "timestamp":
            return local_time(inner)
        case "timestamptz", "date":
            local = local_time(inner)
            return replace(value, routine=own("date", (local,)), arguments=(local,))
        case "timestamp", "timestamptz":
            return instant_of(inner)
        case "date", "timestamptz":
            return instant_of(_as_timestamp(inner))
        case "timestamptz", "text":
            return symbol_of("time_text", value.type, inner)
        case "text", "timestamptz":
            return symbol_of("time_read", value.type, inner)
    return value


def _of_clocks(value: RoutineCall) -> Expr:
    """A function of one instant as one of what a clock on the wall shows, as far as it is."""
    local = tuple(local_time(each) if each.type.name == "timestamptz" else each for each in value.arguments)
    shown = replace(value, routine=own(value.routine.name, local), arguments=local)
    if value.routine.name in _OF_CLOCKS:
        return shown
    if value.routine.name in ("date_trunc", "datetrunc"):
        # The quarter of a summer's instant begins by summer time, whatever the clock showed then.
        if word_of(value.arguments[0]).lower() in BY_CALENDAR - {"quarter"}:
            return instant_of(replace(shown, type=TIMESTAMP))
        return symbol_of("truncated", value.type, *value.arguments)
    return value


def _of_literal(value: RoutineCall, shown: TypedConstant, text: str) -> Expr:
    """A literal with an offset as it is; another as the instant of what it shows."""
    if FIRM.match(text.strip()):
        return value
    if not _LOCAL.match(text):
        raise UnsupportedError("Setting", "a literal of a time that the zone's clocks skip or repeat")
    return instant_of(_as_timestamp(shown))


def _as_timestamp(value: Expr) -> RoutineCall:
    return RoutineCall(TIMESTAMP, own("timestamp", (value,)), (value,), cast=True)
