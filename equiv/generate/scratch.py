"""A scratch SQLite that says what values become when stored, and for which values a condition holds.

Asking SQLite keeps affinity, collation, LIKE and date functions exact without
a second implementation of them.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.execute import Guarded, Limits, Result, open_memory
from equiv.generate.goals import Place, place_of
from equiv.schema.model import Column, Table
from equiv.sql import quoted, to_sql
from equiv.verdict import Cell, Row

_LIMITS = Limits(seconds=0.5, rows=4_000, bytes=4_000_000)


@dataclass(frozen=True, slots=True)
class Truth:
    """For which values of some places a condition is true, false or unknown (NULL)."""

    places: tuple[Place, ...]
    true: tuple[Row, ...]
    false: tuple[Row, ...]
    unknown: tuple[Row, ...]


class Scratch:
    """Tables of loose values, one per affinity and collation; refilled for each pair."""

    def __init__(self) -> None:
        self._guarded: Guarded = open_memory()
        self._tables: dict[tuple[str, str], str] = {}
        self._home: dict[int, str] = {}
        self._row_tables: dict[str, str] = {}

    def store(
        self, columns: Sequence[Column], values: Sequence[Iterable[Cell]]
    ) -> list[list[tuple[Cell, str]]]:
        """Put values into columns; what each column then holds, with SQLite's ``typeof``, in order."""
        connection = self._guarded.connection
        for table in self._tables.values():
            connection.execute(f"DELETE FROM {table}")
        self._home = {number: self._table(column) for number, column in enumerate(columns)}
        rows: dict[str, list[Row]] = defaultdict(list)
        for number, candidates in enumerate(values):
            rows[self._home[number]] += [(number, value) for value in candidates]
        stored: list[list[tuple[Cell, str]]] = [[] for _ in columns]
        for table, loose in rows.items():
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", loose)
            held = connection.execute(f"SELECT c, v, typeof(v) FROM {table} ORDER BY rowid")
            for number, value, kind in held:
                stored[number].append((value, kind))
        return stored

    def keep(self, number: int, values: Sequence[Cell]) -> None:
        """Replace the values of one column by some of those that it holds."""
        table = self._home[number]
        connection = self._guarded.connection
        connection.execute(f"DELETE FROM {table} WHERE c = ?", (number,))
        connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(number, value) for value in values])

    def values(self, expression: exp.Expr, numbers: Mapping[Place, int], cap: int) -> list[Cell]:
        """What a grounded expression yields over stored values, without NULL; nothing if SQLite refuses it.

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

    def truth(self, condition: exp.Expr, numbers: Mapping[Place, int], cap: int) -> Truth | None:
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
                return Truth(places, *by_verdict)
        return None

    def _over(
        self, expression: exp.Expr, places: tuple[Place, ...], numbers: Mapping[Place, int], cap: int
    ) -> tuple[str, str]:
        """The text of an expression over sources ``p0``, ``p1``, …, and these sources' text."""

        def rename(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Column):
                return exp.column("v", table=f"p{places.index(place_of(node))}")
            return node

        pools = [f"{self._home[numbers[place]]} WHERE c = {numbers[place]}" for place in places]
        sources = ", ".join(f"(SELECT v FROM {pool} LIMIT {cap}) AS p{at}" for at, pool in enumerate(pools))
        renamed = expression.transform(rename)
        assert isinstance(renamed, exp.Expression)
        return to_sql(renamed), sources

    def row_check(self, table: Table, expressions: Sequence[str]) -> Callable[[Mapping[str, Cell]], bool]:
        """A function that says whether a row passes CHECK expressions; columns that it lacks are NULL."""
        types = ", ".join(f"{quoted(c.name)} {c.affinity.value} COLLATE {c.collation}" for c in table.columns)
        if types not in self._row_tables:
            self._row_tables[types] = f"row_{len(self._row_tables)}"
            self._guarded.connection.execute(f"CREATE TABLE {self._row_tables[types]} ({types})")
        name = self._row_tables[types]
        test = " OR ".join(f"NOT ({expression})" for expression in expressions)
        known: dict[tuple[Cell, ...], bool] = {}

        def passes(row: Mapping[str, Cell]) -> bool:
            values = tuple(row.get(column.name) for column in table.columns)
            if values not in known:
                marks = ", ".join("?" * len(values))
                self._guarded.connection.execute(f"DELETE FROM {name}")
                self._guarded.connection.execute(f"INSERT INTO {name} VALUES ({marks})", values)
                match self._guarded.run(f"SELECT 1 FROM {name} WHERE {test}", _LIMITS):
                    case Result(rows=()):
                        known[values] = True
                    case _:
                        known[values] = False
            return known[values]

        return passes

    def _table(self, column: Column) -> str:
        key = (column.affinity.value, column.collation.upper())
        if key not in self._tables:
            name = f"pool_{len(self._tables)}"
            collation = f" COLLATE {key[1]}" if key[1] in ("NOCASE", "RTRIM") else ""
            self._guarded.connection.execute(f"CREATE TABLE {name} (c INTEGER, v {key[0]}{collation})")
            self._tables[key] = name
        return self._tables[key]


_local = threading.local()


def scratch() -> Scratch:
    """The scratch database of this thread."""
    if not hasattr(_local, "scratch"):
        _local.scratch = Scratch()
    found: Scratch = _local.scratch
    return found
