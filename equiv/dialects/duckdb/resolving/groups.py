"""The keys of grouping sets where they stand for the key of a group, which some of the sets lack."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from equiv.dialects.duckdb.resolving.tree import Qualified
from equiv.dialects.typed import tree as t


def with_keys(query: Qualified, keys: tuple[t.Expr, ...]) -> Qualified:
    """A SELECT whose result, HAVING, QUALIFY and ORDER BY have their keys marked."""
    return replace(
        query,
        targets=_marked(query.targets, keys),
        having=_marked(query.having, keys),
        qualify=_marked(query.qualify, keys),
        order=_marked(query.order, keys),
    )


def _marked(value: Any, keys: tuple[t.Expr, ...]) -> Any:
    """A part of a query; what stands in an aggregate or in a subquery is no key."""
    if isinstance(value, t.Expr) and value in keys:
        return t.Grouped(value.type, value)
    if isinstance(value, tuple):
        return tuple(_marked(each, keys) for each in value)
    if isinstance(value, t.AggregateCall | t.Grouping | t.NestedQuery) or not is_dataclass(value):
        return value
    assert not isinstance(value, type)
    return replace(value, **{each.name: _marked(getattr(value, each.name), keys) for each in fields(value)})
