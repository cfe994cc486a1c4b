"""From the text of a query to a query that can be compared, or to what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from equiv.core.query import Broken, Cause, Query, Unsupported, UnsupportedError, taken_there
from equiv.core.runner import Limits, Result
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, one_line
from equiv.dialects.duckdb.guard import (
    ALLOWED,
    VOLATILE,
    asks_time,
    calls_in,
    forbidden,
    is_plain_plan,
    macros_lost,
    names_called,
    scans_tables,
)
from equiv.dialects.duckdb.lowering.casts import may_fail
from equiv.dialects.duckdb.lowering.dates import with_moved_instants, with_shared_moves, with_symbols
from equiv.dialects.duckdb.lowering.desugaring import desugared
from equiv.dialects.duckdb.lowering.folding import folded
from equiv.dialects.duckdb.lowering.operators import called
from equiv.dialects.duckdb.macros import Tree, nodes
from equiv.dialects.duckdb.parameters import bound, family_of_parameter, places_in, rewritten, types_of
from equiv.dialects.duckdb.resolving.printing import DuckdbPrinter, DuckdbWatcher, difference
from equiv.dialects.duckdb.resolving.queries import resolved_query
from equiv.dialects.duckdb.resolving.scope import DuckdbScope, ParameterPlace, Probe, TreeReading
from equiv.dialects.duckdb.resolving.tree import SCHEMA, VARCHAR, DuckType, own, spelling
from equiv.dialects.duckdb.session_settings import TAKEN, saying, settings_asked, zone_asked
from equiv.dialects.duckdb.values import family_of, shown
from equiv.dialects.typed.lowering.build import is_plain, require_plain
from equiv.dialects.typed.lowering.laterals import with_functions_in_from
from equiv.dialects.typed.lowering.unknown import is_kept, let_compute
from equiv.dialects.typed.reader import (
    CoreTranslation,
    beside,
    lowered,
    stated_otherwise,
    why_not,
    with_trees,
)
from equiv.dialects.typed.symbols import symbol
from equiv.dialects.typed.tree import SESSION, Expr, Now, RoutineCall, Type, TypedConstant, columns_of
from equiv.dialects.typed.walks import parts_of
from equiv.dialects.typed.watching import watched_texts
from equiv.names import NameMap

if TYPE_CHECKING:
    from equiv.cells import Cell
    from equiv.core.model import Schema
    from equiv.dialects.duckdb.session import DuckdbSession
    from equiv.dialects.typed.tree import TypedQuery

_MISSING = (
    ("does not exist", "Table with name", "NO_TABLE_OR_COLUMN"),
    ("", "Referenced column", "NO_TABLE_OR_COLUMN"),
    ("", "Referenced table", "NO_TABLE_OR_COLUMN"),
    ("does not have a column", "", "NO_TABLE_OR_COLUMN"),
    ("Function with name", "does not exist", "NO_FUNCTION"),
    ("", "No function matches", "NO_FUNCTION"),
)


_SPENT = re.compile(r"Out of Memory Error|INTERRUPT Error|std::bad_alloc")
"""How DuckDB begins to say that memory or time ran out."""


def read_query(text: str, schema: Schema, empty: DuckdbSession) -> Query | Broken:
    """Read one query.

    Args:
        text: any text, also a hostile one.
        schema: the tables and views.
        empty: an empty database of that schema.
    """
    database = empty.database
    try:
        found = database.kinds(text)
    except (DuckdbError, RuntimeError, ValueError) as error:
        return Broken("SYNTAX", one_line(error))
    if len(found) != 1:
        return (
            Broken("EMPTY", "the text is empty")
            if not found
            else Broken("NOT_A_QUERY", "more than one statement")
        )
    kind, query = found[0]
    if kind == "MULTI":
        return Broken("WITHHELD", "a PIVOT on values found in the rows is not supported")
    if kind != "SELECT":
        return Broken("NOT_A_QUERY", f"a statement, not a query: {kind}")
    tree = database.parsed(query)
    if tree["error"]:
        return Broken("SYNTAX", one_line(tree["error_message"]))
    (statement,) = tree["statements"]
    node = statement["node"]
    return _read(_given(query, node, schema, database), node, schema, empty)


@dataclass(frozen=True)
class _Given:
    """A query with each of its parameters cast to the type for which it is read."""

    text: str
    parameters: tuple[str, ...] = ()
    types: Mapping[str, DuckType] = field(default_factory=dict)
    families: tuple[str, ...] = ()
    bound_as: tuple[str, ...] = ()
    why: Unsupported | None = None
    """Why a parameter has no type."""
    planned: Callable[[str], str] = str
    """A text as DuckDB is asked for its plan: what is a constant to it, a separator, is no parameter."""


def _with_constants(parameters: Iterable[str], types: Mapping[str, DuckType], text: str) -> str:
    """The text with a constant of its own for each parameter: a text, or as a list one of its own length."""
    lists = {name for name, kind in types.items() if kind.spelt.endswith("[]")}
    return bound(
        text,
        {
            name: f"[{', '.join(['NULL'] * at)}]" if name in lists else f"equiv {name}"
            for at, name in enumerate(parameters, 1)
        },
    )


_PLAIN_NAME = re.compile(r"\$[a-z0-9_]+\Z")
"""The name of a parameter that is one token, and whose letters of either case are surely alike."""


def _given(query: str, node: Tree, schema: Schema, database: DuckdbDatabase) -> _Given:
    """The query with a cast for each parameter that has none where it stands."""
    places = places_in(node)
    names = tuple(dict.fromkeys(place.name for place in places))
    if not names:
        return _Given(query)
    if not all(map(_PLAIN_NAME.match, names)):
        return _Given(query, names, why=Unsupported("Parameter", f"{min(names)}, which is not a plain name"))
    reading = _reading(schema, database)
    try:
        types = types_of(resolved_query(node, DuckdbScope(reading)), names, reading.probe)
        families = tuple(family_of_parameter(types[name]) for name in names)
    except (UnsupportedError, RecursionError) as error:
        return _Given(rewritten(query, places, lambda place: place.name), names, why=why_not(error))
    spelt = {name: kind.spelt for name, kind in types.items()}
    once = [(place, kind.spelt) for place, kind in reading.cast.items() if places[place] == 1]
    cast = {place for place, kind in once if kind == spelt[place.name]}

    def written(place: ParameterPlace) -> str:
        return place.name if place in cast else f"CAST({place.name} AS {spelt[place.name]})"

    # What a decimal is cut to depends on its type, and the other query may cast it to one that cuts more.
    bare = {each.name for each in places if each not in cast or types[each.name].name == "numeric"}
    bound_as = tuple(spelt[name] if name in bare else "" for name in names)
    return _Given(rewritten(query, places, written), names, types, families, bound_as)


def _read(given: _Given, node: Tree, schema: Schema, empty: DuckdbSession) -> Query | Broken:
    query, database = given.text, empty.database
    skipped = [each.bare for each in schema.passed if each.kind in ("macro", "function")]
    withheld = _withheld(node, schema) + macros_lost(calls_in(node), skipped)
    if withheld:
        return Broken("WITHHELD", f"it uses {withheld[0]}, which queries may not access")
    try:
        columns = database.described(query, given.parameters)
    except (DuckdbError, RuntimeError, ValueError) as error:
        message = one_line(error)
        return Broken(_cause(message), message)
    outside = forbidden(node, schema)
    if outside:
        return Broken("WITHHELD", f"it uses {outside[0]}, which queries may not access")
    given = replace(given, planned=partial(_with_constants, given.parameters, given.types))
    plan = database.planned(query)
    if plan["error"] and given.parameters:
        plan = database.planned(given.planned(query))
    else:
        given = replace(given, planned=str)
    asked = settings_asked(node, plan, schema)
    repeatable = not names_called(node) & VOLATILE and not any(each.get("sample") for each in nodes(node))
    types = [kind for _, kind in columns]
    watched, of_order = None, ""
    if given.why is not None:
        made = CoreTranslation(why=given.why)
    elif _keeps_last(node):
        why = "USING KEY, which keeps the last row of each key in an order that nothing says"
        made = CoreTranslation(why=Unsupported("With", why))
    elif plan["error"]:
        # DuckDB prepares it all the same: its plans are not all written down.
        hidden = Unsupported("plan", f"DuckDB does not reveal its plan: {one_line(plan['error_message'])}")
        made = CoreTranslation(why=hidden)
    elif not repeatable:
        made = CoreTranslation(why=Unsupported("Func", "a function that the database does not determine"))
    else:
        symbols: dict[str, Expr] = {}
        is_settled = dict(schema.settings).get(_ZONE) == TAKEN[_ZONE]
        made, watched, of_order = _translated(
            (given, node, plan, types), schema, database, symbols, is_settled=is_settled
        )
        let_compute({s: call for s, call in symbols.items() if _is_let(call)}, empty, _constant, _computed)
        asked |= made.settings
    otherwise = stated_otherwise(asked, schema, TAKEN)
    if otherwise and repeatable and not plan["error"]:
        other = made.with_symbols if [*otherwise] == [_ZONE] else None
        other = other if other and _ZONE not in other.settings else None
        made = CoreTranslation(why=next(iter(otherwise.values())), with_symbols=other)
    # Of a value without a type nothing is known, not even by running the query.
    is_known = repeatable and not (
        otherwise or plan["error"] or given.why or _keeps_last(node) or asks_time(node)
    )
    is_alone = is_known and is_plain_plan(plan, schema)
    is_watched = not is_alone and is_known and bool(watched) and is_plain_plan(plan, schema, watched=True)
    found = Query(
        query,
        len(columns),
        None,
        None,
        any(each["type"] == "ORDER_MODIFIER" for each in node.get("modifiers") or ()),
        is_repeatable=repeatable,
        parameters=given.parameters,
        parameter_types=given.families,
        bound_as=given.bound_as,
        types=tuple(map(family_of, types)),
        is_plain=is_alone or is_watched,
        watched=watched or "" if is_watched else "",
        watched_order=of_order if is_alone or is_watched else "",
        may_read_rows=scans_tables(plan),
    )
    # What one value makes the same may differ under another.
    said = saying(query, node) if asked else ""

    def known(each: CoreTranslation, settings: frozenset[str]) -> CoreTranslation:
        # A cast of what is given may raise an error: the value may be of any type.
        fails = each.may_fail or "" in given.bound_as
        return replace(each, settings=settings, shape=each.shape and each.shape + said, may_fail=fails)

    other = made.with_symbols
    other = other and known(other, asked if _ZONE in other.settings else asked - {_ZONE})
    return with_trees(found, replace(known(made, asked), with_symbols=other), schema, empty)


_ZONE = "TimeZone"


def read_on_data(text: str, refused: Broken, schema: Schema, database: DuckdbDatabase) -> Query | Broken:
    """A text that the empty database refuses, as a file that has more than the schema binds it.

    Args:
        refused: what the empty database says.
        schema: the tables and views.
        database: the file.
    """
    if refused.cause not in ("SYNTAX", "NO_FUNCTION", "NO_TABLE_OR_COLUMN", "WITHHELD"):
        return refused
    try:
        ((kind, query),) = database.kinds(text)
        (statement,) = database.parsed(query)["statements"]
        node = statement["node"]
    except (DuckdbError, RuntimeError, ValueError, KeyError, RecursionError):
        return refused
    withheld = _withheld(node, schema)
    if kind != "SELECT" or withheld or statement.get("named_param_map"):
        return refused
    try:
        columns = database.described(query)
    except (DuckdbError, RuntimeError, ValueError) as error:
        message = one_line(error)
        return Broken("WITHHELD" if message.startswith("Permission Error") else _cause(message), message)
    repeatable = names_called(node) <= ALLOWED - VOLATILE
    is_plain = repeatable and is_plain_plan(database.planned(query), schema)
    is_plain = is_plain and not (_keeps_last(node) or asks_time(node))
    return Query(
        query,
        len(columns),
        None,
        taken_there(refused),
        any(each["type"] == "ORDER_MODIFIER" for each in node.get("modifiers") or ()),
        is_repeatable=repeatable,
        may_fail=True,
        core_text="",
        types=tuple(family_of(kind) for _, kind in columns),
        needs_data=True,
        is_plain_on_data=is_plain,
    )


def _translated(
    bound: tuple[_Given, Tree, dict[str, Any], list[str]],
    schema: Schema,
    database: DuckdbDatabase,
    symbols: dict[str, Expr],
    *,
    is_settled: bool,
) -> tuple[CoreTranslation, str | None, str]:
    """The query in the core's text, printed back and bound again to the same plan on the way.

    What watches its choices, and those of its order, stand behind.

    Args:
        bound: the query, as it is parsed, its plan, and the types of its columns.
        schema: the tables and views.
        symbols: where the calls are put that become symbols, by signature.
        is_settled: whether the time zone is known to be UTC; else it is read with symbols as well.
    """
    given, node, plan, types = bound
    try:
        typed = resolved_query(node, DuckdbScope(_reading(schema, database, given.types)))
        for each in columns_of(typed):
            if not is_kept(each):
                require_plain(each, "the result")
        _require_faithful(typed, given, plan, types, database)
    except (UnsupportedError, RecursionError) as error:
        return CoreTranslation(why=why_not(error)), None, ""
    watched = (None, "") if given.parameters else watched_texts(DuckdbWatcher, typed)
    asked = zone_asked(typed)
    found = replace(_lowered(typed, schema, database, zone=False), settings=asked)
    named = None if found.why is None else symbols
    if not is_settled and asked:
        other = _lowered(typed, schema, database, zone=True, symbols=named)
        if other.why is None:
            return beside(found, other), *watched
    if named is not None:
        other = _lowered(typed, schema, database, zone=False, symbols=named)
        found = beside(found, replace(other, settings=asked))
    return found, *watched


def _lowered(
    typed: TypedQuery,
    schema: Schema,
    database: DuckdbDatabase,
    *,
    zone: bool,
    symbols: dict[str, Expr] | None = None,
) -> CoreTranslation:
    """A resolved query in the core's text.

    Args:
        typed: the query.
        schema: the tables and views.
        database: what computes casts of constants.
        zone: whether with symbols for what depends on the time zone.
        symbols: where symbols are put for what has no meaning in the core; None: it is refused.
    """
    try:
        for each in columns_of(typed):
            if symbols is None or not is_kept(each):
                require_plain(each, "the result")
        written = with_functions_in_from(desugared(typed))
        plain = folded(with_symbols(written) if zone else written, database)
        read = with_shared_moves(with_moved_instants(plain) if zone else plain)
        found = lowered(typed, plain, read, schema, {SCHEMA: called, SESSION: symbol}, symbols=symbols)
        fails = bool(symbols) or may_fail(folded(written, database) if zone else plain)
        return replace(found, may_fail=fails)
    except (UnsupportedError, RecursionError) as error:
        return CoreTranslation(why=why_not(error))


_OF_ONE_CALL = Limits(seconds=0.2, rows=1, bytes=100_000)


def _is_let(call: Expr) -> bool:
    """Whether a call is of what untrusted queries may call."""
    if not isinstance(call, RoutineCall) or call.cast or call.routine.schema != SCHEMA:
        return True
    # A comparison with the elements of a list is no function's, and a parenthesis its first sign.
    return call.routine.name.partition("(")[0] in ALLOWED | {"try_cast", ""}


def _computed(empty: DuckdbSession, call: Expr) -> Cell:
    """What DuckDB makes of a call of constants; NULL where it raises an error."""
    text = DuckdbPrinter().expression(call)
    if not is_plain(call.type):
        text = f"CAST({text} AS VARCHAR)"
    found = empty.database.run(f"SELECT {text}", _OF_ONE_CALL)
    return found.rows[0][0] if isinstance(found, Result) and found.rows else None


def _constant(value: Cell, kind: Type) -> Expr:
    text = shown(value)
    if text is None or kind.name == "unknown":
        return TypedConstant(kind, text)
    given = (TypedConstant(VARCHAR, text),)
    return RoutineCall(kind, own(kind.name, given), given, cast=True)


def _reading(
    schema: Schema, database: DuckdbDatabase, parameters: Mapping[str, DuckType] | None = None
) -> TreeReading:
    """What one reading of a query shares; ``parameters``: their types, as far as they are known."""
    views = NameMap[tuple[Tree, tuple[str, ...]]]()
    for view in schema.native_views:
        tree = database.parsed(view.sql)
        if not tree["error"]:
            views[view.name] = (tree["statements"][0]["node"], view.columns)
    return TreeReading(schema, Probe(database), views, parameters or {})


def _require_faithful(
    typed: TypedQuery, given: _Given, plan: dict[str, Any], types: list[str], database: DuckdbDatabase
) -> None:
    """Make sure that the typed tree says all: printed, DuckDB binds it to the same plan.

    Raises:
        UnsupportedError: it does not.
    """
    printed = given.planned(DuckdbPrinter().query(typed))
    again = database.planned(printed)
    if not again["error"] and any(isinstance(part, Now) for part in parts_of(typed)):
        # A plan may hold the instant, which is the same in one transaction.
        plan, again = database.planned_at_once(given.planned(given.text), printed)
    if again["error"]:
        message = one_line(again["error_message"])
        raise UnsupportedError("resolution", f"DuckDB rejects its printed text: {message}")
    found = difference(plan, again)
    if found:
        why = f"DuckDB plans its printed text differently (the plans differ in {found})"
        raise UnsupportedError("resolution", why)
    if [spelling(each) for each in columns_of(typed)] != types:
        raise UnsupportedError("resolution", "DuckDB gives its columns other types")


def _withheld(node: Tree, schema: Schema) -> list[str]:
    """The reasons to refuse a query but for tables that the schema lacks."""
    return [each for each in forbidden(node, schema) if not each.startswith("the table ")]


def _keeps_last(node: Tree) -> bool:
    """Whether WITH RECURSIVE … USING KEY keeps the last row of each key."""
    return any(each.get("key_targets") for each in nodes(node))


def _cause(message: str) -> Cause:
    for one, other, cause in _MISSING:
        if one in message and other in message:
            return cause  # type: ignore[return-value]
    return "EXHAUSTED" if _SPENT.match(message) else "SYNTAX"
