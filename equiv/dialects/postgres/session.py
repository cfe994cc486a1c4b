"""Databases of a pair on PostgreSQL, with the same rows on the core's runner when these are asked for.

Besides, databases for random questions, which answer under any settings of the session.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from equiv.core.model import Earlier, Schema, Table
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.postgres import server
from equiv.dialects.postgres.catalogue import read_catalogue
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.script import definitions, native_name, path_of, setting
from equiv.dialects.postgres.session_settings import stated_by
from equiv.dialects.postgres.statements import SqlStatement, bare_name, placed_statements, statements
from equiv.dialects.postgres.values import cell_of, family_of
from equiv.dialects.postgres.wire import Address, Wire, WireError
from equiv.dialects.typed import facts
from equiv.dialects.typed.dialect import CopiedRows, TypedSession, core_copy, limits_for
from equiv.errors import InputError
from equiv.names import quoted_name
from equiv.scratch import remembered

if TYPE_CHECKING:
    from equiv.cells import Cell, Row

_OF_ROWS = frozenset(("INSERT", "WITH", "REFRESH", "TRUNCATE"))
_WHAT_A_WITNESS_DOES = frozenset(("CREATE", "ALTER", "DROP", "DO")) | _OF_ROWS
_MAKES = frozenset(
    """SCHEMA TYPE DOMAIN TABLE INDEX UNIQUE VIEW EXTENSION SEQUENCE OR FUNCTION AGGREGATE MATERIALIZED
    RECURSIVE UNLOGGED TEMP TEMPORARY GLOBAL LOCAL""".split()  # noqa: SIM905
)
_READING_SECONDS = 60.0
_PATIENCE = 3


_KEPT_DATABASES = 2
_read_before: dict[tuple[str, ...], Schema] = {}
"""The schemas that scripts made, by their statements without those about rows."""


class PostgresSession(TypedSession):
    """A database that is rolled back when it is closed.

    Args:
        sandbox: the database.
        schema: its schema, given for an empty database.
        made: the DDL that made its tables, given for a populated one.
        earlier: the rows that tables had when materialised views were refreshed.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        schema: Schema | None = None,
        made: tuple[str, ...] = (),
        earlier: EarlierRows | None = None,
    ) -> None:
        self.sandbox = sandbox
        self._schema = schema
        self._made = made
        self._earlier = earlier or {}

    def copied(self) -> Guarded:
        schema = self._schema or self._read()
        tables = [] if self._schema is not None else schema.tables
        return core_copy(schema, all_rows(self.sandbox.wire, tables, self._earlier))

    def _read(self) -> Schema:
        # Not made by a script alone: what another such database held says nothing of this one.
        return (
            _catalogue_of(self._made, self.sandbox) if self._made else read_catalogue(self.sandbox.wire, "")
        )

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`."""
        if values:
            from equiv.dialects.postgres.parameters import bound

            text = bound(text, values)
        # The server is another process, which may wait for a turn while the clock runs.
        patient = replace(limits, seconds=_PATIENCE * limits.seconds)
        return self.sandbox.run(text, limits_for(text, patient))

    def printed(self, text: str, limits: Limits) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Printer`."""
        found = self.sandbox.run(text, limits_for(text, limits), prints=True)
        if isinstance(found, Result):
            with suppress(WireError):
                return replace(found, names=self.sandbox.describe(text).names)
        return found

    def close(self) -> None:
        """Roll all back; a second time does nothing, since somebody else may have the database then."""
        if self.is_open:
            super().close()
            self.sandbox.close()


EarlierRows = Mapping[Earlier, list["Row"]]


def all_rows(wire: Wire, tables: Iterable[Table], earlier: EarlierRows) -> CopiedRows:
    """The rows of tables; of an earlier time those that are given.

    Raises:
        WireError: the server refuses.
    """
    return {
        table.name: (
            tuple(column.name for column in table.columns),
            earlier.get(table.earlier, []) if table.earlier else rows_of(wire, table),
        )
        for table in tables
    }


def refreshed(view: str, wire: Wire, schema: Schema, before: EarlierRows) -> EarlierRows:
    """The rows of an earlier time once a materialised view has been refreshed.

    Raises:
        WireError: the server refuses.
    """
    found = {each: rows for each, rows in before.items() if each.views[0] != view}
    for copy in filter(None, (table.earlier for table in schema.tables)):
        base = schema.table(copy.table)
        if copy.views == (view,) and base is not None:
            found[copy] = rows_of(wire, base)
        elif copy.views[0] == view:
            found[copy] = list(before.get(Earlier(copy.table, copy.views[1:]), []))
    return found


def present_rows(wire: Wire, schema: Schema) -> EarlierRows:
    """The rows of an earlier time, where that is now: all materialised views are up to date.

    Raises:
        WireError: the server refuses.
    """
    bases = [(t.earlier, schema.table(t.earlier.table)) for t in schema.tables if t.earlier]
    return {copy: rows_of(wire, base) for copy, base in bases if base is not None}


def _catalogue_of(made: tuple[str, ...], sandbox: Sandbox) -> Schema:
    """The schema that statements have made: read once for many scripts that differ in their rows."""
    return remembered(_read_before, made, lambda: read_catalogue(sandbox.wire, ""))


def rows_of(wire: Wire, table: Table) -> list[Row]:
    """All rows of a table.

    Raises:
        WireError: the server refuses.
    """
    columns = ", ".join(quoted_name(column.name) for column in table.columns) or "NULL"
    return [
        tuple([cell_of(field, kind) for field, kind in zip(fields, types, strict=True)])
        for types, fields in wire.stream(f"SELECT {columns} FROM {native_name(table)}", _READING_SECONDS)
        if fields
    ]


def asked_engine(wire: Wire) -> facts.AskedEngine:
    """A server that is asked for facts; what it refuses undoes nothing."""

    def rows(query: str) -> list[tuple[str | None, ...]] | None:
        with wire.undoing(""):
            try:
                return wire.one(query).rows
            except WireError:
                return None

    return facts.AskedEngine(rows, native_name)


def empty_session(schema: Schema) -> PostgresSession:
    """A database of a schema without rows.

    Raises:
        InputError: the server refuses usage before.
    """
    made = filter(None, (*setting(schema), *schema.native, path_of(schema)))
    try:
        with Sandbox().handed_on() as sandbox:
            _run_all(map(SqlStatement, made), sandbox)
            refresh_all(sandbox)
            sandbox.open_to_reader()
    except WireError as error:
        raise InputError(f"the schema is refused: {error}") from None
    return PostgresSession(sandbox, schema)


def refresh_all(sandbox: Sandbox) -> list[str]:
    """Refresh all materialised views that were never filled; their names with schemas.

    Raises:
        WireError: the server refuses.
    """
    found = [(str(quoted_view), str(view)) for quoted_view, view in sandbox.wire.execute(_UNFILLED).rows]
    for quoted_view, _ in found:
        sandbox.define(f"REFRESH MATERIALIZED VIEW {quoted_view}")
    return [view for _, view in found]


_UNFILLED = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), n.nspname || '.' || c.relname FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'm' AND NOT c.relispopulated ORDER BY c.oid
"""


def made_by(before: Sequence[str], after: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """How the catalogue defines the tables and views that statements make; None if one is refused.

    Args:
        before: the statements before the rows, which may stay for the next script.
        after: those that follow the rows.
    """
    try:
        with _prepared(tuple(before)) as sandbox:
            _run_all(map(SqlStatement, after), sandbox)
            return definitions(read_catalogue(sandbox.wire, ""))
    except (WireError, RunnerError, InputError):
        return None


def replayed(script: str) -> PostgresSession:
    """A database on which a script has run that does what a witness does, and nothing besides.

    Tables that were made by the same statements before are there still, and empty.

    Raises:
        RunnerError: the script does anything else, or fails.
    """
    before, found = _parted(script)
    made = (*before, *(each.text for each in found if each.words[0] not in _OF_ROWS))
    earlier: EarlierRows = {}
    try:
        with _prepared(before).handed_on() as sandbox:
            for is_refresh, group in groupby(found, lambda each: each.words[0] == "REFRESH"):
                if not is_refresh:
                    _run_all(group, sandbox)
                    continue
                for statement in group:
                    _run_all([statement], sandbox)
                    # As scripts of witnesses write it: with its schema.
                    names = statement.bare.rsplit(None, 1)[-1].split(".")
                    # What follows the rows says nothing of which tables a view reads.
                    schema = _catalogue_of(made, sandbox)
                    earlier = refreshed(".".join(map(bare_name, names)), sandbox.wire, schema, earlier)
            if len(made) > len(before):
                sandbox.open_to_reader()
    except WireError as error:
        raise RunnerError(str(error)) from None
    return PostgresSession(sandbox, made=made, earlier=earlier)


_begun: dict[int, tuple[str, tuple[str, ...]]] = {}
"""The text and the statements before the rows of the last script, which the next may share, by process."""


def _parted(script: str) -> tuple[tuple[str, ...], list[SqlStatement]]:
    """The statements of a script before its first about rows, and the others.

    Raises:
        RunnerError: one does what no witness does.
    """
    text, before = _begun.get(os.getpid(), ("", ()))
    if text and script.startswith(text):
        rest = list(statements(script[len(text) :]))
        if rest and rest[0].words[0] in _OF_ROWS:
            for each in rest:
                _require_harmless(each)
            return before, rest
    found = list(placed_statements(script))
    for _, each in found:
        _require_harmless(each)
    first = next((i for i, (_, each) in enumerate(found) if each.words[0] in _OF_ROWS), len(found))
    before = tuple(each.text for _, each in found[:first])
    if first < len(found):
        _begun[os.getpid()] = script[: found[first][0]], before
    return before, [each for _, each in found[first:]]


def _run_all(found: Iterable[SqlStatement], sandbox: Sandbox) -> None:
    for is_setting, group in groupby(found, lambda each: each.words[0] == "SET"):
        if not is_setting:
            sandbox.define_all(each.text for each in group)
            continue
        for statement in group:
            if stated := stated_by(statement.bare):
                sandbox.set(stated)
            else:
                sandbox.set_path(statement.bare)


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
    try:
        with Sandbox().handed_on() as sandbox:
            _run_all(map(SqlStatement, before), sandbox)
            sandbox.open_to_reader()
    except WireError as error:
        raise RunnerError(str(error)) from None
    sandbox.mark(before, kept)
    return sandbox


_kept: dict[int, OrderedDict[tuple[str, ...], Sandbox]] = {}
"""Databases whose tables are made and empty, by the statements that made them, by process."""


def _require_harmless(statement: SqlStatement) -> None:
    words = statement.words
    if words[:2] == ("SET", "SEARCH_PATH") or (words[0] == "SET" and stated_by(statement.bare)):
        return
    if words[0] not in _WHAT_A_WITNESS_DOES or (words[0] == "CREATE" and words[1] not in _MAKES):
        raise RunnerError(f"not allowed in a witness's script: {statement.bare[:60]}")


SERVER = "EQUIV_FUZZ_POSTGRES"
"""The variable of the environment with the URL of a server on which databases are opened in place of the
embedded one: its ICU collations are drawn, too, each as the collation of all columns.  They are made in one
transaction, which is rolled back."""


class PostgresDatabases:
    """Databases of one schema, as schemas of one database; columns of texts have a collation that is drawn.

    Args:
        ddl: the statements that make the tables.
        filled: for each database the statements that fill it; one that is refused is skipped.
        settings: the values of each setting that is drawn, but for collations.
    """

    def __init__(
        self, ddl: str, filled: Sequence[Sequence[str]], settings: Mapping[str, tuple[str, ...]]
    ) -> None:
        url = os.environ.get(SERVER, "")
        self._wire = Wire(Address("", url=url)) if url else server.borrow()
        self._give_back = Wire.close if url else server.give_back
        self._count = len(filled)
        self._wire.execute(
            "BEGIN; SET LOCAL statement_timeout = 2000; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = ISO"
        )
        for number, rows in enumerate(filled):
            self._make(f"w{number}", ddl)
            self._fill(rows)
            self._make(f"w{number + self._count}", ddl)
            self._copy(f"w{number}", backwards=True)
        self._collations = ("C", *self._foreign())
        for at, _ in enumerate(self._collations[1:], 1):
            for number in range(2 * self._count):
                self._make(f"c{at}w{number}", ddl)
                self._collate(self._collations[at])
                self._copy(f"w{number}", backwards=False)
        self._wire.execute("SAVEPOINT ready")
        self.settings = {**settings, "lc_collate": self._collations}

    def _foreign(self) -> list[str]:
        """Some collations by which texts are in another order than that of their bytes."""
        asked = "SELECT collname FROM pg_collation WHERE collprovider = 'i' AND collname = ANY ($1::text[])"
        found = [str(name) for (name,) in self._wire.one(asked, ("{en-US-x-icu,sv-x-icu,unicode}",)).rows]
        self._wire.execute("SAVEPOINT icu")
        try:
            self._wire.execute("".join(f"SELECT 'a' < 'B' COLLATE \"{each}\";" for each in found))
        except WireError:
            found = []
        self._wire.execute("ROLLBACK TO icu")
        return found

    def _make(self, name: str, ddl: str) -> None:
        self._wire.execute(f"CREATE SCHEMA {name}; SET LOCAL search_path = {name}; {ddl}")

    def _fill(self, rows: Sequence[str]) -> None:
        for statement in rows:
            self._wire.execute("SAVEPOINT filling")
            with suppress(WireError):
                self._wire.execute(statement)
                continue
            self._wire.execute("ROLLBACK TO filling")

    def _copy(self, source: str, *, backwards: bool) -> None:
        order = " ORDER BY ctid DESC" if backwards else ""
        for table in ("t", "u"):
            self._wire.execute(f"INSERT INTO {table} SELECT * FROM {source}.{table}{order}")

    def _collate(self, collation: str) -> None:
        for table in ("t", "u"):
            for name, kind in self._wire.one(_OF_TEXTS, (table,)).rows:
                changed = f'ALTER COLUMN "{name}" TYPE {kind} COLLATE "{collation}"'
                self._wire.execute(f"ALTER TABLE {table} {changed}")

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        at = self._collations.index(settings["lc_collate"])
        where = f"w{number}" if at == 0 else f"c{at}w{number}"
        given = [f"SET LOCAL {name} = '{value}'" for name, value in settings.items() if name != "lc_collate"]
        path = f"SET LOCAL search_path = {where}"
        self._wire.execute("; ".join(("ROLLBACK TO ready", *given, path, "SAVEPOINT asking")))
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> list[Row] | None:
        try:
            found = self._wire.execute(text)
        except WireError:
            self._wire.execute("ROLLBACK TO asking")
            return None
        return [tuple(map(_cell, row, found.types)) for row in found.rows]

    def close(self) -> None:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        self._give_back(self._wire)


def _cell(value: str | None, kind: int) -> Cell:
    """The cell of a value; dates and times as the settings have them written."""
    plain = family_of(kind) in ("number", "boolean", "text")
    return cell_of(value.encode(), kind) if plain and value is not None else value


_OF_TEXTS = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = $1::regclass AND attnum > 0 AND attcollation <> 0
"""
