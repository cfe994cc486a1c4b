"""Generated databases: plain data, loaded into SQLite in turn, shrunk, and kept for the next prediction.

One in-memory SQLite per schema and process takes them in turn. A database that distinguishes two queries is
shrunk to few rows with plain values, and is tried first on the next prediction of its question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from equiv.cells import Cell, Row
from equiv.core.model import Schema
from equiv.core.runner import Connection, Guarded, RunnerError, open_memory
from equiv.dialects.registry import reference
from equiv.names import quoted
from equiv.workers.scheduler import Memory

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


class Arena:
    """An in-memory database with the tables and views of a schema, emptied and refilled by :meth:`load`.

    Foreign keys are not enforced: facts about them are the generator's business.

    Args:
        tables: names of the tables to create; all if None.

    Raises:
        InputError: a table cannot be created on this SQLite.
    """

    def __init__(self, schema: Schema, tables: Iterable[str] | None = None) -> None:
        self.engine: Guarded = open_memory()
        self._inserts: dict[tuple[str, tuple[str, ...]], str] = {}
        self.engine.connection.execute("PRAGMA foreign_keys = OFF")
        for statement in reference().create(schema, tables):
            self.engine.connection.execute(statement)

    @property
    def connection(self) -> Connection:
        """The connection, for trusted statements."""
        return self.engine.connection

    def load(self, database: Database, order: int | None = None) -> bool:
        """Replace all rows by those of a database; False, with no rows left, if the DDL forbids one of them.

        Args:
            order: a seed by which the rows of each table are shuffled before they are inserted, or None.
        """
        self.clear()
        connection = self.engine.connection
        connection.execute("BEGIN")
        try:
            for table, (columns, rows) in database.tables.items():
                inserted = rows if order is None else Random(f"{order}:{table}").sample(rows, len(rows))
                connection.executemany(self._insert(table, columns), inserted)
        except (RunnerError, OverflowError):
            self.clear()
            return False
        return True

    def clear(self) -> None:
        """Take back all rows, those that triggers have made among them: they stand in a transaction."""
        if self.engine.connection.in_transaction:
            self.engine.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        self.engine.close()

    def _insert(self, table: str, columns: tuple[str, ...]) -> str:
        key = (table, columns)
        if key not in self._inserts:
            names = ", ".join(map(quoted, columns))
            marks = ", ".join("?" * len(columns))
            self._inserts[key] = f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})"
        return self._inserts[key]


_PER_QUESTION = 8
_QUESTIONS = 256


class EarlierWitnesses:
    """A bounded store for one schema under one set of facts, keyed by the text of the gold query.

    The most recent killers of a question come first; the question used least
    recently is forgotten first.
    """

    def __init__(self, per_question: int = _PER_QUESTION, questions: int = _QUESTIONS) -> None:
        self._per_question = per_question
        self._known: Memory[tuple[Database, ...]] = Memory(questions)

    def remember(self, gold: str, database: Database) -> None:
        """Keep a database that told a prediction from the gold query; a known one moves to the front."""
        known = (database, *(each for each in self.candidates(gold) if each != database))
        self._known.keep(gold, known[: self._per_question])

    def candidates(self, gold: str) -> tuple[Database, ...]:
        """The killers of a gold query; :func:`equiv.generate.plan.databases` takes them as ``known``."""
        return self._known.recall(gold) or ()


_UNIFIED_VALUES = 3
_TEXTS = ("a", "b", "c", "d")
"""The plainest texts, plainest first."""
_RESERVED = 5
"""One in so many questions is kept for the rows that are left in the end."""

_COSTS = 20
"""To try a database costs what it does to load so many rows, and these."""

_Item = tuple[str, Row]


@dataclass
class _Test:
    """The caller's test, asked at most ``budget`` times; one that costs more takes that from it."""

    still_differs: Callable[[Database], bool]
    budget: int

    def __call__(self, database: Database) -> bool:
        if self.budget <= 0:
            return False
        self.budget -= 1
        return self.still_differs(database)


def shrink(
    database: Database,
    still_differs: Callable[[Database], bool],
    budget: int = 400,
    held: Collection[Cell] = frozenset(),
) -> Database:
    """A database with fewer rows and plainer values on which ``still_differs`` holds.

    Args:
        still_differs: must also refuse databases that break a fact; it alone decides what is kept.
        budget: how often ``still_differs`` is asked at most; a part is kept for a last look at each row.
        held: values that stay as they are, since their columns take few others.
    """
    reserve = budget // _RESERVED
    test = _Test(still_differs, budget - reserve)
    database = _unify_columns(_drop_rows(database, test), test)
    database = _drop_null_columns(database, test)
    database = _simplify_values(database, test, held)
    # Whatever values took: a row that can go is a row that a reader has to read.
    test.budget += reserve
    return _drop_rows(database, test)


Link = tuple[str, tuple[str, ...], str, tuple[str, ...]]
"""A table, some columns of it, another table, and its columns that hold the same values."""


def drop_rows(
    database: Database, links: Iterable[Link], still_differs: Callable[[Database], bool], work: int
) -> Database:
    """A database with fewer of its rows, their values as they are, on which ``still_differs`` holds.

    Args:
        links: which rows demand others, that stay as long as these do.
        still_differs: as for :func:`shrink`.
        work: how many rows are loaded at most, over all the databases that are tried.
    """
    demanded = [_parents(database, link) for link in links]

    def is_still(smaller: Database) -> bool:
        whole = _with_parents(database, smaller, demanded)
        test.budget -= whole.size + _COSTS
        return test.budget > 0 and still_differs(whole)

    test = _Test(is_still, work)
    return _with_parents(database, _drop_rows(database, test), demanded)


_Parents = tuple[str, tuple[int, ...], str, dict[Row, Row]]
"""A table, the places of some of its columns, another table, and its rows by the values that these hold."""


def _parents(database: Database, link: Link) -> _Parents:
    child, columns, parent, others = link
    own, (names, rows) = (database.tables.get(name, ((), ())) for name in (child, parent))
    if not {*columns} <= {*own[0]} or not {*others} <= {*names}:
        return child, (), parent, {}
    places = [names.index(column) for column in others]
    by_key = {tuple(row[at] for at in places): row for row in rows}
    return child, tuple(own[0].index(column) for column in columns), parent, by_key


def _with_parents(database: Database, smaller: Database, demanded: Iterable[_Parents]) -> Database:
    """A part of a database with the rows that its rows demand, its tables in their order."""
    kept = {name: dict.fromkeys(rows) for name, (_, rows) in smaller.tables.items()}
    added: dict[str, dict[Row, None]] = {}
    pending = [(name, row) for name, rows in kept.items() for row in rows]
    while pending:
        name, row = pending.pop()
        for child, places, parent, by_key in demanded:
            found = by_key.get(tuple(row[at] for at in places)) if child == name and places else None
            if found is None or found in kept.get(parent, ()) or found in added.get(parent, ()):
                continue
            added.setdefault(parent, {})[found] = None
            pending.append((parent, found))
    if not added:
        return smaller
    return Database.of(
        {
            name: (columns, [*smaller.tables.get(name, ((), ()))[1], *added.get(name, ())])
            for name, (columns, _) in database.tables.items()
        }
    )


def _drop_rows(database: Database, test: _Test) -> Database:
    """Delta debugging: drop ever smaller runs of rows until no single row can go; children go first."""
    items = [(table, row) for table in reversed(list(database.tables)) for row in database.tables[table][1]]
    width = max(len(items) // 2, 1)
    while items and test.budget > 0:
        shorter = _drop_runs(database, items, width, test)
        if len(shorter) == len(items) and width == 1:
            break
        width = width if len(shorter) < len(items) else width // 2
        width = max(min(width, len(shorter) // 2), 1)
        items = shorter
    return _restore(database, items)


def _drop_runs(database: Database, items: list[_Item], width: int, test: _Test) -> list[_Item]:
    at = 0
    while at < len(items) and test.budget > 0:
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


def _simplify_values(database: Database, test: _Test, held: Collection[Cell]) -> Database:
    """Replace each value, wherever it stands, by the plainest one that is not yet in use."""
    for value in sorted(_values(database).difference(held), key=repr):
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
