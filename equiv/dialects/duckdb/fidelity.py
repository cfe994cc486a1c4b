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
