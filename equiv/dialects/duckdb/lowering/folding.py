"""Constants as DuckDB computes them, and the rows of functions in FROM that constants give."""

from __future__ import annotations

import re

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, one_line
from equiv.dialects.duckdb.lowering.desugaring import listed_elements
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.printing import DuckdbPrinter
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.walks import mapped

_FOLDED = frozenset(
    """to_days to_weeks to_months to_quarters to_years to_hours to_minutes to_seconds trunc - + *
    make_date lower upper trim ltrim rtrim replace""".split()  # noqa: SIM905
)
_SHOWN = {
    **dict.fromkeys(("int2", "int4", "int8"), re.compile(r"-?\d+\Z")),
    **dict.fromkeys(("numeric", "float4", "float8"), re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?\Z")),
    "bool": re.compile(r"true\Z|false\Z"),
    "date": re.compile(r"\d{4}-\d\d-\d\d\Z"),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\Z"),
    "timestamptz": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00\Z"),
    "time": re.compile(r"\d\d:\d\d:\d\d(\.\d+)?\Z"),
    "text": re.compile(r".*\Z", re.DOTALL),
    "uuid": re.compile(r"[0-9a-f-]{36}\Z"),
}
"""How a constant of a type is spelt where the core has it."""
_MOST_ROWS = 60
_INTERVAL = """SELECT datepart('year', i) * 12 + datepart('month', i), datepart('day', i),
    epoch_us(i - to_months(CAST(datepart('year', i) * 12 + datepart('month', i) AS INTEGER))
    - to_days(CAST(datepart('day', i) AS INTEGER))) FROM (SELECT {} AS i) AS s"""


def folded(query: t.TypedQuery, database: DuckdbDatabase) -> t.TypedQuery:
    """The query with a constant for each cast of one.

    Raises:
        UnsupportedError: DuckDB cannot compute one.
    """
    found = mapped(query, lambda value: _folded(value, database))
    assert isinstance(found, t.Select | t.SetQuery)
    return found


def _folded(value: object, database: DuckdbDatabase) -> object:
    if isinstance(value, t.Called):
        return _rows(value, database)
    if not isinstance(value, t.RoutineCall) or not all(
        isinstance(each, t.TypedConstant) for each in value.arguments
    ):
        return value
    if not value.arguments or not (value.cast or value.routine.name in _FOLDED):
        return value
    if any(isinstance(each, t.TypedConstant) and each.type.name == "interval" for each in value.arguments):
        return value
    # Of a conversion that is implied the literal alone would be printed, of a computed constant its digits.
    arguments = tuple(_with_type(each) for each in value.arguments if isinstance(each, t.TypedConstant))
    written = t.RoutineCall(value.type, value.routine, arguments, value.cast)
    text = DuckdbPrinter().expression(written)
    if value.type.sort != "e" and value.type.name not in _SHOWN and value.type.name != "interval":
        # What the core has no constants of stays a cast.
        return t.RoutineCall(value.type, value.routine, value.arguments, value.cast)
    try:
        return t.TypedConstant(value.type, _computed(text, value.type, database))
    except DuckdbError as error:
        raise UnsupportedError(
            "Const", f"{text[:60]}, which DuckDB cannot compute: {one_line(error)}"
        ) from None


def _elements(source: t.Called, database: DuckdbDatabase) -> t.FromSource:
    """UNNEST of one list that is written out as VALUES, of others as it is."""
    (call, *others) = (each.call for each in source.functions)
    elements = listed_elements(call.arguments[0]) or ()
    if others or call.type.name not in _SHOWN or not 0 < len(elements) <= _MOST_ROWS:
        return source
    rows: list[tuple[t.Expr, ...]] = [
        (mapped(each, lambda found: _folded(found, database)), t.TypedConstant(d.BIGINT, str(at)))
        for at, each in enumerate(elements, 1)
    ]
    width, kinds = len(source.columns), (call.type, d.BIGINT)
    rows = [each[:width] for each in rows]
    return t.ValuesList(source.number, source.alias, source.columns, tuple(rows), kinds[:width])


def _rows(source: t.Called, database: DuckdbDatabase) -> t.FromSource:
    """The rows of a function of constants."""
    call = source.functions[0].call
    if call.routine.returns_set:
        return _elements(source, database)
    kind, name = call.type, call.routine.name
    listed = ", ".join(DuckdbPrinter().expression(each) for each in call.arguments)
    text = f"SELECT CAST(x AS VARCHAR) FROM {name}({listed}) AS s (x) LIMIT {_MOST_ROWS}"
    try:
        found = [each for (each,) in database.execute(text)]
    except DuckdbError as error:
        raise UnsupportedError("From", f"{text[:60]}, which fails: {one_line(error)}") from None
    if not found or kind.name not in _SHOWN:
        raise UnsupportedError("From", f"the function {name} in FROM of no rows")
    if not all(each is None or _SHOWN[kind.name].match(each) for each in found):
        raise UnsupportedError("From", f"values of type {kind.name}")
    rows = tuple((t.TypedConstant(kind, each),) for each in found)
    return t.ValuesList(source.number, source.alias, source.columns, rows, (kind,))


def _with_type(constant: t.TypedConstant) -> t.Expr:
    """The constant as a text cast to its type: by itself 2000-01-01 is a difference, 2.5 no DOUBLE."""
    if constant.text is None or constant.type.name in ("text", "unknown"):
        return constant
    text = t.TypedConstant(d.type_named("VARCHAR"), constant.text)
    return t.RoutineCall(constant.type, d.own(constant.type.name, (text,)), (text,), cast=True)


def _computed(text: str, kind: t.Type, database: DuckdbDatabase) -> str | None:
    if kind.name == "interval":
        ((months, days, micros),) = database.execute(_INTERVAL.format(text))
        if months is None:
            return None
        sign, (seconds, rest) = "-" if micros < 0 else "", divmod(abs(micros), 1_000_000)
        return f"{months} mons {days} days {sign}{seconds}.{rest:06}"
    ((found,),) = database.execute(f"SELECT CAST({text} AS VARCHAR)")
    if found is None:
        return None
    if kind.sort != "e" and (kind.name not in _SHOWN or not _SHOWN[kind.name].match(found)):
        raise UnsupportedError("Const", f"{found[:40]!r} of type {kind.name}")
    return str(found)
