"""GROUPING SETS, ROLLUP and CUBE as a UNION ALL of one grouping for each set of keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import column, derived, named, select
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.expressions import lowered
from equiv.dialects.typed.lowering.names import unique
from equiv.dialects.typed.tree import (
    Aggregate,
    Expr,
    Field,
    Grouped,
    Grouping,
    Limit,
    Nested,
    Select,
    SetQuery,
    parts_of,
)

_MOST = 32
"""More sets than these are not written out."""


def over_sets(query: Select, place: Place) -> exp.Expression:
    """A SELECT over grouping sets: its outer part reads the groups of all sets from a derived table.

    Raises:
        UnsupportedError: too many sets, or what cannot be written twice.
    """
    from equiv.dialects.typed.lowering.queries import finish, give_affinity

    group = query.group
    assert group is not None
    assert group.sets is not None
    if len(group.sets) > _MOST:
        raise UnsupportedError("Group", f"more than {_MOST} grouping sets")
    if any(isinstance(each, Limit) for item in query.items for each in parts_of(item)):
        raise UnsupportedError("Group", "grouping sets over rows that LIMIT cuts")
    outer = [target.value for target in query.targets] + [key.value for key in query.order]
    wanted = list(dict.fromkeys(found for each in outer for found in _of_groups(each)))
    names = unique(["g"] * len(wanted)) or ["g"]
    union: exp.Expression | None = None
    for chosen in group.sets:
        branch = _grouped(query, chosen, place, wanted=wanted, names=names)
        union = branch if union is None else exp.Union(this=union, expression=branch, distinct=False)
    assert union is not None
    give_affinity([union], [each.type for each in wanted])
    alias = place.state.names.fresh("sets")
    known = {value: column(alias, name) for value, name in zip(wanted, names, strict=False)}
    around = replace(place, known={**place.known, **known})
    shown = unique(target.name for target in query.targets)
    values = [lowered(target.value, around) for target in query.targets]
    found = select([named(value, name) for value, name in zip(values, shown, strict=True)])
    found.set("from_", exp.From(this=derived(union, alias)))
    finish(found, query, around)
    return found


def _grouped(
    query: Select,
    chosen: tuple[int, ...],
    place: Place,
    *,
    wanted: list[Expr],
    names: list[str],
) -> exp.Expression:
    """The groups of one set of keys; without keys one group, of no rows too."""
    from equiv.dialects.typed.lowering.queries import block, group_terms

    group = query.group
    assert group is not None
    missing = frozenset(key for at, key in enumerate(group.keys) if at not in chosen)
    within = replace(place, missing=missing)
    bare = replace(query, group=None, having=None)
    found = block(bare, place)
    values = [lowered(each, within) for each in wanted] or [exp.Null()]
    shown = [named(value, name) for value, name in zip(values, names, strict=True)]
    if chosen:
        found.set(
            "group", exp.Group(expressions=group_terms(query, [group.keys[at] for at in chosen], place))
        )
    else:
        shown.append(named(exp.Count(this=exp.Star()), "whole"))
    if chosen and any(not each for each in group.sets or ()):
        shown.append(named(exp.Count(this=exp.Star()), "whole"))
    found.set("expressions", shown)
    if query.having is not None:
        found.set("having", exp.Having(this=lowered(query.having, within)))
    return found


def _of_groups(value: Expr) -> Iterator[Expr]:
    """The parts of an expression that a group gives: keys, aggregates, GROUPING."""
    if isinstance(value, Grouped | Aggregate | Grouping):
        yield value
        return
    if isinstance(value, Nested):
        raise UnsupportedError("Group", "a subquery over grouping sets")
    if isinstance(value, Field):
        raise UnsupportedError("Group", "a column that is no key of a grouping set")
    for each in _children(value):
        yield from _of_groups(each)


def _children(value: object) -> Iterator[Expr]:
    for name in (each.name for each in fields(value)) if is_dataclass(value) else ():
        yield from _expressions(getattr(value, name))


def _expressions(found: object) -> Iterator[Expr]:
    if isinstance(found, Expr):
        yield found
    elif isinstance(found, tuple):
        for each in found:
            yield from _expressions(each)
    elif is_dataclass(found) and not isinstance(found, Select | SetQuery):
        yield from _children(found)
