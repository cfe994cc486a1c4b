"""Dates and times: texts of ISO 8601, whose order is that of time.

A date is ``YYYY-MM-DD``, a timestamp ``YYYY-MM-DD HH:MM:SS`` with a fraction if it has one.  They are taken
to lie in the years 1 to 9999, which is what a column of the core holds.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import call, case, cast, is_null, joined, number, part, string
from equiv.dialects.typed.lowering.types import STAMPS
from equiv.dialects.typed.tree import Call, Constant, Expr

MIDNIGHT = " 00:00:00"
_DAY = len("2000-01-01")
_INSTANT = "%Y-%m-%d %H:%M:%f"
_FORMATS = {"YYYY": "%Y", "MM": "%m", "DD": "%d"}
_CLOCK = {"HH24": (12, 2), "MI": (15, 2), "SS": (18, 2)}
_SEPARATORS = frozenset("-/:. ,_")
_TRUNCATED = {
    "year": (4, "-01-01" + MIDNIGHT), "month": (7, "-01" + MIDNIGHT), "day": (10, MIDNIGHT),
    "hour": (13, ":00:00"), "minute": (16, ":00"), "second": (19, ""),
}  # fmt: skip
_OF_CLOCK = {"hour": 1, "minute": 4, "second": 7}
"""Where a field of a time of day begins."""
_FIELDS = {"year": "%Y", "month": "%m", "day": "%d", "dow": "%w", "doy": "%j"}


def interval_of(value: Expr) -> tuple[int, int, int] | None:
    """The months, days and microseconds of a constant interval."""
    if not isinstance(value, Constant) or value.type.name != "interval" or value.text is None:
        return None
    words = value.text.split()
    whole, _, fraction = words[4].partition(".")
    micros = int(whole.lstrip("-")) * 1_000_000 + int(fraction)
    return int(words[0]), int(words[2]), -micros if whole.startswith("-") else micros


def at_midnight(value: Expr) -> Expr | None:
    """The date of a timestamp that is the begin of a day by the way it is computed."""
    if isinstance(value, Call) and value.cast and value.routine.name in STAMPS and len(value.arguments) == 1:
        inner = value.arguments[0]
        return inner if inner.type.name == "date" else at_midnight(inner)
    return None


def moved(date: exp.Expression, months: int, days: int, micros: int) -> exp.Expression:
    """A date or timestamp and an interval; without microseconds a date stays one."""
    if not months and not micros:
        return call("DATE", date, string(f"{days:+} days"))
    return call("ADD_INTERVAL", date, *(number(str(each)) for each in (months, days, micros)))


def now() -> exp.Expression:
    """The current time: the core's instant with its fraction, which no proof knows more of."""
    instant = call("STRFTIME", string(_INSTANT), string("now"))
    return call("RTRIM", call("RTRIM", instant, string("0")), string("."))


def begin_of(stamp: exp.Expression, length: int) -> exp.Expression:
    """The first characters of a timestamp, of its date at most: of now those of the current date."""
    found = exp.CurrentDate() if stamp == now() else stamp
    return found if length == _DAY and isinstance(found, exp.CurrentDate) else part(found, 1, length)


def of_timestamp(value: exp.Expression) -> exp.Expression:
    """The date of a timestamp, or of a date."""
    return begin_of(value, _DAY)


def as_timestamp(date: exp.Expression) -> exp.Expression:
    """The begin of a date."""
    if isinstance(date, exp.Literal):
        return string(date.name + MIDNIGHT)
    return joined(date, string(MIDNIGHT))


def formatted(stamp: exp.Expression, pattern: str, day: exp.Expression | None) -> exp.Expression:
    """TO_CHAR of a timestamp with a plain format; ``day`` is its date, where it begins one.

    Raises:
        UnsupportedError: another pattern than of years, months, days, hours, minutes and seconds.
    """
    pieces = _pieces(pattern)
    if not pieces:
        raise UnsupportedError("Func", "TO_CHAR with an empty format, which is NULL")
    if all(piece not in _CLOCK for piece in pieces):
        text = "".join(_FORMATS.get(piece, piece) for piece in pieces)
        return call("STRFTIME", string(text), of_timestamp(stamp) if day is None else day)
    shown = []
    for piece in pieces:
        if piece in _CLOCK:
            shown.append(part(stamp.copy(), *_CLOCK[piece]))
        elif piece in _FORMATS:
            shown.append(call("STRFTIME", string(_FORMATS[piece]), of_timestamp(stamp.copy())))
        else:
            shown.append(string(piece))
    return joined(*shown)


def _pieces(pattern: str) -> list[str]:
    pieces, place = [], 0
    while place < len(pattern):
        word = next((each for each in (*_FORMATS, *_CLOCK) if pattern.startswith(each, place)), None)
        if word is None and pattern[place] not in _SEPARATORS:
            raise UnsupportedError("Func", f"TO_CHAR with the format {pattern!r}")
        pieces.append(word or pattern[place])
        place += len(pieces[-1])
    return pieces


def is_of_session(pattern: str) -> bool:
    """Whether what TO_CHAR makes by a format may hang on the session; of an empty one, it is NULL."""
    try:
        return not _pieces(pattern) and bool(pattern)
    except UnsupportedError:
        return True


def truncated(field: str, stamp: exp.Expression) -> exp.Expression:
    """DATE_TRUNC of a timestamp.

    Raises:
        UnsupportedError: to what is no unit of the calendar.
    """
    if field.lower() not in _TRUNCATED:
        raise UnsupportedError("Func", f"DATE_TRUNC to {field}")
    length, rest = _TRUNCATED[field.lower()]
    if length <= _DAY:
        return joined(begin_of(stamp, length), string(rest))
    return joined(part(stamp, 1, length), string(rest)) if rest else part(stamp, 1, length)


def extracted(field: str, value: exp.Expression, *, is_date: bool) -> exp.Expression:
    """EXTRACT of a date or a timestamp.

    Raises:
        UnsupportedError: a field that is not of the calendar, or of the clock of a date.
    """
    name = field.lower()
    day = value if is_date else of_timestamp(value)
    if name in _FIELDS:
        return cast(call("STRFTIME", string(_FIELDS[name]), day), "INTEGER")
    if name == "quarter":
        month = cast(call("STRFTIME", string("%m"), day), "INTEGER")
        return exp.Div(this=exp.Add(this=month, expression=number("2")), expression=number("3"))
    if name == "isodow":
        weekday = cast(call("STRFTIME", string("%w"), day), "INTEGER")
        shifted = exp.Mod(this=exp.Add(this=weekday, expression=number("6")), expression=number("7"))
        return exp.Add(this=shifted, expression=number("1"))
    if name == "decade":
        year = cast(call("STRFTIME", string("%Y"), day), "INTEGER")
        return exp.Div(this=year, expression=number("10"))
    if name in _OF_CLOCK and not is_date:
        return of_clock(name, part(value, 12))
    raise UnsupportedError("Func", f"EXTRACT({field})")


def of_clock(field: str, time: exp.Expression) -> exp.Expression:
    """EXTRACT of a time of day.

    Raises:
        UnsupportedError: a field that is not of the clock.
    """
    name = field.lower()
    if name not in _OF_CLOCK:
        raise UnsupportedError("Func", f"EXTRACT({field})")
    start = _OF_CLOCK[name]
    return cast(part(time, start), "REAL") if name == "second" else cast(part(time, start, 2), "INTEGER")


def days_between(later: exp.Expression, earlier: exp.Expression) -> exp.Expression:
    """The days from one date to another."""
    ends = (call("JULIANDAY", each) for each in (later, earlier))
    return cast(exp.Sub(this=next(ends), expression=next(ends)), "INTEGER")


def apart(sign: str, date: exp.Expression, stamp: Constant) -> exp.Expression | None:
    """A date compared with a constant timestamp; None for a comparison that needs the timestamp itself."""
    from equiv.dialects.typed.lowering.comparisons import NODES

    text = (stamp.text or "").removesuffix("+00")
    if text.endswith(MIDNIGHT):
        return NODES[sign](this=date, expression=string(text[:10]))
    strict = {"<": "<=", "<=": "<=", ">": ">", ">=": ">"}.get(sign)
    if strict is not None:
        return NODES[strict](this=date, expression=string(text[:10]))
    # Never equal: no date begins at another time than midnight.
    known = exp.true() if sign == "<>" else exp.false()
    return case([(is_null(date), exp.Null())], known)
