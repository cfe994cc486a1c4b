"""Proofs for SQLite tried on DuckDB: the queries that mean the same there, the equalities that hold.

Verdicts are about SQLite, so that nothing here is a wrong proof.  It tells which equalities rest on what
SQLite alone does, and where the two engines part over a query of the subset that both run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.identifiers import quoted
from equiv.core.model import Column, Schema, Table
from equiv.core.runner import Connection, RunnerError
from equiv.facts import Facts
from equiv.generate.database import Database
from equiv.relation import Relation, Rows
from equiv.testing.database import open_database, script_of
from equiv.testing.fuzz.findings import Findings
from equiv.testing.making.columns import kind_of
from equiv.testing.making.rows import Databases

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DATABASES = 6
"""On how many databases a pair is tried."""

TYPES: dict[str, tuple[str, type[Cell]]] = {
    "i": ("BIGINT", int),
    "f": ("BIGINT", int),
    "r": ("DOUBLE", float),
    "t": ("VARCHAR", str),
    "d": ("VARCHAR", str),
}
"""DuckDB's type for each kind of column, and what its cells are; a column of another kind has none there."""

CHOOSING = (exp.Limit, exp.Offset, exp.Fetch, exp.Window, exp.GroupConcat)
"""Where these stand the answer may be one of several, and each engine may take another."""


@dataclass(frozen=True, slots=True)
class Side:
    """The results of one query on the databases, by each engine."""

    sqlite: tuple[list[Row], ...]
    other: tuple[list[Row], ...]

    def means_the_same(self, relation: Relation) -> bool:
        return all(same_result(*both, relation) for both in zip(self.sqlite, self.other, strict=True))


class OtherEngine:
    """Tries what was proved on a schema; a schema that DuckDB cannot hold is passed over.

    Args:
        schema: the tables.
        facts: what the databases keep.
        random: what the databases depend on.
        found: is told.
    """

    def __init__(self, schema: Schema, facts: Facts, random: Random, found: Findings) -> None:
        self._schema = schema
        self._maker = Databases(random, schema, facts, odd=0)
        self._stack = ExitStack()
        self._found = found

    def close(self) -> None:
        """Close the databases."""
        self._stack.close()

    def attempt(self, pair: Pair, parts: Iterable[str]) -> None:
        """Try a pair that is proved under its relation; ``parts`` took part in the proof."""
        self._found.elsewhere["tried"] += 1
        trees = (pair.pred.tree, pair.gold.tree)
        if not self._databases:
            self._found.elsewhere["no such schema there"] += 1
            return
        if any(tree is None or tree.find(*CHOOSING) for tree in trees):
            self._found.elsewhere["may have several answers"] += 1
            return
        pred, gold = self._side(pair.pred.sql), self._side(pair.gold.sql)
        if pred is None or gold is None:
            self._found.elsewhere["not run there"] += 1
            return
        rows = Rows.SET if pair.relation.rows is Rows.SET else Rows.BAG
        relation = Relation(rows, pair.relation.columns)
        if not (pred.means_the_same(relation) and gold.means_the_same(relation)):
            self._found.elsewhere["a query means something else"] += 1
        for number, both in enumerate(zip(pred.other, gold.other, strict=True)):
            if not same_result(*both, relation):
                self._found.elsewhere["the pair parts"] += 1
                self._found.parted.append(self._script(pair, number, both, sorted(set(parts))))
                return
        self._found.elsewhere["the pair holds"] += 1

    @cached_property
    def _databases(self) -> tuple[tuple[Database, Connection, DuckDBPyConnection], ...]:
        """Each as it was made, in SQLite and in DuckDB; none if DuckDB cannot hold the schema."""
        columns = [column for table in self._schema.tables for column in table.columns]
        if any(_type_of(column) is None for column in columns):
            return ()
        drawn = (self._maker.database() for _ in range(4 * DATABASES))
        kept = (database for database in drawn if database is not None and self._fits(database))
        return tuple((each, *self._opened(each)) for each in islice(kept, DATABASES))

    def _fits(self, database: Database) -> bool:
        return all(
            cell is None or type(cell) is TYPES[kind_of(column)][1]
            for table in self._schema.tables
            for row in _rows_of(database, table)
            for column, cell in zip(table.columns, row, strict=True)
        )

    def _opened(self, database: Database) -> tuple[Connection, DuckDBPyConnection]:
        import duckdb

        one = self._stack.enter_context(closing(open_database(database, self._schema)))
        other = self._stack.enter_context(closing(duckdb.connect(":memory:", config={"threads": 1})))
        for table in self._schema.tables:
            typed = ", ".join(f"{quoted(column.name)} {_type_of(column)}" for column in table.columns)
            other.execute(f"CREATE TABLE {quoted(table.name)} ({typed})")
            for row in _rows_of(database, table):
                other.execute(f"INSERT INTO {quoted(table.name)} VALUES ({', '.join('?' * len(row))})", row)
        return one, other

    def _side(self, sql: str) -> Side | None:
        """What a query gives; None if an engine does not run it."""
        import duckdb

        try:
            (translated,) = sqlglot.transpile(sql, read="sqlite", write="duckdb")
            return Side(
                tuple(one.execute(sql).fetchall() for _, one, _ in self._databases),
                tuple(
                    [tuple(map(_cell, row)) for row in other.execute(translated).fetchall()]
                    for _, _, other in self._databases
                ),
            )
        except (sqlglot.errors.SqlglotError, RunnerError, duckdb.Error, ValueError):
            return None

    def _script(self, pair: Pair, number: int, rows: tuple[list[Row], list[Row]], parts: list[str]) -> str:
        database = self._databases[number][0]
        remarks = (f"-- by {', '.join(parts) or 'no rule'}", *(f"-- DuckDB: {each!r}" for each in rows))
        queries = (f"{query.sql.strip()};" for query in (pair.pred, pair.gold))
        return "\n".join((*remarks, script_of(database, self._schema), *queries))


def _rows_of(database: Database, table: Table) -> Sequence[Row]:
    return database.tables[table.name][1] if table.name in database.tables else ()


def _type_of(column: Column) -> str | None:
    """DuckDB's type for a column, as it stands in a definition; None if there is none."""
    found = TYPES.get(kind_of(column))
    if found is None or column.generated or column.collation.upper() not in ("BINARY", "NOCASE"):
        return None
    return (
        f"{found[0]} COLLATE NOCASE" if column.collation.upper() == "NOCASE" and found[1] is str else found[0]
    )


def _cell(value: object) -> Cell:
    """A value of DuckDB as SQLite would give it."""
    match value:
        case bool():
            return int(value)
        case Decimal():
            return float(value)
        case None | int() | float() | str() | bytes():
            return value
        case _:
            return str(value)
