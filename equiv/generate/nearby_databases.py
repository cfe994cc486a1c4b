"""Databases near another one: a row more or less, another value, no circles, many numbers that round.

A tie that decides between two queries is often a step away from rows on which nothing ties and the queries
still differ: one of the tied groups gets a row more.

For pairs across dialects, values on which engines are known to part, whatever a query says: what the
literals of a query hint at seldom has a half to round, a letter beyond ASCII, or a text longer than where
a negative position begins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from equiv.cells import Cell, Row
from equiv.core.model import Affinity, Column, Domain, Schema, Table
from equiv.core.reading.queries import PairReading
from equiv.generate.database import Database
from equiv.names import fold, folded

_STEPS = (1, 1, 2, 2, 3, 4)
_COPIES = (1, 1, 1, 2, 3)
_ROWS_OF_NUMBERS = (2, 3, 8, 24)
_DIVISORS = (3, 6, 7, 9, 10, 16, 30, 40, 49, 64, 80, 100, 160, 200, 320, 400, 800, 1000)
_ROWS_OF_GROUPS = 36
_SIZES = (2, 3, 3, 6)
_DECIMALS = 4
_KEPT, _FEW, _FEW_IN_GROUPS, _GROUPED = 0.25, 0.3, 0.7, 0.5


def nudged(database: Database, schema: Schema, rng: Random) -> Database:
    """A database a few random changes away; its rows may break the facts."""
    for _ in range(rng.choice(_STEPS)):
        if not database.tables:
            break
        name = rng.choice(list(database.tables))
        columns, rows = database.tables[name]
        database = database.with_table(name, columns, _changed(rows, _keys(name, columns, schema), rng))
    return database


def without_circles(
    database: Database,
    links: Mapping[str, tuple[str, str]],
    nullable: Collection[tuple[str, str]],
    *,
    chained: bool,
) -> Database:
    """A database in which rows that name one another do so in no circle, so that recursion comes to an end.

    Args:
        database: its rows may break the facts then.
        links: by table a column that names another row, and the column by which that is named.
        nullable: the columns, each with its table, by which a row may name none; else the row is left out.
        chained: whether each row names the one before it; else those are kept that close no circle.
    """
    for table in links.keys() & database.tables.keys():
        columns, rows = database.tables[table]
        if not set(links[table]) <= set(columns):
            continue
        naming, named = map(columns.index, links[table])
        named_by: dict[Cell, list[Cell]] = {}
        kept: list[Row] = []
        for row in rows:
            other = kept[-1][named] if chained and kept else row[naming]
            if other is not None and row[named] in _reached(other, named_by):
                if (table, columns[naming]) not in nullable:
                    continue
                other = None
            named_by.setdefault(row[named], []).append(other)
            kept.append((*row[:naming], other, *row[naming + 1 :]))
        database = database.with_table(table, columns, tuple(kept))
    return database


def _reached(start: Cell, named_by: Mapping[Cell, Sequence[Cell]]) -> set[Cell]:
    """What rows name from one on, one after the other, itself among it."""
    found, left = {start}, [start]
    while left:
        new = {each for each in named_by.get(left.pop(), ()) if each is not None} - found
        found |= new
        left += new
    return found


_CHANGES = (
    *(("2026-11-01 05:30:00", "2026-11-01 01:30:00"), ("2026-11-01 06:30:00", "2026-11-01 01:30:00")),
    *(("2026-10-25 00:30:00", "2026-10-25 01:30:00"), ("2026-10-25 01:30:00", "2026-10-25 01:30:00")),
    *(("2026-04-04 14:45:00", "2026-04-05 01:45:00"), ("2026-04-04 15:15:00", "2026-04-05 01:45:00")),
    *(("2026-03-08 07:30:00", "2026-03-08 02:30:00"), ("2026-03-29 01:30:00", "2026-03-29 01:30:00")),
)
"""Instants, of which two have one local time in New York, Dublin and on Lord Howe, and such times; last some
that clocks leave out."""


def with_changing_clocks(database: Database, schema: Schema) -> Iterator[Database]:
    """Databases with instants around changes of clocks, and their local times; rows may break the facts."""
    for first in range(len(_CHANGES)):
        made = database
        for name, (columns, rows) in database.tables.items():
            table = schema.table(name)
            assert table is not None
            found = [table.column(each) for each in columns]
            kinds = ["" if each is None else _with_clock(each.native_type) for each in found]
            instants = (_CHANGES[(first + at) % len(_CHANGES)] for at in range(len(rows)))
            changed = (
                tuple(
                    cell if kind == "" or cell is None else time[kind == "local"]
                    for cell, kind in zip(row, kinds, strict=True)
                )
                for row, time in zip(rows, instants, strict=True)
            )
            made = made.with_table(name, columns, tuple(changed))
        yield made


def _with_clock(native: str) -> str:
    """Whether a column of a type of an engine holds instants or local times; '' if neither."""
    kind = native.lower()
    if not kind.startswith("timestamp"):
        return ""
    return "instant" if "with time zone" in kind else "local"


def with_other_numbers(
    database: Database, schema: Schema, reading: PairReading, constants: Sequence[float], rng: Random
) -> Database:
    """A database of more rows, with other numbers where arithmetic reads them; its rows may break the facts.

    Half the time the new rows make many small groups, by values of their own in the columns of a GROUP BY.

    Args:
        database: the model, whose other cells are kept.
        reading: what the queries read and group by.
        constants: numbers in the queries; two numbers of a row may add up to one, or one be its multiple.
        rng: draws the numbers: small ones, tenths and hundredths, and what leaves a quotient without end.
    """
    apart = reading.grouped and rng.random() < _GROUPED
    few = rng.random() < (_FEW_IN_GROUPS if apart else _FEW)
    for name, (columns, rows) in database.tables.items():
        keys = _keys(name, columns, schema)
        numeric = {
            place: _is_whole(name, each, schema)
            for place, each in enumerate(columns)
            if (name, each) in reading.numeric and place not in keys
        }
        if not rows or not numeric:
            continue
        names = {column for grouping in reading.groupings for table, column in grouping if table == name}
        groups = {place for place, each in enumerate(columns) if each in names} - keys - numeric.keys()
        fresh = {place: _fresh([row[place] for row in rows]) for place in keys}
        more = [rng.choice(rows) for _ in range(_ROWS_OF_GROUPS if apart else rng.choice(_ROWS_OF_NUMBERS))]
        if apart:
            for start in range(0, len(more), size := rng.choice(_SIZES)):
                own = {place: next(_fresh([row[place] for row in (*rows, *more)])) for place in groups}
                more[start : start + size] = [_with(row, own) for row in more[start : start + size]]
        copies = [_with(row, {place: next(each) for place, each in fresh.items()}) for row in more]
        changed = [
            _with(row, {n: _number(row[n], rng, whole=whole, few=few) for n, whole in numeric.items()})
            for row in (*rows, *copies)
        ]
        if constants and not few:
            changed = [_with(row, _tied(row, numeric, rng.choice(constants), rng)) for row in changed]
        database = database.with_table(name, columns, tuple(changed))
    return database


def _is_whole(table: str, column: str, schema: Schema) -> bool:
    """Whether a column is for integers alone."""
    found = schema.table(table)
    known = None if found is None else found.column(column)
    return known is not None and (known.domain is Domain.INTEGER or known.affinity is Affinity.INTEGER)


def _with(row: Row, cells: Mapping[int, Cell]) -> Row:
    return tuple(cells.get(place, cell) for place, cell in enumerate(row))


def _tied(row: Row, numeric: Mapping[int, bool], constant: float, rng: Random) -> dict[int, Cell]:
    """A number of a row that makes a sum, difference, product or quotient with another be a constant."""
    place, other = rng.choice(list(numeric)), row[rng.choice(list(numeric))]
    if not isinstance(row[place], int | float) or not isinstance(other, int | float) or not constant:
        return {}
    ways = (constant - other, constant + other, constant * other, other / constant)
    found = round(rng.choice(ways), _DECIMALS)
    if not numeric[place]:
        return {place: found}
    return {place: int(found)} if found.is_integer() else {}


def _number(cell: Cell, rng: Random, *, whole: bool, few: bool) -> Cell:
    """Another number in the place of one, mostly; of a few, by which groups come to simple averages."""
    if not isinstance(cell, int | float) or rng.random() < _KEPT:
        return cell
    if few:
        return rng.randrange(3)
    match rng.randrange(4):
        case 0:
            return rng.randint(1, 12)
        case 1:
            return rng.choice(_DIVISORS)
        case 2:
            return rng.randint(1, 100) if whole else rng.randint(1, 50) / 10
    return rng.randint(1, 400) if whole else rng.randint(1, 500) / 100


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
    alone = folded(key[0] for key in (table.primary_key, *table.unique) if len(key) == 1)
    return frozenset(place for place, column in enumerate(columns) if fold(column) in alone)


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
    keys = {fold(name) for key in (table.primary_key, *table.unique) for name in key}
    keys |= schema.reference_columns(table)
    columns = [column for column in table.columns if not column.generated]
    rows = (
        tuple(_cell(column, turn + place, is_key=fold(column.name) in keys) for column in columns)
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
