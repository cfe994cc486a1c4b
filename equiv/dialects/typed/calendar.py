"""Days, months and years of times in one form, however a query tells them.

A *begin* is the begin of the unit of the calendar in which a time lies: ``at::date``, ``date_trunc('month',
at)``, and functions of such.  The begin of a longer unit that whole shorter ones make up is a function of
theirs, and so are the fields of that unit: ``date_trunc('month', at::date)`` is ``date_trunc('month', at)``.
Keys that tell one another are one key: year and month beside ``date_trunc('month', at)``.

Of what a clock shows in a zone about which nothing is known, three equations are used: the instant which a
shown day's midnight is taken for shows that day, and so does that of the begin of its month or year; such
instants are in the order of their days.  They hold in all zones of PostgreSQL's tables from 1840 on
(``tests/dialects/postgres/test_zones.py``), days that a clock skips, of which none is shown, apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import STAMPS, parameter_of
from equiv.dialects.typed.lowering.comparisons import TURNED
from equiv.dialects.typed.symbols import symbol_of, word_of
from equiv.dialects.typed.walks import found_in, mapped, parts_of, with_children

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
_BOOL, _DATE, _STAMP, _TEXT = t.Type("bool"), t.Type("date"), t.Type("timestamp"), t.Type("text")
_UNITS = ("second", "minute", "hour", "day", "month", "quarter", "year")
"""Each is made up of whole ones of those before it; so is a week of days."""
_CALENDAR = frozenset(("day", "week", "month", "quarter", "year"))
_SHOWN = _CALENDAR - {"week"}
_CODES = {
    "day": "d", "doy": "j", "dow": "w", "isodow": "w", "month": "m", "quarter": "q", "year": "year",
    "decade": "e",
}  # fmt: skip
"""Fields of dates by letters, but for the year: that tells which year it is, a month does not which month."""
_PIECES = {"YYYY": "year", "MM": "m", "DD": "d"}
_TOLD = {"year": {"year", "e"}}
_TOLD["quarter"] = _TOLD["year"] | {"quarter", "q"}
_TOLD["month"] = _TOLD["quarter"] | {"month", "m"}
_TOLD["day"] = _TOLD["month"] | {"day", "d", "j", "w"}
"""What the begin of a unit tells."""
_JOINED = {("year", "m"): "month", ("quarter", "m"): "month", ("year", "q"): "quarter", ("month", "d"): "day"}
_JOINED |= dict.fromkeys((("year", "j"), ("quarter", "j"), ("month", "j")), "day")
_NUMBERS = frozenset(("int2", "int4", "int8", "numeric", "float8"))
_KEYS = {"year": ("YYYY", "begin_of_year"), "month": ("YYYY-MM", "begin_of_month")}


class Begin(NamedTuple):
    """The begin of a unit in which a time lies, or that time, without a unit."""

    time: t.Expr
    unit: str
    is_exact: bool = True
    """Else the time which a clock shows at the instant that the begin is taken for: of the same day."""


def in_calendar_form(query: t.TypedQuery) -> t.TypedQuery:
    """The query with equal begins, fields, keys of groups and orders of times in one form each.

    Args:
        query: with symbols for what depends on a time zone, or of a session in UTC.
    """
    return mapped(query, _changed)


def _changed(found: Any) -> Any:
    match found:
        case t.Select():
            query = _grouped(_pulled_up(found))
            is_free = not query.distinct and not query.distinct_on
            return _other(query, order=_sorted(query.order)) if is_free else query
        case t.Over(frame=frame, partition=partition, order=order):
            is_plain = frame.start_offset is None and frame.end_offset is None
            order = _sorted(order) if is_plain else order
            return _other(found, partition=_keys(partition), order=order)
        case t.AggregateCall(routine=t.Routine("count"), distinct=True, arguments=(one,), order=()):
            return _other(found, arguments=_keys((one,)))
        case t.AggregateCall(distinct=False, ordered_set=False, order=order):
            return _other(found, order=_sorted(order))
        case t.RoutineCall():
            begin = None if found.routine.operator else find_begin(found)
            return (begin and begin.time is not found and _written(begin, found.type)) or _of_call(found)
        case t.IsDistinct(left=left, right=right):
            sides = _days(left, right)
            if sides:
                routine = replace(found.routine, arguments=("date", "date"), volatility="i")
                return replace(found, routine=routine, left=sides[0], right=sides[1])
    return found


def _of_call(found: t.RoutineCall) -> t.Expr:
    match found:
        case t.RoutineCall(
            routine=t.Routine("extract" | "date_part", schema="pg_catalog"), arguments=(_, time)
        ):
            return _field(found, time)
        case t.RoutineCall(
            routine=t.Routine("numeric", ("float8",)),
            arguments=(t.RoutineCall(routine=t.Routine("date_part", schema="pg_catalog")) as part,),
        ) if word_of(part.arguments[0]).lower() in _CODES:
            return replace(part, type=found.type, routine=replace(part.routine, name="extract"))
        case t.RoutineCall(routine=t.Routine("to_char", schema="pg_catalog"), arguments=(time, form)):
            codes, begin = _pieces(form), find_begin(time)
            if codes and begin and (not begin.unit or codes <= _TOLD.get(begin.unit, set())):
                return _formatted(begin.time, word_of(form))
        case t.RoutineCall(
            routine=t.Routine(sign, schema="pg_catalog", operator=True), arguments=(left, right)
        ) if sign in TURNED:
            return _compared(sign, left, right) or found
    return found


def _other(found: T, **parts: object) -> T:
    """The same with other parts; itself if they are as they were."""
    return (
        found
        if all(getattr(found, name) == each for name, each in parts.items())
        else replace(found, **parts)
    )


def find_begin(value: t.Expr) -> Begin | None:
    """The beginning that a date or a timestamp is; None for a value of another type."""
    if value.type.name not in STAMPS | {"date"}:
        return None
    own = Begin(value, "day" if value.type.name == "date" else "")
    if not isinstance(value, t.RoutineCall) or not value.arguments:
        return own
    inner = find_begin(value.arguments[-1])
    match value.routine:
        case t.Routine("local_time", schema=t.SESSION):
            shown = _shown(value.arguments[0])
            return shown._replace(is_exact=False) if shown else own
        case t.Routine("date", (kind,), schema="pg_catalog") if kind in STAMPS and inner:
            return _longer(inner, "day") or own
        case t.Routine("timestamp" | "timestamptz" | "timezone", (_,), schema="pg_catalog") if inner:
            return inner
        case t.Routine("date_trunc", ("text", kind)) if kind in STAMPS and inner:
            return _longer(inner, word_of(value.arguments[0]).lower()) or own
        case t.Routine("+" | "-", (("date" | "timestamp" | "timestamptz"), "interval"), schema="pg_catalog"):
            begin, span = find_begin(value.arguments[0]), dates.interval_of(value.arguments[1])
            if begin and begin.unit == "day" and begin.is_exact and span and (span[0], span[2]) == (0, 0):
                days = -span[1] if value.routine.name == "-" else span[1]
                return Begin(_plus(_day_begun(begin), days), "day")
    return own


def _longer(begin: Begin, unit: str) -> Begin | None:
    """The begin of a unit in which a begin lies; None if that is not known to be one of the time."""
    longer = max((begin.unit, unit), key=("", *_UNITS, "week").index) if unit in {*_UNITS, "week"} else ""
    rest = unit if longer == begin.unit else begin.unit
    # A week lies in no month.
    is_known = longer and (longer != "week" or rest in ("week", "", *_UNITS[:4]))
    return Begin(begin.time, longer) if is_known and (begin.is_exact or unit in _CALENDAR) else None


def _shown(value: t.Expr) -> Begin | None:
    """The begin of a unit in which a clock shows a time, of the instant that it is taken for."""
    match value:
        case t.RoutineCall(routine=t.Routine("instant_of", schema=t.SESSION), arguments=(local,)):
            begin = find_begin(local)
            is_shown = begin and begin.is_exact and begin.unit in _SHOWN
            return begin if begin and is_shown and _is_of_clock(begin.time) else None
    return None


def _is_of_clock(time: t.Expr) -> bool:
    """Whether a time or date is what the session's clock shows at some instant, or a key that tells it."""
    match time:
        case t.RoutineCall(routine=t.Routine("local_time" | "today", schema=t.SESSION)):
            return True
        case t.Grouped(value=inner) if begin := find_begin(inner):
            return begin.is_exact and begin.unit in _SHOWN and _is_of_clock(begin.time)
        case t.RoutineCall(
            routine=t.Routine("begin_of_month" | "begin_of_year", schema=t.SESSION),
            arguments=(t.Grouped(value=t.RoutineCall(arguments=(inner, _))),),
        ):
            return _is_of_clock(inner)
    return False


def _written(begin: Begin, kind: t.Type) -> t.Expr | None:
    """A begin as a value of a type; None if it is not known."""
    if kind.name == "date":
        return _day_begun(begin)
    if not begin.is_exact or kind.modifier != -1:
        return None
    if begin.unit == "day":
        return _stamp(_day_begun(begin), kind)
    return _truncated(begin, kind) if begin.unit else _stamp(begin.time, kind)


def _day_begun(begin: Begin) -> t.Expr:
    """The date of the beginning of a day, month or other unit."""
    if begin.unit not in ("", "day") and begin.unit in _CALENDAR:
        kind = begin.time.type if begin.time.type.name in STAMPS else _STAMP
        return _stamp(_truncated(begin, kind), _DATE)
    match begin.time:
        case t.RoutineCall(routine=t.Routine("local_time", schema=t.SESSION), arguments=(instant,)) if (
            dates.is_now(instant)
        ):
            return symbol_of("today", _DATE)
    return _stamp(begin.time, _DATE)


def _truncated(begin: Begin, kind: t.Type) -> t.Expr:
    return built(kind, "date_trunc", t.TypedConstant(_TEXT, begin.unit), _stamp(begin.time, kind))


def _stamp(time: t.Expr, kind: t.Type = _STAMP) -> t.Expr:
    return time if time.type.name == kind.name else built(kind, kind.name, time, cast=True)


def built(
    kind: t.Type, name: str, *arguments: t.Expr, cast: bool = False, operator: bool = False
) -> t.RoutineCall:
    """A call of an immutable and strict function, operator or cast of PostgreSQL's, by its name."""
    kinds = tuple(each.type.name for each in arguments)
    routine = t.Routine(name, kinds, operator=operator)
    return t.RoutineCall(kind, routine, arguments, cast=cast)


def comparison_of(sign: str, left: t.Expr, right: t.Expr) -> t.Expr:
    """A comparison by an operator of PostgreSQL's."""
    return built(_BOOL, sign, left, right, operator=True)


def _plus(date: t.Expr, days: int) -> t.Expr:
    number = t.TypedConstant(t.Type("int4"), str(days))
    return built(_DATE, "+", date, number, operator=True) if days else date


def _field(call: t.RoutineCall, time: t.Expr) -> t.RoutineCall:
    """A field of a begin as one of the time."""
    begin = find_begin(time)
    code = _CODES.get(word_of(call.arguments[0]).lower(), "")
    if begin is None or begin.time is time or code not in _TOLD.get(begin.unit, ()):
        return call
    kinds = (call.routine.arguments[0], begin.time.type.name)
    arguments = (call.arguments[0], begin.time)
    return replace(call, routine=replace(call.routine, arguments=kinds), arguments=arguments)


def _pieces(form: t.Expr) -> frozenset[str]:
    """The fields that TO_CHAR writes by a format; none if it is another than of dates, or hides one."""
    text = word_of(form)
    found = [piece for piece in _PIECES if piece in text]
    rest = text
    for piece in found:
        rest = rest.replace(piece, "", 1)
    return frozenset(_PIECES[piece] for piece in found) if not rest.strip("-/. _") else frozenset()


# -- comparisons


def _compared(sign: str, left: t.Expr, right: t.Expr) -> t.Expr | None:
    """A comparison of begins as one of dates; None of others."""
    sides = _days(left, right)
    if sides:
        return _of_dates(sign, *sides) or comparison_of(sign, *sides)
    if {left.type.name, right.type.name} == {"date"}:
        return _of_dates(sign, left, right)
    return _within_day(sign, left, right) or _within_day(TURNED[sign], right, left)


def _days(left: t.Expr, right: t.Expr) -> tuple[t.Expr, t.Expr] | None:
    """Two times that compare as their dates do, as these; None if they are not known to, or are dates."""
    if left.type.name == right.type.name == "date":
        return None
    shown = _shown(left), _shown(right)
    if shown[0] and shown[1]:
        return _day_begun(shown[0]), _day_begun(shown[1])
    begins = [None if isinstance(each, t.TypedConstant) else find_begin(each) for each in (left, right)]
    if any(each is None or not each.is_exact or each.unit not in _CALENDAR for each in begins):
        return None
    first, second = (_day_begun(each) for each in begins if each)
    return first, second


def _within_day(sign: str, time: t.Expr, other: t.Expr) -> t.Expr | None:
    """A comparison of a time with the begin of a day as one of its date with that day.

    Of a time that is moved, or of now, others are comparisons already.
    """
    begin, day = find_begin(time), find_begin(other)
    if not begin or not day or not begin.is_exact or not day.is_exact or day.unit != "day":
        return None
    is_moved = dates.unmoved(time)[0] is not time or dates.is_of_clock(time)
    if begin.unit in _CALENDAR or is_moved or isinstance(time, t.TypedConstant) or _is_constant(day.time):
        return None
    sides = _day_begun(Begin(begin.time, "day")), _day_begun(day)
    return (_of_dates(sign, *sides) or comparison_of(sign, *sides)) if sign in ("<", ">=") else None


def _is_constant(value: t.Expr) -> bool:
    """Whether nothing in a value is of a row, a parameter or the clock."""
    return not _is_of_rows(value) and not any(
        isinstance(each, t.Now | t.AggregateCall)
        or (isinstance(each, t.RoutineCall) and not each.arguments)
        or (isinstance(each, t.Expr) and parameter_of(each) is not None)
        for each in parts_of(value)
    )


def _of_dates(sign: str, left: t.Expr, right: t.Expr) -> t.Expr | None:
    """A comparison of dates of which one is moved by days: none lies between two that follow one another."""
    (one, before), (other, after) = _unmoved(left), _unmoved(right)
    if (not before and not after) or _is_constant(one) or _is_constant(other):
        return None
    days = after - before
    if not _is_of_rows(one) and _is_of_rows(other):
        sign, one, other, days = TURNED[sign], other, one, -days
    if sign in ("<", ">="):
        sign, days = ("<=" if sign == "<" else ">"), days - 1
    if days == -1 and sign in ("<=", ">"):
        return comparison_of("<" if sign == "<=" else ">=", one, other)
    return comparison_of(sign, one, _plus(other, days))


def _is_of_rows(value: t.Expr) -> bool:
    return any(isinstance(each, t.SourceColumn | t.Grouped | t.NestedQuery) for each in parts_of(value))


def _unmoved(value: t.Expr) -> tuple[t.Expr, int]:
    """A date without the constant days that are added to it, and these."""
    match value:
        case t.RoutineCall(routine=t.Routine("+" | "-" as sign, ("date", kind)), arguments=(date, days)) if (
            kind.startswith("int") and word_of(days).lstrip("-").isdigit()
        ):
            inner, before = _unmoved(date)
            return inner, before + int(word_of(days)) * (-1 if sign == "-" else 1)
    return value, 0


# -- keys


class _Telling(NamedTuple):
    """Of which time a key tells something, and what: begins by their units, fields by letters."""

    time: t.Expr
    codes: frozenset[str]
    is_field: bool = False


def _telling(value: t.Expr) -> _Telling | None:
    shown = _shown(value)
    begin = shown or find_begin(value)
    if begin:
        is_known = begin.is_exact and begin.unit in _TOLD
        return _Telling(begin.time, frozenset((begin.unit,))) if is_known else None
    match value:
        case t.RoutineCall(
            routine=t.Routine("extract" | "date_part", schema="pg_catalog"), arguments=(field, time)
        ):
            codes = frozenset((_CODES.get(word_of(field).lower(), ""),))
        case t.RoutineCall(routine=t.Routine("to_char", schema="pg_catalog"), arguments=(time, form)):
            codes = _pieces(form)
        case t.RoutineCall(routine=t.Routine(name), arguments=(inner,), cast=True) if name in _NUMBERS:
            return _telling(inner)
        case _:
            return None
    of = find_begin(time)
    return _Telling(of.time, codes, is_field=True) if of and codes and of.unit in ("", "day") else None


def _unit_of(codes: Iterable[str]) -> str:
    """The unit whose begin is told by some begins and fields, and tells all of these; '' if there is none."""
    rest = set(codes)
    # The shortest unit is the one that tells most.
    unit = min(rest & _TOLD.keys(), key=_UNITS.index, default="")
    while unit and not rest <= _TOLD[unit]:
        unit = next((_JOINED[unit, each] for each in rest if (unit, each) in _JOINED), "")
    return unit


def _key(time: t.Expr, unit: str) -> t.Expr:
    """The one key that tells the begin of a unit: in the order of time, and NULL if the time is."""
    match time:
        case t.RoutineCall(routine=t.Routine(name, schema=t.SESSION), arguments=(key,)) if name == _KEYS.get(
            unit, ("", "")
        )[1] or (unit == "day" and name.startswith("begin_of")):
            return key
    if unit not in _KEYS:
        return _day_begun(Begin(time, unit))
    return _formatted(time, _KEYS[unit][0])


def _formatted(time: t.Expr, form: str) -> t.RoutineCall:
    return built(_TEXT, "to_char", _stamp(time), t.TypedConstant(_TEXT, form))


def _folded(keys: Sequence[t.Expr]) -> dict[t.Expr, tuple[t.Expr, str]]:
    """For each key that one key of its time stands for, that time and the unit."""
    told = {key: _telling(key) for key in keys}
    found: dict[t.Expr, tuple[t.Expr, str]] = {}
    for time in {each.time for each in told.values() if each}:
        own = [key for key, each in told.items() if each and each.time == time]
        unit = _unit_of(code for key in own for each in (told[key],) if each for code in each.codes)
        first = told[own[0]]
        # A year by itself has one form as a number.
        if unit and not (len(own) == 1 and first and first.is_field and own[0].type.name != "text"):
            found |= dict.fromkeys(own, (time, unit))
    return found


def _keys(keys: tuple[t.Expr, ...]) -> tuple[t.Expr, ...]:
    """Keys by which the same rows are one."""
    folded = _folded(keys)
    return tuple(dict.fromkeys(_key(*folded[key]) if key in folded else key for key in keys))


def _pulled_up(query: t.Select) -> t.Select:
    """A SELECT with the rows and columns of the derived table in which a key of its groups is computed."""
    keys = query.group.keys if query.group else ()
    ctes = {cte.number: cte.query for cte in query.ctes if not cte.recursive}
    uses = [each.cte for each in found_in(query, t.CommonTableUse)]
    for at, item in enumerate(query.items):
        inner, rest = None, query.ctes
        if isinstance(item, t.DerivedTable) and not item.lateral and not item.view:
            inner = item.query
        elif isinstance(item, t.CommonTableUse) and uses.count(item.cte) == 1:
            inner = ctes.get(item.cte)
            rest = tuple(each for each in rest if each.number != item.cte)
        if not isinstance(inner, t.Select) or isinstance(item, t.Joined):
            continue
        values = [target.value for target in inner.targets]
        own = (key for key in keys if isinstance(key, t.SourceColumn) and key.source == item.number)
        if not _is_plain(inner) or not any(_telling(values[key.position - 1]) for key in own):
            continue

        def computed(found: Any, source: int = item.number, values: list[t.Expr] = values) -> Any:
            is_own = isinstance(found, t.SourceColumn) and found.source == source
            return _changed(values[found.position - 1] if is_own else found)

        whole = replace(
            query,
            items=(*query.items[:at], *inner.items, *query.items[at + 1 :]),
            where=t.all_of((inner.where, query.where)),
            ctes=rest,
        )
        return _pulled_up(with_children(whole, partial(mapped, change=computed)))
    return query


def _is_plain(query: t.Select) -> bool:
    """Whether the rows of a SELECT are those of its FROM under its WHERE."""
    own = (query.group, query.having, query.limit, *query.distinct_on, *query.order, *query.ctes)
    chosen = (t.NestedQuery, t.Over, t.RowsOfFunction)
    is_computed = not any(isinstance(each, chosen) for each in parts_of(query.targets))
    return is_computed and not any(own) and not query.distinct and not query.aggregates


def _grouped(query: t.Select) -> t.Select:
    """A SELECT that groups by one key of each time, as far as keys tell begins."""
    group = query.group
    is_plain = group is not None and group.sets is None
    if group is None or not is_plain or any(isinstance(each, t.Grouping) for each in parts_of(query)):
        return query
    folded = _folded(group.keys)
    if all(_key(*each) == key for key, each in folded.items()):
        return query

    def over(value: t.Expr) -> t.Expr:
        """A key of the group, computed from the key that stands for all keys of the same begins."""
        time, unit = folded[value]
        key = _key(time, unit)
        grouped = t.Grouped(key.type, key)
        day = symbol_of(_KEYS[unit][1], _DATE, grouped) if unit in _KEYS else grouped
        return grouped if key == value else _over(value, day, unit)

    def change(found: Any) -> Any:
        is_key = isinstance(found, t.Grouped) and found.value in folded
        return over(found.value) if is_key else found

    outputs = ("targets", "having", "distinct_on", "order")
    changed = {name: mapped(mapped(getattr(query, name), change), _changed) for name in outputs}
    return replace(query, group=replace(group, keys=_keys(group.keys)), **changed)


def _over(value: t.Expr, day: t.Expr, unit: str) -> t.Expr:
    """A key as a function of the begin of a unit that tells it."""
    shown = _shown(value)
    begin = shown or find_begin(value)
    if begin:
        own = begin._replace(time=day, unit="day" if begin.unit == unit else begin.unit)
        found = _written(own, value.type if not shown else _STAMP)
        assert found is not None
        return symbol_of("instant_of", value.type, found) if shown else found
    assert isinstance(value, t.RoutineCall)
    if len(value.arguments) == 1:
        return replace(value, arguments=(_over(value.arguments[0], day, unit),))
    at = 0 if value.routine.name == "to_char" else 1
    kind = "timestamp" if at == 0 else "date"
    given, kinds = list(value.arguments), list(value.routine.arguments)
    given[at], kinds[at] = (_stamp(day) if at == 0 else day), kind
    return replace(value, routine=replace(value.routine, arguments=tuple(kinds)), arguments=tuple(given))


def _sorted(order: tuple[t.SortKey, ...]) -> tuple[t.SortKey, ...]:
    found: list[t.SortKey] = []
    for key in order:
        found.append(key)
        while len(found) > 1 and (joined := _in_turn(found[-2], found[-1])):
            found[-2:] = [joined]
    return tuple(
        replace(key, value=_keys((key.value,))[0]) if not isinstance(key.value, t.TypedConstant) else key
        for key in found
    )


def _in_turn(first: t.SortKey, second: t.SortKey) -> t.SortKey | None:
    """One key that sorts as two in turn do; None if there is none, or if the first is none of a unit."""
    told, rest = _telling(first.value), _telling(second.value)
    if replace(first, value=second.value) != second or not told or _unit_of(told.codes) == "":
        return None
    if told.time == second.value:
        return second
    if not rest or rest.time != told.time:
        return None
    unit = _unit_of(told.codes)
    joined = [_JOINED[unit, each] for each in rest.codes if (unit, each) in _JOINED]
    if len(rest.codes) == 1 and joined:
        return replace(first, value=_key(told.time, joined[0]))
    longer = _unit_of(rest.codes)
    is_shorter = longer and unit in _TOLD[longer]
    return replace(first, value=_key(told.time, longer)) if is_shorter else None
