"""Whether DuckDB binds two texts to one plan."""

from __future__ import annotations

from typing import Any

_SILENT = frozenset(
    (
        "query_location",
        "query_location_length",
        "alias",
        "ctename",
        "cte_name",
        "user_names",
        "column_names",
        "bound_columns",
    )
)
"""What a plan says of the text alone."""


def difference(one: Any, other: Any, place: str = "") -> str:
    """Where two plans differ first; '' if nowhere."""
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = _folded(one), _folded(other)
        for key in one.keys() | other.keys():
            if key not in _SILENT:
                found = difference(one.get(key), other.get(key), key)
                if found:
                    return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return place or "a list"
        return next(
            (found for a, b in zip(one, other, strict=True) if (found := difference(a, b, place))), ""
        )
    return "" if one == other else f"{place}: {str(one)[:40]!r} and {str(other)[:40]!r}"


def _folded(node: dict[str, Any]) -> dict[str, Any]:
    """A cast of a whole number as a number of the other type, which DuckDB makes of one that is written."""
    if node.get("type") != "OPERATOR_CAST" or node.get("function_data", {}).get("try_cast"):
        return node
    (child,) = node["children"]
    if child.get("expression_class") == "BOUND_FUNCTION":
        child = _folded(child)
    value = child.get("value")
    if child.get("expression_class") != "BOUND_CONSTANT" or not isinstance(value, dict):
        return node
    source, target = value["type"]["id"], node["return_type"]["id"]
    if source not in _WHOLE or target not in _WIDER or not isinstance(value.get("value"), int):
        return node
    known = {"type": node["return_type"], "is_null": False, "value": value["value"]}
    return {"expression_class": "BOUND_CONSTANT", "type": "VALUE_CONSTANT", "value": known}


_WHOLE = frozenset(("INTEGER", "BIGINT"))
_WIDER = frozenset(("INTEGER", "BIGINT", "HUGEINT", "DOUBLE"))
