"""Databases of a pair on DuckDB: their rows in the core and as scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from equiv.core.lexer import tokens
from equiv.core.model import Column, Schema, Table
from equiv.core.runner import (
    DEFAULT_LIMITS,
    MAX_STATEMENT,
    Failure,
    Guarded,
    Limits,
    Result,
    RunnerError,
)
from equiv.dialects.duckdb.catalogue import creating, made_first, made_last, native_name, read_catalogue
from equiv.dialects.duckdb.database import (
    ZONED,
    DuckdbDatabase,
    DuckdbError,
    borrowed,
    in_utc,
    one_line,
    unlocked_connection,
)
from equiv.dialects.duckdb.guard import refusal_of
from equiv.dialects.duckdb.session_settings import TAKEN
from equiv.dialects.duckdb.values import cell_of, is_nested, literal, shown, single
from equiv.dialects.typed.dialect import MOST_CORE_ROWS, TypedSession, core_copy, limits_for
from equiv.errors import InputError
from equiv.graphs import depth_first_postorder
from equiv.names import NameMap, is_same, quoted_name
from equiv.scratch import remembered

if TYPE_CHECKING:
    from equiv.cells import Cell, Row
    from equiv.dialects.protocol import Filled


SET_ZONE = f"SET TimeZone = '{TAKEN['TimeZone']}'"


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables, of the parents that they refer to and of views, and an INSERT for each row.

    One view that is named brings all tables and views, a macro that reads tables brings all tables.  Before
    them stands the time zone, if it is known.
    """
    named = {*tables, *filled}
    views = schema.native_views if any(view.name in named for view in schema.native_views) else ()
    names = [table.name for table in schema.tables] if views or made_last(schema) else sorted(named)
    # DuckDB checks foreign keys row by row.
    needed = schema.parents_first(names)
    zone = [SET_ZONE] if dict(schema.settings).get("TimeZone") == TAKEN["TimeZone"] else []
    statements = [*zone, *made_first(schema), *(each for table in needed for each in table.native)]
    rows = NameMap(filled.items())
    for table in needed:
        if table.name in rows:
            statements += _inserts(table, *rows[table.name])
    statements += [*made_last(schema), *map(creating, views)]
    return "".join(f"{statement};\n" for statement in statements)


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    known = [(place, column) for place, name in enumerate(columns) if (column := table.column(name))]
    kept = [(place, column) for place, column in known if not column.derived and not column.generated]
    if not kept:
        yield from (f"INSERT INTO {native_name(table.name)} DEFAULT VALUES" for _ in rows)
        return
    names = ", ".join(quoted_name(column.name) for _, column in kept)
    for row in _in_order(table, columns, list(rows)):
        values = ", ".join(literal(row[place], column) for place, column in kept)
        yield f"INSERT INTO {native_name(table.name)} ({names}) VALUES ({values})"


def _in_order(table: Table, columns: Sequence[str], rows: list[Row]) -> list[Row]:
    """The rows, each after the ones of the same table that it refers to; a circle is left as it is."""
    at = NameMap((name, place) for place, name in enumerate(columns))
    keys = [
        ([at[name] for name in key.columns], [at[name] for name in key.parent_columns])
        for key in table.foreign_keys
        if is_same(key.parent, table.name) and all(name in at for name in key.columns)
    ]
    if not keys:
        return rows

    def before(place: int) -> Iterator[int]:
        for own, other in keys:
            wanted = [rows[place][i] for i in own]
            yield from (i for i, row in enumerate(rows) if i != place and [row[j] for j in other] == wanted)

    return [rows[place] for place in depth_first_postorder(range(len(rows)), before)]


DIFFERS = "DuckDB gives another answer with its optimiser switched off"
_WITNESS = frozenset(("CREATE", "INSERT", "ALTER"))
_MAKES_BESIDE = re.compile(r"""(?:ATTACH ':memory:' AS|USE) "(?:[^"]|"")+"\Z""")
_MAKES = frozenset(("MACRO", "SCHEMA", "TABLE", "VIEW", "INDEX", "UNIQUE", "TYPE", "SEQUENCE"))


class DuckdbSession(TypedSession):
    """A database and, where it is asked, its rows in the core.

    Attributes:
        database: the database.
        schema: its schema.
    """

    def __init__(self, database: DuckdbDatabase, schema: Schema, *, twice: bool = False) -> None:
        self.database = database
        self.schema = schema
        self._twice = twice
        """Whether each query runs without DuckDB's optimiser as well."""

    @cached_property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        counted = 0
        for table in self.schema.tables:
            ((rows,),) = self.database.execute(f"SELECT count(*) FROM {native_name(table.name)}")
            counted += rows
        return counted <= MOST_CORE_ROWS

    def copied(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        self.require_core()
        rows = {}
        for table in self.schema.tables:
            stored = [column for column in table.columns if not column.generated]
            rows[table.name] = tuple(column.name for column in stored), self._rows_of(table, stored)
        return core_copy(self.schema, rows)

    def _rows_of(self, table: Table, stored: Sequence[Column]) -> Iterator[Row]:
        names = [(quoted_name(column.name), column.native_type) for column in stored]
        columns = ", ".join(_as_copied(*each) for each in names)
        singles = {place for place, column in enumerate(stored) if column.native_type == "FLOAT"}
        for row in self.database.execute(f"SELECT {columns} FROM {native_name(table.name)}"):
            cells = map(cell_of, row)
            yield tuple(single(cell) if place in singles else cell for place, cell in enumerate(cells))

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`.

        Where witnesses replay each query runs twice: what DuckDB's optimiser changes is no witness.
        """
        if values:
            from equiv.dialects.duckdb.parameters import bound

            text = bound(text, values)
        if len(text.encode(errors="surrogatepass")) > MAX_STATEMENT:
            return Failure("error", f"query longer than {MAX_STATEMENT} bytes")
        refused = refusal_of(text, self.database, self.schema)
        if refused is not None:
            return refused
        if not self._twice:
            return self.database.run(text, limits)
        limits = limits_for(text, limits)
        found = self.database.run(text, limits)
        plain = self.database.run(text, limits, optimised=False)
        if isinstance(found, Failure) and isinstance(plain, Failure):
            return found
        if isinstance(found, Failure) or isinstance(plain, Failure) or not same_rows(found, plain):
            return Failure("resource", DIFFERS)
        return found

    def printed(self, text: str, limits: Limits) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Printer`."""
        return refusal_of(text, self.database, self.schema) or self.database.printed(text, limits)

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
                    self.database.execute(f"INSERT INTO {native_name(name)} ({names}) SELECT {lists}", texts)
        except DuckdbError as error:
            raise RunnerError(one_line(error)) from None

    def close(self) -> None:
        """Close it, and its copy."""
        super().close()
        self.database.close()


def _as_copied(name: str, kind: str) -> str:
    """A column as its values are copied: nested ones as DuckDB writes them."""
    return in_utc(name) if kind == ZONED else f"CAST({name} AS VARCHAR)" if is_nested(kind) else name


def same_rows(one: Result, other: Result) -> bool:
    """Whether two results hold the same rows as often, whatever their order, rounding apart."""
    return sorted(map(_rounded, one.rows)) == sorted(map(_rounded, other.rows))


def _rounded(row: Row) -> tuple[str, ...]:
    return tuple(f"{cell:.9g}" if isinstance(cell, float) else repr(cell) for cell in row)


def empty_session(schema: Schema) -> DuckdbSession:
    """A database of a schema without rows.

    Raises:
        InputError: DuckDB refuses usage before.
    """
    made = [statement for table in schema.tables for statement in table.native]
    made = [*made_first(schema), *made, *made_last(schema), *map(creating, schema.native_views)]
    try:
        with borrowed().handed_on() as database:
            database.make(made)
    except DuckdbError as error:
        raise InputError(f"the schema is refused: {one_line(error)}") from None
    return DuckdbSession(database, schema)


def replayed(script: str) -> DuckdbSession:
    """A database on which a script has run that does what a witness does, and nothing besides.

    Raises:
        RunnerError: the script does anything else, or fails.
    """
    try:
        with borrowed().handed_on() as database:
            # The time zone is that of each session here.
            found = [each for each in database.kinds(script) if each[1].strip() != SET_ZONE]
            for kind, statement in found:
                _require_harmless(kind, statement)
            database.make(statement for _, statement in found)
            made = tuple(statement for kind, statement in found if kind != "INSERT")
            return DuckdbSession(database, _made(made, database), twice=True)
    except DuckdbError as error:
        raise RunnerError(one_line(error)) from None


def _made(statements: tuple[str, ...], database: DuckdbDatabase) -> Schema:
    """The schema that statements have made: read once for many scripts that differ in their rows."""
    return remembered(_read_before, statements, lambda: read_catalogue(database, ""))


_read_before: dict[tuple[str, ...], Schema] = {}


def _require_harmless(kind: str, statement: str) -> None:
    if _MAKES_BESIDE.match(statement):
        return
    if kind not in _WITNESS or (kind == "CREATE" and _made_by(statement) not in _MAKES):
        raise RunnerError(f"not allowed in a witness's script: {statement[:60]}")


def _made_by(statement: str) -> str:
    """The word after CREATE."""
    return [token.word for token in islice(tokens(statement), 2)][1]


_WITH_ZONE = frozenset(("TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE"))


class DuckdbDatabases:
    """Databases of one schema, as schemas of one database in memory; the optimiser is off in those turned.

    Args:
        ddl: the statements that make the tables.
        filled: for each database the statements that fill it; one that is refused is skipped.
        settings: the values of each setting that is drawn.
    """

    def __init__(
        self, ddl: str, filled: Sequence[Sequence[str]], settings: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._connection, self._count = unlocked_connection(), len(filled)
        self._set: dict[str, str] = {}
        self.settings = settings
        for number, statements in enumerate(filled):
            self._make(f"w{number}", ddl)
            for statement in statements:
                with suppress(DuckdbError):
                    self._connection.execute(statement)
            self._make(f"w{number + len(filled)}", ddl)
            for table in ("t", "u"):
                there = f"w{number}.{table}"
                self._connection.execute(f"INSERT INTO {table} SELECT * FROM {there} ORDER BY rowid DESC")

    def _make(self, name: str, ddl: str) -> None:
        self._connection.execute(f"CREATE SCHEMA {name}; USE {name}; {ddl}")

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        for name in [name for name in settings if settings[name] != self._set.get(name)]:
            self._connection.execute(f"SET {name} = '{settings[name]}'")
        self._set = dict(settings)
        optimising = "disable" if number >= self._count else "enable"
        self._connection.execute(f"PRAGMA {optimising}_optimizer; USE w{number}; BEGIN")
        found = [self._answer(text) for text in texts]
        self._connection.execute("ROLLBACK")
        return found

    def _answer(self, text: str) -> list[Row] | None:
        try:
            found = self._fetched(text)
        except (DuckdbError, ValueError, OverflowError):
            with suppress(DuckdbError):
                self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN")
            return None
        return found

    def _fetched(self, text: str) -> list[Row]:
        asked = self._connection.execute(text)
        kinds = [str(each[1]) for each in asked.description or ()]
        if not _WITH_ZONE.isdisjoint(kinds):
            names = [f"c{at}" for at in range(len(kinds))]
            shown_as = (
                f"CAST({name} AS VARCHAR)" if kind in _WITH_ZONE else name
                for name, kind in zip(names, kinds, strict=True)
            )
            asked = self._connection.execute(
                f"SELECT {', '.join(shown_as)} FROM ({text}) AS q({', '.join(names)})"
            )
        return [tuple(map(cell_of, row)) for row in asked.fetchall()]

    def close(self) -> None:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        self._connection.close()
