"""Lists that a grouped table gathers, and of which no more is read than how many elements they have.

``(SELECT k, array_agg(x) AS l FROM s GROUP BY k) AS u`` holds in ``u.l`` an element for each row of a group.
How many there are is ``COUNT(*)``, and the elements are the rows of ``s`` with the keys of ``u``, where there
is a row of ``u``; so optimisers write a subquery that looks outside by more than an equality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.unknown import is_identical
from equiv.dialects.typed.walks import found_in, fresh_numbers, mapped, parts_of

_BOOL, _COUNT = t.Type("bool"), t.Type("int8")
_GATHERING = frozenset(("array_agg", "list"))
LENGTHS = frozenset("array_length cardinality char_length character_length len length".split())  # noqa: SIM905
"""Functions that tell how long a list or a text is."""
_COUNTING = t.Routine("count", (), "i", strict=False)

ListColumn = tuple[int, int]
"""A column of a source: the number of the source, and the position."""


@dataclass(frozen=True)
class _Gathered:
    """A column that lists a value of the rows of each group, in no order that anybody reads."""

    query: t.Select
    value: t.Expr
    keys: tuple[tuple[int, t.Expr], ...]
    """The position of each key among the columns, and the key of a row."""

    def rows(self, whole: t.SourceColumn, numbers: Iterator[int]) -> t.Select:
        """The values of the rows of the group in a row of the table, none where an outer join has no row."""
        there = t.NullTest(_BOOL, t.SourceColumn(_COUNT, whole.source, whole.position), negated=True)
        same = [
            _is_same(key, t.SourceColumn(key.type, whole.source, position)) for position, key in self.keys
        ]
        inner = replace(
            self.query,
            targets=(t.ResultColumn(self.value, "element"),),
            where=t.all_of((self.query.where, *same, there)),
            group=None,
            having=None,
            order=(),
            aggregates=False,
        )
        return _renumbered(inner, numbers)


def _is_same(one: t.Expr, other: t.Expr) -> t.Expr:
    name = "anyenum" if one.type.sort == "e" else one.type.name
    equal = t.Routine("=", (name, name), "i", strict=True, operator=True, alike=("=", "<>", "<>"))
    return t.Logic(_BOOL, "not", (t.IsDistinct(_BOOL, equal, one, other),))


def _renumbered(query: t.Select, numbers: Iterator[int]) -> t.Select:
    """A copy of a query whose sources are others."""
    own = [part.number for part in parts_of(query) if isinstance(part, t.FromSource | t.Joined)]
    new = {number: next(numbers) for number in own if number}

    def change(part: Any) -> Any:
        match part:
            case t.FromSource(number=number) | t.Joined(number=number) if number in new:
                return replace(part, number=new[number])
            case t.SourceColumn(source=source) if source in new:
                return replace(part, source=new[source])
        return part

    return mapped(query, change)


def _of_table(query: t.TypedQuery) -> Iterator[tuple[int, _Gathered]]:
    """The columns of a table that gather lists, by position."""
    if not isinstance(query, t.Select) or query.group is None or query.group.sets is not None:
        return
    is_cut = query.distinct or query.distinct_on or query.limit
    if not query.group.keys or is_cut or query.ctes or not _may_be_copied(query):
        return
    shown = [each.value for each in query.targets]
    bare = [each.value if isinstance(each, t.Grouped) else each for each in shown]
    if not all(key in bare and b.is_plain(key.type) and is_identical(key.type) for key in query.group.keys):
        return
    keys = tuple((bare.index(key) + 1, key) for key in query.group.keys)
    for position, value in enumerate(shown, 1):
        if isinstance(value, t.AggregateCall) and value.routine.name in _GATHERING:
            plain = not (value.filter or value.distinct or value.order) and len(value.arguments) == 1
            if plain and b.is_plain(value.arguments[0].type):
                yield position, _Gathered(query, value.arguments[0], keys)


def _may_be_copied(query: t.Select) -> bool:
    """Whether the rows that are grouped are those of tables, the same wherever they are asked for."""
    return not any(
        isinstance(part, t.Select | t.SetQuery | t.Called | t.Over)
        or (isinstance(part, t.RoutineCall) and part.routine.volatility == "v")
        for part in parts_of((query.items, query.where))
    )


def gathered_columns(query: t.TypedQuery) -> Mapping[ListColumn, _Gathered]:
    """The columns in a query that are lists of its grouped tables."""
    tables = {each.number: each.query for each in found_in(query, t.CommonTable) if not each.recursive}
    found: dict[ListColumn, _Gathered] = {}
    for each in found_in(query, t.FromSource):
        within = each.query if isinstance(each, t.DerivedTable) and not each.lateral else None
        within = tables.get(each.cte) if isinstance(each, t.CommonTableUse) else within
        if within is not None:
            found |= {(each.number, position): one for position, one in _of_table(within)}
    return found


def without_counted_lists(query: t.TypedQuery) -> t.TypedQuery:
    """The query with numbers in place of lists, wherever nobody reads more of them."""
    if not any(each.routine.name in _GATHERING for each in found_in(query, t.AggregateCall)):
        return query
    query = mapped(query, _counted_rows)
    known = gathered_columns(query)
    read = {each.source for each in found_in(query, t.SourceColumn)}
    used, counted = Counter[ListColumn](), Counter[ListColumn]()
    for part in parts_of(query):
        if isinstance(part, t.SourceColumn):
            used[part.source, part.position] += 1
        if isinstance(part, t.Joined) and part.number not in read:
            # What each column of a join stands for is read by the number of the join.
            used.subtract((each.source, each.position) for each in found_in(part.merged, t.SourceColumn))
        if (column := _list_counted(part)) is not None:
            counted[column.source, column.position] += 1
    tables = {each.number: each.cte for each in found_in(query, t.CommonTableUse)}
    # A table that is read by name twice is a number for both or for none.
    kept = {
        (tables.get(number, -number), at) for (number, at) in used if used[number, at] > counted[number, at]
    }
    asked = {
        place: one for place, one in known.items() if (tables.get(place[0], -place[0]), place[1]) not in kept
    }
    if not asked:
        return query
    made = {(tables.get(number, number), at) for number, at in asked}
    return _Counting(asked, made, fresh_numbers(query)).of(query)


def _list_counted(part: object) -> t.SourceColumn | None:
    """The column of lists of which a part of a query reads how many elements there are, or are of a kind."""
    match part:
        case t.NullTest(value=t.SourceColumn() as column):
            return column
        case t.RoutineCall(routine=t.Routine(name=name), arguments=(t.SourceColumn() as column, *rest)) if (
            name in LENGTHS and all(isinstance(each, t.TypedConstant) and each.text == "1" for each in rest)
        ):
            return column
        case t.NestedQuery(form=form, query=t.Select(items=(t.Called() as source,)) as query) if (
            form != "array" and _counts(query, is_value=form == "scalar")
        ):
            call = source.call
            given = call.arguments if call is not None and call.routine.name == "unnest" else ()
            return given[0] if len(given) == 1 and isinstance(given[0], t.SourceColumn) else None
    return None


def _counts(query: t.Select, *, is_value: bool) -> bool:
    """Whether the order of its rows does not show in a query: a choice is made anew wherever it is read."""
    if query.limit or query.distinct_on or query.ctes or query.group or query.having:
        return False
    if any(found_in(query.targets, t.Over)):
        return False
    shown = [each.value for each in query.targets]
    return not is_value or all(isinstance(each, t.AggregateCall) and each.star for each in shown)


def _counted_rows(part: Any) -> Any:
    """``array_length(ARRAY(SELECT …), 1)`` as a number of rows, which is NULL for 0."""
    match part:
        case t.RoutineCall(
            routine=t.Routine(name=("array_length" | "cardinality") as name, schema="pg_catalog"),
            arguments=(t.NestedQuery(form="array", query=t.Select(distinct_on=()) as query), *rest),
        ) if b.is_plain(query.targets[0].value.type) and [getattr(each, "text", "") for each in rest] in (
            [],
            ["1"],
        ):
            if query.group or query.distinct or query.limit or query.aggregates or query.having:
                return part
            shown = t.ResultColumn(t.AggregateCall(_COUNT, _COUNTING, (), True, False, (), None), "count")
            found = t.NestedQuery(
                part.type, "scalar", replace(query, targets=(shown,), order=(), aggregates=True)
            )
            none = t.TypedConstant(part.type, "0")
            equal = t.Routine("=", (part.type.name,) * 2, "i", strict=True, operator=True)
            return found if name == "cardinality" else t.NullIf(part.type, equal, found, none)
    return part


@dataclass(frozen=True)
class _Counting:
    """Puts numbers in place of lists."""

    lists: Mapping[ListColumn, _Gathered]
    made: set[ListColumn]
    """By the number of the derived table, or of the common table."""
    numbers: Iterator[int]

    def of(self, query: t.TypedQuery) -> t.TypedQuery:
        """The query with numbers."""
        return mapped(query, self._changed)

    def _changed(self, part: Any) -> Any:
        if isinstance(part, t.DerivedTable | t.CommonTable):
            return replace(part, query=self._counted(part.number, part.query))
        if isinstance(part, t.SourceColumn) and (part.source, part.position) in self.lists:
            return replace(part, type=_COUNT)
        column = _list_counted(part)
        known = None if column is None else self.lists.get((column.source, column.position))
        if column is None or known is None:
            return part
        if isinstance(part, t.NestedQuery):
            assert isinstance(part.query, t.Select)
            (source,) = part.query.items
            assert isinstance(source, t.Called)
            rows = known.rows(column, self.numbers)
            item = t.DerivedTable(source.number, source.alias, source.columns, rows, lateral=True)
            return replace(part, query=replace(part.query, items=(item,)))
        number = t.SourceColumn(_COUNT, column.source, column.position)
        return (
            replace(part, value=number) if isinstance(part, t.NullTest) else replace(number, type=part.type)
        )

    def _counted(self, number: int, query: t.TypedQuery) -> t.TypedQuery:
        places = {position for table, position in self.made if table == number}
        if not places or not isinstance(query, t.Select):
            return query
        counting = t.AggregateCall(_COUNT, _COUNTING, (), True, False, (), None)
        targets = (
            replace(each, value=counting) if position in places else each
            for position, each in enumerate(query.targets, 1)
        )
        return replace(query, targets=tuple(targets))
