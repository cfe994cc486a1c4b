"""Schemas from DDL as people have it, by letting the embedded server run it and reading its catalogue."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from equiv.core.dumps import name_in
from equiv.core.lexer import tokens
from equiv.core.model import Schema
from equiv.dialects.postgres.catalogue import read_catalogue
from equiv.dialects.postgres.checks import ByReader
from equiv.dialects.postgres.embedded.wire import WireError
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.statements import Statement, statements
from equiv.errors import InputError
from equiv.files import is_text

_CREATED = re.compile(
    r"(TABLE|UNLOGGED TABLE|TYPE|DOMAIN|SCHEMA|VIEW|RECURSIVE VIEW|MATERIALIZED VIEW|SEQUENCE|EXTENSION"
    r"|UNIQUE INDEX|INDEX)\b"
)
_NEEDED = frozenset(("TABLE", "UNLOGGED TABLE", "TYPE", "DOMAIN", "SCHEMA"))
"""What the schema is not without: that it is refused is an error."""
_ALTERED = frozenset(("TABLE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX", "VIEW", "MATERIALIZED"))
_DROPPED = frozenset(("TABLE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX", "VIEW", "MATERIALIZED", "SCHEMA"))
_OF_ROWS = frozenset(
    (
        "ABORT", "ANALYZE", "BEGIN", "CALL", "CHECKPOINT", "CLOSE", "CLUSTER", "COMMENT",
        "COMMIT", "COPY", "DEALLOCATE", "DECLARE", "DELETE", "DISCARD", "END", "EXECUTE",
        "EXPLAIN", "FETCH", "GRANT", "INSERT", "LISTEN", "LOAD", "LOCK", "MERGE",
        "MOVE", "NOTIFY", "PREPARE", "REASSIGN", "REFRESH", "REINDEX", "RELEASE", "RESET",
        "REVOKE", "ROLLBACK", "SAVEPOINT", "SECURITY", "SELECT", "SET", "SHOW", "START",
        "TRUNCATE", "UNLISTEN", "UPDATE", "VACUUM", "VALUES", "WITH", "IMPORT",
    )
)  # fmt: skip
"""Statements that define nothing: passed over without a word."""
_SILENT = frozenset(
    ("ROLE", "USER", "GROUP", "DATABASE", "TABLESPACE", "DEFAULT", "STATISTICS", "PUBLICATION")
)
"""What is created, altered or dropped without any bearing on tables."""
_BINDING = frozenset(("ADD", "ATTACH", "INHERIT", "NULL", "TYPE", "RENAME", "DROP"))
"""Words of what alters the rows that a table takes."""
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
_LARGEST = 20_000_000
"""Characters of a script: what is longer is no schema."""
_SAID = 120
_HEAD = 2_000
"""Characters of a statement in which its words are looked for."""


@dataclass
class Reading:
    """What running a script has come to."""

    sandbox: Sandbox
    notes: list[str] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)

    def pass_over(self, statement: Statement, why: str = "") -> None:
        """Note a statement, and the name that it would have defined."""
        self.notes.append(f"passed over{why}: {_said(statement)}")
        self.withheld.append(name_in(statement.bare))


def load_ddl(text: str, name: str) -> Schema:
    """The schema that a script defines: one by hand, or all of what ``pg_dump`` writes.

    Statements about rows, rights, owners, comments and settings are passed over; functions, triggers, rules
    and policies as well, with a note.

    Raises:
        InputError: a table or type cannot be made, a statement is unknown, or no table is created.
    """
    called = name or "DDL"
    if not is_text(text):
        raise InputError(f"{called}: no text: it holds NUL or half of a surrogate pair")
    if len(text) > _LARGEST:
        raise InputError(f"{called}: longer than {_LARGEST:,} characters")
    with Sandbox() as sandbox:
        reading = Reading(sandbox)
        for statement in statements(text):
            run_statement(statement, reading)
        sandbox.open_to_reader()
        try:
            schema = whole_schema(sandbox, name)
        except WireError as error:
            raise InputError(f"{called}: {error}") from None
    if not schema.tables:
        raise InputError(f"{called}: creates no table")
    names = tuple(dict.fromkeys(filter(None, reading.withheld)))
    return replace(schema, notes=tuple(dict.fromkeys(reading.notes)), withheld=names)


def whole_schema(sandbox: Sandbox, name: str) -> Schema:
    """The schema of a database of the embedded server, with what its reader knows of CHECKs.

    Raises:
        WireError, InputError: as :func:`read_catalogue`.
    """
    schema = read_catalogue(sandbox.wire, name)
    conditions = any("CHECK (" in text for table in schema.tables for text in (*table.native, *schema.native))
    if not conditions and not any(column.derived for table in schema.tables for column in table.columns):
        return schema
    session = PostgresSession(sandbox, schema)
    try:
        return read_catalogue(sandbox.wire, name, ByReader(schema, session))
    finally:
        session.close_core()


def run_statement(statement: Statement, reading: Reading) -> None:
    """Run a statement that defines something; pass over others.

    Raises:
        InputError: it is needed and refused, or unknown.
    """
    words = statement.words
    if not words:
        return
    match words[0]:
        case "CREATE":
            _create(statement, reading)
        case "ALTER" if words[1] in _ALTERED:
            _alter(statement, reading)
        case "DROP" if words[1] in _DROPPED:
            _attempt(statement, reading)
        case "SET":
            reading.sandbox.set_path(statement.bare)
        case "ALTER" | "DROP":
            # Of what was passed over itself, or has no bearing on tables.
            pass
        case "DO":
            reading.pass_over(statement)
        case word if word not in _OF_ROWS:
            raise InputError(f"DDL statement refused (not DDL): {_said(statement)}")


def _create(statement: Statement, reading: Reading) -> None:
    words = list(statement.words[1:])
    while words[:2] == ["OR", "REPLACE"] or words[:1] in (["TEMP"], ["TEMPORARY"], ["GLOBAL"], ["LOCAL"]):
        del words[: 2 if words[0] == "OR" else 1]
    found = _CREATED.match(" ".join(words))
    if found is None:
        if words[:1] and words[0] not in _SILENT:
            reading.pass_over(statement)
    elif found[1] in _NEEDED:
        _require(statement, reading)
    else:
        _attempt(statement, reading, noted=True)


def _alter(statement: Statement, reading: Reading) -> None:
    found = [token.word for token in tokens(statement.bare[:_HEAD])][2:]
    words = set(found)
    if {"ROW", "LEVEL", "SECURITY"} <= words:
        reading.pass_over(statement)
    elif not _OF_THE_SERVER.isdisjoint(pairwise(found)):
        return
    elif words & _BINDING:
        _require(statement, reading)
    else:
        _attempt(statement, reading)


def _require(statement: Statement, reading: Reading) -> None:
    try:
        reading.sandbox.define(statement.text)
    except WireError as error:
        if error.code == _EXISTS_ALREADY and statement.words[1] == "SCHEMA":
            return
        raise InputError(f"DDL statement refused ({error}): {_said(statement)}") from None


_EXISTS_ALREADY = "42P06"


def _attempt(statement: Statement, reading: Reading, *, noted: bool = False) -> None:
    try:
        reading.sandbox.define(statement.text)
    except WireError as error:
        if noted:
            reading.pass_over(statement, f" ({error})")


def _said(statement: Statement) -> str:
    return " ".join(statement.bare[:_SAID].split("\n", 1)[0].split())
