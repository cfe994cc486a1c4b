"""A scratch SQLite that stores candidate values with affinity, and tries conditions and constraints on them.

Asking SQLite keeps affinity, collation, LIKE and date functions exact without a second implementation of
them. Partial indexes, indexes on expressions, keys under other collations, generated columns: rows are
tried in the table's own DDL, so that a constraint that nothing here reads is enforced all the same.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.lexer import TokenKind, name_of, tokens
from equiv.core.model import Column, Schema, Table
from equiv.core.nodes import Expr
from equiv.core.printing import to_sql
from equiv.core.reading.goals import SlotColumn, place_of
from equiv.core.runner import Failure, Guarded, Limits, Result, RunnerError, open_memory
from equiv.dialects.registry import reference
from equiv.names import quoted
from equiv.scratch import remembered

_NAMES = (TokenKind.NAME, TokenKind.QUOTED)
_FOLDED = frozenset({"BINARY", "NOCASE"})
"""The collations under which keys are compared without SQLite."""


def columns_in(text: str, table: Table) -> set[str]:
    """The columns of a table that an SQL text may read, those behind generated ones included."""
    found = _named(text, table)
    return found | columns_behind(found, table)


def columns_behind(names: Collection[str], table: Table) -> set[str]:
    """The columns from which the generated ones among some names are computed, through others too."""
    found: set[str] = set()
    everything = {column.name for column in table.columns if not column.generated}
    pending = set(names)
    while pending:
        column = table.column(pending.pop())
        if column is None or not column.generated:
            continue
        read = _named(column.expression, table) if column.expression else everything
        pending |= read - found
        found |= read
    return found


def _named(text: str, table: Table) -> set[str]:
    named = (table.column(name_of(text, token)) for token in tokens(text) if token.kind in _NAMES)
    return {column.name for column in named if column is not None}


def enforces_more(table: Table) -> bool:
    """Whether the DDL may forbid rows that the facts allow."""
    return (
        bool(table.indexes)
        or table.collated_keys
        or any(column.generated for column in table.columns)
        or not _collations_of_keys(table) <= _FOLDED
    )


def folds_keys(table: Table) -> bool:
    """Whether a key compares texts without regard to case, which the facts do not show."""
    return "NOCASE" in _collations_of_keys(table)


def _collations_of_keys(table: Table) -> set[str]:
    keyed = {name for key in (table.primary_key, *table.unique) for name in key}
    return {column.collation.upper() for column in table.columns if column.name in keyed}


class Enforcer:
    """A table with its whole DDL in a scratch SQLite, in which a row is tried beside the rows kept so far."""

    def __init__(self, table: Table) -> None:
        self._guarded = open_memory()
        self._name = quoted(table.name)
        self._held: list[Mapping[str, Cell]] = []
        for statement in reference().create(Schema((table,))):
            self._guarded.connection.execute(statement)

    def accepts(self, kept: Sequence[Mapping[str, Cell]], row: Mapping[str, Cell]) -> bool:
        """Whether SQLite stores a row beside rows that it has stored before."""
        if len(self._held) != len(kept) or (kept and self._held[-1] is not kept[-1]):
            self._guarded.connection.execute(f"DELETE FROM {self._name}")
            self._held = [earlier for earlier in kept if self._stores(earlier)]
        if not self._stores(row):
            return False
        self._held.append(row)
        return True

    def _stores(self, row: Mapping[str, Cell]) -> bool:
        # Not IGNORE nor REPLACE, whatever a constraint itself says.
        names, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        try:
            self._guarded.connection.execute(
                f"INSERT OR ABORT INTO {self._name} ({names}) VALUES ({marks})", tuple(row.values())
            )
        except (RunnerError, OverflowError):
            return False
        return True


_LIMITS = Limits(seconds=0.5, rows=4_000, bytes=4_000_000)

_KEPT_ENFORCERS = 64


TriedCondition = tuple[Expr, "bool | None"]
"""A grounded condition and the truth value that it should have; None is NULL."""


@dataclass(frozen=True, slots=True)
class TruthTable:
    """The truth table of a condition: the values of its places for which it is true, false or NULL."""

    places: tuple[SlotColumn, ...]
    true: tuple[Row, ...]
    false: tuple[Row, ...]
    unknown: tuple[Row, ...]


class Scratch:
    """Tables of loose values, one per affinity and collation; refilled for each pair."""

    def __init__(self) -> None:
        self._guarded: Guarded = open_memory()
        self._tables: dict[tuple[str, str], str] = {}
        self._home: dict[int, str] = {}
        self.filled = 0
        """How often the tables were filled: they hold the values of the last pair alone."""
        self._row_tables: dict[str, str] = {}
        self._enforcers: dict[Table, Enforcer] = {}

    def store(
        self, columns: Sequence[Column], values: Sequence[Iterable[Cell]]
    ) -> list[list[tuple[Cell, str]]]:
        """Put values into columns; what each column then holds, with SQLite's ``typeof``, in order."""
        connection = self._guarded.connection
        self.filled += 1
        for table in self._tables.values():
            connection.execute(f"DELETE FROM {table}")
        self._home = {number: self._table(column) for number, column in enumerate(columns)}
        rows: dict[str, list[Row]] = defaultdict(list)
        for number, candidates in enumerate(values):
            rows[self._home[number]] += [(number, value) for value in candidates]
        stored: list[list[tuple[Cell, str]]] = [[] for _ in columns]
        for table, loose in rows.items():
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", loose)
            values_kept = connection.execute(f"SELECT c, v, typeof(v) FROM {table} ORDER BY rowid")
            for number, value, kind in values_kept:
                stored[number].append((value, kind))
        return stored

    def keep(self, number: int, values: Sequence[Cell]) -> None:
        """Replace the values of one column by a subset of them."""
        table = self._home[number]
        connection = self._guarded.connection
        connection.execute(f"DELETE FROM {table} WHERE c = ?", (number,))
        connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(number, value) for value in values])

    def values(self, expression: exp.Expr, numbers: Mapping[SlotColumn, int], cap: int) -> list[Cell]:
        """The values of a grounded expression over stored values, without NULL; none if SQLite refuses it.

        Args:
            numbers: the column number for each place of the expression.
            cap: how many values of each place are looked at.
        """
        places = tuple(dict.fromkeys(place_of(column) for column in expression.find_all(exp.Column)))
        text, sources = self._over(expression, places, numbers, cap)
        match self._guarded.run(f"SELECT {text} FROM {sources}", _LIMITS):
            case Result(rows=rows):
                return [value for (value,) in dict.fromkeys(rows) if value is not None]
        return []

    def truth(self, condition: exp.Expr, numbers: Mapping[SlotColumn, int], cap: int) -> TruthTable | None:
        """The truth table of a grounded condition over stored values, or None if SQLite refuses it.

        Args:
            numbers: the column number for each place of the condition.
            cap: how many values of each place are looked at.
        """
        places = tuple(dict.fromkeys(place_of(column) for column in condition.find_all(exp.Column)))
        text, sources = self._over(condition, places, numbers, cap)
        outputs = ", ".join(f"p{position}.v" for position in range(len(places)))
        verdict = f"CASE WHEN {text} THEN 1 WHEN NOT ({text}) THEN 0 END"
        match self._guarded.run(f"SELECT {outputs}, {verdict} FROM {sources}", _LIMITS):
            case Result(rows=rows):
                by_verdict = (tuple(row[:-1] for row in rows if row[-1] == wanted) for wanted in (1, 0, None))
                return TruthTable(places, *by_verdict)
        return None

    def satisfying(
        self,
        conditions: Sequence[TriedCondition],
        columns: Mapping[SlotColumn, Column],
        lists: Mapping[SlotColumn, Sequence[Cell]],
        limit: int,
    ) -> list[Row]:
        """Up to ``limit`` rows, one value from each list, that give each condition its wanted truth value.

        There is none if SQLite fails, or takes too long.

        Args:
            conditions: each with the truth value that is wanted.
            columns: the column that each place is of, whose affinity and collation count.
            lists: the values of each place.
            limit: the number of rows at most.
        """
        connection, places = self._guarded.connection, tuple(lists)
        tables = [self._table(columns[place]) for place in places]
        for at, (table, place) in enumerate(zip(tables, places, strict=True)):
            rows = [(-1 - at, value) for value in lists[place]]
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
        try:
            match self._guarded.run(_asked(conditions, places, tables, limit), _LIMITS):
                case Result(rows=found):
                    return list(found)
            return []
        finally:
            for table in dict.fromkeys(tables):
                connection.execute(f"DELETE FROM {table} WHERE c < 0")

    def _over(
        self,
        expression: exp.Expr,
        places: tuple[SlotColumn, ...],
        numbers: Mapping[SlotColumn, int],
        cap: int,
    ) -> tuple[str, str]:
        """The text of an expression over sources ``p0``, ``p1``, …, and these sources' text."""
        pools = [f"{self._home[numbers[place]]} WHERE c = {numbers[place]}" for place in places]
        sources = ", ".join(f"(SELECT v FROM {pool} LIMIT {cap}) AS p{at}" for at, pool in enumerate(pools))
        return _text_over(expression, places), sources

    def row_check(self, table: Table, expressions: Sequence[str]) -> Callable[[Mapping[str, Cell]], bool]:
        """A test of whether a row passes CHECK expressions; columns that the row lacks are NULL."""
        test = " OR ".join(f"NOT ({expression})" for expression in expressions)
        found = self._of_rows(table, test)
        return lambda row: found(row) in (None, 0)

    def computes(self, table: Table, name: str) -> Callable[[Mapping[str, Cell]], Cell]:
        """A function from a row to the value of a generated column; columns that the row lacks are NULL.

        It raises ValueError where SQLite fails.
        """
        value_in = self._of_rows(table, quoted(name))

        def compute(row: Mapping[str, Cell]) -> Cell:
            match value_in(row):
                case Failure(message=message):
                    raise ValueError(message)
                case value:
                    return value

        return compute

    def _of_rows(self, table: Table, expression: str) -> Callable[[Mapping[str, Cell]], Cell | Failure]:
        """A function that gives the value of an expression over the columns of a row."""
        name = self._row_table(table)
        query = f"SELECT {expression} FROM {name} AS {quoted(table.name)}"
        plain = [column.name for column in table.columns if not column.generated]
        marks = ", ".join("?" * len(plain))
        insert = f"INSERT INTO {name} ({', '.join(map(quoted, plain))}) VALUES ({marks})"
        known: dict[tuple[tuple[type, Cell], ...], Cell | Failure] = {}

        def value(row: Mapping[str, Cell]) -> Cell | Failure:
            values = tuple([row.get(name) for name in plain])
            key = tuple([(value.__class__, value) for value in values])
            if key not in known:
                known[key] = self._alone(name, (insert, values), query)
            return known[key]

        return value

    def _alone(self, name: str, inserted: tuple[str, Row], query: str) -> Cell | Failure:
        """The value of a query on a table that holds one row alone."""
        self._guarded.connection.execute(f"DELETE FROM {name}")
        try:
            self._guarded.connection.execute(*inserted)
        except (RunnerError, OverflowError) as error:
            # What a generated column computes may fail on the row.
            return Failure("error", str(error))
        match self._guarded.run(query, _LIMITS):
            case Result(rows=rows):
                value: Cell = rows[0][0]
                return value
            case failure:
                return failure

    def _row_table(self, table: Table) -> str:
        """A table of the columns of another, without its constraints."""
        types = ", ".join(map(_of_one_affinity, table.columns))
        if types not in self._row_tables:
            name = f"row_{len(self._row_tables)}"
            self._guarded.connection.execute(f"CREATE TABLE {name} ({types})")
            self._row_tables[types] = name
        return self._row_tables[types]

    def enforcer(self, table: Table) -> Enforcer:
        """The enforcer of a table's whole DDL, made once."""
        return remembered(self._enforcers, table, lambda: Enforcer(table), _KEPT_ENFORCERS)

    def _table(self, column: Column) -> str:
        key = (column.affinity.value, column.collation.upper())
        if key not in self._tables:
            name = f"pool_{len(self._tables)}"
            collation = f" COLLATE {key[1]}" if key[1] in ("NOCASE", "RTRIM") else ""
            self._guarded.connection.execute(f"CREATE TABLE {name} (c INTEGER, v {key[0]}{collation})")
            self._tables[key] = name
        return self._tables[key]


def _text_over(expression: exp.Expr, places: tuple[SlotColumn, ...]) -> str:
    """The text of an expression over sources ``p0``, ``p1``, …, one for each place."""

    def rename(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            return exp.column("v", table=f"p{places.index(place_of(node))}")
        return node

    renamed = expression.transform(rename)
    assert isinstance(renamed, exp.Expression)
    return to_sql(renamed)


def _asked(
    conditions: Sequence[TriedCondition], places: tuple[SlotColumn, ...], tables: Sequence[str], limit: int
) -> str:
    """The query for rows on which conditions are as they should be."""
    parts = []
    for node, wanted in conditions:
        text = _text_over(node, places)
        parts.append(f"({text})" if wanted else f"NOT ({text})" if wanted is False else f"({text}) IS NULL")
    sources = ", ".join(f"(SELECT v FROM {t} WHERE c = {-1 - at}) AS p{at}" for at, t in enumerate(tables))
    outputs = ", ".join(f"p{at}.v" for at in range(len(tables)))
    return f"SELECT {outputs} FROM {sources} WHERE {' AND '.join(parts) or '1'} LIMIT {limit}"


def _of_one_affinity(column: Column) -> str:
    text = f"{quoted(column.name)} {column.affinity.value} COLLATE {column.collation}"
    return f"{text} AS ({column.expression})" if column.expression else text


_local = threading.local()


def scratch() -> Scratch:
    """The scratch database of this thread."""
    if not hasattr(_local, "scratch"):
        _local.scratch = Scratch()
    found: Scratch = _local.scratch
    return found
