"""UNPIVOT in the words of PostgreSQL's typed tree."""

from __future__ import annotations

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.tree import Qualified, Unpivoted
from equiv.dialects.duckdb.resolving.types import BOOLEAN, VARCHAR
from equiv.dialects.typed import tree as t


def stacked(value: Unpivoted) -> t.DerivedTable:
    """UNPIVOT as a UNION ALL with an operand for each column.

    Raises:
        UnsupportedError: the rows would be chosen anew for each.
    """
    if any(map(_chooses, t.parts_of(value.item))):
        raise UnsupportedError("Unpivot", "of rows that LIMIT, DISTINCT ON or a window choose")
    types = (*(value.fields[place].type for place in value.kept), VARCHAR, value.kind)
    body: t.Compound | t.SetOperand | None = None
    for name, place in value.chosen:
        branch = t.SetOperand(_column_rows(value, name, place))
        body = branch if body is None else t.Compound("UNION", True, body, branch, types)
    assert body is not None
    query = body.query if isinstance(body, t.SetOperand) else t.SetQuery(body, value.columns, (), None, ())
    return t.DerivedTable(value.number, value.alias, value.columns, query)


def _chooses(part: object) -> bool:
    return isinstance(part, t.Over | t.Limit) or (isinstance(part, t.Select) and bool(part.distinct_on))


def _column_rows(value: Unpivoted, name: str, place: int) -> t.Select:
    """The rows of one column that is unpivoted."""
    shown = value.fields[place]
    values = (*(value.fields[at] for at in value.kept), t.TypedConstant(VARCHAR, name), shown)
    return Qualified(
        tuple(t.ResultColumn(each, column) for each, column in zip(values, value.columns, strict=True)),
        (value.item,), None if value.nulls else t.NullTest(BOOLEAN, shown, True), None, None,
        distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=False,
    )  # fmt: skip
