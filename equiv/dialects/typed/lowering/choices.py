"""DISTINCT ON and FETCH … WITH TIES, by numbers that window functions give to rows."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.aggregates import ordered, term
from equiv.dialects.typed.lowering.build import call, column, derived, named, number, select
from equiv.dialects.typed.lowering.calls import constant_of
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.enumerations import rank
from equiv.dialects.typed.lowering.expressions import lowered
from equiv.dialects.typed.lowering.names import unique
from equiv.dialects.typed.lowering.types import require_plain
from equiv.dialects.typed.tree import Constant, Expr, Select


def first_of_each(query: Select, place: Place) -> exp.Expression:
    """DISTINCT ON: of the rows that agree on its keys the one that ORDER BY puts first."""
    for key in query.distinct_on:
        require_plain(key.type, "DISTINCT ON")
    keys = [each for each in query.distinct_on if not isinstance(each, Constant)]
    return _numbered(query, place, function="ROW_NUMBER", partition=keys, wanted=number("1"), test=exp.EQ)


def with_ties(query: Select, place: Place) -> exp.Expression:
    """FETCH FIRST n ROWS WITH TIES: the rows before which fewer than n stand."""
    limit = query.limit
    assert limit is not None
    count = constant_of(limit.count) if limit.count is not None else None
    if limit.offset is not None or count is None or count.text is None:
        raise UnsupportedError("Fetch", "WITH TIES with OFFSET, or of what is no constant")
    if query.distinct or query.distinct_on:
        raise UnsupportedError("Fetch", "WITH TIES of DISTINCT rows")
    plain = replace(query, limit=None)
    return _numbered(plain, place, function="RANK", partition=[], wanted=number(count.text), test=exp.LTE)


def _numbered(
    query: Select,
    place: Place,
    *,
    function: str,
    partition: list[Expr],
    wanted: exp.Expression,
    test: type[exp.Expression],
) -> exp.Expression:
    from equiv.dialects.typed.lowering.queries import block, cut

    if query.group is not None and query.group.sets is not None:
        raise UnsupportedError("Group", "grouping sets under DISTINCT ON or WITH TIES")
    inner = block(query, place)
    names = unique([target.name for target in query.targets])
    values = [
        named(lowered(target.value, place), name) for target, name in zip(query.targets, names, strict=True)
    ]
    keys = [key for key in query.order if not isinstance(key.value, Constant)]
    sorts = unique([*names, *["key"] * len(keys), "number"])[len(names) :]
    values += [
        named(rank(lowered(key.value, place), key.value.type), name)
        for key, name in zip(keys, sorts, strict=False)
    ]
    window: dict[str, object] = {}
    if partition:
        window["partition_by"] = [lowered(each, place) for each in partition]
    if keys:
        window["order"] = exp.Order(expressions=ordered(keys, place))
    values.append(named(exp.Window(this=call(function), **window), sorts[-1]))
    inner.set("expressions", values)
    alias = place.state.names.fresh("numbered")
    found = select([named(column(alias, name), name) for name in names])
    found.set("from_", exp.From(this=derived(inner, alias)))
    found.set("where", exp.Where(this=test(this=column(alias, sorts[-1]), expression=wanted)))
    if keys:
        terms = [
            term(column(alias, name), key.descending, key.nulls_first)
            for key, name in zip(keys, sorts, strict=False)
        ]
        found.set("order", exp.Order(expressions=terms))
    cut(found, query.limit)
    return found
