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
        "names",
        "bound_columns",
    )
)
"""What a plan says of the text alone."""


_NUMBERS = frozenset(
    (
        *("table_index", "group_index", "aggregate_index", "groupings_index", "unnest_index", "cte_index"),
        *("setop_index", "projection_index", "window_index", "mark_index"),
    )
)
"""Numbers that a plan gives to its steps: any others will do, if they are as many."""


def difference(one: Any, other: Any) -> str:
    """Where two plans differ first, numbers of steps apart; '' if nowhere."""
    return _difference(one, other, "", {}, {})


def _difference(one: Any, other: Any, place: str, there: dict[int, int], back: dict[int, int]) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = _folded(one), _folded(other)
        for key in sorted(one.keys() | other.keys()):
            values: tuple[Any, Any] = one.get(key), other.get(key)
            if key in _NUMBERS and all(isinstance(each, int) for each in values):
                if there.setdefault(*values) != values[1] or back.setdefault(*values[::-1]) != values[0]:
                    return str(key)
            elif key not in _SILENT:
                found = _difference(*values, str(key), there, back)
                if found:
                    return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return place or "a list"
        pairs = zip(one, other, strict=True)
        return next((found for a, b in pairs if (found := _difference(a, b, place, there, back))), "")
    return "" if one == other else f"{place}: {str(one)[:40]!r} and {str(other)[:40]!r}"


def _folded(node: dict[str, Any]) -> dict[str, Any]:
    """A cast of a whole number as a number of the other type, which DuckDB makes of one that is written."""
    if node.get("type") == "LOGICAL_AGGREGATE_AND_GROUP_BY" and not node.get("grouping_sets"):
        # PIVOT leaves the one set of all groups out.
        every = list(range(len(node["groups"])))
        return {**node, "grouping_sets": [every] if every else []}
    if node.get("type") == "LOGICAL_PROJECTION":
        return _without_copies(node)
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


def _without_copies(node: dict[str, Any]) -> dict[str, Any]:
    """A projection without those above it that show its columns as they are."""
    (below,) = node["children"]
    while below["type"] == "LOGICAL_PROJECTION" and len(below["expressions"]) == len(node["expressions"]):
        places = [
            each["index"] if each["expression_class"] == "BOUND_REF" else -1 for each in node["expressions"]
        ]
        if places != list(range(len(places))):
            break
        node = below
        (below,) = node["children"]
    return node


_WHOLE = frozenset(("INTEGER", "BIGINT"))
_WIDER = frozenset(("INTEGER", "BIGINT", "HUGEINT", "DOUBLE"))
