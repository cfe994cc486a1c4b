"""Generated databases as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from equiv.cells import Cell, Row

TableRows = tuple[tuple[str, ...], tuple[Row, ...]]
"""The columns that are inserted into a table, and the rows; other columns get their default, usually NULL."""


@dataclass(frozen=True)
class Database:
    """Rows for some tables of a schema; tables that are not named are empty."""

    tables: Mapping[str, TableRows]

    @classmethod
    def of(cls, tables: Mapping[str, tuple[Iterable[str], Iterable[Iterable[Cell]]]]) -> Database:
        """A database of any columns and rows, JSON lists included; tables without rows are left out."""
        frozen: dict[str, TableRows] = {}
        for name, (columns, rows) in tables.items():
            kept = tuple(tuple(row) for row in rows)
            if kept:
                frozen[name] = (tuple(columns), kept)
        return cls(frozen)

    @property
    def size(self) -> int:
        """The number of rows in all tables."""
        return sum(len(rows) for _, rows in self.tables.values())

    def to_json(self) -> dict[str, list[object]]:
        """``{table: [columns, rows]}`` as lists, which :meth:`of` reads back."""
        return {name: [list(columns), list(map(list, rows))] for name, (columns, rows) in self.tables.items()}

    def with_table(self, name: str, columns: tuple[str, ...], rows: tuple[Row, ...]) -> Database:
        """A copy of the database with one table replaced."""
        return Database.of({**self.tables, name: (columns, rows)})
