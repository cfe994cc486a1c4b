"""The two shapes that most ways have."""

from __future__ import annotations

Ways = tuple[str, ...]


def where(*conditions: str) -> Ways:
    """Queries for the rows that a condition takes."""
    return tuple(f"SELECT t.id, $s FROM t WHERE {condition}" for condition in conditions)


def shown(*values: str) -> Ways:
    """Queries for a value of each row."""
    return tuple(f"SELECT t.id, {value} FROM t" for value in values)
