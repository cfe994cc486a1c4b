"""Row values and lists of constants in the words of PostgreSQL's typed tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from equiv.dialects.duckdb.resolving.tree import Contained, RowCompared
from equiv.dialects.duckdb.resolving.types import BOOLEAN
from equiv.dialects.typed import tree as t


def compared_rows(value: RowCompared) -> t.Expr:
    """Rows compare by their first values that differ, and NULL as a value after all others."""
    if value.sign in ("=", "<>"):
        same = all_of(_same(*each) for each in zip(value.routines, value.left, value.right, strict=True))
        return same if value.sign == "=" else _not(same)
    sides = (value.left, value.right) if value.sign in ("<", "<=") else (value.right, value.left)
    ties: list[t.Expr] = []
    found: list[t.Expr] = []
    for routine, one, other in zip(value.routines, *sides, strict=True):
        found.append(all_of([*ties, _before(routine, one, other)]))
        ties.append(_same(routine, one, other))
    if value.sign in ("<=", ">="):
        found.append(all_of(ties))
    return found[0] if len(found) == 1 else t.Logic(BOOLEAN, "or", tuple(found))


def _same(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    return _not(t.IsDistinct(BOOLEAN, routine, one, other))


def _before(routine: t.Routine, one: t.Expr, other: t.Expr) -> t.Expr:
    less = t.RoutineCall(BOOLEAN, replace(routine, name="<"), (one, other))
    after = t.Logic(BOOLEAN, "or", (t.NullTest(BOOLEAN, other, False), less))
    return all_of((t.NullTest(BOOLEAN, one, True), after))


def all_of(values: Iterable[t.Expr]) -> t.Expr:
    """Conditions joined by AND."""
    found = tuple(values)
    return found[0] if len(found) == 1 else t.Logic(BOOLEAN, "and", found)


def _not(value: t.Expr) -> t.Expr:
    return t.Logic(BOOLEAN, "not", (value,))


def contained(value: Contained) -> t.Expr:
    """IN of the elements but NULL, which a list contains for no value."""
    elements = tuple(each for each in value.elements if not _is_null_constant(each))
    if elements:
        array = t.Array(value.value.type, elements)
        return t.Compared(BOOLEAN, value.routine, True, value.value, array)
    null = t.NullTest(BOOLEAN, value.value, False)
    return t.CaseWhen(
        BOOLEAN, None, ((null, t.TypedConstant(BOOLEAN, None)),), t.TypedConstant(BOOLEAN, "false")
    )


def _is_null_constant(value: t.Expr) -> bool:
    while isinstance(value, t.RoutineCall) and value.cast:
        value = value.arguments[0]
    return isinstance(value, t.TypedConstant) and value.text is None
