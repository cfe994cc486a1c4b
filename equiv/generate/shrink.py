"""Shrinks a database that tells two queries apart to few rows with plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from equiv.cells import Cell, Row
from equiv.generate.database import Database

_UNIFIED_VALUES = 3
_TEXTS = ("a", "b", "c", "d")
"""The plainest texts, plainest first."""
_RESERVED = 5
"""One in so many questions is kept for the rows that are left in the end."""

_Item = tuple[str, Row]


@dataclass
class _Test:
    """The caller's test, asked at most ``budget`` times."""

    still_differs: Callable[[Database], bool]
    budget: int

    def __call__(self, database: Database) -> bool:
        if self.budget <= 0:
            return False
        self.budget -= 1
        return self.still_differs(database)


def shrink(database: Database, still_differs: Callable[[Database], bool], budget: int = 400) -> Database:
    """A database with fewer rows and plainer values on which ``still_differs`` holds.

    Args:
        still_differs: must also refuse databases that break a fact; it alone decides what is kept.
        budget: how often ``still_differs`` is asked at most; a part is kept for a last look at each row.
    """
    reserve = budget // _RESERVED
    test = _Test(still_differs, budget - reserve)
    database = _unify_columns(_drop_rows(database, test), test)
    database = _drop_null_columns(database, test)
    database = _simplify_values(database, test)
    # Whatever values took: a row that can go is a row that a reader has to read.
    test.budget += reserve
    return _drop_rows(database, test)


def _drop_rows(database: Database, test: _Test) -> Database:
    """Delta debugging: drop ever smaller runs of rows until no single row can go; children go first."""
    items = [(table, row) for table in reversed(list(database.tables)) for row in database.tables[table][1]]
    width = max(len(items) // 2, 1)
    while items:
        shorter = _drop_runs(database, items, width, test)
        if len(shorter) == len(items) and width == 1:
            break
        width = width if len(shorter) < len(items) else width // 2
        width = max(min(width, len(shorter) // 2), 1)
        items = shorter
    return _restore(database, items)


def _drop_runs(database: Database, items: list[_Item], width: int, test: _Test) -> list[_Item]:
    at = 0
    while at < len(items):
        rest = items[:at] + items[at + width :]
        if test(_restore(database, rest)):
            items = rest
        else:
            at += width
    return items


def _restore(database: Database, items: list[_Item]) -> Database:
    """The database with those rows alone, its tables in their order."""
    return Database.of(
        {
            table: (columns, [row for name, row in items if name == table])
            for table, (columns, _) in database.tables.items()
        }
    )


def _unify_columns(database: Database, test: _Test) -> Database:
    """Give a column one value throughout where that lets rows go: chains of references become short."""
    for table, (columns, _) in database.tables.items():
        for at in range(len(columns)):
            rows = database.tables.get(table, ((), ()))[1]
            for value in list(dict.fromkeys(row[at] for row in rows))[:_UNIFIED_VALUES]:
                if len(rows) < 2:
                    break
                same = tuple((*row[:at], value, *row[at + 1 :]) for row in rows)
                candidate = database.with_table(table, columns, same)
                if same != rows and test(candidate):
                    smaller = _drop_rows(candidate, test)
                    if smaller.size < database.size:
                        database = smaller
                        break
    return database


def _drop_null_columns(database: Database, test: _Test) -> Database:
    for table, (columns, rows) in list(database.tables.items()):
        empty = {at for at in range(len(columns)) if all(row[at] is None for row in rows)}
        if not empty or len(empty) == len(columns):
            continue
        kept = [at for at in range(len(columns)) if at not in empty]
        narrower = database.with_table(
            table, tuple(columns[at] for at in kept), tuple(tuple(row[at] for at in kept) for row in rows)
        )
        if test(narrower):
            database = narrower
    return database


def _simplify_values(database: Database, test: _Test) -> Database:
    """Replace each value, wherever it stands, by the plainest one that is not yet in use."""
    for value in sorted(_values(database), key=repr):
        present = _values(database)
        for plain in _plainer(value):
            if plain in present:
                continue
            candidate = _replace(database, value, plain)
            if test(candidate):
                database = candidate
                break
    return database


def _values(database: Database) -> set[Cell]:
    return {
        cell
        for _, rows in database.tables.values()
        for row in rows
        for cell in row
        if cell is not None and not isinstance(cell, bytes)
    }


def _plainer(value: Cell) -> Iterator[Cell]:
    match value:
        case str():
            yield from _TEXTS[: _TEXTS.index(value)] if value in _TEXTS else _TEXTS
        case int():
            yield from range(min(abs(value), 5))
        case float():
            yield from (0, 1, 2, 3, 0.5)


def _replace(database: Database, value: Cell, plain: Cell) -> Database:
    def swap(cell: Cell) -> Cell:
        return plain if type(cell) is type(value) and cell == value else cell

    return Database.of(
        {
            table: (columns, [tuple(map(swap, row)) for row in rows])
            for table, (columns, rows) in database.tables.items()
        }
    )
