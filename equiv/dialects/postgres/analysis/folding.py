"""Calls of immutable functions on constants, computed by PostgreSQL itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from equiv.dialects.postgres.analysis.oids import Server
from equiv.dialects.postgres.analysis.printing import Printer
from equiv.dialects.postgres.embedded.wire import WireError
from equiv.dialects.typed.tree import (
    Array,
    Called,
    Conversion,
    RoutineCall,
    TypedConstant,
    TypedQuery,
    ValuesList,
    parts_of,
)

T = TypeVar("T")
_FOLDED = frozenset(("date", "timestamp", "numeric", "float4", "float8", "text", "varchar", "bpchar"))
"""Types of results whose text is that of a constant; of integers calls stay as they are written."""
_MOST = 200
_IN_FROM = _FOLDED | {"int2", "int4", "int8", "bool"}
_MOST_ROWS = 50
_LONGEST = 10_000
"""Characters of a value."""
_MILLISECONDS = 2_000


def folded(query: TypedQuery, server: Server) -> TypedQuery:
    """The query with the values of such calls in their places, and in FROM with their rows.

    A call that raises an error is left, and one of many rows.
    """
    calls = list(dict.fromkeys(_foldable(query)))[:_MOST]
    known: dict[object, object] = {}
    for call in calls:
        text = _value(call, server)
        if text is not None:
            known[call] = TypedConstant(call.type, text)
    for source in (part for part in parts_of(query) if isinstance(part, Called)):
        rows = _rows(source.call, server)
        if rows:
            known[source] = ValuesList(source.number, source.alias, source.columns, rows, (source.call.type,))
    return _replaced(query, known) if known else query


def _rows(call: RoutineCall, server: Server) -> tuple[tuple[TypedConstant, ...], ...]:
    """The rows of a function of constants; none if they are many, or an error is raised."""
    if call.type.name not in _IN_FROM or not _is_constant(call):
        return ()
    # In the list rows come one by one; in FROM the server makes them all first.
    found = _asked(f"{_shown(call)} LIMIT {_MOST_ROWS + 1}", server)
    if len(found) > _MOST_ROWS or any(text is not None and _is_odd(text) for text in found):
        return ()
    return tuple((TypedConstant(call.type, text),) for text in found)


def _foldable(value: object) -> Iterator[RoutineCall]:
    """The outermost calls on constants alone."""
    if isinstance(value, RoutineCall) and _is_foldable(value):
        yield value
        return
    if is_dataclass(value):
        for each in fields(value):
            yield from _foldable(getattr(value, each.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _foldable(part)


def _is_foldable(call: RoutineCall) -> bool:
    return call.type.name in _FOLDED and call.routine.strict and _is_constant(call)


def _is_constant(value: object) -> bool:
    match value:
        case TypedConstant(text=text):
            return text is not None
        case RoutineCall(routine=routine, arguments=arguments):
            return (
                routine.volatility == "i"
                and routine.schema == "pg_catalog"
                and all(map(_is_constant, arguments))
            )
        case Conversion(through_text=False, value=inner):
            return _is_constant(inner)
        case Array(elements=elements):
            return all(map(_is_constant, elements))
    return False


def _value(call: RoutineCall, server: Server) -> str | None:
    """The text of the value; None if there is none, or an error is raised."""
    found = next(iter(_asked(_shown(call), server)), None)
    return None if found is None or _is_odd(found) else found


def _shown(call: RoutineCall) -> str:
    return f"SELECT left(({Printer().expression(call)})::text, {_LONGEST + 1})"


def _asked(query: str, server: Server) -> list[str | None]:
    """The texts that a query of constants returns; none if an error is raised, or it takes long."""
    server.execute(f"SAVEPOINT equiv_folding; SET LOCAL statement_timeout = {_MILLISECONDS}")
    try:
        return [row[0] for row in server.one(query).rows]
    except WireError:
        return []
    finally:
        server.execute("ROLLBACK TO equiv_folding; RELEASE equiv_folding")


def _is_odd(text: str) -> bool:
    """Whether a value is none that the core's cells have."""
    return "infinity" in text or " BC" in text or text == "NaN" or len(text) > _LONGEST


def _replaced(value: T, known: dict[object, object]) -> T:
    """The value with constants for known calls, and with their rows."""
    found: Any = value
    if isinstance(found, RoutineCall | Called) and found in known:
        found = known[found]
    elif isinstance(found, tuple):
        found = tuple(_replaced(each, known) for each in found)
    elif is_dataclass(found) and not isinstance(found, type):
        changed = {each.name: _replaced(getattr(found, each.name), known) for each in fields(found)}
        found = replace(found, **changed)
    return found  # type: ignore[no-any-return]
