"""Schemas from DDL as people have it, by letting the embedded server run it and reading its catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from equiv.core.model import Schema
from equiv.dialects.postgres.catalogue import Translate, read_catalogue
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.statements import Statement, statements
from equiv.dialects.postgres.wire import WireError
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
_OWNER = re.compile(
    r"\b(OWNER TO|SET TABLESPACE|(ENABLE|DISABLE|FORCE)\s+(ALWAYS |REPLICA )?(TRIGGER|RULE|ROW)|CLUSTER ON"
    r"|SET WITHOUT CLUSTER|REPLICA IDENTITY)\b",
    re.IGNORECASE,
)
_BINDING = re.compile(r"\b(ADD|ATTACH|INHERIT|NOT\s+NULL|TYPE|RENAME|DROP)\b", re.IGNORECASE)
_PATH = re.compile(r"SET\s+(?:SESSION\s+|LOCAL\s+)?search_path\s*(?:=|\bTO\b)\s*([^;]*)\Z", re.IGNORECASE)
_PATH_NAME = re.compile(r"""\s*(?:"((?:[^"]|"")+)"|'([^']*)'|([A-Za-z_]\w*))\s*(?:,|\Z)""")
_LARGEST = 20_000_000
"""Characters of a script: what is longer is no schema."""
_SAID = 120


@dataclass
class _Reading:
    sandbox: Sandbox
    notes: list[str] = field(default_factory=list)


def load_ddl(text: str, name: str, translate: Translate | None = None) -> Schema:
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
        reading = _Reading(sandbox)
        for statement in statements(text):
            _run(statement, reading)
        sandbox.open_to_reader()
        try:
            schema = read_catalogue(sandbox.wire, name, translate)
        except WireError as error:
            raise InputError(f"{called}: {error}") from None
    if not schema.tables:
        raise InputError(f"{called}: creates no table")
    return replace(schema, notes=tuple(dict.fromkeys(reading.notes)))


def _run(statement: Statement, reading: _Reading) -> None:
    words = statement.words
    if not words:
        return
    match words[0]:
        case "CREATE":
            _create(statement, reading)
        case "ALTER" if words[1] in _ALTERED:
            _alter(statement, reading)
        case "DROP" if words[1] in _DROPPED:
            _attempt(statement, reading, "")
        case "SET":
            set_path(statement.bare, reading.sandbox)
        case "ALTER" | "DROP" | "DO":
            if words[1] not in _SILENT:
                reading.notes.append(f"passed over: {_said(statement)}")
        case word if word not in _OF_ROWS:
            raise InputError(f"DDL statement refused (not DDL): {_said(statement)}")


def _create(statement: Statement, reading: _Reading) -> None:
    words = list(statement.words[1:])
    while words[:2] == ["OR", "REPLACE"] or words[:1] in (["TEMP"], ["TEMPORARY"], ["GLOBAL"], ["LOCAL"]):
        del words[: 2 if words[0] == "OR" else 1]
    found = _CREATED.match(" ".join(words))
    if found is None:
        if words[:1] and words[0] not in _SILENT:
            reading.notes.append(f"passed over: {_said(statement)}")
    elif found[1] in _NEEDED:
        _require(statement, reading)
    else:
        _attempt(statement, reading, "passed over")


def _alter(statement: Statement, reading: _Reading) -> None:
    if _OWNER.search(statement.bare):
        if "ROW LEVEL SECURITY" in statement.bare.upper():
            reading.notes.append(f"passed over: {_said(statement)}")
    elif _BINDING.search(statement.bare):
        _require(statement, reading)
    else:
        _attempt(statement, reading, "")


def _require(statement: Statement, reading: _Reading) -> None:
    try:
        reading.sandbox.define(statement.text)
    except WireError as error:
        if error.code == _EXISTS_ALREADY and statement.words[1] == "SCHEMA":
            return
        raise InputError(f"DDL statement refused ({error}): {_said(statement)}") from None


_EXISTS_ALREADY = "42P06"


def _attempt(statement: Statement, reading: _Reading, note: str) -> None:
    try:
        reading.sandbox.define(statement.text)
    except WireError as error:
        if note:
            reading.notes.append(f"{note} ({error}): {_said(statement)}")


def set_path(text: str, sandbox: Sandbox) -> None:
    """Let names without a schema mean what the script says."""
    found = _PATH.match(text)
    if found is None:
        return
    names = list(_names(found[1]))
    if names:
        sandbox.wire.execute("SET LOCAL search_path = " + ", ".join(names))


def _names(text: str) -> Iterator[str]:
    for quoted, string, plain in _PATH_NAME.findall(text):
        name = quoted.replace('""', '"') or string or plain.lower()
        if name and name.upper() != "DEFAULT":
            yield '"' + name.replace('"', '""') + '"'


def _said(statement: Statement) -> str:
    return " ".join(statement.bare[:_SAID].split("\n", 1)[0].split())
