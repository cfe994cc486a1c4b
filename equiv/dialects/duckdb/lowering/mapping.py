"""A typed tree with each of its parts put through a function, innermost first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any


def mapped(value: Any, change: Callable[[object], object]) -> Any:
    """A value of a typed tree with what a function makes of each part, its own parts before it."""
    if isinstance(value, tuple):
        parts = tuple(mapped(each, change) for each in value)
        return value if all(one is other for one, other in zip(parts, value, strict=True)) else parts
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {
        each.name: new
        for each in fields(value)
        if (new := mapped(old := getattr(value, each.name), change)) is not old
    }
    return change(replace(value, **changed) if changed else value)
