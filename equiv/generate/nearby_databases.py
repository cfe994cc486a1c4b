"""Databases near another one: a row more or less, another value.

A tie that decides between two queries is often a step away from rows on which nothing ties and the queries
still differ: one of the tied groups gets a row more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from equiv.cells import Cell, Row
from equiv.core.model import Schema
from equiv.generate.database import Database

_STEPS = (1, 1, 2, 2, 3, 4)
_COPIES = (1, 1, 1, 2, 3)


def nudged(database: Database, schema: Schema, rng: Random) -> Database:
    """A database a few random changes away; its rows may break the facts."""
    for _ in range(rng.choice(_STEPS)):
        if not database.tables:
            break
        name = rng.choice(list(database.tables))
        columns, rows = database.tables[name]
        database = database.with_table(name, columns, _changed(rows, _keys(name, columns, schema), rng))
    return database


def _changed(rows: tuple[Row, ...], keys: frozenset[int], rng: Random) -> tuple[Row, ...]:
    """Rows with one random change: copies of a row with new keys, another value, or a row less."""
    match rng.randrange(5):
        case 0 | 1:
            return (*rows, *_copies(rows, keys, rng))
        case 2 | 3:
            return _with_other_value(rows, keys, rng)
    at = rng.randrange(len(rows))
    return (*rows[:at], *rows[at + 1 :])


def _keys(name: str, columns: Sequence[str], schema: Schema) -> frozenset[int]:
    """The places of columns that are keys by themselves."""
    table = schema.table(name)
    if table is None:
        return frozenset()
    alone = {key[0].lower() for key in (table.primary_key, *table.unique) if len(key) == 1}
    return frozenset(place for place, column in enumerate(columns) if column.lower() in alone)


def _copies(rows: tuple[Row, ...], keys: frozenset[int], rng: Random) -> Iterator[Row]:
    model = rng.choice(rows)
    fresh = {place: _fresh([row[place] for row in rows]) for place in keys}
    for _ in range(rng.choice(_COPIES)):
        yield tuple(next(fresh[n]) if n in keys else cell for n, cell in enumerate(model))


def _fresh(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Values that are not among some cells, of their kind."""
    texts = any(isinstance(cell, str) for cell in cells)
    number = max((int(cell) for cell in cells if isinstance(cell, int | float)), default=0)
    while True:
        number += 1
        value = f"n{number}" if texts else number
        if value not in cells:
            yield value


def _with_other_value(rows: tuple[Row, ...], keys: frozenset[int], rng: Random) -> tuple[Row, ...]:
    places = [place for place in range(len(rows[0])) if place not in keys]
    if not places:
        return rows
    at, place = rng.randrange(len(rows)), rng.choice(places)
    other = rng.choice(rows)[place]
    if isinstance(other, int | float) and rng.random() < 0.5:
        other += rng.choice((-1, 1, 2, 5))
    changed = (*rows[at][:place], other, *rows[at][place + 1 :])
    return (*rows[:at], changed, *rows[at + 1 :])
