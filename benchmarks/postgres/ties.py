"""Queries whose choices are settled: every order that feeds a number or a cut goes on to all columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import PLAIN
from equiv.dialects.typed.lowering.sources import leaves

_ORDERED = frozenset(("row_number", "lag", "lead", "first_value", "last_value", "nth_value", "ntile"))


def settled(query: t.TypedQuery) -> Any:
    """The query with longer orders where ties would leave a choice."""
    return _settled(
        query, {each.number: each.query for each in t.parts_of(query) if isinstance(each, t.CommonTable)}
    )


def _settled(value: Any, ctes: dict[int, t.TypedQuery]) -> Any:
    if isinstance(value, t.Select):
        value = _select(value, ctes)
    if isinstance(value, t.SetQuery) and value.limit is not None:
        given = {place for place, _, _ in value.order}
        more = [(place, False, False) for place in range(1, len(value.names) + 1) if place not in given]
        value = replace(value, order=(*value.order, *more))
    if isinstance(value, tuple):
        return tuple(_settled(each, ctes) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{each.name: _settled(getattr(value, each.name), ctes) for each in fields(value)}
        )
    return value


def _select(query: t.Select, ctes: dict[int, t.TypedQuery]) -> t.Select:
    if (query.limit is not None and not query.limit.with_ties and query.group is None) or query.distinct_on:
        keys = [
            t.SortKey(target.value, False, False) for target in query.targets if not _is_nested(target.value)
        ]
        query = replace(query, order=(*query.order, *keys))
    elif query.limit is not None and not query.limit.with_ties:
        keys = [t.SortKey(target.value, False, False) for target in query.targets]
        query = replace(query, order=(*query.order, *keys))
    ties = tuple(t.SortKey(each, False, False) for each in _all_columns(query, ctes))
    targets = tuple(replace(each, value=_over(each.value, ties)) for each in query.targets)
    return replace(query, targets=targets)


def _is_nested(value: t.Expr) -> bool:
    return isinstance(value, t.NestedQuery)


def _all_columns(query: t.Select, ctes: dict[int, t.TypedQuery]) -> Iterator[t.Expr]:
    if query.group is not None:
        for key in query.group.keys:
            yield t.Grouped(key.type, key)
        return
    if query.aggregates:
        return
    for item in query.items:
        for source in leaves(item):
            yield from _columns(source, ctes)


def _columns(source: t.FromSource, ctes: dict[int, t.TypedQuery]) -> Iterator[t.Expr]:
    types: tuple[t.Type, ...] = ()
    if isinstance(source, t.DerivedTable):
        types = t.columns_of(source.query)
    elif isinstance(source, t.CommonTableUse) and source.cte in ctes:
        types = t.columns_of(ctes[source.cte])
    elif isinstance(source, t.ValuesList):
        types = source.types
    for place, kind in enumerate(types, 1):
        if kind.name in PLAIN:
            yield t.SourceColumn(kind, source.number, place)
    if isinstance(source, t.TableUse):
        for place in range(1, len(source.columns) + 1):
            yield t.SourceColumn(t.Type("text"), source.number, place)


def _over(value: Any, ties: tuple[t.SortKey, ...]) -> Any:
    if isinstance(value, t.Over) and (value.routine.name in _ORDERED or value.frame.unit == "ROWS"):
        return replace(value, order=(*value.order, *ties))
    if isinstance(value, t.Select | t.SetQuery):
        return value
    if isinstance(value, tuple):
        return tuple(_over(each, ties) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _over(getattr(value, each.name), ties) for each in fields(value)})
    return value
