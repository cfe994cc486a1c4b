"""What depends on the session's time zone or style of dates, or the order of texts, as symbols.

Each is a function of its arguments, and of the session or database too.  Of a symbol a proof knows that it is
one function in both queries, and NULL just of NULL.  It is not injective and, where clocks change, not
monotonic.  Equal instants, timestamps and dates are identical: therefore, it may be taken for congruent under
equality.  Equal intervals are not (a month equals 30 days), so that the text of one is a symbol only where
what made the interval is at hand.  The core computes symbols as of one session or another, and folds none.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, TypeVar

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.build import call, joined, number, parameter_of, string
from equiv.dialects.typed.lowering.calls import Given, LoweringPlace
from equiv.dialects.typed.lowering.comparisons import NODES
from equiv.dialects.typed.walks import fresh_numbers, mapped

T = TypeVar("T")
_STAMP, _ZONED, _DATE, _TEXT = t.Type("timestamp"), t.Type("timestamptz"), t.Type("date"), t.Type("text")
BY_CALENDAR = frozenset(("year", "quarter", "month", "day"))
"""The units to which an instant is truncated as what a clock on the wall shows of it is."""
_FIELDS = BY_CALENDAR | {"hour", "minute", "second", "dow", "isodow", "doy", "decade"}


def with_symbols(query: t.TypedQuery, settled: Collection[str] = ()) -> t.TypedQuery:
    """The query with a symbol for each conversion between instants, times of a clock on the wall, and texts.

    Args:
        query: as it is read under the settings that the reader takes.
        settled: the settings that are known to be so.
    """

    def change(found: Any) -> Any:
        match found:
            case t.Conversion():
                return _of_conversion(found, settled) or found
            case t.RoutineCall(routine=t.Routine("concat" | "||", schema="pg_catalog")):
                return _of_texts(found, settled) or found
            case t.NullTest():
                return _of_test(found)
        return found if "TimeZone" in settled else _of_time(found)

    return mapped(query, change)


def with_sort_keys(query: t.TypedQuery) -> t.TypedQuery:
    """The query with texts compared and sorted by keys: a symbol, since which order it is nobody says.

    The texts that there are can be counted, so that any total order of them is that of some keys by their
    bytes, no two texts of one key.  The least of some texts is therefore the text of their least key.  What
    compares texts by ``<`` with the rows of a subquery, or with an array, is left as it is.
    """
    fresh = fresh_numbers(query)

    def change(found: Any) -> Any:
        if isinstance(found, t.SetQuery) and any(
            found.body.types[at - 1].name in _TEXTS for at, *_ in found.order
        ):
            found = _by_values(found, next(fresh))
        return _of_order(found)

    return mapped(query, change)


_TEXTS = frozenset(("text", "varchar"))
_KEY = t.Type("uuid")
"""A type whose values compare as their cells, and are no texts."""


def _by_values(query: t.SetQuery, number: int) -> t.Select:
    """A set operation that is ordered by the places of its columns as a SELECT that is by their values."""
    rows = t.DerivedTable(number, "combined", query.names, replace(query, order=(), limit=None, ctes=()))
    columns = [t.SourceColumn(kind, number, at) for at, kind in enumerate(query.body.types, 1)]
    return t.Select(
        targets=tuple(t.ResultColumn(each, name) for each, name in zip(columns, query.names, strict=True)),
        items=(rows,),
        order=tuple(_of_order(t.SortKey(columns[at - 1], *way)) for at, *way in query.order),
        limit=query.limit,
        ctes=query.ctes,
    )


def _sort_key(value: t.Expr) -> t.Expr:
    match value:
        case t.RoutineCall(routine=t.Routine("text_of_key", schema=schema), arguments=(key,)) if (
            schema == t.SESSION
        ):
            return key
    return symbol_of("sort_key", _KEY, value) if value.type.name in _TEXTS else value


def _of_order(found: Any) -> Any:
    match found:
        case t.RoutineCall(routine=t.Routine("<" | "<=" | ">" | ">=", arguments=kinds)) if _TEXTS.issuperset(
            kinds
        ):
            keys = tuple(map(_sort_key, found.arguments))
            if all(each.type is _KEY for each in keys):
                return replace(found, routine=replace(found.routine, arguments=("uuid",) * 2), arguments=keys)
        case t.SortKey(value=value):
            return replace(found, value=_sort_key(value))
        case t.RowComparison(left=left, right=right):
            pairs = [_keys((one, other)) for one, other in zip(left, right, strict=True)]
            return replace(found, left=tuple(p[0] for p in pairs), right=tuple(p[1] for p in pairs))
        case (
            t.GreatestLeast(arguments=arguments)
            | t.AggregateCall(routine=t.Routine("min" | "max"), arguments=arguments)
            | t.Over(routine=t.Routine("min" | "max"), arguments=arguments)
        ):
            keys = _keys(arguments)
            least = replace(found, type=_KEY, arguments=keys)
            return found if keys == arguments else symbol_of("text_of_key", found.type, least)
        case t.NullTest():
            return _of_test(found)
    return found


def _keys(values: tuple[t.Expr, ...]) -> tuple[t.Expr, ...]:
    """The keys of values of which all are texts; others as they are."""
    are_texts = all(each.type.name in _TEXTS for each in values)
    return tuple(map(_sort_key, values)) if are_texts else values


def _of_time(found: Any) -> Any:
    if isinstance(found, t.Now):
        found = _of_clock(found)
    elif isinstance(found, t.IsDistinct):
        sides = _instants(found.routine, found.left, found.right)
        if sides is not None:
            found = replace(found, routine=_of_instants(found.routine), left=sides[0], right=sides[1])
    elif isinstance(found, t.RoutineCall) and found.routine.schema == "pg_catalog":
        found = _of_call(found) or found
    return found


_STYLES = {
    "date": {"DateStyle"},
    "timestamp": {"DateStyle"},
    "timestamptz": {"DateStyle", "TimeZone"},
    "time": {"DateStyle"},
    "interval": {"IntervalStyle"},
}
"""What the texts of values of a type depend on, or the values that texts are read as."""


def _of_conversion(value: t.Conversion, settled: Collection[str]) -> t.Expr | None:
    """The text of a time, or the time that a text is; None for another cast."""
    target = value.type
    if not value.through_text or target.modifier != -1 or parameter_of(value) is not None:
        return None
    if target.name in _TEXTS:
        found = _text_of(value.value, settled)
        return found and replace(found, type=target)
    if target.name != "interval" and value.value.type.name in _TEXTS and _hangs(target, settled):
        return symbol_of("time_read", target, value.value)
    return None


def _hangs(kind: t.Type, settled: Collection[str]) -> bool:
    return not _STYLES.get(kind.name, set()).issubset(settled)


def _text_of(value: t.Expr, settled: Collection[str]) -> t.RoutineCall | None:
    """The text of a time or an interval that depends on a style."""
    if not _hangs(value.type, settled):
        return None
    match value:
        case t.Expr(type=t.Type(name="date" | "timestamp" | "timestamptz")):
            return symbol_of("time_text", _TEXT, value)
        case t.TypedConstant() if dates.interval_of(value) is not None:
            return symbol_of("time_text", _TEXT, value)
        case t.RoutineCall(routine=t.Routine(name="-" | "age" as name, arguments=kinds), arguments=given):
            if kinds in (("timestamp",) * 2, ("timestamptz",) * 2):
                return symbol_of(f"text of {name}", _TEXT, *given)
    return None


def _of_texts(value: t.RoutineCall, settled: Collection[str]) -> t.RoutineCall | None:
    """Texts one after the other, some of them of times or intervals; None if none is."""
    texts = tuple(_text_of(each, settled) or each for each in value.arguments)
    if texts == value.arguments or value.variadic:
        return None
    is_joined = all(each.type.name in _TEXTS for each in texts)
    if value.routine.name == "concat":
        return replace(value, arguments=texts)
    routine = replace(value.routine, arguments=("text", "text"), volatility="i")
    return replace(value, routine=routine, arguments=texts) if is_joined else None


def _of_test(value: t.NullTest) -> t.NullTest:
    """A test of a symbol of one value for NULL, as one of the value."""
    match value.value:
        case t.RoutineCall(routine=t.Routine(schema=schema), arguments=(inner,)) if schema == t.SESSION:
            return _of_test(replace(value, value=inner))
    return value


def symbol_of(name: str, kind: t.Type, *arguments: t.Expr) -> t.RoutineCall:
    """A call of a symbol by its name."""
    given = tuple(each.type.name for each in arguments)
    return t.RoutineCall(kind, t.Routine(name, given, schema=t.SESSION), arguments)


def local_time(instant: t.Expr) -> t.RoutineCall:
    """The local time at an instant."""
    return symbol_of("local_time", _STAMP, instant)


def instant_of(local: t.Expr) -> t.RoutineCall:
    """The instant at which a clock on the wall shows a time, or the begin of a date."""
    if local.type.name == "date":
        local = t.RoutineCall(_STAMP, t.Routine("timestamp", ("date",)), (local,), cast=True)
    return symbol_of("instant_of", _ZONED, local)


def _of_clock(value: t.Now) -> t.Expr:
    match value.word:
        case "CURRENT_DATE":
            return symbol_of("today", _DATE)
        case "LOCALTIMESTAMP":
            return local_time(t.Now(_ZONED, "CURRENT_TIMESTAMP"))
    return value


def _of_call(value: t.RoutineCall) -> t.Expr | None:
    """What a call of PostgreSQL's is, in symbols; None for one that is none, or is not known to be one."""
    arguments = value.arguments
    match value.routine.name, value.routine.arguments:
        case (("timestamp" | "timezone"), ("timestamptz",)):
            return local_time(*arguments)
        case ("timestamptz", ("timestamp" | "date",)) | ("timezone", ("timestamp",)):
            return instant_of(*arguments)
        case "date", ("timestamptz",):
            return symbol_of("today", _DATE) if dates.is_now(arguments[0]) else _of_local(value, 0)
        case "time", ("timestamptz",):
            return _of_local(value, 0)
        case name, (_, _) if name in NODES:
            sides = _instants(value.routine, *arguments)
            return sides and replace(value, routine=_of_instants(value.routine), arguments=sides)
        case (("extract" | "date_part"), ("text", "timestamptz")) if word_of(arguments[0]).lower() in _FIELDS:
            return _of_local(value, 1)
        case "to_char", (_, "text") if dates.is_of_session(word_of(arguments[1])):
            return symbol_of("formatted", value.type, *arguments)
        case "to_char", ("timestamptz", "text"):
            return _of_local(value, 0)
    return _computed(value)


def _computed(value: t.RoutineCall) -> t.Expr | None:
    """The same of a call that makes an instant, or an interval, of instants."""
    arguments = value.arguments
    match value.routine.name, value.routine.arguments:
        case "date_trunc", ("text", "timestamptz"):
            if word_of(arguments[0]).lower() in BY_CALENDAR:
                return instant_of(replace(_of_local(value, 1), type=_STAMP))
            return symbol_of("truncated", _ZONED, *arguments)
        case (("+" | "-"), ("timestamptz", "interval")):
            return moved_instant(value, *arguments)
        case "+", ("interval", "timestamptz"):
            return moved_instant(value, *arguments[::-1])
        case "age", ("timestamptz", "timestamptz"):
            return symbol_of("age", value.type, *arguments)
        case "age", ("timestamptz",):
            return symbol_of("age", value.type, instant_of(symbol_of("today", _DATE)), *arguments)
    return None


def word_of(value: t.Expr) -> str:
    """The text of a constant; '' of anything else."""
    return (value.text or "") if isinstance(value, t.TypedConstant) else ""


def _of_local(value: t.RoutineCall, place: int) -> t.RoutineCall:
    """The same of what a clock on the wall shows."""
    given = list(value.arguments)
    given[place] = local_time(given[place])
    kinds = tuple("timestamp" if kind == "timestamptz" else kind for kind in value.routine.arguments)
    routine = replace(value.routine, arguments=kinds, volatility="i")
    return replace(value, routine=routine, arguments=tuple(given))


def _instants(routine: t.Routine, left: t.Expr, right: t.Expr) -> tuple[t.Expr, t.Expr] | None:
    """Both sides of a comparison of an instant with another time, as instants."""
    match routine.arguments:
        case "timestamptz", "timestamp" | "date":
            return left, instant_of(right)
        case "timestamp" | "date", "timestamptz":
            return instant_of(left), right
    return None


def _of_instants(routine: t.Routine) -> t.Routine:
    return replace(routine, arguments=("timestamptz", "timestamptz"), volatility="i")


def moved_instant(value: t.RoutineCall, instant: t.Expr, span: t.Expr) -> t.Expr | None:
    """An instant and an interval: hours are the same wherever a clock hangs, days are not."""
    known = dates.interval_of(span)
    if known is None:
        return None
    if known[:2] == (0, 0):
        return replace(value, routine=replace(value.routine, volatility="i"))
    return symbol_of("back" if value.routine.name == "-" else "ahead", _ZONED, instant, span)


_OWN = {
    "age": "INSTANT_AGE", "instant_of": "INSTANT_OF", "local_time": "LOCAL_TIME",
    "sort_key": "SORT_KEY", "text_of_key": "KEY_TEXT",
}  # fmt: skip
"""Symbols that are a function of the core of the same arguments."""


def symbol(value: t.RoutineCall, place: LoweringPlace) -> exp.Expression:
    """A symbol in the core.

    Raises:
        UnsupportedError: the core has none for it.
    """
    given = Given(value, place)
    match value.routine.name:
        case "today":
            return exp.CurrentDate()
        case name if name in _OWN:
            return call(_OWN[name], *given.values())
        case "begin_of_year" | "begin_of_month" as name:
            return joined(given.value(0), string("-01-01" if name == "begin_of_year" else "-01"))
        case "truncated":
            return call("INSTANT_TRUNCATED", string(given.literal(0).lower()), given.value(1))
        case "time_text" | "time_read" as name:
            return call(name.upper(), string(value.routine.arguments[0]), _identity(given))
        case "formatted":
            of = string(value.routine.arguments[0])
            return call("TIME_FORMATTED", of, given.value(0), string(given.literal(1)))
        case "text of -" | "text of age" as name:
            kind = "-" if name == "text of -" else f"age of {value.routine.arguments[0]}"
            return call("SPAN_TEXT", string(kind), *given.values())
        case "ahead" | "back" as name:
            span = dates.interval_of(value.arguments[1])
            assert span is not None
            sign = 1 if name == "ahead" else -1
            return call("INSTANT_MOVED", given.value(0), *(number(str(sign * each)) for each in span))
    raise UnsupportedError("Setting", value.routine.name)


def _identity(given: Given) -> exp.Expression:
    """A value as what tells it from others: of a constant interval its months, days and microseconds."""
    span = dates.interval_of(given.call.arguments[0])
    return given.value(0) if span is None else string(" ".join(map(str, span)))
