"""Databases of a pair on PostgreSQL, with the same rows on the core's runner when these are asked for."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from equiv.core.identifiers import quoted
from equiv.core.model import Schema, Table
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError, open_memory
from equiv.dialects.postgres.catalogue import read_catalogue
from equiv.dialects.postgres.embedded.wire import Wire, WireError
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.script import native_name, path_of
from equiv.dialects.postgres.statements import Statement, statements
from equiv.dialects.postgres.values import cell_of
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.cells import Cell, Row

_WHAT_A_WITNESS_DOES = frozenset(("CREATE", "INSERT", "ALTER"))
_MAKES = frozenset(("SCHEMA", "TYPE", "DOMAIN", "TABLE", "INDEX", "UNIQUE", "VIEW", "EXTENSION"))
_READING_SECONDS = 60.0
_PATIENCE = 3


_KEPT = 64
_KEPT_DATABASES = 2
_read_before: dict[tuple[str, ...], Schema] = {}
"""The schemas that scripts made, by their statements without those about rows."""


class PostgresSession:
    """A database that is rolled back when it is closed.

    Attributes:
        sandbox: the database.
        schema: its schema, where it has no rows.
        made: the statements that made its tables, where it has rows.
    """

    def __init__(self, sandbox: Sandbox, schema: Schema | None = None, made: tuple[str, ...] = ()) -> None:
        self.sandbox = sandbox
        self._schema = schema
        self._made = made

    @property
    def has_core(self) -> bool:
        return True

    @cached_property
    def core(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        schema = self._schema or self._read()
        tables = [] if self._schema is not None else schema.tables
        return core_copy(schema, {table.name: rows_of(self.sandbox.wire, table) for table in tables})

    def _read(self) -> Schema:
        """The schema that the script has made: read once for many scripts that differ in their rows."""
        if not self._made:
            # Not made by a script alone: what another such database held says nothing of this one.
            return read_catalogue(self.sandbox.wire, "")
        if self._made not in _read_before:
            if len(_read_before) >= _KEPT:
                _read_before.clear()
            _read_before[self._made] = read_catalogue(self.sandbox.wire, "")
        return _read_before[self._made]

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`."""
        if values:
            from equiv.dialects.postgres.parameters import bound

            text = bound(text, values)
        # The server is another process, which may wait for a turn while the clock runs.
        return self.sandbox.run(text, replace(limits, seconds=_PATIENCE * limits.seconds))

    def close_core(self) -> None:
        """Close the core's copy, if there is one."""
        if "core" in self.__dict__:
            self.core.close()

    def close(self) -> None:
        """Roll all back."""
        self.close_core()
        self.sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def rows_of(wire: Wire, table: Table) -> list[Row]:
    """All rows of a table.

    Raises:
        WireError: the server refuses.
    """
    columns = ", ".join(quoted(column.name) for column in table.columns) or "NULL"
    return [
        tuple([cell_of(field, kind) for field, kind in zip(fields, types, strict=True)])
        for types, fields in wire.stream(f"SELECT {columns} FROM {native_name(table)}", _READING_SECONDS)
        if fields
    ]


def core_copy(schema: Schema, rows: Mapping[str, Iterable[Row]]) -> Guarded:
    """A database of the core with the tables of a schema and some rows by table.

    Raises:
        RunnerError: the core cannot hold them.
    """
    from equiv.dialects.registry import reference

    engine = open_memory()
    try:
        for statement in reference().create(schema):
            engine.connection.execute(statement)
        for name, kept in rows.items():
            table = schema.table(name)
            if table is not None and table.columns:
                marks = ", ".join("?" * len(table.columns))
                engine.connection.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", kept)
    except OverflowError as error:
        engine.close()
        raise RunnerError(str(error)) from None
    except BaseException:
        engine.close()
        raise
    return engine


def empty_session(schema: Schema) -> PostgresSession:
    """A database of a schema without rows.

    Raises:
        InputError: the server refuses what it took before.
    """
    sandbox = Sandbox()
    made = [statement for table in schema.tables for statement in table.native]
    late = [statement for table in schema.tables for statement in table.native_after]
    views = [f"CREATE VIEW {native_name(view)} AS {view.sql}" for view in schema.native_views]
    path = path_of(schema)
    try:
        for statement in (*schema.native, *made, *late, *views):
            sandbox.define(statement)
        if path:
            sandbox.set_path(path)
        sandbox.open_to_reader()
    except WireError as error:
        sandbox.close()
        raise InputError(f"the schema is refused: {error}") from None
    return PostgresSession(sandbox, schema)


def replayed(script: str) -> PostgresSession:
    """A database on which a script has run that does what a witness does, and nothing besides.

    Tables that were made by the same statements before are there still, and empty.

    Raises:
        RunnerError: the script does anything else, or fails.
    """
    found = list(statements(script))
    for statement in found:
        _require_harmless(statement)
    first = next((i for i, each in enumerate(found) if each.words[0] == "INSERT"), len(found))
    sandbox = _prepared(tuple(each.text for each in found[:first]))
    try:
        _run_all(found[first:], sandbox)
        sandbox.open_to_reader()
    except WireError as error:
        sandbox.close()
        raise RunnerError(str(error)) from None
    except BaseException:
        sandbox.close()
        raise
    made = tuple(each.text for each in found if each.words[0] != "INSERT")
    return PostgresSession(sandbox, made=made)


def _run_all(found: Iterable[Statement], sandbox: Sandbox) -> None:
    for statement in found:
        if statement.words[0] == "SET":
            sandbox.set_path(statement.bare)
        else:
            sandbox.define(statement.text)


def _prepared(before: tuple[str, ...]) -> Sandbox:
    """A database on which the statements before the rows have run.

    Raises:
        RunnerError: they fail.
    """
    kept = _kept.setdefault(os.getpid(), OrderedDict())
    sandbox = kept.pop(before, None)
    if sandbox is not None and sandbox.is_alive():
        sandbox.mark(before, kept)
        return sandbox
    while len(kept) >= _KEPT_DATABASES:
        kept.popitem(last=False)[1].discard()
    sandbox = Sandbox()
    try:
        _run_all((Statement(text) for text in before), sandbox)
    except WireError as error:
        sandbox.close()
        raise RunnerError(str(error)) from None
    sandbox.mark(before, kept)
    return sandbox


_kept: dict[int, OrderedDict[tuple[str, ...], Sandbox]] = {}
"""Databases whose tables are made and empty, by the statements that made them, by process."""


def _require_harmless(statement: Statement) -> None:
    words = statement.words
    if words[:2] == ("SET", "SEARCH_PATH"):
        return
    if words[0] not in _WHAT_A_WITNESS_DOES or (words[0] == "CREATE" and words[1] not in _MAKES):
        raise RunnerError(f"not what a witness does: {statement.bare[:60]}")
