"""This module reads schemas from DDL: the embedded server runs it, and the server's catalogue is read.

Expressions of the DDL (defaults, checks, generated columns) are translated into the core by the dialect's own
reader, as parts of a query of the table.  Scripts with rows are restored, and what the catalogue of a user's
server says is taken, in the same way.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.core.texts import standing
from equiv.dialects.postgres import server
from equiv.dialects.postgres.catalogue import read_catalogue
from equiv.dialects.postgres.ddl_statements import (
    actions_of,
    head_of,
    in_short,
    kind_of,
    made_by_query,
    renamed_table,
    said_name,
)
from equiv.dialects.postgres.making import HELD, ScriptReading
from equiv.dialects.postgres.sandbox import Sandbox, changes_rows_alone
from equiv.dialects.postgres.session import (
    EarlierRows,
    PostgresSession,
    asked_engine,
    present_rows,
    refresh_all,
)
from equiv.dialects.postgres.session_settings import (
    PINNED,
    stated_by,
)
from equiv.dialects.postgres.statements import SqlStatement, bare_name, statements, taken_statements
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.typed import facts
from equiv.dialects.typed.dialect import core_text_by
from equiv.errors import InputError
from equiv.files import read_text
from equiv.names import fold


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
        for statement in _of_script(text):
            if statement.words[:2] == ("CREATE", "TABLE"):
                databases[statement.database] = None
            if len(databases) > 1:
                both = " and ".join(each or "the database it starts in" for each in databases)
                raise InputError(
                    f"{called}: it creates tables in several databases ({both}); give a pg_dump of one"
                )
            _run(statement, reading)
        try:
            schema = schema_made(reading, name)
        except WireError as error:
            raise InputError(f"{called}: {error}") from None
    if not schema.tables:
        raise InputError(f"{called}: no table was created: {_why_none(schema)}")
    return schema


def _of_script(text: str) -> list[SqlStatement]:
    """The statements of a script that are reached and not rolled back, with the commands that count."""
    return standing(list(taken_statements(statements(text, includes=True))), lambda each: each.of_transaction)


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
    found = whole_schema(reading.sandbox, name, reading.session.settings(), frozenset(reading.unread))
    return replace(reading.marked(found), native=reading.native())


def whole_schema(
    sandbox: Sandbox,
    name: str,
    settings: tuple[tuple[str, str], ...] = (),
    unread: frozenset[str] = frozenset(),
) -> Schema:
    """The schema of a database of the embedded server, with what its reader knows of CHECKs.

    Args:
        sandbox: the database.
        name: the name of the schema.
        settings: the settings that its source states.
        unread: words, in lower case, that no expression has of which anything is known.

    Raises:
        WireError, InputError: as :func:`read_catalogue`.
    """
    schema = replace(read_catalogue(sandbox.wire, name), settings=settings)
    made = {*schema.native, *(text for table in schema.tables for text in table.native)}
    conditions = any("CHECK (" in text or "FOR VALUES" in text for text in made)
    derived = any(column.derived for table in schema.tables for column in table.columns)
    if not conditions and not derived and not any(table.unique_indexes for table in schema.tables):
        return schema
    session = PostgresSession(sandbox, schema)
    try:
        core_text = core_text_by(schema, session, lambda found, text, _: _hangs(found, text, schema, unread))
        return replace(read_catalogue(sandbox.wire, name, core_text), settings=settings)
    finally:
        session.close_core()


def _hangs(found: Query, text: str, schema: Schema, unread: frozenset[str]) -> bool:
    """Whether what an expression says depends on a setting that nobody states, or on what is gone."""
    if not unread.isdisjoint(re.findall(r"[\w$]+", fold(text))):
        return True
    # A constant with a zone was made of a text that is gone.
    zone = ("TimeZone",) if "with time zone" in text else ()
    return not {*found.settings, *zone} <= PINNED | {name for name, _ in schema.settings}


_ALTERED = frozenset(
    "TABLE TYPE DOMAIN SEQUENCE INDEX VIEW MATERIALIZED FUNCTION AGGREGATE ROUTINE".split()  # noqa: SIM905
)
_DROPPED = _ALTERED | {"SCHEMA"}
_OF_ROWS = frozenset(
    """ABORT ANALYZE BEGIN CALL CHECKPOINT CLOSE CLUSTER COMMENT COMMIT COPY DEALLOCATE DECLARE DELETE DISCARD
    END EXECUTE EXPLAIN FETCH GRANT INSERT LISTEN LOAD LOCK MERGE MOVE NOTIFY PREPARE REASSIGN REFRESH REINDEX
    RELEASE RESET REVOKE ROLLBACK SAVEPOINT SECURITY SELECT SET SHOW START TRUNCATE UNLISTEN UPDATE VACUUM
    VALUES WITH IMPORT""".split()  # noqa: SIM905
)
"""Statements that define nothing: skipped without a word."""
_SILENT = frozenset(
    ("ROLE", "USER", "GROUP", "DATABASE", "TABLESPACE", "DEFAULT", "STATISTICS", "PUBLICATION")
)
"""What is created, altered or dropped without any bearing on tables."""
_MADE = HELD | {"VIEW", "MATERIALIZED VIEW", "SEQUENCE", "EXTENSION", "INDEX", "UNIQUE INDEX"}
_MADE |= {"FUNCTION", "AGGREGATE"}
_CALLING = frozenset("CALL DELETE EXPLAIN INSERT MERGE SELECT UPDATE VALUES WITH".split())  # noqa: SIM905
_RUNNING = frozenset(("TABLE", "MATERIALIZED VIEW", "TRIGGER", "CONSTRAINT TRIGGER", "EVENT TRIGGER"))
"""What calls functions as it is created, or whenever something happens later."""
_OF_THE_SERVER = frozenset(
    (
        ("OWNER", "TO"),
        ("SET", "TABLESPACE"),
        ("CLUSTER", "ON"),
        ("REPLICA", "IDENTITY"),
        ("ENABLE", "TRIGGER"),
    )
)
"""What concerns no row, by two words."""
_APART = _OF_THE_SERVER | {("TRIGGER", "ALL"), ("LEVEL", "SECURITY")}
"""What PostgreSQL is not told."""


def _run(statement: SqlStatement, reading: ScriptReading) -> None:
    """Run a statement that defines something; skip others.

    Raises:
        InputError: it is unknown.
    """
    words = statement.words
    if not words or _steers(statement, reading):
        return
    if words[0] in _CALLING or (words[0] == "CREATE" and kind_of(statement) in _RUNNING):
        reading.call(statement)
    match words[0]:
        case "CREATE":
            _create(statement, reading)
        case "ALTER" if words[1] in _ALTERED:
            _alter(statement, reading)
        case "DROP" if words[1] in _DROPPED:
            reading.make(statement)
        case "DROP" if words[1] in ("OWNED", "EXTENSION"):
            reading.doubt_all(statement)
        case "DO" if not changes_rows_alone(statement.bare):
            reading.make(statement)
        case "SELECT" | "WITH" if made := made_by_query(statement):
            _create(made, reading)
        case word if word not in ("ALTER", "DROP", "DO", *_OF_ROWS):
            # Those are of what was skipped itself, or have no bearing on tables.
            said = f"line {statement.line}: {in_short(statement)}" if statement.line else in_short(statement)
            raise InputError(f"DDL statement rejected (not DDL): {said}")


def _steers(statement: SqlStatement, reading: ScriptReading) -> bool:
    """Whether a statement or command says what others mean, or brings others along, which is taken down."""
    match statement.words[0]:
        case "\\" if statement.words[1] in ("C", "CONNECT"):
            reading.session.change("DISCARD ALL")
        case "\\":
            reading.pass_over_included(statement)
        case _ if statement.of_transaction:
            reading.session.transact(statement.of_transaction)
        case "SET" | "RESET" | "DISCARD" | "SELECT" | "ALTER":
            return reading.session.change(statement.bare)
        case "CREATE" if found := stated_by(statement.bare):
            reading.session.state(found, statement.bare)
        case _:
            return False
    return True


def _create(statement: SqlStatement, reading: ScriptReading) -> None:
    kind = kind_of(statement)
    if kind in ("FUNCTION", "PROCEDURE", "AGGREGATE", "VIEW"):
        reading.note_code(statement)
    if kind.startswith("TEMPORARY "):
        reading.pass_over_temporary(statement)
    elif kind in _MADE:
        reading.make(statement)
    elif kind and kind not in _SILENT:
        reading.pass_over(statement)


def _alter(statement: SqlStatement, reading: ScriptReading) -> None:
    found, names = head_of(statement), {bare_name(said_name(statement))}
    is_apart = "RENAME" not in found and not _APART.isdisjoint(pairwise(found))
    if is_apart and len(actions := actions_of(statement)) > 1:
        for each in actions:
            _alter(each, reading)
    elif not is_apart:
        if statement.words[1] in ("FUNCTION", "ROUTINE"):
            reading.note_code(statement)
        reading.make(statement)
        reading.unchecked |= {renamed_table(statement)} if names <= reading.unchecked else set()
    elif ("LEVEL", "SECURITY") in pairwise(found):
        reading.pass_over_security(statement)
    elif ("TRIGGER", "ALL") in pairwise(found):
        is_off = not {"DISABLE", "REPLICA"}.isdisjoint(found)
        reading.unchecked = reading.unchecked - names | (names if is_off else set())


class RestoredSession(facts.AsksItself, PostgresSession):
    """A script with rows, restored on the embedded server.

    Attributes:
        restored: its schema.
    """

    def __init__(self, sandbox: Sandbox, restored: Schema, present: EarlierRows) -> None:
        super().__init__(sandbox, earlier=present)
        self.restored = restored

    def asked(self) -> AbstractContextManager[facts.AskedEngine]:
        """See :class:`~equiv.dialects.typed.facts.AsksItself`."""
        return nullcontext(asked_engine(self.sandbox.wire))


def restored(path: Path) -> RestoredSession:
    """The database that a script of DDL, INSERT and COPY makes, such as ``pg_dump`` writes."""
    with Sandbox().handed_on() as sandbox:
        reading = ScriptReading(sandbox)
        for statement in _of_script(read_text(path)):
            if statement.words[:1] == ("INSERT",):
                sandbox.define(statement.text)
            elif statement.data is not None:
                _copy(sandbox, statement)
            elif statement.words[:1] == ("REFRESH",):
                with suppress(WireError):
                    sandbox.define(statement.text)
            else:
                _run(statement, reading)
        try:
            reading.finish()
            # Those of a dump that failed hold what they did; no row of it says when that was.
            refresh_all(sandbox)
            schema = schema_made(reading, path.stem)
            present = present_rows(sandbox.wire, schema)
        except WireError as error:
            raise InputError(f"{path}: {error}") from None
    return RestoredSession(sandbox, schema, present)


def _copy(sandbox: Sandbox, statement: SqlStatement) -> None:
    """Insert the rows of a COPY."""
    with sandbox.acting_as(server.AUTHOR, 600.0):
        sandbox.wire.copy(statement.text, statement.data or "")
