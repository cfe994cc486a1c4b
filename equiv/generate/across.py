"""Databases for pairs across dialects: values on which engines are known to part, whatever a query says.

What the literals of a query hint at seldom has a half to round, a letter beyond ASCII, or a text longer than
where a negative position begins.
"""

from __future__ import annotations

from collections.abc import Iterator

from equiv.cells import Cell, Row
from equiv.core.model import Column, Domain, Schema, Table
from equiv.generate.database import Database

_ROWS = 3
_VALUES: dict[Domain, tuple[Cell, ...]] = {
    Domain.INTEGER: (7, 2, 1, -7, 10, -3),
    Domain.NUMBER: (2.5, 0.75, 7, -1.5, 1.25, -0.5, 10, 3.5, 1),
    Domain.TEXT: ("Éa bcdef", "straße", "ABC def", "abc", " x\t", "a\\%b", "12", "B", "é"),
    Domain.BOOLEAN: (0, 1, 1),
    Domain.ANY: ("a", "B", "c"),
}
_DAYS = ("2012-02-29", "2011-12-31", "2010-01-01", "0999-03-01")
_TIMES = (" 10:30:00.5", " 00:00:00", " 23:59:59")


def databases_across(schema: Schema) -> Iterator[Database]:
    """A few databases, each with some rows for every table; what breaks a fact is the caller's to drop."""
    for turn in range(0, 9, _ROWS):
        yield Database.of({table.name: _rows(table, schema, turn) for table in schema.tables})


def _rows(table: Table, schema: Schema, turn: int) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    keys = {name.lower() for key in (table.primary_key, *table.unique) for name in key}
    keys |= {name.lower() for key in table.foreign_keys for name in key.columns}
    keys |= {
        name.lower()
        for other in schema.tables
        for key in other.foreign_keys
        if key.parent.lower() == table.name.lower()
        for name in key.parent_columns
    }
    columns = [column for column in table.columns if not column.generated]
    rows = (
        tuple(_cell(column, turn + place, is_key=column.name.lower() in keys) for column in columns)
        for place in range(_ROWS)
    )
    return tuple(column.name for column in columns), tuple(rows)


def _cell(column: Column, place: int, *, is_key: bool) -> Cell:
    name = column.declared_type.upper()
    if "DATE" in name or "TIMESTAMP" in name:
        day = _DAYS[place % len(_DAYS)]
        return day if name in ("DATE", "DATE TEXT") else day + _TIMES[place % len(_TIMES)]
    if is_key:
        return place % _ROWS + 1 if column.domain is not Domain.TEXT else f"k{place % _ROWS + 1}"
    found = [value for value in column.samples or _VALUES[column.domain] if column.stores(value)]
    return found[place % len(found)] if found else None
