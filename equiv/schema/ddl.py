"""Schemas from DDL text, by letting an empty SQLite execute it and reading that back."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace

from equiv.errors import InputError
from equiv.foreign import Sign, sign_in_ddl
from equiv.schema.ddl_text import bare, statements
from equiv.schema.dialects import altered_table, foreign_table
from equiv.schema.model import Schema
from equiv.schema.render import create_table
from equiv.schema.sqlite import define, read_schema
from equiv.sql import quoted

_DEFINITION = re.compile(r"CREATE\s+(TABLE|VIEW|(UNIQUE\s+)?INDEX)\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"CREATE\s+TABLE\s+(IF\s+NOT\s+EXISTS\s+)?(?P<name>\w+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])\s*\.", re.IGNORECASE
)
_TEMPORARY = re.compile(r"(CREATE)\s+TEMP(?:ORARY)?\b", re.IGNORECASE)
_ROWS = re.compile(r"\s*(INSERT|REPLACE)\b", re.IGNORECASE)
_ALTER = re.compile(r"(ALTER\s+TABLE|CREATE\s+(UNIQUE\s+)?INDEX)\b", re.IGNORECASE)
_DROP = re.compile(r"DROP\s+(TABLE|VIEW|INDEX)\b", re.IGNORECASE)
_IGNORED = re.compile(
    r"(ANALYZE|ATTACH|BEGIN|COMMENT|COMMIT|CREATE|DELETE|DELIMITER|DETACH|DROP|END|GRANT|INSERT|LOCK|PRAGMA"
    r"|REINDEX|RELEASE|REPLACE|REVOKE|ROLLBACK|SAVEPOINT|SELECT|SET|START|UNLOCK|UPDATE|USE|VACUUM|WITH)\b",
    re.IGNORECASE,
)


def load_ddl(text: str, name: str = "") -> Schema:
    """The schema that a script of CREATE TABLE, CREATE INDEX, CREATE VIEW and ALTER TABLE statements defines.

    Statements that define nothing (INSERT, PRAGMA, BEGIN, …) are passed over;
    what is dropped is gone.  A CREATE TABLE that SQLite refuses is read as MySQL,
    PostgreSQL or T-SQL.

    Raises:
        InputError: a statement is not understood (its first line is named), or no table is created.
    """
    if "`" in text:
        text = text.replace("\\'", "''")  # MySQL's escape: SQLite has none, and would end the string here.
    signs: list[Sign] = []
    qualifiers: set[str] = set()
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements(text):
            if not _ROWS.match(statement) and (definition := bare(statement)):
                _run(connection, _TEMPORARY.sub(r"\1", definition, count=1))
                signs += filter(None, [None if signs else sign_in_ddl(definition)])
                qualifiers |= _qualifiers(definition)
        schema = read_schema(connection, name)
    if not schema.tables:
        raise InputError(f"{name or 'DDL'}: creates no table")
    return replace(schema, foreign=str(signs[0]) if signs else "", qualifiers=tuple(sorted(qualifiers)))


def _qualifiers(definition: str) -> set[str]:
    """What stands before the name of the table that a statement creates."""
    found = _QUALIFIED.match(definition)
    return {found["name"].strip('"`[]').lower()} - {"main", "temp"} if found else set()


def _run(connection: sqlite3.Connection, statement: str) -> None:
    if _DEFINITION.match(statement):
        _define(connection, statement)
    elif _ALTER.match(statement):
        _alter(connection, statement, "not understood")
    elif _DROP.match(statement):
        with suppress(sqlite3.Error):
            connection.execute(statement)
    elif not _IGNORED.match(statement):
        raise _refusal(statement, "not DDL")


def _refusal(statement: str, why: object) -> InputError:
    first = statement.splitlines()[0].strip()
    return InputError(f"DDL statement refused ({why}): {first[:120]}")


def _define(connection: sqlite3.Connection, statement: str) -> None:
    why = define(connection, statement)
    if why is None:
        return
    if _ALTER.match(statement):
        _alter(connection, statement, why)
        return
    table = None if "already exists" in why else foreign_table(statement)
    if table is None or define(connection, create_table(table)) is not None:
        raise _refusal(statement, why)


def _alter(connection: sqlite3.Connection, statement: str, why: str) -> None:
    """Add a column as SQLite does, or a constraint, which SQLite cannot, by making the empty table anew."""
    with suppress(sqlite3.Error):
        connection.execute(statement)
        return
    table = altered_table(statement, read_schema(connection))
    if table is None:
        raise _refusal(statement, why)
    try:
        connection.execute(f"DROP TABLE {quoted(table.name)}")
        connection.execute(create_table(table))
    except sqlite3.Error as error:
        raise _refusal(statement, error) from None
