"""This module reads schemas from DDL: the embedded server runs it, and the server's catalogue is read.

Expressions of the DDL (defaults, checks, generated columns) are translated into the core by the dialect's own
reader, as parts of a query of the table.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.core.claims.choices import reads_the_clock
from equiv.core.model import Schema
from equiv.core.printing import text_over_row
from equiv.core.query import Broken, Query
from equiv.core.texts import standing
from equiv.dialects.postgres.catalogue import read_catalogue
from equiv.dialects.postgres.making import ScriptReading, run_statement
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.session_settings import PINNED
from equiv.dialects.postgres.statements import statements
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.registry import dialect_of
from equiv.errors import InputError

"""Characters of a script: what is longer is no schema."""


def load_ddl(text: str, name: str) -> Schema:
    """The schema that a script defines: one by hand, or all of what ``pg_dump`` writes.

    Statements about rows, rights, owners and comments are skipped; triggers, rules, policies and what
    cannot be made as well, each named in the schema.

    Raises:
        InputError: a statement is unknown, or no table is created.
    """
    called = name or "DDL"
    with Sandbox() as sandbox:
        reading = ScriptReading(sandbox)
        databases: dict[str, None] = {}
        for statement in standing(list(statements(text, includes=True)), lambda each: each.words):
            if statement.words[:2] == ("CREATE", "TABLE"):
                databases[statement.database] = None
            if len(databases) > 1:
                both = " and ".join(each or "the database it starts in" for each in databases)
                raise InputError(
                    f"{called}: it creates tables in several databases ({both}); give a pg_dump of one"
                )
            if statement.text.startswith("\\"):
                reading.pass_over_included(statement)
            else:
                run_statement(statement, reading)
        try:
            schema = schema_made(reading, name)
        except WireError as error:
            raise InputError(f"{called}: {error}") from None
    if not schema.tables:
        raise InputError(f"{called}: no table was created: {_why_none(schema)}")
    return schema


def _why_none(schema: Schema) -> str:
    """Why a script made no table."""
    held = ("table", "type", "domain", "schema", "extension", "temporary table")
    first = next((each for each in schema.passed if each.kind in held), None)
    if first is None:
        return "the script has no CREATE TABLE"
    place = f" (line {first.line})" if first.line else ""
    return f"{first.why}{place}; tables that use it are left out"


def schema_made(reading: ScriptReading, name: str) -> Schema:
    """The schema that the statements of a script have made.

    Raises:
        WireError: the server refuses to tell.
    """
    reading.finish()
    reading.sandbox.open_to_reader()
    found = whole_schema(reading.sandbox, name, reading.settings())
    return replace(reading.marked(found), native=reading.native())


def whole_schema(sandbox: Sandbox, name: str, settings: tuple[tuple[str, str], ...] = ()) -> Schema:
    """The schema of a database of the embedded server, with what its reader knows of CHECKs.

    Raises:
        WireError, InputError: as :func:`read_catalogue`.
    """
    schema = replace(read_catalogue(sandbox.wire, name), settings=settings)
    conditions = any("CHECK (" in text for table in schema.tables for text in (*table.native, *schema.native))
    derived = any(column.derived for table in schema.tables for column in table.columns)
    if not conditions and not derived and not any(table.unique_indexes for table in schema.tables):
        return schema
    session = PostgresSession(sandbox, schema)
    try:
        return replace(read_catalogue(sandbox.wire, name, _ByReader(schema, session)), settings=settings)
    finally:
        session.close_core()


class _ByReader:
    """Translates by the dialect's reader.

    Args:
        schema: the schema without what is to be translated.
        session: an empty database of it.
    """

    def __init__(self, schema: Schema, session: PostgresSession) -> None:
        self._schema = schema
        self._session = session

    def condition(self, qualified: str, text: str) -> str | None:
        """See :class:`~equiv.dialects.postgres.definitions.TranslateExpression`."""
        tree = self._tree(f"SELECT 1 FROM {qualified} WHERE {text}")
        where = tree.args.get("where") if tree is not None else None
        return None if where is None else text_over_row(where.this)

    def value(self, qualified: str, text: str) -> str | None:
        """See :class:`~equiv.dialects.postgres.definitions.TranslateExpression`."""
        tree = self._tree(f"SELECT {text} FROM {qualified}")
        return None if tree is None or tree.args.get("where") else text_over_row(tree.expressions[0].this)

    def _tree(self, query: str) -> exp.Select | None:
        found = dialect_of(self._schema).reader.read(query, self._schema, self._session)
        tree = None if isinstance(found, Broken) or self._hangs(found, query) else found.tree
        # What the clock showed as a row was written is gone.
        return tree if isinstance(tree, exp.Select) and not reads_the_clock(tree) else None

    def _hangs(self, found: Query, text: str) -> bool:
        """Whether what it says depends on a setting that nobody states."""
        # A constant with a zone was made of a text that is gone.
        zone = ("TimeZone",) if "with time zone" in text else ()
        return not {*found.settings, *zone} <= PINNED | {name for name, _ in self._schema.settings}
