"""QUALIFY, SEMI and ANTI joins, BETWEEN and sums of truth values in the words of PostgreSQL's typed tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.duckdb.lowering.mapping import mapped
from equiv.dialects.duckdb.resolving.tree import (
    AsofJoined,
    Between,
    Contained,
    HalfJoined,
    NotDistinct,
    Qualified,
    RowCompared,
    RowIn,
    Tried,
    Unpivoted,
    comparison,
    own,
)
from equiv.dialects.duckdb.resolving.types import BIGINT, BOOLEAN, VARCHAR
from equiv.dialects.typed import tree as t


_DIGITS = 18
_WHOLE = re.compile(r"(0|-?[1-9][0-9]*)\Z")
"""A whole number as DuckDB writes it."""


def desugared(query: t.Query) -> t.Query:
    """The same query without what PostgreSQL's typed tree lacks.

    Raises:
        UnsupportedError: a SEMI or ANTI join stands where its rows may be padded.
    """
    numbers = count(_highest(query) + 1)
    found = mapped(query, lambda value: _desugared(value, numbers))
    assert isinstance(found, t.Select | t.SetQuery)
    return found


def _highest(query: t.Query) -> int:
    return max(
        (each.number for each in t.parts_of(query) if isinstance(each, t.Source | t.Cte)),
        default=0,
    )


def _desugared(value: object, numbers: Iterator[int]) -> object:
    match value:
        case Between(operands=operands):
            return t.Logic(BOOLEAN, "and", operands)
        case AsofJoined():
            return _nearest(value, next(numbers))
        case Unpivoted():
            return _stacked(value)
        case RowCompared():
            return _rows(value)
        case RowIn(operands=operands):
            return t.Logic(BOOLEAN, "or", operands)
        case Contained():
            return _contained(value)
        case Tried(type=kind, routine=routine, arguments=arguments):
            return t.Call(kind, routine, arguments)
        case t.IsDistinct(left=t.Call(cast=True, arguments=(whole,)), right=t.Constant(text=str(text))) if (
            _is_text_of(whole, value.left, text)
        ):
            number = t.Constant(whole.type, text)
            return t.IsDistinct(BOOLEAN, comparison("=", whole, number), whole, number)
        case NotDistinct(operands=operands):
            return t.Logic(BOOLEAN, "not", operands)
        case t.Aggregate(arguments=(first,)) | t.Over(arguments=(first,)) if _adds_truths(value, first):
            whole = t.Call(BIGINT, own("int8", (first,)), (first,), cast=True)
            # Of no true or false value COUNT_IF too is NULL.
            routine = replace(value.routine, name="sum", arguments=("int8",))
            return replace(value, routine=routine, arguments=(whole,))
        case t.Now(word="TODAY"):
            return replace(value, word="CURRENT_DATE")
        case Qualified():
            return _without_joins(value, numbers)
    return value


def _nearest(value: AsofJoined, number: int) -> t.Joined:
    """An ASOF join as one with the least or greatest of the values that are allowed."""
    assert isinstance(value.right, t.Relation)
    (nearer,) = (each for each in value.tests if each.routine.name != "=")
    field = nearer.arguments[1]
    assert isinstance(field, t.Field)
    own = [_of(each, number) for each in value.tests]
    routine = t.Routine("max" if ">" in nearer.routine.name else "min", (field.type.name,), "i", True)
    best = t.Aggregate(field.type, routine, (replace(field, source=number),), False, False, (), None)
    inner = Qualified(
        (t.Target(best, "nearest"),), (replace(value.right, number=number),), _all(own), None, None,
        distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=True,
    )  # fmt: skip
    found = t.Nested(field.type, "scalar", inner)
    same = t.Call(BOOLEAN, comparison("=", field, found), (field, found))
    equal = [each for each in value.tests if each.routine.name == "="]
    return t.Joined(value.side, value.left, value.right, _all([*equal, same]))


def _of(test: t.Call, number: int) -> t.Call:
    """A test of the row of another number."""
    one, other = test.arguments
    assert isinstance(other, t.Field)
    return replace(test, arguments=(one, replace(other, source=number)))


def _stacked(value: Unpivoted) -> t.Derived:
    """UNPIVOT as a UNION ALL with an operand for each column."""
    if any(map(_chooses, t.parts_of(value.item))):
        raise UnsupportedError("Unpivot", "of rows that LIMIT, DISTINCT ON or a window choose")
    types = (*(value.fields[place].type for place in value.kept), VARCHAR, value.kind)
    body: t.Compound | t.Branch | None = None
    for name, place in value.chosen:
        branch = t.Branch(_column_rows(value, name, place))
        body = branch if body is None else t.Compound("UNION", True, body, branch, types)
    assert body is not None
    query = body.query if isinstance(body, t.Branch) else t.SetQuery(body, value.columns, (), None, ())
    return t.Derived(value.number, value.alias, value.columns, query)


def _chooses(part: object) -> bool:
    return isinstance(part, t.Over | t.Limit) or (isinstance(part, t.Select) and bool(part.distinct_on))


def _column_rows(value: Unpivoted, name: str, place: int) -> t.Select:
    """The rows of one column that is unpivoted."""
    shown = value.fields[place]
    values = (*(value.fields[at] for at in value.kept), t.Constant(VARCHAR, name), shown)
    return Qualified(
        tuple(t.Target(each, column) for each, column in zip(values, value.columns, strict=True)),
        (value.item,), None if value.nulls else t.IsNull(BOOLEAN, shown, True), None, None,
        distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=False,
    )  # fmt: skip


def _rows(value: RowCompared) -> t.Expr:
    """Rows compare by their first values that differ, and NULL as a value after all others."""
    if value.sign in ("=", "<>"):
        same = _all(_same(*each) for each in zip(value.routines, value.left, value.right, strict=True))
        return same if value.sign == "=" else _not(same)
    sides = (value.left, value.right) if value.sign in ("<", "<=") else (value.right, value.left)
    ties: list[t.Expr] = []
    found: list[t.Expr] = []
    for routine, one, other in zip(value.routines, *sides, strict=True):
        found.append(_all([*ties, _before(routine, one, other)]))
        ties.append(_same(routine, one, other))
    if value.sign in ("<=", ">="):
        found.append(_all(ties))
    return found[0] if len(found) == 1 else t.Logic(BOOLEAN, "or", tuple(found))


def _same(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    return _not(t.IsDistinct(BOOLEAN, routine, one, other))


def _before(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    less = t.Call(BOOLEAN, replace(routine, name="<"), (one, other))
    after = t.Logic(BOOLEAN, "or", (t.IsNull(BOOLEAN, other, False), less))
    return _all((t.IsNull(BOOLEAN, one, True), after))


def _is_text_of(whole: t.Expr, shown: t.Expr, text: str) -> bool:
    """Whether a text is that of an integer, beside the text of an integer: then the integers compare."""
    is_text = whole.type.name in ("int2", "int4", "int8") and shown.type.name == "text"
    return is_text and len(text) < _DIGITS and _WHOLE.match(text) is not None


def _all(values: Iterable[t.Expr]) -> t.Expr:
    found = tuple(values)
    return found[0] if len(found) == 1 else t.Logic(BOOLEAN, "and", found)


def _not(value: t.Expr) -> t.Expr:
    return t.Logic(BOOLEAN, "not", (value,))


def _contained(value: Contained) -> t.Expr:
    """IN of the elements but NULL, which a list contains for no value."""
    elements = tuple(each for each in value.elements if not _is_null_constant(each))
    if elements:
        array = t.Array(value.value.type, elements)
        return t.Compared(BOOLEAN, value.routine, True, value.value, array)
    null = t.IsNull(BOOLEAN, value.value, False)
    return t.Case(BOOLEAN, None, ((null, t.Constant(BOOLEAN, None)),), t.Constant(BOOLEAN, "false"))


def _is_null_constant(value: t.Expr) -> bool:
    while isinstance(value, t.Call) and value.cast:
        value = value.arguments[0]
    return isinstance(value, t.Constant) and value.text is None


def _adds_truths(value: t.Aggregate | t.Over, first: t.Expr) -> bool:
    return value.routine.name in ("sum", "count_if", "countif") and first.type.name == "bool"


def _without_joins(value: Qualified, numbers: Iterator[int]) -> t.Select:
    conditions: list[t.Expr] = []
    items = tuple(_whole(item, conditions) for item in value.items)
    if conditions:
        every = [*([] if value.where is None else [value.where]), *conditions]
        where: t.Expr | None = every[0] if len(every) == 1 else t.Logic(BOOLEAN, "and", tuple(every))
        value = replace(value, items=items, where=where)
    return value if value.qualify is None else _filtered(value, next(numbers))


def _whole(item: t.Item, conditions: list[t.Expr]) -> t.Item:
    """An item without its SEMI and ANTI joins, whose conditions go to WHERE.

    That filters the rows of the left side, which only joins that keep them unpadded may stand above.
    """
    match item:
        case HalfJoined():
            left = _whole(item.left, conditions)
            inner = Qualified(
                (t.Target(t.Constant(BIGINT, "1"), "found"),), (item.right,), item.condition, None, None,
                distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=False,
            )  # fmt: skip
            found: t.Expr = t.Nested(BOOLEAN, "exists", inner)
            conditions.append(t.Logic(BOOLEAN, "not", (found,)) if item.anti else found)
            return left
        case t.Joined(side="INNER"):
            return replace(item, left=_whole(item.left, conditions), right=_whole(item.right, conditions))
        case t.Joined(side="LEFT"):
            _require_none(item.right)
            return replace(item, left=_whole(item.left, conditions))
        case t.Joined():
            _require_none(item.left)
            _require_none(item.right)
    return item


def _require_none(item: t.Item) -> None:
    if isinstance(item, HalfJoined):
        raise UnsupportedError("Join", "a SEMI or ANTI join on the side of an outer join")
    if isinstance(item, t.Joined):
        _require_none(item.left)
        _require_none(item.right)


def _filtered(query: Qualified, number: int) -> t.Select:
    """QUALIFY as a condition on a derived table, which computes the windows."""
    assert query.qualify is not None
    if query.distinct_on:
        raise UnsupportedError("Distinct", "DISTINCT ON with QUALIFY")
    targets = [*query.targets, t.Target(query.qualify, "qualify")]
    places = []
    for key in query.order:
        values = [each.value for each in targets]
        if key.value not in values:
            targets.append(t.Target(key.value, "key"))
            values.append(key.value)
        places.append(values.index(key.value))
    names = tuple(each.name for each in targets)
    inner = replace(
        query, targets=tuple(targets), qualify=None, distinct=False, order=(), limit=None, ctes=()
    )
    fields = [t.Field(each.value.type, number, place) for place, each in enumerate(targets, 1)]
    shown = len(query.targets)
    return Qualified(
        tuple(t.Target(field, each.name) for field, each in zip(fields[:shown], query.targets, strict=True)),
        (t.Derived(number, "qualified", names, inner),),
        fields[shown],
        None,
        None,
        distinct=query.distinct,
        distinct_on=(),
        order=tuple(
            t.SortKey(fields[place], key.descending, key.nulls_first)
            for place, key in zip(places, query.order, strict=True)
        ),
        limit=query.limit,
        ctes=query.ctes,
        aggregates=False,
    )
