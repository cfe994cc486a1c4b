"""FROM with as little LATERAL as can be, and functions that return rows in FROM alone.

The core's runner has no LATERAL.  One row for each row beside is a subquery in an expression for each of its
columns; rows that are chosen by conditions alone are joined by these.  What else looks beside is left.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.walks import children, exchanged, found_in, fresh_numbers, mapped, parts_of

T = TypeVar("T")
_ROUNDS = 20
"""How many of a SELECT's are rewritten at most."""


def without_laterals(query: t.TypedQuery) -> t.TypedQuery:
    """The query with as few subqueries that look beside as can be."""
    if not any(each.lateral for each in found_in(query, t.DerivedTable)):
        return query
    return _everywhere(query, _inlined)


def _everywhere(query: t.TypedQuery, change: Callable[[t.Select], t.Select]) -> t.TypedQuery:
    """The query, each SELECT in it changed from the inside out."""
    return mapped(query, lambda part: change(part) if isinstance(part, t.Select) else part)


def with_functions_in_from(query: t.TypedQuery) -> t.TypedQuery:
    """The query with functions that return rows in FROM, where they stand in lists of results.

    Those of one list step through their rows side by side, for each row of FROM, before DISTINCT, ORDER BY
    and LIMIT.

    Raises:
        UnsupportedError: one stands where other rows than those of FROM are meant.
    """
    if not any(each.routine.returns_set for each in found_in(query, t.RoutineCall)):
        return query
    numbers = fresh_numbers(query)

    def change(found: t.Select) -> t.Select:
        shown = found.targets, found.order, found.distinct_on, found.group, found.having
        calls = list(dict.fromkeys(_calls_for_rows(shown)))
        if not calls:
            return found
        if any(inner for each in calls for inner in _calls_for_rows(each.arguments)):
            raise UnsupportedError("Func", "a set-returning function of a set-returning function")
        # Those of keys have their rows before rows are grouped, others after that.
        group = found.group
        of_keys = group is not None and group.sets is None and {*calls} == {*_calls_for_rows(group)}
        if not of_keys and (found.aggregates or group or found.having):
            raise UnsupportedError("Func", f"{calls[0].routine.name}, which returns rows, in a grouped query")
        if found.distinct_on or _has_windows(found):
            why = f"{calls[0].routine.name}, which returns rows, with windows or DISTINCT ON"
            raise UnsupportedError("Func", why)
        names = tuple(f"{each.routine.name} {place}" for place, each in enumerate(calls, 1))
        source = t.Called(next(numbers), "rows", names, tuple(map(t.CalledFunction, calls)), lateral=True)
        known = {each: t.SourceColumn(each.type, source.number, place) for place, each in enumerate(calls, 1)}
        kept = replace(found, items=())
        return replace(_with_columns(kept, known), items=(*found.items, source))

    return _everywhere(query, change)


def _calls_for_rows(value: object) -> Iterator[t.RoutineCall]:
    """The outermost calls of functions that return rows in a part of a SELECT, its subqueries apart."""
    if isinstance(value, t.RoutineCall) and value.routine.returns_set:
        yield value
        return
    for each in (value.left,) if isinstance(value, t.NestedQuery) else children(value):
        yield from _calls_for_rows(each)


def _with_columns(value: T, known: Mapping[t.RoutineCall, t.SourceColumn]) -> T:
    """A part of a SELECT with columns for calls, its subqueries apart."""

    def instead(found: Any) -> Any:
        if isinstance(found, t.NestedQuery):
            return replace(found, left=_with_columns(found.left, known))
        return known.get(found) if isinstance(found, t.RoutineCall) else None

    return exchanged(value, instead)


def looks_beside(source: t.FromSource, beside: Container[int]) -> bool:
    """Whether a source in FROM mentions columns of others there, by their numbers."""
    if isinstance(source, t.TableUse | t.CommonTableUse):
        return False
    return any(part.source in beside for part in found_in(source, t.SourceColumn))


def _inlined(query: t.Select) -> t.Select:
    """The SELECT with as few subqueries in its FROM that look beside as can be."""
    for _ in range(_ROUNDS):
        again = _once(query)
        if again is None:
            break
        query = again
    return query


def _once(query: t.Select) -> t.Select | None:
    """The SELECT without one of its lateral subqueries; None if none can be written otherwise."""
    for place, item in enumerate(query.items):
        for beside, join in _laterals(item):
            known = _values_of(beside, join, query)
            if known is None:
                continue
            values, instead, condition = known
            left = _without(item, beside, instead, condition)
            items = (*query.items[:place], *left, *query.items[place + 1 :])
            whole = replace(query, items=items)
            if join is None or not instead:
                whole = replace(whole, where=t.all_of((whole.where, condition)))
            return _replaced(whole, beside.number, values)
    return None


def _laterals(item: t.FromItem) -> Iterator[tuple[t.DerivedTable, t.Joined | None]]:
    """The lateral subqueries of an item that look beside, each with the join whose right side it is."""
    if isinstance(item, t.DerivedTable) and _looks_beside(item):
        yield item, None
    if isinstance(item, t.Joined):
        # A RIGHT or FULL JOIN makes columns NULL that an expression in their place would not be.
        if item.side in ("INNER", "LEFT"):
            yield from (found for found in _laterals(item.left) if found[1] is not None)
        if isinstance(item.right, t.DerivedTable) and _looks_beside(item.right):
            yield item.right, item


def _looks_beside(derived: t.DerivedTable) -> bool:
    if not derived.lateral:
        return False
    parts = list(parts_of(derived.query))
    own = {each.number for each in parts if isinstance(each, t.FromSource | t.Joined)}
    return any(isinstance(each, t.SourceColumn) and each.source not in own for each in parts)


def _values_of(
    derived: t.DerivedTable, join: t.Joined | None, query: t.Select
) -> tuple[tuple[t.Expr, ...], tuple[t.FromItem, ...], t.Expr | None] | None:
    """What stands for the columns of a subquery, for its rows, and the condition that chooses them."""
    inner = derived.query
    if not isinstance(inner, t.Select) or inner.ctes or inner.distinct_on:
        return None
    side, given = ("INNER", None) if join is None else (join.side, join.condition)
    plain = not (inner.group or inner.having or inner.limit or inner.distinct)
    is_one = plain and inner.aggregates and side in ("INNER", "LEFT")
    is_first = side == "LEFT" and _is_first(inner) and _uses(query, derived.number) <= 1
    if is_one or (is_first and _is_true(given)):
        found = [_as_subquery(inner, target) for target in inner.targets]
        columns = tuple(value for value in found if value is not None)
        if len(columns) < len(found):
            return None
        if given is None or _is_true(given):
            return columns, (), None
        if side == "INNER":
            return columns, (), given
        holds = _replaced(given, derived.number, columns)
        return tuple(_where(holds, value) for value in columns), (), None
    if not plain or inner.aggregates or _has_windows(inner):
        return None
    values = tuple(target.value for target in inner.targets)
    if side == "INNER" and (inner.items or (inner.where is None and _is_true(given))):
        return values, inner.items, inner.where
    bare = all(isinstance(value, t.SourceColumn) for value in values)
    if side != "LEFT" or len(inner.items) != 1 or not isinstance(inner.items[0], t.TableUse) or not bare:
        return None
    own = {value.source for value in values if isinstance(value, t.SourceColumn)}
    return (values, inner.items, inner.where) if own <= {inner.items[0].number} else None


def _as_subquery(inner: t.Select, target: t.ResultColumn) -> t.Expr | None:
    """A column as a subquery in an expression; None if that may have another row than the whole.

    Of one group without GROUP BY, whose one row it is, a column without an aggregate is a value from beside.
    """
    if not inner.aggregates or inner.group or inner.having or _aggregates(target.value):
        return t.NestedQuery(target.value.type, "scalar", replace(inner, targets=(target,)))
    return target.value if inner.limit is None else None


def _where(condition: t.Expr, value: t.Expr) -> t.Expr:
    """A value where a condition holds, else NULL."""
    return t.CaseWhen(value.type, None, ((condition, value),), t.TypedConstant(value.type, None))


def _aggregates(value: object) -> bool:
    """Whether an aggregate stands in a value, subqueries apart."""
    return any(isinstance(each, t.AggregateCall) for each in parts_of(value, queries=False))


def _is_first(inner: t.Select) -> bool:
    """Whether a subquery is a query for one row at most."""
    from equiv.dialects.typed.lowering.calls import constant_of

    if inner.limit is None or inner.limit.with_ties or inner.limit.count is None:
        return False
    count = constant_of(inner.limit.count)
    return count is not None and count.text == "1"


def _uses(query: t.Select, number: int) -> int:
    """In how many places columns of a source are mentioned, or of a join, which may be its."""
    joins = {each.number for each in found_in(query, t.Joined)}
    return sum(
        isinstance(each, t.SourceColumn) and each.source in {number, *joins} for each in _mentions(query)
    )


def _mentions(value: object) -> Iterator[object]:
    """The parts of a query without what the columns of joins stand for."""
    yield value
    for each in children(replace(value, merged=()) if isinstance(value, t.Joined) else value):
        yield from _mentions(each)


def _has_windows(query: t.Select) -> bool:
    return any(isinstance(each, t.Over) for target in query.targets for each in parts_of(target))


def _is_true(condition: t.Expr | None) -> bool:
    return condition is None or (isinstance(condition, t.TypedConstant) and condition.text == "true")


def _without(
    item: t.FromItem, derived: t.DerivedTable, instead: tuple[t.FromItem, ...], condition: t.Expr | None
) -> tuple[t.FromItem, ...]:
    """An item of FROM with other sources in the place of a subquery, joined by its condition."""
    if item is derived:
        return instead
    assert isinstance(item, t.Joined)
    if item.right is not derived:
        (left,) = _without(item.left, derived, instead, condition)
        return (replace(item, left=left),)
    if not instead:
        return (item.left,)
    found: t.FromItem = item.left
    on = t.all_of(each for each in (condition, item.condition) if not _is_true(each))
    *first, last = instead
    for each in first:
        found = t.Joined("INNER", found, each, None)
    return (replace(item, left=found, right=last, condition=on),)


def _replaced(value: T, number: int, values: tuple[t.Expr, ...]) -> T:
    """A part of a query with values for the columns of a source."""

    def instead(found: Any) -> t.Expr | None:
        is_its = isinstance(found, t.SourceColumn) and found.source == number
        return values[found.position - 1] if is_its else None

    return exchanged(value, instead)
