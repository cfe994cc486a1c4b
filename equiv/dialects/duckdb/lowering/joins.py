"""ASOF, SEMI and ANTI joins in the words of PostgreSQL's typed tree."""

from __future__ import annotations

from dataclasses import replace

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.lowering.row_values import all_of
from equiv.dialects.duckdb.resolving.tree import AsofJoined, HalfJoined, Qualified, comparison
from equiv.dialects.duckdb.resolving.types import BIGINT, BOOLEAN
from equiv.dialects.typed import tree as t


def nearest(value: AsofJoined, number: int) -> t.Joined:
    """An ASOF join as one with the least or greatest of the values that are allowed."""
    assert isinstance(value.right, t.TableUse)
    (nearer,) = (each for each in value.tests if each.routine.name != "=")
    field = nearer.arguments[1]
    assert isinstance(field, t.SourceColumn)
    own = [_of(each, number) for each in value.tests]
    routine = t.Routine("max" if ">" in nearer.routine.name else "min", (field.type.name,), "i", True)
    best = t.AggregateCall(field.type, routine, (replace(field, source=number),), False, False, (), None)
    inner = Qualified(
        (t.ResultColumn(best, "nearest"),), (replace(value.right, number=number),), all_of(own), None, None,
        distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=True,
    )  # fmt: skip
    found = t.NestedQuery(field.type, "scalar", inner)
    same = t.RoutineCall(BOOLEAN, comparison("=", field, found), (field, found))
    equal = [each for each in value.tests if each.routine.name == "="]
    return t.Joined(value.side, value.left, value.right, all_of([*equal, same]))


def _of(test: t.RoutineCall, number: int) -> t.RoutineCall:
    """A test of the row of another number."""
    one, other = test.arguments
    assert isinstance(other, t.SourceColumn)
    return replace(test, arguments=(one, replace(other, source=number)))


def without_half_joins(value: Qualified) -> Qualified:
    """A SELECT with EXISTS for its SEMI and ANTI joins.

    Raises:
        UnsupportedError: one stands where its rows may be padded.
    """
    conditions: list[t.Expr] = []
    items = tuple(_whole(item, conditions) for item in value.items)
    if conditions:
        every = [*([] if value.where is None else [value.where]), *conditions]
        where: t.Expr | None = every[0] if len(every) == 1 else t.Logic(BOOLEAN, "and", tuple(every))
        value = replace(value, items=items, where=where)
    return value


def _whole(item: t.FromItem, conditions: list[t.Expr]) -> t.FromItem:
    """An item without its SEMI and ANTI joins, whose conditions go to WHERE.

    That filters the rows of the left side, which only joins that keep them unpadded may stand above.
    """
    match item:
        case HalfJoined():
            left = _whole(item.left, conditions)
            inner = Qualified(
                (t.ResultColumn(t.TypedConstant(BIGINT, "1"), "found"),), (item.right,), item.condition,
                None, None,
                distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=False,
            )  # fmt: skip
            found: t.Expr = t.NestedQuery(BOOLEAN, "exists", inner)
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


def _require_none(item: t.FromItem) -> None:
    if isinstance(item, HalfJoined):
        raise UnsupportedError("Join", "a SEMI or ANTI join on the side of an outer join")
    if isinstance(item, t.Joined):
        _require_none(item.left)
        _require_none(item.right)
