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
from typing import Any, Literal, TypeVar

from equiv.core.functions.texts import moment
from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.printing import literal, texts_of
from equiv.dialects.postgres.analysis.scope import Server
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.comparisons import NODES
from equiv.dialects.typed.symbols import instant_of, word_of
from equiv.dialects.typed.walks import mapped, parts_of

T = TypeVar("T")
_BOOL, _STAMP, _ZONED = t.Type("bool"), t.Type("timestamp"), t.Type("timestamptz")
_NAMED = re.compile(r"[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+")
"""A zone by its name, which no abbreviation and no offset is."""
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - instants are told as UTC shows them
_MICRO, _DAY = timedelta(microseconds=1), timedelta(days=1)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
_UNITS = {
    "day": {""}, "week": {"", "day"}, "month": {"", "day"}, "quarter": {"", "day", "month"},
    "year": {"", "day", "month", "quarter"},
}  # fmt: skip
"""Units of the calendar, and in which of them a time may be counted that is truncated to one."""
_NUMBERS = frozenset(("int2", "int4", "int8", "numeric", "float8"))


def with_instants(query: t.TypedQuery, server: Server, zone: str = "") -> t.TypedQuery:
    """The query with comparisons of what clocks show with constants as comparisons of instants.

    Args:
        query: with symbols for what depends on the session's zone.
        server: what knows when clocks are set.
        zone: the session's zone; without one, times of zones that calls name are compared.
    """
    clocks = _Clocks(server)

    def change(found: Any) -> Any:
        match found:
            case t.RoutineCall(routine=t.Routine("instant_of", schema=schema), arguments=(local,)):
                return (clocks.constant_at(zone, local) if schema == t.SESSION else None) or found
            case t.RoutineCall(routine=t.Routine("timezone", ("text", "timestamp")), arguments=(name, local)):
                return clocks.constant_at(word_of(name), local) or found
            case t.RoutineCall(routine=t.Routine(name=sign, schema="pg_catalog"), arguments=(left, right)):
                if sign in NODES and sign in _TURNED:
                    return (
                        clocks.compared(sign, _shown(left, zone), right)
                        or clocks.compared(_TURNED[sign], _shown(right, zone), left)
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
    first, last = value.arguments[:1], value.arguments[-1:]
    inner = _shown(last[0], zone) if last else None
    word = word_of(first[0]) if first else ""
    match value.routine.name, value.routine.arguments:
        case "local_time", (_,) if zone:
            return _of_instant(value.arguments[0], zone, "", "local")
        case "timezone", ("text", "timestamptz"):
            return _of_instant(value.arguments[1], word, "", "local")
        case "truncated", (_, _) if zone and word.lower() in _UNITS:
            return _of_instant(value.arguments[1], zone, word.lower(), "instant")
        case "date_trunc", ("text", "timestamptz", "text") if word.lower() in _UNITS:
            return _of_instant(value.arguments[1], word_of(last[0]), word.lower(), "instant")
        case ("instant_of", (_,)) | ("timezone", ("text", "timestamp")) if inner is not None:
            return _begin(inner, zone if value.routine.schema == t.SESSION else word)
        case ("date", ("timestamp",)) | ("date_trunc", ("text", "timestamp")) if inner is not None:
            return _truncated(inner, word.lower() or "day")
        case (("extract" | "date_part"), ("text", "timestamp")) if (
            inner is not None and word.lower() == "year"
        ):
            found = _truncated(inner, "year")
            return found and replace(found, form="year")
        case name, (kind,) if inner is not None:
            is_same = (name, kind, inner.form) == ("timestamp", "date", "local")
            return inner if is_same or (name in _NUMBERS and inner.form == "year") else None
    return None


def _of_instant(instant: t.Expr, zone: str, unit: str, form: Literal["local", "instant"]) -> _Shown | None:
    # It may be written twice.
    is_once = any(isinstance(part, t.NestedQuery) for part in parts_of(instant))
    return None if is_once or not _NAMED.fullmatch(zone) else _Shown(instant, zone, unit, form)


def _truncated(shown: _Shown, unit: str) -> _Shown | None:
    is_known = shown.form == "local" and unit in _UNITS and shown.unit in {*_UNITS[unit], unit}
    return replace(shown, unit=unit) if is_known else None


def _begin(shown: _Shown, zone: str) -> _Shown | None:
    """The instant at which a clock shows the begin of a unit; times that are not truncated may have two."""
    is_known = shown.form == "local" and shown.unit and shown.zone == zone
    return replace(shown, form="instant") if is_known else None


class _Clocks:
    """What the server's tables say of the clocks of zones.

    Args:
        server: the server.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

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
        found = None if at is None or not _NAMED.fullmatch(zone) else self._instants(zone, [at])
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
        begins = [_floor(shown.unit, at - 2 * _DAY)]
        while begins[-1] < at + 2 * _DAY:
            begins.append(_next(shown.unit, begins[-1]))
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
        ahead = f"timezone({literal(zone)}, g) - timezone('UTC', g)"
        series = f"generate_series(timestamptz '{first}+00', timestamptz '{last}+00', interval '{step}')"
        rows = f"SELECT extract(epoch FROM g)::bigint, extract(epoch FROM {ahead})::int FROM {series} g"
        changes = f"SELECT at, h, lag(h) OVER (ORDER BY at) AS l FROM ({rows}) AS r (at, h)"
        query = f"SELECT at || ' ' || h FROM ({changes}) AS c WHERE l IS DISTINCT FROM h ORDER BY at"
        found = ((text or "").split() for text in texts_of(query, self._server))
        return [(_EPOCH + timedelta(seconds=int(at)), timedelta(seconds=int(h))) for at, h in found]

    def _instants(self, zone: str, times: list[datetime]) -> list[datetime] | None:
        """The instants that times of a clock are taken for, in their order."""
        given = ", ".join(f"({at}, timestamp '{time}')" for at, time in enumerate(times))
        query = (
            f"SELECT (extract(epoch FROM timezone({literal(zone)}, t)) * 1000000)::bigint "
            f"FROM (VALUES {given}) AS v (n, t) ORDER BY n"
        )
        found = texts_of(query, self._server)
        return [_EPOCH + int(text or 0) * _MICRO for text in found] if len(found) == len(times) else None


def _floor(unit: str, at: datetime) -> datetime:
    """The begin of the unit that a time lies in."""
    day = datetime(at.year, at.month, at.day)  # noqa: DTZ001 - a clock on the wall
    match unit:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
    return day


def _next(unit: str, begin: datetime) -> datetime:
    """The begin of the next unit."""
    days = {"day": 1, "week": 7, "month": 31, "quarter": 93, "year": 366}[unit]
    return _floor(unit, begin + timedelta(days=days))


def _begin_from(unit: str, at: datetime, *, after: bool) -> datetime:
    """The first begin of a unit that is not before a time, or that is after it."""
    if not unit:
        return at + _MICRO if after else at
    begin = _floor(unit, at)
    return begin if begin == at and not after else _next(unit, begin)


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
        return _compared("=" if is_in else "<>", instant, instant)
    parts = [_compared("<", instant, _constant(bounds[0]))] if is_in else []
    begins = bounds[1:] if is_in else bounds
    for start, end in zip(begins[::2], [*begins[1::2], None], strict=False):
        found = _compared(">=", instant, _constant(start))
        if end is not None:
            found = t.Logic(_BOOL, "and", (found, _compared("<", instant, _constant(end))))
        parts.append(found)
    return parts[0] if len(parts) == 1 else t.Logic(_BOOL, "or", tuple(parts))


def _compared(sign: str, left: t.Expr, right: t.Expr) -> t.Expr:
    routine = t.Routine(sign, ("timestamptz", "timestamptz"), "i", strict=True, operator=True)
    return t.RoutineCall(_BOOL, routine, (left, right))


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
