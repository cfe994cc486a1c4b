"""Aggregates and window functions in the core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from sqlglot import exp

from equiv.core.functions.own import ANY_CELL, ANY_VALUE
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import LoweringPlace, constant_of
from equiv.dialects.typed.lowering.comparisons import rank, ranked_label
from equiv.dialects.typed.lowering.numbers import NUMBERINGS, READERS, widened
from equiv.dialects.typed.lowering.unknown import in_order, is_kept, merged
from equiv.dialects.typed.walks import (
    children,
    found_in,
    fresh_numbers,
    numbers_in_from,
    parts_of,
    with_children,
)

T = TypeVar("T")
Wrap = Callable[[exp.Expression], exp.Expression]
"""Puts FILTER and OVER around an aggregate."""

_SPREADS = {
    "stddev_samp": (1, True), "stddev": (1, True), "stddev_pop": (0, True),
    "var_samp": (1, False), "variance": (1, False), "var_pop": (0, False),
}  # fmt: skip
"""By how much the divisor is less than the number of rows, and whether it is the root."""


def without_outer_aggregates(query: t.TypedQuery) -> t.TypedQuery:
    """The query with no aggregate in a subquery of a SELECT that is over the rows of that SELECT.

    A derived table has the keys and all aggregates of the SELECT's groups; above it stand its result columns,
    its HAVING as a WHERE, and its ORDER BY, whose subqueries read them.

    Raises:
        UnsupportedError: a SELECT over grouping sets, or one with a column that is not a key.
    """
    nested = found_in(query, t.NestedQuery)
    if not any(isinstance(part, t.AggregateCall) for each in nested for part in parts_of(each)):
        return query
    return _split_everywhere(query, fresh_numbers(query))


def _split_everywhere(value: T, numbers: Iterator[int]) -> T:
    """A part of a query, each SELECT in it split from the outside in."""
    found: Any = value
    if isinstance(found, t.Select):
        owned = list(_own_aggregates(_above(found), found, None))
        if any(is_below for _, is_below in owned):
            found = _split(found, list(dict.fromkeys(each for each, _ in owned)), next(numbers))
    return with_children(found, partial(_split_everywhere, numbers=numbers))  # type: ignore[no-any-return]


def _above(query: t.Select) -> tuple[object, ...]:
    """What of a SELECT reads its groups."""
    return query.targets, query.having, query.distinct_on, query.order


def _own_aggregates(
    value: object, query: t.Select, between: frozenset[int] | None
) -> Iterator[tuple[t.AggregateCall, bool]]:
    """The aggregates in a part that are over the rows of a SELECT, and whether a subquery has each.

    ``between``: within a subquery, what stands in the FROM of it and of those around it.
    """
    if isinstance(value, t.AggregateCall) and _is_over(value, query, between):
        yield value, between is not None
        return
    for part, within in _parts(value, between):
        yield from _own_aggregates(part, query, within)


def _parts(value: object, between: frozenset[int] | None) -> Iterator[tuple[object, frozenset[int] | None]]:
    if isinstance(value, t.NestedQuery):
        yield value.left, between
        yield value.query, between or frozenset()
        return
    if isinstance(value, t.Select) and between is not None:
        between |= numbers_in_from(value)
    yield from ((each, between) for each in children(value))


def _is_over(value: t.AggregateCall, query: t.Select, between: frozenset[int] | None) -> bool:
    """Whether an aggregate is over the rows of a SELECT: it is the innermost whose columns it reads."""
    if between is None:
        return True
    parts = list(parts_of(value))
    used = {each.source for each in parts if isinstance(each, t.SourceColumn)}
    used -= {each.number for each in parts if isinstance(each, t.FromSource | t.Joined)}
    return bool(used & numbers_in_from(query)) and not used & between


def _split(query: t.Select, owned: Sequence[t.AggregateCall], number: int) -> t.Select:
    """A SELECT over a derived table of its groups, which has their keys and aggregates."""
    if query.group is not None and query.group.sets is not None:
        raise UnsupportedError("AggFunc", "an aggregate of an outer query that has grouping sets")
    own = numbers_in_from(query)
    keys = () if query.group is None else query.group.keys
    kept = [
        key
        for key in dict.fromkeys(keys)
        if any(each.source in own for each in found_in(key, t.SourceColumn))
    ]
    shown = [*kept, *owned]
    known: dict[t.Expr, t.Expr] = {
        each: t.SourceColumn(each.type, number, at) for at, each in enumerate(shown, 1)
    }
    names = tuple(f"value_{at}" for at in range(1, len(shown) + 1))
    groups = replace(
        query,
        targets=tuple(t.ResultColumn(each, name) for each, name in zip(shown, names, strict=True)),
        having=None,
        distinct=False,
        distinct_on=(),
        order=(),
        limit=None,
        ctes=(),
        aggregates=True,
    )
    targets, having, distinct_on, order = (_read(each, query, None, known) for each in _above(query))
    left = {each.source for each in found_in((targets, having, distinct_on, order), t.SourceColumn)}
    if left & own:
        raise UnsupportedError(
            "AggFunc", "an aggregate of an outer query beside a column of it that is not a key"
        )
    return replace(
        query,
        targets=targets,
        items=(t.DerivedTable(number, "groups", names, groups),),
        where=having,
        group=None,
        having=None,
        distinct_on=distinct_on,
        order=order,
        aggregates=False,
    )


def _read(value: Any, query: t.Select, between: frozenset[int] | None, known: Mapping[t.Expr, t.Expr]) -> Any:
    """A part of a SELECT with the columns of the derived table of its groups."""
    if isinstance(value, t.AggregateCall):
        if _is_over(value, query, between):
            return known[value]
    elif isinstance(value, t.Grouped) and value.value in known:
        return known[value.value]
    elif isinstance(value, t.Expr) and value in known:
        return known[value]
    if isinstance(value, t.NestedQuery):
        inner = _read(value.query, query, between or frozenset(), known)
        return replace(value, left=_read(value.left, query, between, known), query=inner)
    if isinstance(value, t.Select) and between is not None:
        between |= numbers_in_from(value)
    return with_children(value, partial(_read, query=query, between=between, known=known))


def aggregate(value: t.AggregateCall, place: LoweringPlace) -> exp.Expression:
    """An aggregate.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    if value.ordered_set:
        raise UnsupportedError("AggFunc", f"{value.routine.name} … WITHIN GROUP")
    if value.routine.schema != "pg_catalog":
        raise UnsupportedError("AggFunc", f"{value.routine.schema}.{value.routine.name}")
    if value.routine.name in _CHOICES and not value.order:
        return _any_of(value, place)
    if value.order and value.routine.name not in ("string_agg", "array_agg", *_CHOICES):
        # The order of rows does not show in its value.
        return aggregate(replace(value, order=()), place)
    return _aggregated(value, place, lambda found: filtered(found, value.filter, place.inside()))


def filtered(found: exp.Expression, condition: t.Expr | None, place: LoweringPlace) -> exp.Expression:
    """An aggregate with its FILTER.

    Args:
        found: the aggregate.
        condition: which rows it takes; None: all.
        place: where the condition stands.
    """
    if condition is None:
        return found
    return exp.Filter(this=found, expression=exp.Where(this=place.lowered(condition)))


def _aggregated(value: t.AggregateCall | t.Over, place: LoweringPlace, wrap: Wrap) -> exp.Expression:

    name = value.routine.name
    distinct = isinstance(value, t.AggregateCall) and value.distinct
    if value.star:
        return wrap(exp.Count(this=exp.Star()))
    arguments = [place.inside().lowered(each) for each in value.arguments]
    first = value.arguments[0].type
    if (first.name, value.type.name) == ("float4", "float8"):
        arguments[0] = widened(value.arguments[0], arguments[0])
    if distinct:
        where = f"{name.upper()}(DISTINCT …)"
        if name != "count":
            b.require_plain(first, where)
        arguments[0] = exp.Distinct(expressions=[merged(arguments[0], first, place, where)])
    if name == "count" or (name == "regr_count" and not distinct):
        return wrap(exp.Count(this=arguments[0] if name == "count" else _if_there(arguments)))
    if name in ("sum", "avg") and first.name in b.NUMBERS:
        return wrap(b.call(name.upper(), *arguments))
    if name in ("min", "max"):
        b.require_ordered(first, name.upper())
        return ranked_label(wrap(b.call(name.upper(), rank(arguments[0], first))), first)
    if name in ("bool_and", "every", "bool_or"):
        return wrap(b.call("MAX" if name == "bool_or" else "MIN", *arguments))
    if name == "string_agg" and not distinct and isinstance(value, t.AggregateCall) and not value.order:
        return wrap(b.call("GROUP_CONCAT", *arguments))
    if name in _SPREADS and first.name in b.NUMBERS and not distinct:
        return _spread(arguments[0], wrap, *_SPREADS[name])
    raise UnsupportedError("AggFunc", f"{'DISTINCT ' if distinct else ''}{value.routine}")


_CHOICES = {"any_value": ANY_VALUE, "first": ANY_CELL, "arbitrary": ANY_CELL}
"""Of LAST nobody would say that it is FIRST as well, though rows come in no order."""


def _any_of(value: t.AggregateCall, place: LoweringPlace) -> exp.Expression:
    """The value in any row of those that FILTER keeps, whether equal ones are one by DISTINCT or not."""
    name, (argument,) = _CHOICES[value.routine.name], value.arguments
    if not b.is_plain(argument.type) and not (place.state.symbols is not None and is_kept(argument.type)):
        raise UnsupportedError("AggFunc", str(value.routine))
    found = place.inside().lowered(argument)
    if value.filter is None:
        return b.call(name, found)
    if name == ANY_CELL:
        raise UnsupportedError("AggFunc", f"{value.routine.name} with FILTER")
    kept = b.case([(place.inside().lowered(value.filter), found)], exp.Null())
    return b.call(name, kept)


def _if_there(values: Sequence[exp.Expression]) -> exp.Expression:
    """1 where none of some values is NULL, else NULL."""
    there = b.all_of(exp.Not(this=exp.Is(this=each, expression=exp.Null())) for each in values)
    return b.case([(there, b.number("1"))], exp.Null())


def _spread(value: exp.Expression, wrap: Wrap, less: int, is_root: bool) -> exp.Expression:
    """The variance, or its root, from sums: exact where arithmetic is, and never below 0."""

    def count() -> exp.Expression:
        return wrap(exp.Count(this=value.copy()))

    def total() -> exp.Expression:
        return wrap(b.call("SUM", value.copy()))

    squares = wrap(b.call("SUM", exp.Mul(this=value.copy(), expression=value.copy())))
    square = exp.Div(this=exp.Mul(this=b.real(total()), expression=total()), expression=count())
    divisor = exp.Sub(this=count(), expression=b.number("1")) if less else count()
    found: exp.Expression = exp.Div(this=exp.Sub(this=squares, expression=square), expression=divisor)
    found = b.call("MAX", b.number("0.0"), found)
    found = b.call("SQRT", found) if is_root else found
    return b.case([(exp.GT(this=count(), expression=b.number(str(less))), found)], exp.Null())


def over(value: t.Over, place: LoweringPlace) -> exp.Expression:
    """A window function.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    name = value.routine.name
    if value.routine.schema != "pg_catalog":
        raise UnsupportedError("AggFunc", f"{value.routine.schema}.{name}")

    def wrap(found: exp.Expression) -> exp.Expression:
        return windowed(found, value, place)

    if name in NUMBERINGS:
        return wrap(b.call(name.upper()))
    if name in READERS:
        arguments = [place.lowered(each) for each in value.arguments]
        if any(not isinstance(each, t.TypedConstant) for each in value.arguments[1:2]) or (
            name == "ntile" and not isinstance(value.arguments[0], t.TypedConstant)
        ):
            raise UnsupportedError("Window", f"{name.upper()} with a non-constant")
        return wrap(b.call(name.upper(), *arguments))
    return _aggregated(value, place, wrap)


def windowed(found: exp.Expression, value: t.Over, place: LoweringPlace) -> exp.Expression:
    """A function with the FILTER and the window of another.

    Raises:
        UnsupportedError: the core has no such window.
    """
    return exp.Window(this=filtered(found, value.filter, place), **_window(value, place))


def _window(value: t.Over, place: LoweringPlace) -> dict[str, object]:

    found: dict[str, object] = {}
    if value.partition:
        found["partition_by"] = [
            merged(place.lowered(each), each.type, place, "PARTITION BY") for each in value.partition
        ]
    if value.order:
        found["order"] = exp.Order(expressions=ordered(value.order, place))
    if value.frame.given:
        found["spec"] = _frame(value.frame, value.order, place)
    return found


def ordered(keys: Sequence[t.SortKey], place: LoweringPlace) -> list[exp.Expression]:
    """Terms of ORDER BY, which say where NULL stands."""
    found = []
    for key in keys:
        value = in_order(place.lowered(key.value), key.value.type, place, "ORDER BY")
        found.append(term(value, key.descending, key.nulls_first))
    return found


def term(value: exp.Expression, descending: bool, nulls_first: bool) -> exp.Expression:
    """A term of ORDER BY: NULL comes first by itself where it ascends."""
    found = exp.Ordered(this=value, desc=descending)
    if nulls_first is descending:
        found.set("nulls_first", nulls_first)
    return found


def _frame(frame: t.Frame, order: Sequence[t.SortKey], place: LoweringPlace) -> exp.Expression:

    args: dict[str, object] = {"kind": frame.unit}
    for side, words, offset in (
        ("start", frame.start, frame.start_offset),
        ("end", frame.end, frame.end_offset),
    ):
        if offset is None:
            value, _, way = words.rpartition(" ") if words.startswith("UNBOUNDED") else (words, "", None)
            args |= {side: value, f"{side}_side": way}
            continue
        if frame.unit == "RANGE" and not _is_whole(offset, order):
            raise UnsupportedError("Window", "a RANGE frame over a key that is not an integer")
        args |= {side: place.lowered(offset), f"{side}_side": words}
    if frame.exclusion:
        args["exclude"] = exp.var(frame.exclusion)
    return exp.WindowSpec(**args)


def _is_whole(offset: t.Expr, order: Sequence[t.SortKey]) -> bool:
    """Whether a range is one of integers, from a constant that raises no error."""
    found = constant_of(offset)
    return (
        len(order) == 1
        and {order[0].value.type.name, offset.type.name} <= b.INTEGERS
        and found is not None
        and found.text is not None
        and not found.text.startswith("-")
    )
