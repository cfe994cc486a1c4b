"""ASOF joins of which each row has one nearest partner, since a key of the right side says so."""

from __future__ import annotations

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.scope import Scope
from equiv.dialects.duckdb.resolving.tree import AsofJoined
from equiv.dialects.typed import tree as t

_NEARER = frozenset(("<", "<=", ">", ">="))


def asof(
    side: str, left: t.FromItem, right: t.FromItem, condition: t.Expr | None, scope: Scope
) -> AsofJoined:
    """The join, its comparisons turned so that the right side's column stands on the right.

    Raises:
        UnsupportedError: of several rows that are equally near the join takes any.
    """
    table = scope.session.schema.table(right.name) if isinstance(right, t.TableUse) else None
    if side not in ("INNER", "LEFT") or table is None or not isinstance(right, t.TableUse):
        raise UnsupportedError("Join", "ASOF with a right side that is no table, or RIGHT or FULL")
    parts = condition.operands if isinstance(condition, t.Logic) else (condition,)
    tests = [_turned(each, right.number) for each in parts]
    signs = [each.routine.name for each in tests]
    if sum(sign in _NEARER for sign in signs) != 1 or signs.count("=") != len(signs) - 1:
        raise UnsupportedError("Join", "ASOF by other than equalities and one inequality")
    compared = {table.columns[_field(each).position - 1].name.lower() for each in tests}
    keys = (table.primary_key, *table.unique)
    if not any(key and {name.lower() for name in key} <= compared for key in keys):
        raise UnsupportedError("Join", "ASOF where several rows may be equally near")
    return AsofJoined("INNER" if side == "INNER" else "LEFT", left, right, condition, tests=tuple(tests))


def _field(test: t.RoutineCall) -> t.SourceColumn:
    field = test.arguments[1]
    assert isinstance(field, t.SourceColumn)
    return field


_OPPOSITE = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _turned(test: t.Expr | None, right: int) -> t.RoutineCall:
    """A comparison of a value of the left side with a column of the right side."""
    if isinstance(test, t.RoutineCall) and test.routine.name in _OPPOSITE and len(test.arguments) == 2:
        routine, (one, other) = test.routine, test.arguments
        if isinstance(one, t.SourceColumn) and one.source == right:
            name, arguments = _OPPOSITE[routine.name], routine.arguments[::-1]
            routine = t.Routine(name, arguments, "i", True, operator=True)
            one, other = other, one
        mentions = any(isinstance(each, t.SourceColumn) and each.source == right for each in t.parts_of(one))
        if isinstance(other, t.SourceColumn) and other.source == right and not mentions:
            return t.RoutineCall(test.type, routine, (one, other))
    raise UnsupportedError("Join", "ASOF by what is no comparison with a column of the right side")
