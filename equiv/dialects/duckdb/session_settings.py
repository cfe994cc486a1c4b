"""The settings of DuckDB's sessions that its reader asks for: how one is stated, which queries hang on one.

Where a script states none of these, DuckDB's own defaults are taken, which are the same on every machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from equiv.core.lexer import Kind, tokens
from equiv.dialects.duckdb.database import setting_called
from equiv.dialects.duckdb.trees import nodes
from equiv.dialects.settings import taken_by

if TYPE_CHECKING:
    from equiv.core.model import Schema

TAKEN: Final = taken_by("duckdb")
_SPELT = {name.upper(): name for name in TAKEN} | {"NULL_ORDER": "default_null_order"}
_VALUES = frozenset((Kind.NAME, Kind.QUOTED, Kind.STRING, Kind.NUMBER))
_UTC = frozenset(("utc", "etc/utc", "gmt", "etc/gmt", "zulu", "uct"))


def stated_by(statement: str) -> tuple[str, str] | None:
    """The setting that a SET or PRAGMA states, with its value; None if it is not asked for, or has none."""
    found = [each for each in tokens(statement)[:-1] if each.word not in ("SESSION", "GLOBAL", "LOCAL", ";")]
    words = [each.word for each in found]
    if words[1:3] == ["TIME", "ZONE"]:
        name, value = "TimeZone", found[3:]
    elif len(words) == 4 and words[0] in ("SET", "PRAGMA") and words[2] in ("=", "TO") and words[1] in _SPELT:
        name, value = _SPELT[words[1]], found[3:]
    else:
        return None
    if len(value) != 1 or value[0].kind not in _VALUES:
        return None
    text = statement[value[0].start : value[0].end].strip("'\"")
    called = setting_called(name, text)
    return None if called is None else (name, _canonical(name, called))


def _canonical(name: str, called: str) -> str:
    match name:
        case "default_order":
            return "ASC" if called.upper().startswith("ASC") else "DESC"
        case "default_collation":
            return called.lower() or TAKEN[name]
        case "TimeZone":
            return "UTC" if called.lower() in _UTC else called
    return TAKEN[name] if called.lower() == TAKEN[name].lower() else called


def settings_asked(node: Any, plan: dict[str, Any], schema: Schema) -> frozenset[str]:
    """The settings that schema's source states and a parsed query, or a view of it, hangs on.

    Args:
        node: the parsed query.
        plan: its bound plan.
        schema: its tables and views.
    """
    stated = {name for name, _ in schema.settings}
    views = [view.sql for view in schema.native_views]
    parts = list(nodes(node))
    sorts = _hold("ORDER BY", views)
    found = {"default_collation"}
    if sorts or any(each.get("type") == "ORDER_DEFAULT" for each in parts):
        found |= {"default_order"}
    if sorts or any("ORDER" in str(each.get("null_order", "")) for each in parts):
        found |= {"default_null_order"}
    if _hold("/", views) or any(each.get("function_name") == "/" for each in parts):
        found |= {"integer_division"}
    if any(_hold(word, [json.dumps(plan), *views]) for word in ("TIME ZONE", "TIMESTAMPTZ", "CURRENT_DATE")):
        found |= {"TimeZone"}
    return frozenset(found & stated)


def _hold(word: str, texts: list[str]) -> bool:
    return any(word in text.upper() for text in texts)
