"""Operators and functions of dates, times and intervals: texts of ISO 8601, whose order is that of time.

A date is ``YYYY-MM-DD``, a timestamp ``YYYY-MM-DD HH:MM:SS`` with a fraction if it has one.  They are taken
to lie in the years 1 to 9999, which is what a column of the core holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlglot import exp

from equiv.core.functions.texts import (
    UNITS,
    add_interval,
    is_known,
    moment,
    rest_of,
    unit_after,
    unit_begun,
)
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import (
    ANY_INT,
    DATE,
    INTERVAL,
    STAMP,
    TEXT,
    TIME,
    Given,
    LoweringPlace,
    Meaning,
    constant_of,
    same,
)

MIDNIGHT = " 00:00:00"
_DAY = len("2000-01-01")
_INSTANT = "%Y-%m-%d %H:%M:%f"
_FORMATS = {"YYYY": "%Y", "MM": "%m", "DD": "%d"}
_CLOCK = {"HH24": (12, 2), "MI": (15, 2), "SS": (18, 2)}
_SEPARATORS = frozenset("-/:. ,_")
_OF_CLOCK = {"hour": 1, "minute": 4, "second": 7}
"""Where a field of a time of day begins."""
_FIELDS = {
    "year": "%Y", "month": "%m", "day": "%d", "dow": "%w", "doy": "%j",
    "quarter": "%m", "isodow": "%w", "decade": "%Y",
}  # fmt: skip
"""The codes of STRFTIME from which fields are computed."""


def interval_of(value: t.Expr) -> tuple[int, int, int] | None:
    """The months, days and microseconds of a constant interval."""
    if not isinstance(value, t.TypedConstant) or value.type.name != "interval" or value.text is None:
        return None
    words = value.text.split()
    whole, _, fraction = words[4].partition(".")
    micros = int(whole.lstrip("-")) * 1_000_000 + int(fraction)
    return int(words[0]), int(words[2]), -micros if whole.startswith("-") else micros


DAY_OF_MICROSECONDS = 86_400_000_000
_MOST_MOVED = 1000 * 366 * DAY_OF_MICROSECONDS
"""No date of the core, so far moved, is beyond what an engine holds."""


def is_now(value: t.Expr) -> bool:
    """Whether a value is the current time."""
    if isinstance(value, t.RoutineCall):
        return value.routine.name in ("now", "transaction_timestamp") and not value.arguments
    return isinstance(value, t.Now) and value.word in ("CURRENT_TIMESTAMP", "LOCALTIMESTAMP")


_OF_TIMES = frozenset(
    """+ - ahead back date date_trunc instant_of local_time timestamp timestamptz timezone today
    truncated""".split()  # noqa: SIM905
)


def is_of_clock(value: t.Expr) -> bool:
    """Whether a value is a time that is made of the current one and of constants, and is never NULL."""
    if value.type.name not in b.STAMPS | {"date"} or is_now(value) or not isinstance(value, t.RoutineCall):
        return is_now(value) or isinstance(value, t.Now)
    if value.routine.schema not in ("pg_catalog", t.SESSION) or value.routine.name not in _OF_TIMES:
        return False
    parts = [each for each in value.arguments if getattr(each, "text", None) is None]
    return all(map(is_of_clock, parts)) and (bool(parts) or value.routine.name == "today")


def unmoved(value: t.Expr) -> tuple[t.Expr, int]:
    """A date or timestamp without the constants that are added to it, and these, in microseconds.

    Months are not of one length, and stay.  The days are of 24 hours: of other ones, in a zone where clocks
    change, no call of PostgreSQL's is left.
    """
    match value:
        case t.RoutineCall(routine=t.Routine("+" | "-" as name, schema="pg_catalog"), arguments=(one, other)):
            ways = ((one, other, -1 if name == "-" else 1), (other, one, 1))[: 1 if name == "-" else 2]
            for base, by, sign in ways:
                amount = _amount(base, by)
                if amount is not None and abs(amount) < _MOST_MOVED:
                    inner, before = unmoved(base)
                    return inner, before + sign * amount
    return value, 0


def _amount(base: t.Expr, by: t.Expr) -> int | None:
    """By how many microseconds a date or a timestamp is moved."""
    if base.type.name == "date":
        days = constant_of(by) if by.type.name in ANY_INT else None
        if days is not None and days.text is not None:
            return int(days.text) * DAY_OF_MICROSECONDS
    elif base.type.name not in b.STAMPS:
        return None
    return _length_of(by)


def _length_of(value: t.Expr) -> int | None:
    """The microseconds of a constant interval without months."""
    span = interval_of(value)
    return None if span is None or span[0] else span[1] * DAY_OF_MICROSECONDS + span[2]


def constant_moved(value: t.TypedConstant, micros: int) -> t.TypedConstant | None:
    """A constant date or timestamp so much later, as a timestamp; None beyond the years 1 to 9999."""
    text = value.text or ""
    found = add_interval(text.removesuffix("+00") + MIDNIGHT * (len(text) == _DAY), 0, 0, micros)
    kind = value.type if value.type.name in b.STAMPS else t.Type("timestamp")
    return t.TypedConstant(kind, found) if isinstance(found, str) else None


def _at_midnight(value: t.Expr) -> t.Expr | None:
    """The date of a timestamp that is the begin of a day by the way it is computed."""
    if (
        isinstance(value, t.RoutineCall)
        and value.cast
        and value.routine.name in b.STAMPS
        and len(value.arguments) == 1
    ):
        inner = value.arguments[0]
        return inner if inner.type.name == "date" else _at_midnight(inner)
    return None


def moved(date: exp.Expression, months: int, days: int, micros: int) -> exp.Expression:
    """A date or timestamp and an interval; without microseconds a date stays one."""
    if not months and not micros:
        return b.call("DATE", date, b.string(f"{days:+} days"))
    return _moved_stamp(date, months, days, micros)


def now() -> exp.Expression:
    """The current time: the core's instant with its fraction, of which proofs know that it is not NULL."""
    instant = b.call("STRFTIME", b.string(_INSTANT), b.string("now"))
    shown = b.call("RTRIM", b.call("RTRIM", instant, b.string("0")), b.string("."))
    return exp.Coalesce(this=shown, expressions=[b.string("")])


def begin_of(stamp: exp.Expression, length: int) -> exp.Expression:
    """The first characters of a timestamp, of its date at most: of now those of the current date."""
    found = exp.CurrentDate() if stamp == now() else stamp
    return found if length == _DAY and isinstance(found, exp.CurrentDate) else b.part(found, 1, length)


def of_timestamp(value: exp.Expression) -> exp.Expression:
    """The date of a timestamp, or of a date."""
    return begin_of(value, _DAY)


def as_timestamp(date: exp.Expression) -> exp.Expression:
    """The begin of a date."""
    if isinstance(date, exp.Literal):
        return b.string(date.name + MIDNIGHT)
    return b.joined(date, b.string(MIDNIGHT))


def formatted(stamp: exp.Expression, pattern: str, day: exp.Expression | None) -> exp.Expression:
    """TO_CHAR of a timestamp with a plain format; ``day`` is its date, where it begins one.

    Raises:
        UnsupportedError: another pattern than of years, months, days, hours, minutes and seconds.
    """
    pieces = _pieces(pattern)
    if not pieces:
        raise UnsupportedError("Func", "TO_CHAR with an empty format, which is NULL")
    return spelt(pieces, stamp, day, _FORMATS, _CLOCK)


def spelt(
    pieces: Sequence[str],
    value: exp.Expression,
    day: exp.Expression | None,
    codes: Mapping[str, str],
    clock: Mapping[str, tuple[int, int]],
) -> exp.Expression:
    """A timestamp or date by the pieces of a format.

    Args:
        pieces: fields and texts.
        value: the timestamp or date.
        day: its date, where it begins one: the value itself if it is a date.
        codes: for a field of the date STRFTIME's code.
        clock: for a field of the clock where it begins and its length.
    """
    if all(piece not in clock for piece in pieces):
        text = "".join(codes.get(piece, piece) for piece in pieces)
        return b.call("STRFTIME", b.string(text), of_timestamp(value) if day is None else day)
    midnight = b.case([(exp.Not(this=b.is_null(value)), b.string("00"))], exp.Null())
    shown = []
    for piece in pieces:
        if piece in clock:
            shown.append(midnight.copy() if day is value else b.part(value.copy(), *clock[piece]))
        elif piece in codes:
            shown.append(b.call("STRFTIME", b.string(codes[piece]), of_timestamp(value.copy())))
        else:
            shown.append(b.string(piece))
    return b.joined(*shown)


def _pieces(pattern: str) -> list[str]:
    pieces = re.findall("|".join((*_FORMATS, *_CLOCK, ".")), pattern, re.DOTALL)
    if not {*pieces} <= _FORMATS.keys() | _CLOCK.keys() | _SEPARATORS:
        raise UnsupportedError("Func", f"TO_CHAR with the format {pattern!r}")
    return pieces


def is_of_session(pattern: str) -> bool:
    """Whether what TO_CHAR makes by a format may depend on the session; of an empty one, it is NULL."""
    try:
        return not _pieces(pattern) and bool(pattern)
    except UnsupportedError:
        return True


def truncated(field: str, stamp: exp.Expression) -> exp.Expression:
    """DATE_TRUNC of a timestamp.

    Raises:
        UnsupportedError: to what is no unit of the calendar.
    """
    if field.lower() == "quarter":
        month = b.part(stamp.copy(), 6, 2)
        begins = [(last, f"-{int(last) - 2:02}-01{MIDNIGHT}") for last in ("03", "06", "09", "12")]
        year = begin_of(stamp, len("2000"))
        ifs = [
            (exp.LTE(this=month.copy(), expression=b.string(last)), b.joined(year.copy(), b.string(rest)))
            for last, rest in begins
        ]
        return b.case(ifs, exp.Null())
    if field.lower() not in UNITS:
        raise UnsupportedError("Func", f"DATE_TRUNC to {field}")
    length = UNITS[field.lower()]
    kept = begin_of(stamp, length) if length <= _DAY else b.part(stamp, 1, length)
    rest = rest_of(length)
    return b.joined(kept, b.string(rest)) if rest else kept


def compared_by_units(sign: str, field: str, stamp: exp.Expression, text: str) -> exp.Expression | None:
    """A timestamp truncated to quarters or weeks beside a constant: whether it lies before, in or after one.

    None of another unit, or if the unit that the constant lies in ends beyond the years 1 to 9999.
    """
    unit, at = field.lower(), moment(text)
    if at is None or unit not in ("quarter", "week"):
        return None
    begin = unit_begun(unit, at)
    try:
        end = unit_after(unit, begin)
    except OverflowError:
        return None
    first, last = (b.string(each.isoformat(" ")) for each in (begin, end))
    from_then = exp.GTE(this=stamp, expression=last if sign in ("<=", ">") or at != begin else first)
    match sign:
        case "<" | "<=":
            return exp.Not(this=from_then)
        case ">" | ">=":
            return from_then
    if at != begin:
        return b.case([(b.is_null(stamp), exp.Null())], exp.false() if sign == "=" else exp.true())
    within = exp.And(
        this=exp.GTE(this=stamp, expression=first), expression=exp.LT(this=stamp.copy(), expression=last)
    )
    return within if sign == "=" else exp.Not(this=within)


def extracted(field: str, value: exp.Expression, *, is_date: bool) -> exp.Expression:
    """EXTRACT of a date or a timestamp.

    Raises:
        UnsupportedError: a field that is not of the calendar, or of the clock of a date.
    """
    name = field.lower()
    day = value if is_date else of_timestamp(value)
    if name in _FIELDS:
        found = b.cast(b.call("STRFTIME", b.string(_FIELDS[name]), day), "INTEGER")
        match name:
            case "quarter":
                return exp.Div(this=exp.Add(this=found, expression=b.number("2")), expression=b.number("3"))
            case "isodow":
                shifted = exp.Add(this=found, expression=b.number("6"))
                weekday = exp.Mod(this=shifted, expression=b.number("7"))
                return exp.Add(this=weekday, expression=b.number("1"))
            case "decade":
                return exp.Div(this=found, expression=b.number("10"))
        return found
    if name in _OF_CLOCK and not is_date:
        return _of_clock(name, b.part(value, 12))
    raise UnsupportedError("Func", f"EXTRACT({field})")


def _of_clock(field: str, time: exp.Expression) -> exp.Expression:
    """EXTRACT of a time of day.

    Raises:
        UnsupportedError: a field that is not of the clock.
    """
    name = field.lower()
    if name not in _OF_CLOCK:
        raise UnsupportedError("Func", f"EXTRACT({field})")
    start = _OF_CLOCK[name]
    return (
        b.cast(b.part(time, start), "REAL") if name == "second" else b.cast(b.part(time, start, 2), "INTEGER")
    )


def days_between(later: exp.Expression, earlier: exp.Expression) -> exp.Expression:
    """The days from one date to another."""
    ends = (b.call("JULIANDAY", each) for each in (later, earlier))
    return b.cast(exp.Sub(this=next(ends), expression=next(ends)), "INTEGER")


def apart(sign: str, date: exp.Expression, stamp: t.TypedConstant) -> exp.Expression | None:
    """A date compared with a constant timestamp; None for a comparison that needs the timestamp itself."""
    from equiv.dialects.typed.lowering.comparisons import NODES

    text = (stamp.text or "").removesuffix("+00")
    if text.endswith(MIDNIGHT):
        return NODES[sign](this=date, expression=b.string(text[:10]))
    strict = {"<": "<=", "<=": "<=", ">": ">", ">=": ">"}.get(sign)
    if strict is not None:
        return NODES[strict](this=date, expression=b.string(text[:10]))
    # Never equal: no date begins at another time than midnight.
    known = exp.true() if sign == "<>" else exp.false()
    return b.case([(b.is_null(date), exp.Null())], known)


def _plus_interval(given: Given) -> exp.Expression:
    """A timestamp, from a date too."""
    date, span, sign = _moving(given)
    months, days, micros = (sign * each for each in span)
    found = moved(given.value(date), months, days, micros)
    return found if micros else as_timestamp(found)


def _moving(given: Given) -> tuple[int, tuple[int, int, int], int]:
    """The index of the date, the constant interval, and its sign."""
    arguments = given.call.arguments
    date = 1 if arguments[0].type.name == "interval" else 0
    span = interval_of(arguments[1 - date])
    if span is None:
        raise UnsupportedError("Operator", f"{given.call.routine} with an interval that is not a constant")
    return date, _normal(span), -1 if given.call.routine.name == "-" else 1


def _normal(span: tuple[int, int, int]) -> tuple[int, int, int]:
    """An interval with less than a day beside its days, and all of one sign."""
    sign = -1 if (micros := span[1] * DAY_OF_MICROSECONDS + span[2]) < 0 else 1
    days, rest = divmod(abs(micros), DAY_OF_MICROSECONDS)
    return span[0], sign * days, sign * rest


def _plus_stamp_interval(given: Given) -> exp.Expression:

    base, micros = unmoved(given.call)
    if is_stamp(base) and base is not given.call:
        return ahead(given.place.lowered(base), micros)
    date, span, sign = _moving(given)
    return _moved_stamp(given.value(date), *(sign * each for each in span))


def is_stamp(value: t.Expr) -> bool:
    """Whether a value is a timestamp."""
    return value.type.name in b.STAMPS


def ahead(stamp: exp.Expression, micros: int) -> exp.Expression:
    """A timestamp so much later."""
    return _moved_stamp(stamp, *_normal((0, 0, micros))) if micros else stamp


def _moved_stamp(stamp: exp.Expression, *span: int) -> exp.Expression:
    """A timestamp and an interval of months, days and microseconds."""
    return b.call("ADD_INTERVAL", stamp, *(b.number(str(each)) for each in span))


def day_of(value: t.Expr, place: LoweringPlace) -> exp.Expression | None:
    """The date of a timestamp that begins a day: of a date, or of one and whole days or months."""
    inner = _at_midnight(value)
    if inner is not None:
        return place.lowered(inner)
    if not isinstance(value, t.RoutineCall) or value.routine.name not in "+-" or len(value.arguments) != 2:
        return None
    if {each.type.name for each in value.arguments} != {"date", "interval"}:
        return None
    given = Given(value, place)
    date, span, sign = _moving(given)
    if span[2]:
        return None
    return moved(given.value(date), sign * span[0], sign * span[1], 0)


def _day(given: Given) -> exp.Expression:
    known = day_of(given.call.arguments[0], given.place)
    return of_timestamp(given.value(0)) if known is None else known


def _in_utc(given: Given) -> exp.Expression:
    # No zone of PostgreSQL's tables calls another time so.
    if given.literal(0).upper() not in ("UTC", "GMT"):
        raise UnsupportedError("Func", f"TIMEZONE of {given.literal(0)}")
    return given.value(1)


def _plus_days(given: Given) -> exp.Expression:
    arguments = given.call.arguments
    date = 0 if arguments[0].type.name == "date" else 1
    days = given.value(1 - date)
    if given.call.routine.name == "-":
        days = exp.Neg(this=days)
    return b.call("ADD_INTERVAL", given.value(date), b.number("0"), days, b.number("0"))


def _extracted(given: Given) -> exp.Expression:
    subject = given.call.arguments[1]
    if subject.type.name == "interval":
        return b.call("INTERVAL_PART", b.string(given.literal(0).lower()), given.value(1))
    if subject.type.name == "time":
        return _of_clock(given.literal(0), given.value(1))
    day = day_of(subject, given.place) if subject.type.name in b.STAMPS else None
    if day is not None:
        return extracted(given.literal(0), day, is_date=True)
    return extracted(given.literal(0), given.value(1), is_date=subject.type.name == "date")


def _age(given: Given) -> exp.Expression:
    if len(given.call.arguments) == 2:
        return b.call("AGE", *given.values())
    return b.call("AGE", exp.CurrentDate(), given.value(0))


def _to_date(given: Given) -> exp.Expression:
    if not is_known(form := given.literal(1)):
        raise UnsupportedError("Func", f"TO_DATE with the format {form!r}")
    return b.call("PARSE_DATE", given.value(0), b.string(form))


OF_DATES: tuple[Meaning, ...] = (
    Meaning(("timestamp", "timestamptz"), (DATE,), lambda given: as_timestamp(given.value(0)), "its begin"),
    Meaning(("timestamp", "timestamptz"), (STAMP,), same, "the same under UTC"),
    Meaning(("timezone",), (TEXT, STAMP), _in_utc, "the same, of UTC by that name"),
    Meaning(("date",), (STAMP,), _day, "its day"),
    Meaning(("time",), (STAMP,), lambda given: b.part(given.value(0), 12), "the time of its day"),
    Meaning(("+", "-"), (DATE, INTERVAL), _plus_interval, "own for months; DATE for days"),
    Meaning(("+",), (INTERVAL, DATE), _plus_interval, "as above"),
    Meaning(("+", "-"), (STAMP, INTERVAL), _plus_stamp_interval, "own"),
    Meaning(("+", "-"), (DATE, ANY_INT), _plus_days, "own"),
    Meaning(("+",), (ANY_INT, DATE), _plus_days, "own"),
    Meaning(("-",), (DATE, DATE), lambda given: days_between(given.value(0), given.value(1)), "whole days"),
    Meaning(
        ("extract",),
        (TEXT, DATE | STAMP | INTERVAL | TIME),
        _extracted,
        "STRFTIME and parts of the text",
    ),
    Meaning(("date_part",), (TEXT, DATE | STAMP | INTERVAL | TIME), _extracted, "as above"),
    Meaning(("now", "transaction_timestamp"), (), lambda given: now(), "one unknown instant"),
    Meaning(("age",), (STAMP,), _age, "own: from the current date"),
    Meaning(("age",), (STAMP, STAMP), _age, "own"),
    Meaning(
        ("date_trunc",),
        (TEXT, STAMP),
        lambda given: truncated(given.literal(0), given.value(1)),
        "the first part of the text",
    ),
    Meaning(
        ("to_char",),
        (STAMP, TEXT),
        lambda given: formatted(
            given.value(0), given.literal(1), day_of(given.call.arguments[0], given.place)
        ),
        "STRFTIME, of plain formats",
    ),
    Meaning(("to_date",), (TEXT, TEXT), _to_date, "own"),
)
"""Their rows, by name and types of arguments."""
