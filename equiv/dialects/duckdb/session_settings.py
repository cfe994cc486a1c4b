"""The settings of DuckDB's sessions that its reader asks for: how one is stated, which queries depend on one.

Where a script states none of these, DuckDB's own defaults are assumed, by name, which are the same on every
machine; of ``ieee_floating_point_ops`` that an operation raises an error rather than be infinite or NaN.  The
time zone is the machine's, and unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from equiv.core.lexer import TokenKind, tokens
from equiv.dialects.duckdb.macros import Tree, nodes, without_keys
from equiv.dialects.duckdb.resolving.tree import SCHEMA
from equiv.dialects.protocol import taken_by
from equiv.dialects.typed.tree import Routine, RoutineCall, TypedConstant, TypedQuery
from equiv.dialects.typed.walks import parts_of
from equiv.names import fold, folded

if TYPE_CHECKING:
    from equiv.core.model import Schema

TAKEN: Final = taken_by("duckdb")
_SPELT = {name.upper(): name for name in TAKEN} | {"NULL_ORDER": "default_null_order"}
_VALUES = frozenset((TokenKind.NAME, TokenKind.QUOTED, TokenKind.STRING, TokenKind.NUMBER))
_UTC = frozenset(("utc", "etc/utc", "gmt", "etc/gmt", "zulu", "uct"))


def stated_by(statement: str) -> tuple[str, str] | None:
    """The setting that a SET or PRAGMA states, with its value, '' of a RESET; None if it is not asked for."""
    found = [each for each in tokens(statement)[:-1] if each.word not in ("SESSION", "GLOBAL", ";")]
    words = [each.word for each in found]
    if words[0] == "RESET" or words[-1] in ("DEFAULT", "LOCAL"):
        name = "TimeZone" if words[1:3] == ["TIME", "ZONE"] else _SPELT.get("".join(words[1:2]), "")
        return (name, "") if name else None
    if words[1:3] == ["TIME", "ZONE"]:
        name, value = "TimeZone", found[3:]
    elif len(words) == 4 and words[0] in ("SET", "PRAGMA") and words[2] in ("=", "TO") and words[1] in _SPELT:
        name, value = _SPELT[words[1]], found[3:]
    else:
        return None
    if len(value) != 1 or value[0].kind not in _VALUES:
        return None
    from equiv.dialects.duckdb.database import setting_called

    text = statement[value[0].start : value[0].end].strip("'\"")
    called = setting_called(name, text)
    return None if called is None else (name, _canonical(name, called))


_ALONE = {
    "active_grammar_extensions": "[]",
    "allow_parser_override_extension": "default",
    "current_dialect": "",
    "dialect_compatibility_mode": "none",
    "disable_timestamptz_casts": "false",
    "legacy_disable_null_type": "false",
    "order_by_non_integer_literal": "false",
    "schema": "main",
    "search_path": "main",
    "table_function_identifier_conversion": "default",
}
"""What nothing is read under but DuckDB's own value."""


def refused_in(statement: str) -> str:
    """The setting to which a SET or PRAGMA gives a value that nothing is read under, and the one that is."""
    found = [each for each in tokens(statement)[:-1] if each.word not in ("SESSION", "GLOBAL", "LOCAL", ";")]
    words = [each.word for each in found]
    name = words[1].lower() if len(words) > 3 and words[2] in ("=", "TO") else ""
    if words[:1] not in (["SET"], ["PRAGMA"]) or name not in _ALONE:
        return ""
    value = statement[found[3].start : found[-1].end].strip("'\"").lower()
    value = {"0": "false", "off": "false"}.get(value, value)
    return "" if value in ("", _ALONE[name]) else f"{name} = {_ALONE[name]!r}"


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
    """The settings by which a parsed query, or a view of it, has its meaning.

    Args:
        node: the parsed query.
        plan: its bound plan, in which views are written out.
        schema: its tables and views.
    """
    views = [view.sql for view in schema.native_views]
    parts = list(nodes(node))
    called = {str(each.get("function_name", "")) for each in parts}
    expressions = [each for each in nodes(plan) if "expression_class" in each]
    called |= set(map(_name, expressions))
    sorts = _hold("ORDER BY", views)
    found = set()
    if _compare_texts(plan) or _lists_texts(plan, schema):
        found |= {COLLATION}
    if sorts or any(each.get("type") == "ORDER_DEFAULT" for each in parts):
        found |= {"default_order"}
    if sorts or any("ORDER" in str(each.get("null_order", "")) for each in parts):
        found |= {"default_null_order"}
    if "/" in called or _hold("/", views):
        found |= {"integer_division"}
    if called & _DIVISIONS:
        found |= {"error_on_division_by_zero", "ieee_floating_point_ops"}
    if called & _PARTIAL:
        found |= {"ieee_floating_point_ops"}
    if called & _REGEXES:
        found |= {"regex_match_operator_semantics"}
    if any(each.get("subquery_type") == "SCALAR" for each in parts) or _hold("SELECT", views):
        found |= {"scalar_subquery_error_on_multiple_rows"}
    local = called & _TODAY and any(_holds_instants(_kind(each)) for each in expressions)
    if local or any(map(_asks_zone, expressions)):
        found |= {"TimeZone", "Calendar"}
    return frozenset(found)


COLLATION: Final = "default_collation"
PINNED: Final = frozenset(TAKEN) - {"TimeZone"}
"""What is assumed, by name, to be as it is taken where nobody states it."""
_DIVISIONS = frozenset(("/", "//", "%", "divide", "mod", "fmod", "fdiv"))
_PARTIAL = frozenset(
    """ln log log2 log10 sqrt pow power ^ ** exp acos asin atanh acosh gamma lgamma cot tan sin cos stddev
    stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope regr_r2""".split()  # noqa: SIM905
)
"""Functions that are infinite, no number or an error for some floats."""
_REGEXES = frozenset(("~", "!~", "regexp_matches", "regexp_full_match"))
_TODAY = frozenset(
    """current_date today current_time get_current_time localtime localtimestamp current_localtime
    current_localtimestamp""".split()  # noqa: SIM905
)
"""The clock on the wall: what it says is the same in all of these, and linked to no instant."""
_ALIKE = frozenset(("||", "concat", "lower", "upper", "length", "strlen", "substring", "substr", "count"))
"""What a collation says nothing of: it makes another text of one, or a number."""
_OF_INSTANTS = frozenset(("min", "max", "count", "greatest", "least", "any_value", "first", "last", "now"))
"""Functions that take instants as they are, whatever their local time."""
_ZONED = ("TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE")
FIRM = re.compile(r"\d{4,5}-\d\d?-\d\d?[ T]\d\d?:\d\d(?::\d\d(?:\.\d*)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)\Z")
"""An instant as a text that no time zone reads otherwise."""


def _name(expression: Tree) -> str:
    path = (expression.get("qname") or {}).get("path") or ("",)
    return str(path[-1])


def _kind(expression: Tree) -> str:
    """The type of an expression, as a text that names all types in it."""
    return json.dumps(expression.get("return_type") or (expression.get("value") or {}).get("type") or "")


def _compare_texts(plan: Tree) -> bool:
    """Whether a plan may compare, sort or group texts."""
    for each in nodes(plan):
        kind = str(each.get("type", ""))
        if not kind.startswith("LOGICAL_") or kind == "LOGICAL_GET":
            continue
        others = [each[key] for key in each if key not in ("children", "expressions")]
        if any(_is_text(part) for other in others for part in nodes(other)):
            return True
        if any(map(_compares, _below({"": each.get("expressions")}))):
            return True
        if kind in _SETS and any(_is_text(part) for part in nodes(each)):
            return True
    return False


_SETS = frozenset(("LOGICAL_EXCEPT", "LOGICAL_INTERSECT", "LOGICAL_UNION", "LOGICAL_RECURSIVE_CTE"))


def _is_text(part: Tree) -> bool:
    return "expression_class" in part and "VARCHAR" in _kind(part)


def _compares(expression: Tree) -> bool:
    """Whether an expression may compare texts, or any part of it."""
    below = list(_below(expression))
    if any(map(_compares, below)):
        return True
    is_plain = expression["expression_class"] == "BOUND_FUNCTION" and (
        expression.get("type") == "OPERATOR_CAST" or _name(expression) in _ALIKE
    )
    is_count = _name(expression) == "count" and expression.get("aggregate_type") == "NON_DISTINCT"
    return not (is_plain or is_count) and any(map(_is_text, below))


def _below(expression: Tree) -> Iterator[Tree]:
    """The expressions right below one."""
    waiting = list(expression.values())
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            if "expression_class" in found:
                yield found
            else:
                waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def _lists_texts(plan: Tree, schema: Schema) -> bool:
    """Whether a CHECK of a table that a plan reads compares texts."""
    read = folded(str((each.get("function_data") or {}).get("table", "")) for each in nodes(plan))
    return any("'" in check for each in schema.tables if fold(each.name) in read for check in each.checks)


def _asks_zone(expression: Tree) -> bool:
    """Whether an expression makes an instant of something else, or something else of an instant."""
    below = list(_below(expression))
    own, given = _holds_instants(_kind(expression)), [_holds_instants(_kind(each)) for each in below]
    if expression.get("type") == "OPERATOR_CAST" and below:
        text = (below[0].get("value") or {}).get("value")
        return own != given[0] and not (own and isinstance(text, str) and FIRM.match(text.strip()))
    if expression["expression_class"] in ("BOUND_FUNCTION", "BOUND_AGGREGATE", "BOUND_WINDOW"):
        is_alike = str(expression.get("type", "")).startswith("COMPARE_") or _name(expression) in _OF_INSTANTS
        return (own or any(given)) and not is_alike
    return False


def zone_asked(query: TypedQuery) -> frozenset[str]:
    """The time zone and calendar if a resolved query makes instants of something else, or the other way.

    A plan shows no more than the value of what DuckDB computes of constants as it binds a query.
    """
    return frozenset(("TimeZone", "Calendar")) if any(map(_of_zone, parts_of(query))) else frozenset()


def _of_zone(part: object) -> bool:
    match part:
        case RoutineCall(cast=True, arguments=(TypedConstant(text=str(text)),)) if FIRM.match(text.strip()):
            return False
        case RoutineCall(type=kind, routine=Routine(arguments=kinds, schema=schema)) if schema == SCHEMA:
            return "timestamptz" in (kind.name, *kinds)
    return False


def _holds_instants(kind: str) -> bool:
    return any(each in kind for each in _ZONED)


def _hold(word: str, texts: list[str]) -> bool:
    return any(word in text.upper() for text in texts)


def saying(query: str, node: Any) -> str:
    """A digest of what a query says, whatever its layout and the names that it gives to columns.

    Args:
        query: the text.
        node: what DuckDB's parser makes of it, which hides whether a function was written as ``~``.
    """
    return sha256(
        json.dumps([without_keys(node, _PLACES), "~" in query], sort_keys=True).encode()
    ).hexdigest()


_PLACES = ("query_location", "query_location_length", "alias")
