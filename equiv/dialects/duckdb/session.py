"""Databases of a pair on DuckDB, with the same rows on the core's runner when these are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from equiv.core.lexer import tokens
from equiv.core.model import Column, Schema, Table, quoted_name
from equiv.core.runner import (
    DEFAULT_LIMITS,
    MAX_STATEMENT,
    Failure,
    Guarded,
    Limits,
    Result,
    RunnerError,
)
from equiv.dialects.duckdb.catalogue import read_catalogue
from equiv.dialects.duckdb.database import ZONED, DuckdbDatabase, DuckdbError, borrowed, in_utc, one_line
from equiv.dialects.duckdb.guard import refusal_of
from equiv.dialects.duckdb.script import SET_ZONE, creating
from equiv.dialects.duckdb.values import cell_of, shown, single
from equiv.dialects.typed.session import TypedSession, core_copy, remembered
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.cells import Cell, Row
    from equiv.dialects.protocol import Filled

_MOST_CORE_ROWS = 100_000
"""A larger database is not copied to the core's runner."""
_DIFFERS = "DuckDB's optimiser answers differently"
_WITNESS = frozenset(("CREATE", "INSERT", "ALTER"))
_MAKES = frozenset(("TABLE", "VIEW", "INDEX", "UNIQUE", "TYPE", "SEQUENCE"))


class DuckdbSession(TypedSession):
    """A database and, where it is asked, its rows in the core.

    Attributes:
        database: the database.
        schema: its schema.
    """

    def __init__(self, database: DuckdbDatabase, schema: Schema, *, twice: bool = False) -> None:
        self.database = database
        self.schema = schema
        self._macros: frozenset[str] = frozenset()
        self._twice = twice
        """Whether each query runs without DuckDB's optimiser as well."""

    @cached_property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        counted = 0
        for table in self.schema.tables:
            ((rows,),) = self.database.execute(f"SELECT count(*) FROM {quoted_name(table.name)}")
            counted += rows
        return counted <= _MOST_CORE_ROWS

    def copied(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        if not self.has_core:
            raise RunnerError(f"more than {_MOST_CORE_ROWS:,} rows")
        rows = {}
        for table in self.schema.tables:
            stored = [column for column in table.columns if not column.generated]
            rows[table.name] = tuple(column.name for column in stored), self._rows_of(table, stored)
        return core_copy(self.schema, rows)

    def _rows_of(self, table: Table, stored: Sequence[Column]) -> Iterator[Row]:
        names = [(quoted_name(column.name), column.native_type) for column in stored]
        columns = ", ".join(in_utc(name) if kind == ZONED else name for name, kind in names)
        singles = {place for place, column in enumerate(stored) if column.native_type == "FLOAT"}
        for row in self.database.execute(f"SELECT {columns} FROM {quoted_name(table.name)}"):
            cells = map(cell_of, row)
            yield tuple(single(cell) if place in singles else cell for place, cell in enumerate(cells))

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`.

        Where witnesses replay each query runs twice: what DuckDB's optimiser changes is no witness.
        """
        if values:
            return Failure("error", "parameters of DuckDB's queries are not supported")
        if len(text) > MAX_STATEMENT:
            return Failure("error", f"query longer than {MAX_STATEMENT} bytes")
        refused = refusal_of(text, self.database, self.schema, self._macros)
        if refused is not None:
            return refused
        found = self.database.run(text, limits)
        if not self._twice:
            return found
        plain = self.database.run(text, limits, optimised=False)
        if isinstance(found, Failure) and isinstance(plain, Failure):
            return found
        if isinstance(found, Failure) or isinstance(plain, Failure) or not _same_rows(found, plain):
            return Failure("resource", _DIFFERS)
        return found

    def fill(self, filled: Filled) -> None:
        """Insert rows, each column as one list of texts, which DuckDB casts.

        Raises:
            RunnerError: they are refused.
        """
        try:
            for name, (columns, rows) in filled.items():
                texts = [[shown(cell) for cell in column] for column in zip(*rows, strict=True)]
                if texts:
                    names = ", ".join(map(quoted_name, columns))
                    lists = ", ".join(["unnest(?::VARCHAR[])"] * len(texts))
                    self.database.execute(f"INSERT INTO {quoted_name(name)} ({names}) SELECT {lists}", texts)
        except DuckdbError as error:
            raise RunnerError(one_line(error)) from None

    def close(self) -> None:
        """Close it, and its copy."""
        super().close()
        self.database.close()


def _same_rows(one: Result, other: Result) -> bool:
    """Whether two results hold the same rows as often, whatever their order, rounding apart."""
    return sorted(map(_rounded, one.rows)) == sorted(map(_rounded, other.rows))


def _rounded(row: Row) -> tuple[str, ...]:
    return tuple(f"{cell:.9g}" if isinstance(cell, float) else repr(cell) for cell in row)


def empty_session(schema: Schema) -> DuckdbSession:
    """A database of a schema without rows.

    Raises:
        InputError: DuckDB refuses what it took before.
    """
    database = borrowed()
    made = [statement for table in schema.tables for statement in table.native]
    try:
        database.make((*schema.native, *made, *map(creating, schema.native_views)))
    except DuckdbError as error:
        database.close()
        raise InputError(f"the schema is refused: {one_line(error)}") from None
    return DuckdbSession(database, schema)


def replayed(script: str) -> DuckdbSession:
    """A database on which a script has run that does what a witness does, and nothing besides.

    Raises:
        RunnerError: the script does anything else, or fails.
    """
    database = borrowed()
    try:
        # The time zone is that of each session here.
        found = [each for each in database.kinds(script) if each[1].strip() != SET_ZONE]
        for kind, statement in found:
            _require_harmless(kind, statement)
        database.make(statement for _, statement in found)
        made = tuple(statement for kind, statement in found if kind != "INSERT")
        return DuckdbSession(database, _made(made, database), twice=True)
    except DuckdbError as error:
        database.close()
        raise RunnerError(one_line(error)) from None
    except BaseException:
        database.close()
        raise


def _made(statements: tuple[str, ...], database: DuckdbDatabase) -> Schema:
    """The schema that statements have made: read once for many scripts that differ in their rows."""
    return remembered(_read_before, statements, lambda: read_catalogue(database, ""))


_read_before: dict[tuple[str, ...], Schema] = {}


def _require_harmless(kind: str, statement: str) -> None:
    if kind not in _WITNESS or (kind == "CREATE" and _made_by(statement) not in _MAKES):
        raise RunnerError(f"not what a witness does: {statement[:60]}")


def _made_by(statement: str) -> str:
    """The word after CREATE."""
    return [token.word for token in islice(tokens(statement), 2)][1]
