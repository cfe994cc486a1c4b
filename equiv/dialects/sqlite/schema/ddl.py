"""Schemas from DDL text, by letting an empty SQLite execute it and reading that back."""

from __future__ import annotations

import re
from contextlib import closing, suppress
from dataclasses import replace

import apsw

from equiv.core.connection import Connection, RunnerError
from equiv.core.lexer import bare, name_of, tokens
from equiv.core.model import Schema, Table, quoted
from equiv.core.query import Sign
from equiv.core.runner import ENCODING, MAX_STATEMENT
from equiv.core.texts import bare_statements, is_dump, name_in, statements, without_rows
from equiv.dialects.sqlite.foreign import sign_in_ddl
from equiv.dialects.sqlite.schema.ddl_text import is_disordered
from equiv.dialects.sqlite.schema.pragmas import define, read_schema
from equiv.dialects.sqlite.schema.render import table_statements, with_sound_triggers
from equiv.errors import InputError
from equiv.files import is_text

_INDEX = r"CREATE\s+(UNIQUE\s+)?((NON)?CLUSTERED\s+)?INDEX"
_DEFINITION = re.compile(rf"(CREATE\s+(TABLE|VIEW)|{_INDEX})\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"CREATE\s+TABLE\s+(IF\s+NOT\s+EXISTS\s+)?(?P<name>\w+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])\s*\.", re.IGNORECASE
)
_TEMPORARY = re.compile(r"(CREATE)\s+TEMP(?:ORARY)?\b", re.IGNORECASE)
_ROWS = re.compile(r"\s*(INSERT|REPLACE)\b", re.IGNORECASE)
_ALTER = re.compile(rf"(ALTER\s+TABLE|{_INDEX})\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"ALTER\s+(AGGREGATE|DATABASE|DEFAULT|DOMAIN|EXTENSION|FUNCTION|INDEX|OPERATOR|PROCEDURE|PUBLICATION|ROLE"
    r"|SCHEMA|SEQUENCE|TYPE|VIEW)\b"
    r"|ALTER\s+TABLE\s.*\b(OWNER\s+TO|SET\s+DEFAULT|CLUSTER\s+ON|REPLICA\s+IDENTITY|ATTACH\s+PARTITION"
    r"|ADD\s+GENERATED|SET\s+STATISTICS|SET\s+STORAGE|(ENABLE|DISABLE|FORCE)\s+\w+)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What alters nothing that a schema here could hold."""
_TRIGGER = re.compile(r"CREATE\s+TRIGGER\b", re.IGNORECASE)
_VIEW = re.compile(r"CREATE\s+VIEW\b", re.IGNORECASE)
_PASSED_OVER = re.compile(
    r"CREATE\s+(OR\s+REPLACE\s+)?(FUNCTION|PROCEDURE|RULE|POLICY|TYPE|DOMAIN|AGGREGATE|MATERIALIZED|VIRTUAL)\b",
    re.IGNORECASE,
)
"""What may matter and is passed over."""
_DENIED = "not authorized"
_DROP = re.compile(r"DROP\s+(TABLE|VIEW|INDEX)\b", re.IGNORECASE)
_IGNORED = re.compile(
    r"(ANALYZE|ATTACH|BEGIN|COMMENT|COMMIT|CREATE|DELETE|DELIMITER|DETACH|DROP|END|EXPLAIN|GRANT|INSERT|LOCK|PRAGMA"
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
    if not is_text(text):
        raise InputError(f"{name or 'DDL'}: no text: it holds NUL or half of a surrogate pair")
    dumped = is_dump(text)
    if dumped:
        text = without_rows(text)
    if "`" in text:
        text = text.replace("\\'", "''")  # MySQL's escape: SQLite has none, and would end the string here.
    signs: list[Sign] = []
    passed: list[str] = []
    qualifiers: set[str] = set()
    with closing(Connection()) as connection:
        connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT)
        for statement in bare_statements(text, bodiless=True) if dumped else statements(text):
            if not _ROWS.match(statement) and (definition := bare(statement)):
                _require_own_settings(definition)
                lasting, is_temporary = _TEMPORARY.subn(r"\1", definition, count=1)
                try:
                    _run(connection, lasting)
                except InputError as error:
                    is_lost_view = dumped and _VIEW.match(definition)
                    if (
                        not is_lost_view
                        and not _TRIGGER.match(lasting)
                        and "unknown database" not in str(error)
                    ):
                        raise
                    passed.append(definition)
                qualifiers |= {"temp"} if is_temporary else set()
                signs += filter(None, [None if signs else sign_in_ddl(definition)])
                qualifiers |= _qualifiers(definition)
                passed += [definition] if _PASSED_OVER.match(definition) else []
        schema = read_schema(connection, name)
    if not schema.tables:
        raise InputError(f"{name or 'DDL'}: creates no table")
    foreign = str(signs[0]) if signs else ""
    schema = with_sound_triggers(schema)
    return replace(
        schema,
        foreign=foreign,
        qualifiers=tuple(sorted(qualifiers)),
        notes=(*map(_said, passed), *schema.notes),
        withheld=tuple(filter(None, map(name_in, passed))),
    )


def _said(definition: str) -> str:
    return f"passed over: {' '.join(definition[:120].split())}"


def _qualifiers(definition: str) -> set[str]:
    """What stands before the name of the table that a statement creates."""
    found = _QUALIFIED.match(definition)
    return {found["name"].strip('"`[]').lower()} - {"main", "temp"} if found else set()


def _require_own_settings(statement: str) -> None:
    """Refuse DDL for a session whose texts mean something else than ours, or whose rows keep less.

    Raises:
        InputError: it is a PRAGMA that sets another encoding, or one of these switches another way.
    """
    parts = tokens(statement)[:-1]
    if not parts or parts[0].word != "PRAGMA":
        return
    words = [name_of(statement, token).lower() for token in parts[1:]]
    name = next((word for word in words[:3] if word == "encoding" or word in _SWITCHES), "")
    value = "".join(words[words.index(name) + 1 :]).strip("=();") if name else ""
    if name == "encoding" and value not in ("", "utf-8", "utf8"):
        raise _refusal(statement, f"texts are {ENCODING} here")
    usual, why = _SWITCHES.get(name, (False, ""))
    if why and value and (value not in ("0", "off", "false", "no")) != usual:
        raise _refusal(statement, why)


_SWITCHES = {
    "case_sensitive_like": (False, "LIKE takes the cases of ASCII letters for one here"),
    "full_column_names": (False, "columns of subqueries have their bare names here"),
    "ignore_check_constraints": (False, "a CHECK keeps rows out here"),
    "recursive_triggers": (False, "triggers do not set themselves off here"),
    "short_column_names": (True, "columns of subqueries have their bare names here"),
}
"""PRAGMAs that are on or off, which way they are here, and what that means."""


def _run(connection: Connection, statement: str) -> None:
    if _DEFINITION.match(statement):
        _define(connection, statement)
    elif _TRIGGER.match(statement):
        if why := define(connection, statement):
            raise _refusal(statement, why)
    elif _OF_OTHERS.match(statement):
        return
    elif _ALTER.match(statement):
        _alter(connection, statement, "not understood")
    elif _DROP.match(statement):
        with suppress(RunnerError):
            connection.run_alone(statement)
    elif not _IGNORED.match(statement):
        raise _refusal(statement, "not DDL")


def _refusal(statement: str, why: object) -> InputError:
    first = statement.splitlines()[0].strip()
    return InputError(f"DDL statement refused ({' '.join(str(why).split())[:200]}): {first[:120]}")


def _define(connection: Connection, statement: str) -> None:
    why = define(connection, statement)
    if why == _DENIED and (empty := _without_rows_of_its_query(statement)):
        # No row of the query is asked for.
        why = define(connection, empty, reads=True)
    if why is None:
        return
    if _ALTER.match(statement):
        _alter(connection, statement, why)
        return
    from equiv.dialects.sqlite.schema.foreign_tables import foreign_table

    # What no other system's words excuse is a mistake, which SQLite names.
    mistaken = "already exists" in why or (sign_in_ddl(statement) is None and is_disordered(statement))
    table = None if mistaken else foreign_table(statement)
    if table is None or not _make(connection, table):
        raise _refusal(statement, why)


def _without_rows_of_its_query(statement: str) -> str:
    """A CREATE TABLE … AS with as many rows as a schema has; '' if it is none."""
    stream = tokens(statement)
    found = next((token for token in stream[:12] if token.word == "AS"), None)
    if found is None or any(token.word == "(" for token in stream[: stream.index(found)]):
        return ""
    return f"{statement[: found.end]} SELECT * FROM ({statement[found.end :]}\n) LIMIT 0"


def _make(connection: Connection, table: Table) -> bool:
    return all(define(connection, statement) is None for statement in table_statements(table))


def _alter(connection: Connection, statement: str, why: str) -> None:
    """Add a column as SQLite does, or a constraint, which SQLite cannot, by making the empty table anew."""
    with suppress(RunnerError):
        connection.run_alone(statement)
        return
    from equiv.dialects.sqlite.schema.foreign_tables import altered_table

    table = altered_table(statement, read_schema(connection))
    if table is None:
        raise _refusal(statement, why)
    connection.execute(f"DROP TABLE {quoted(table.name)}")
    if not _make(connection, table):
        raise _refusal(statement, why)
