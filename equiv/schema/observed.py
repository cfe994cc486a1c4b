"""Facts that are true of a populated database, found by asking it.

Candidates are proposed from one pass of statistics over each table; those
that the database then breaks are discarded by the same queries that check
any other fact.  An empty table proposes nothing, a column of NULLs alone that
its table is not empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from equiv.core.model import Column, Domain, Schema, Table, quoted
from equiv.core.runner import Connection, OperationalError
from equiv.facts import Fact, FactKind, Grade
from equiv.schema.violations import violated

_PAIRS = 100
"""The most pairs of columns of a table that are tried as keys."""

_INCLUSIONS = 300
"""The most inclusions of a database that are tried."""

_COLUMNS_AT_ONCE = 300
"""Four results each: below SQLite's default limit of 2,000."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one column of a table holds, under its collation."""

    table: Table
    column: Column
    rows: int
    values: int
    """Rows that are not NULL."""
    distinct: int
    least: float | bytes
    most: float | bytes

    @property
    def is_key(self) -> bool:
        return self.distinct == self.values


def mine(connection: Connection, schema: Schema, tables: Iterable[str] | None = None) -> tuple[Fact, ...]:
    """Facts of grade ``observed`` about the tables of a database (all, or those named).

    NOT EMPTY of tables, NOT NULL, TYPE, ISO_DATE and NUMERIC_TEXT of columns, keys of one or two
    columns, and inclusions of one column in a key of one column.  Keys that
    contain a smaller key are left out.
    """
    names = [table.name for table in schema.tables] if tables is None else list(tables)
    known = [table for name in names if (table := schema.table(name))]
    seen = [list(_look(connection, table)) for table in known]
    candidates = [Fact(FactKind.NOT_EMPTY, Grade.OBSERVED, t.name) for t in known if _has_row(connection, t)]
    candidates += [fact for columns in seen for fact in _candidates(columns)]
    candidates += _inclusions([column for columns in seen for column in columns])
    broken = set(violated(connection, schema, candidates))
    return tuple(fact for fact in candidates if fact not in broken)


def _look(connection: Connection, table: Table) -> Iterator[_Seen]:
    """The columns that hold anything but NULL; none if the database has no such table."""
    for start in range(0, len(table.columns), _COLUMNS_AT_ONCE):
        columns = table.columns[start : start + _COLUMNS_AT_ONCE]
        terms = ", ".join(_statistics(f"{quoted(table.name)}.{quoted(column.name)}") for column in columns)
        try:
            row = connection.execute(f"SELECT count(*), {terms} FROM {quoted(table.name)}").fetchone()
        except OperationalError as error:
            if str(error).startswith("no such"):
                return
            raise
        for i, column in enumerate(columns):
            values, distinct, least, most = row[1 + 4 * i : 5 + 4 * i]
            if values:
                yield _Seen(table, column, row[0], values, distinct, least, most)


def _has_row(connection: Connection, table: Table) -> bool:
    """Whether the database has the table, and the table a row."""
    try:
        return connection.execute(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1").fetchone() is not None
    except OperationalError as error:
        if str(error).startswith("no such"):
            return False
        raise


def _statistics(term: str) -> str:
    # Text comes as bytes: it need not be valid UTF-8.
    ends = (
        f"CASE typeof({end}({term})) WHEN 'text' THEN CAST({end}({term}) AS BLOB) ELSE {end}({term}) END"
        for end in ("min", "max")
    )
    return f"count({term}), count(DISTINCT {term}), {', '.join(ends)}"


def _candidates(columns: list[_Seen]) -> Iterator[Fact]:
    for seen in columns:
        of_column = [FactKind.ISO_DATE, FactKind.NUMERIC_TEXT] if isinstance(seen.least, bytes) else []
        if seen.column.domain is not Domain.ANY:
            of_column.append(FactKind.TYPE)
        if seen.values == seen.rows:
            of_column.append(FactKind.NOT_NULL)
        if seen.is_key:
            of_column.append(FactKind.UNIQUE)
        for kind in of_column:
            yield Fact(kind, Grade.OBSERVED, seen.table.name, (seen.column.name,))
    for pair in _pairs(columns):
        names = tuple(seen.column.name for seen in pair)
        yield Fact(FactKind.UNIQUE, Grade.OBSERVED, pair[0].table.name, names)


def _pairs(columns: list[_Seen]) -> list[tuple[_Seen, _Seen]]:
    """Pairs whose values could tell all complete rows apart, those with the fewest combinations first."""
    partial = [seen for seen in columns if not seen.is_key]
    possible = [
        (a, b) for a, b in combinations(partial, 2) if a.distinct * b.distinct >= a.values + b.values - a.rows
    ]
    possible.sort(key=lambda pair: pair[0].distinct * pair[1].distinct)
    return possible[:_PAIRS]


def _inclusions(columns: list[_Seen]) -> list[Fact]:
    """Columns whose values lie within a key's range and are not more; pairs of one name first."""
    inclusions = [
        (child, parent)
        for parent in columns
        if parent.is_key
        for child in columns
        if child is not parent and _comparable(child.column, parent.column) and _within(child, parent)
    ]
    inclusions.sort(key=lambda pair: pair[0].column.name.lower() != pair[1].column.name.lower())
    return [
        Fact(
            FactKind.INCLUSION,
            Grade.OBSERVED,
            child.table.name,
            (child.column.name,),
            parent.table.name,
            (parent.column.name,),
        )
        for child, parent in inclusions[:_INCLUSIONS]
    ]


def _comparable(child: Column, parent: Column) -> bool:
    return child.affinity is parent.affinity and child.collation == parent.collation


def _within(child: _Seen, parent: _Seen) -> bool:
    if child.distinct > parent.distinct:
        return False
    return _rank(child.least) >= _rank(parent.least) and _rank(child.most) <= _rank(parent.most)


def _rank(value: float | bytes) -> tuple[bool, float | bytes]:
    """A key that sorts as SQLite sorts: numbers before text."""
    return isinstance(value, bytes), value
