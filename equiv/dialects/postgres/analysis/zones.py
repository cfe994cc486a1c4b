"""Times of named zones, compared by the instants at which a clock there shows them.

Of instants, what a clock on the wall shows is linear between the moments at which it is set forward (it then
skips times: a gap) or back (it shows times twice: a fold).  The instants at which it shows less than a given
time are therefore some intervals, each with its begin and without its end: mostly one without begin; two
where the time lies in what a fold repeats.  Days, months and years there are compared by their begins.
PostgreSQL's own tables say when clocks are set, and which instant a time in a gap or fold is taken for:
``at::date = '2026-10-25'`` and ``at >= '2026-10-25'`` differ where clocks are set back to that midnight.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from equiv.core.functions.texts import moment, unit_after, unit_begun
from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.printing import literal, texts_of
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.calendar import built, comparison_of, find_begin
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.comparisons import NODES, TURNED
from equiv.dialects.typed.symbols import instant_of, local_time, word_of
from equiv.dialects.typed.walks import mapped, parts_of

if TYPE_CHECKING:
    from equiv.dialects.postgres.wire import Wire

T = TypeVar("T")
_BOOL, _STAMP, _ZONED = t.Type("bool"), t.Type("timestamp"), t.Type("timestamptz")
_NAMED = re.compile(
    r"(?i)[a-z_]+(?:/[a-z0-9_+-]+)+|[a-z<>+:.-]*\d[a-z0-9<>+:.-]*"
    r"|cuba|egypt|eire|hongkong|iceland|iran|israel|jamaica|japan|libya|navajo|poland|portugal|singapore|turkey"
)
"""A zone by its name or by an offset, which no abbreviation is: these hang on the session's zone."""
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - instants are told as UTC shows them
_MICRO, _DAY = timedelta(microseconds=1), timedelta(days=1)
_UNITS = {
    "day": {""}, "week": {"", "day"}, "month": {"", "day"}, "quarter": {"", "day", "month"},
    "year": {"", "day", "month", "quarter"},
}  # fmt: skip
"""Units of the calendar, and in which of them a time may be counted that is truncated to one."""
_NUMBERS = frozenset(("int2", "int4", "int8", "numeric", "float8"))


def with_instants(query: t.TypedQuery, server: Wire, zone: str = "") -> t.TypedQuery:
    """The query with comparisons of what clocks show with constants as comparisons of instants.

    Args:
        query: with symbols for what depends on the session's zone.
        server: what knows when clocks are set.
        zone: the session's zone; without one, times of zones that calls name are compared.
    """
    clocks = _Clocks(server, zone)

    def change(found: Any) -> Any:
        match found:
            case t.RoutineCall(routine=t.Routine("instant_of", schema=t.SESSION), arguments=(local,)):
                return clocks.constant_at(zone, local) or found
            case t.RoutineCall(routine=t.Routine("timezone", ("text", _)), arguments=(name, of)):
                fixed = clocks.constant_at(word_of(name), of) if of.type == _STAMP else None
                return fixed or clocks.of_session(found, word_of(name), of)
            case t.RoutineCall(
                routine=t.Routine("date_trunc", ("text", _, "text")), arguments=(unit, instant, name)
            ) if word_of(unit).lower() in _UNITS and _NAMED.fullmatch(word_of(name)):
                local = clocks.of_session(_at(name, instant), word_of(name), instant)
                begin = built(_STAMP, "date_trunc", unit, local)
                return clocks.of_session(_at(name, begin), word_of(name), begin)
            case t.RoutineCall(routine=t.Routine("ahead" | "back" as way, schema=t.SESSION)):
                return clocks.moved(way, *found.arguments) or found
            case t.RoutineCall(routine=t.Routine(name=sign, schema="pg_catalog"), arguments=(left, right)):
                if sign in NODES and sign in TURNED:
                    return (
                        clocks.compared(sign, _shown(left, zone), right)
                        or clocks.compared(TURNED[sign], _shown(right, zone), left)
                        or clocks.compared_with_day(sign, left, right)
                        or clocks.compared_with_day(TURNED[sign], right, left)
                        or found
                    )
            case t.Compared(
                array=t.Array(elements=elements), routine=t.Routine(name=sign, schema="pg_catalog")
            ):
                if (sign, found.any) in (("=", True), ("<>", False)):
                    shown = _shown(found.value, zone)
                    tests = [clocks.compared(sign, shown, each) for each in elements]
                    known = tuple(each for each in tests if each is not None)
                    if known and len(known) == len(tests):
                        return t.Logic(_BOOL, "or" if found.any else "and", known)
        return found

    return mapped(query, change)


def _at(name: t.Expr, time: t.Expr) -> t.RoutineCall:
    """What a clock of a zone shows at an instant, or the instant at which it shows a time."""
    return built(_STAMP if time.type.name == "timestamptz" else _ZONED, "timezone", name, time)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a clock shows at an instant, truncated to a unit, or the instant at which the unit begins."""

    instant: t.Expr
    zone: str
    unit: str
    form: Literal["local", "instant", "year"]


def _shown(value: t.Expr, zone: str) -> _Shown | None:
    """What an expression says of an instant that the clock of a zone shows; None of another expression."""
    if not isinstance(value, t.RoutineCall) or value.routine.schema not in ("pg_catalog", t.SESSION):
        return None
    last, word = value.arguments[-1:], word_of(value.arguments[0]).lower() if value.arguments else ""
    match value.routine.name, value.routine.arguments:
        case "truncated", (_, _) if zone and word in _UNITS:
            return _of_instant(last[0], zone, word, "instant")
        case (("instant_of", (_,)) | ("timezone", ("text", "timestamp"))) as told:
            inner = _shown(last[0], zone)
            own = zone if told[0] == "instant_of" else word
            # Times that are not truncated may have two instants.
            is_known = inner and inner.form == "local" and inner.unit and inner.zone.lower() == own.lower()
            return replace(inner, form="instant") if inner and is_known else None
        case (("extract" | "date_part"), ("text", _)) if word == "year":
            inner = _shown(last[0], zone) if last[0].type.name != "interval" else None
            is_known = inner and inner.form == "local" and inner.unit in {"", *_UNITS} - {"week"}
            return replace(inner, unit="year", form="year") if inner and is_known else None
        case name, (_,) if name in _NUMBERS:
            inner = _shown(last[0], zone)
            return inner if inner and inner.form == "year" else None
    begin = find_begin(value)
    if begin is None or not begin.is_exact or begin.unit not in {"", *_UNITS}:
        return None
    match begin.time:
        case t.RoutineCall(routine=t.Routine("local_time", schema=t.SESSION), arguments=(instant,)):
            return _of_instant(instant, zone, begin.unit, "local") if zone else None
        case t.RoutineCall(routine=t.Routine("timezone", ("text", "timestamptz")), arguments=(of, instant)):
            named = word_of(of)
            return _of_instant(instant, named, begin.unit, "local") if _NAMED.fullmatch(named) else None
    return None


def _of_instant(instant: t.Expr, zone: str, unit: str, form: Literal["local", "instant"]) -> _Shown | None:
    # It may be written twice.
    is_once = any(isinstance(part, t.NestedQuery) for part in parts_of(instant))
    return None if is_once else _Shown(instant, zone, unit, form)


class _Clocks:
    """What the server's tables say of the clocks of zones.

    Args:
        zone: the session's zone, by any spelling that SET takes; calls take others by some.
    """

    def __init__(self, server: Wire, zone: str) -> None:
        self._server = server
        self._zone = zone

    def _texts(self, zone: str, query: str) -> list[str | None]:
        """The rows of a query in which ``{0}`` begins a call for the other time of one in the zone."""
        if zone != self._zone:
            return texts_of(query.format(f"timezone({literal(zone)}, "), self._server)
        with self._server.undoing(f"SET LOCAL TimeZone = {literal(zone)}"):
            return texts_of(query.format("timezone("), self._server)

    def of_session(self, call: t.RoutineCall, named: str, of: t.Expr) -> t.RoutineCall:
        """A call of the session's zone by its name as one of the session; another call as it is."""
        if not _NAMED.fullmatch(named) or named.lower() != self._zone.lower():
            return call
        return local_time(of) if of.type.name == "timestamptz" else instant_of(of)

    def moved(self, way: str, instant: t.Expr, span: t.Expr) -> t.Expr | None:
        """The begin of a day and days or months; None where a clock may not show midnight then."""
        begin, by = _begun_at(instant), dates.interval_of(span)
        if begin is None or by is None or by[2] or not self._has("begins"):
            return None
        return instant_of(built(_STAMP, "+" if way == "ahead" else "-", begin, span, operator=True))

    def compared_with_day(self, sign: str, instant: t.Expr, other: t.Expr) -> t.Expr | None:
        """A comparison with the begin of a day as one of what clocks show, where no day is shown in parts."""
        begin, own = _begun_at(other), _begun_at(instant)
        if begin is None or instant.type.name != "timestamptz":
            return None
        is_known = self._has("order") if own else sign in ("<", ">=") and self._has("whole")
        return built(_BOOL, sign, own or local_time(instant), begin, operator=True) if is_known else None

    def _has(self, what: str) -> bool:
        """Whether something is so of the days that the clock of the session's zone shows.

        Args:
            what: ``order``: of two days, the first one's midnight is taken for the earlier instant;
                ``whole``: each day is shown from there to the next one alone; ``begins``: midnight is shown.
        """
        if not self._zone:
            return False
        if self._zone not in _ODD:
            _ODD[self._zone] = " ".join(map(str, self._texts(self._zone, _ODD_DAYS)))
        return what not in _ODD[self._zone]

    def compared(self, sign: str, shown: _Shown | None, other: t.Expr) -> t.Expr | None:
        """A comparison with a constant, as one of instants; None if it is not known to be one."""
        if shown is None:
            return None
        ends = [self._end(shown, other, after=after) for after in (False, True)]
        if None in ends:
            return None
        less, most = (self._set(shown.zone, end) for end in ends if end is not None)
        if less is None or most is None:
            return None
        is_in, bounds = {"<": less, ">=": less, "<=": most, ">": most}.get(sign, (False, less[1] ^ most[1]))
        return _within(shown.instant, is_in != (sign in (">=", ">", "<>")), sorted(bounds))

    def constant_at(self, zone: str, local: t.Expr) -> t.TypedConstant | None:
        """The instant that a constant time is taken for."""
        at = _moment(local)
        found = (
            None
            if at is None or not (zone == self._zone or _NAMED.fullmatch(zone)) or not zone
            else self._instants(zone, [at])
        )
        return None if found is None else _constant(found[0])

    def _end(self, shown: _Shown, other: t.Expr, *, after: bool) -> datetime | None:
        """The time from which on what a clock shows is no longer less than a constant, or is greater."""
        if shown.form == "year":
            number = _number(other)
            year = 0 if number is None else floor(number) + 1 if after else ceil(number)
            return datetime(year, 1, 1) if 1 < year < 9999 else None  # noqa: DTZ001 - a clock on the wall
        at = _moment(other)
        if at is None or not 1 < at.year < 9998:
            return None
        if shown.form == "local":
            return _begin_from(shown.unit, at, after=after)
        begins = [unit_begun(shown.unit, at - 2 * _DAY)]
        while begins[-1] < at + 2 * _DAY:
            begins.append(unit_after(shown.unit, begins[-1]))
        instants = self._instants(shown.zone, begins)
        if instants is None or instants != sorted(instants) or not instants[0] < at < instants[-1]:
            return None
        return next(b for b, i in zip(begins, instants, strict=True) if (i > at if after else i >= at))

    def _set(self, zone: str, end: datetime) -> tuple[bool, frozenset[datetime]] | None:
        """The instants at which a clock shows less than a time: at first, and what changes it."""
        pieces = self._pieces(zone, end)
        bounds = frozenset[datetime]()
        for at, (start, ahead) in enumerate(pieces):
            until = min([end - ahead, *(begin for begin, _ in pieces[at + 1 : at + 2] if begin is not None)])
            if start is None or start < until:
                # Where one interval ends as another begins there is no bound.
                bounds ^= {until} if start is None else {start, until}
        return (True, bounds) if pieces else None

    def _pieces(self, zone: str, local: datetime) -> list[tuple[datetime | None, timedelta]]:
        """From which instants on, around a time, a clock is so far ahead of UTC; [] if it is not known."""
        first, last = local - _DAY, local + _DAY
        found = self._changes(zone, first, last, "1 minute")
        pieces: list[tuple[datetime | None, timedelta]] = [(None, ahead) for _, ahead in found[:1]]
        for at, _ in found[1:]:
            pieces += self._changes(zone, at - timedelta(minutes=1), at, "1 second")[1:]
        is_whole = all(abs(ahead) < _DAY for _, ahead in pieces) and len(pieces) == len(found)
        return pieces if is_whole else []

    def _changes(
        self, zone: str, first: datetime, last: datetime, step: str
    ) -> list[tuple[datetime, timedelta]]:
        ahead = "{0}g) - timezone(interval '0', g)"
        series = f"generate_series(timestamptz '{first}+00', timestamptz '{last}+00', interval '{step}')"
        rows = f"SELECT extract(epoch FROM g)::bigint, extract(epoch FROM {ahead})::int FROM {series} g"
        changes = f"SELECT at, h, lag(h) OVER (ORDER BY at) AS l FROM ({rows}) AS r (at, h)"
        query = f"SELECT at || ' ' || h FROM ({changes}) AS c WHERE l IS DISTINCT FROM h ORDER BY at"
        found = ((text or "").split() for text in self._texts(zone, query))
        return [(_EPOCH + timedelta(seconds=int(at)), timedelta(seconds=int(h))) for at, h in found]

    def _instants(self, zone: str, times: list[datetime]) -> list[datetime] | None:
        """The instants that times of a clock are taken for, in their order."""
        given = ", ".join(f"({at}, timestamp '{time}')" for at, time in enumerate(times))
        query = (
            f"SELECT (extract(epoch FROM {{0}}t)) * 1000000)::bigint "
            f"FROM (VALUES {given}) AS v (n, t) ORDER BY n"
        )
        found = self._texts(zone, query)
        return [_EPOCH + int(text or 0) * _MICRO for text in found] if len(found) == len(times) else None


_ODD: dict[str, str] = {}
_ODD_DAYS = """
WITH days AS (
  SELECT d, {0}d) AS i
  FROM generate_series(timestamp '1840-01-01', timestamp '2100-01-01', interval '1 day') AS d
), near AS (
  SELECT d, i, i - lag(i) OVER w AS before, lead(i) OVER w - i AS after
  FROM days WINDOW w AS (ORDER BY d)
), candidates AS (
  SELECT d, i, before, after, timezone(z, d - ({0}i + h) - timezone(z, i + h))) AS other
  FROM near, (VALUES (interval '0')) AS utc (z),
    unnest(ARRAY[interval '-24:00', '-6:00', '6:00', '24:00']) AS h
  WHERE before <> '24:00' OR after <> '24:00'
)
SELECT DISTINCT concat_ws(' ', CASE WHEN least(before, after) <= '0' THEN 'order' END,
  CASE WHEN {0}i) <> d THEN 'begins' END, CASE WHEN {0}i)::date <> d::date
    OR {0}i - interval '1 microsecond') >= d OR ({0}other) = d AND other <> i) THEN 'whole' END)
FROM candidates
"""
"""What is not so of the days near changes of a zone's clocks; after 2100 these change as before."""


def _begun_at(instant: t.Expr) -> t.Expr | None:
    """The begin of a day, no constant, whose instant a value is."""
    match instant:
        case t.RoutineCall(routine=t.Routine("instant_of", schema=t.SESSION), arguments=(stamp,)):
            begin = find_begin(stamp)
            is_day = begin and begin.is_exact and begin.unit in _UNITS
            return stamp if begin and is_day and not isinstance(begin.time, t.TypedConstant) else None
    return None


def _begin_from(unit: str, at: datetime, *, after: bool) -> datetime:
    """The first begin of a unit that is not before a time, or that is after it."""
    if not unit:
        return at + _MICRO if after else at
    begin = unit_begun(unit, at)
    return begin if begin == at and not after else unit_after(unit, begin)


def _moment(value: t.Expr) -> datetime | None:
    """The time that a constant is; of an instant as UTC shows it."""
    if isinstance(value, t.RoutineCall) and value.routine.name == "timestamp" and len(value.arguments) == 1:
        return _moment(value.arguments[0]) if value.arguments[0].type.name == "date" else None
    if value.type.name not in ("date", "timestamp", "timestamptz"):
        return None
    found = moment(word_of(value).removesuffix("+00"))
    return found if found is not None and found.tzinfo is None else None


def _number(value: t.Expr) -> Fraction | None:
    """The number that a constant is."""
    if isinstance(value, t.RoutineCall) and value.routine.name in _NUMBERS and len(value.arguments) == 1:
        inner = value.arguments[0]
        return _number(inner) if value.cast and inner.type.name in ("int2", "int4", "int8") else None
    if value.type.name not in _NUMBERS or not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", word_of(value)):
        return None
    return Fraction(word_of(value))


def _constant(at: datetime) -> t.TypedConstant:
    text = at.isoformat(" ")
    return t.TypedConstant(_ZONED, f"{text.rstrip('0') if at.microsecond else text}+00")


def _within(instant: t.Expr, is_in: bool, bounds: list[datetime]) -> t.Expr:
    """Whether an instant is one of those from ever on, or of the others, which take turns at some bounds."""
    if not bounds:
        return comparison_of("=" if is_in else "<>", instant, instant)
    parts = [comparison_of("<", instant, _constant(bounds[0]))] if is_in else []
    begins = bounds[1:] if is_in else bounds
    for start, end in zip(begins[::2], [*begins[1::2], None], strict=False):
        found = comparison_of(">=", instant, _constant(start))
        if end is not None:
            found = t.Logic(_BOOL, "and", (found, comparison_of("<", instant, _constant(end))))
        parts.append(found)
    return parts[0] if len(parts) == 1 else t.Logic(_BOOL, "or", tuple(parts))


_APART = {"Etc/GMT-6": 21_600, "Etc/GMT+9": -32_400}
"""Two zones whose clocks never change, and by how many seconds they are ahead of UTC."""


def with_local_literals(query: t.TypedQuery, reread: Callable[[str], t.TypedQuery]) -> t.TypedQuery:
    """The query with the instants of literals without an offset as symbols of what the literals show.

    Args:
        query: as it is read under UTC.
        reread: the same as it is read under another zone.

    Raises:
        UnsupportedError: a literal depends on the zone in another way.
    """
    others = [(seconds, reread(zone)) for zone, seconds in _APART.items()]
    return _localised(query, others)


def _localised(value: T, others: list[tuple[int, Any]]) -> T:
    found: Any = value
    if any(type(each) is not type(found) for _, each in others):
        raise UnsupportedError("Setting", "a literal whose meaning depends on the time zone")
    if isinstance(found, tuple) and all(len(each) == len(found) for _, each in others):
        return tuple(  # type: ignore[return-value]
            _localised(each, [(seconds, other[at]) for seconds, other in others])
            for at, each in enumerate(found)
        )
    if all(each == found for _, each in others):
        return value
    if isinstance(found, t.TypedConstant):
        return _localised_constant(found, others)  # type: ignore[return-value]
    if not is_dataclass(found) or isinstance(found, type):
        raise UnsupportedError("Setting", "a literal whose meaning depends on the time zone")
    changed = {
        each.name: _localised(
            getattr(found, each.name), [(seconds, getattr(other, each.name)) for seconds, other in others]
        )
        for each in fields(found)
    }
    return replace(found, **changed)  # type: ignore[return-value]


def _localised_constant(found: t.TypedConstant, others: list[tuple[int, Any]]) -> t.Expr:
    shown = moment((found.text or "").removesuffix("+00"))
    moved = [(seconds, moment((other.text or "").removesuffix("+00"))) for seconds, other in others]
    is_local = shown is not None and all(
        other is not None and shown - other == timedelta(seconds=seconds) for seconds, other in moved
    )
    if found.type.name != _ZONED.name or not is_local:
        raise UnsupportedError("Setting", "a literal of a time that the zone's clocks skip or repeat")
    return instant_of(t.TypedConstant(_STAMP, (found.text or "").removesuffix("+00")))
