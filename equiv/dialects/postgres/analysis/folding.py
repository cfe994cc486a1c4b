"""Calls of immutable functions on constants, computed by PostgreSQL itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from equiv.dialects.postgres.analysis.oids import Server
from equiv.dialects.postgres.analysis.printing import Printer
from equiv.dialects.postgres.analysis.tree import Call, Constant, Convert, Query
from equiv.dialects.postgres.embedded.wire import WireError

T = TypeVar("T")
_FOLDED = frozenset(("date", "timestamp", "numeric", "float8", "text", "varchar", "bpchar"))
"""Types of results whose text is that of a constant; of integers calls stay as they are written."""
_MOST = 200


def folded(query: Query, server: Server) -> Query:
    """The query with the values of such calls in their places; a call that raises an error is left."""
    calls = list(dict.fromkeys(_foldable(query)))[:_MOST]
    known: dict[Call, Constant] = {}
    for call in calls:
        text = _value(call, server)
        if text is not None:
            known[call] = Constant(call.type, text)
    return _replaced(query, known) if known else query


def _foldable(value: object) -> Iterator[Call]:
    """The outermost calls on constants alone."""
    if isinstance(value, Call) and _is_foldable(value):
        yield value
        return
    if is_dataclass(value):
        for each in fields(value):
            yield from _foldable(getattr(value, each.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _foldable(part)


def _is_foldable(call: Call) -> bool:
    return call.type.name in _FOLDED and call.routine.strict and _is_constant(call)


def _is_constant(value: object) -> bool:
    match value:
        case Constant(text=text):
            return text is not None
        case Call(routine=routine, arguments=arguments):
            return (
                routine.volatility == "i"
                and routine.schema == "pg_catalog"
                and all(map(_is_constant, arguments))
            )
        case Convert(through_text=False, value=inner):
            return _is_constant(inner)
    return False


def _value(call: Call, server: Server) -> str | None:
    """The text of the value; None if there is none, or an error is raised."""
    server.execute("SAVEPOINT equiv_folding")
    try:
        ((found,),) = server.one(f"SELECT ({Printer().expression(call)})::text").rows
    except WireError:
        found = None
    finally:
        server.execute("ROLLBACK TO equiv_folding; RELEASE equiv_folding")
    return None if found is None or "infinity" in found or " BC" in found or found == "NaN" else found


def _replaced(value: T, known: dict[Call, Constant]) -> T:
    """The value with constants for known calls."""
    found: Any = value
    if isinstance(found, Call) and found in known:
        found = known[found]
    elif isinstance(found, tuple):
        found = tuple(_replaced(each, known) for each in found)
    elif is_dataclass(found) and not isinstance(found, type):
        changed = {each.name: _replaced(getattr(found, each.name), known) for each in fields(found)}
        found = replace(found, **changed)
    return found  # type: ignore[no-any-return]
