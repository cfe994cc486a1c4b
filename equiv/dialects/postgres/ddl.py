"""Schemas from DDL as people have it, by letting the embedded server run it and reading its catalogue.

The core's text of what DDL computes, by the dialect's own reader: as parts of a query of the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from sqlglot import exp

from equiv.core.lexer import tokens
from equiv.core.model import Schema, quoted_name
from equiv.core.printing import text_over_row
from equiv.core.query import Broken, Query
from equiv.core.texts import name_in
from equiv.dialects.postgres.catalogue import CASTS, read_catalogue
from equiv.dialects.postgres.read import read_query
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.script import SqlStatement, bare_name, statements
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.session_settings import (
    ORDER,
    PINNED,
    REFUSED,
    TAKEN,
    cases_of,
    made_under,
    path_in,
    stated_by,
)
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.protocol import settled
from equiv.errors import InputError
from equiv.files import is_text

_CREATED = re.compile(
    r"(TABLE|UNLOGGED TABLE|TYPE|DOMAIN|SCHEMA|VIEW|RECURSIVE VIEW|MATERIALIZED VIEW|SEQUENCE|EXTENSION"
    r"|UNIQUE INDEX|INDEX)\b"
)
_NEEDED = frozenset(("TABLE", "UNLOGGED TABLE", "TYPE", "DOMAIN", "SCHEMA", "UNIQUE INDEX"))
"""What rows and their types hang on: the tables that one refused would belong to are left out."""
_ALTERED = frozenset(("TABLE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX", "VIEW", "MATERIALIZED"))
_DROPPED = frozenset(("TABLE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX", "VIEW", "MATERIALIZED", "SCHEMA"))
_SETTING = frozenset(("DATABASE", "ROLE", "USER", "SYSTEM"))
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
_BINDING = frozenset(
    (
        "ADD",
        "ATTACH",
        "DETACH",
        "INHERIT",
        "NULL",
        "TYPE",
        "RENAME",
        "DROP",
        "EXPRESSION",
        "CONSTRAINT",
        "SCHEMA",
    )
)
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
class ScriptReading:
    """What running a script has come to."""

    sandbox: Sandbox
    notes: list[str] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    hiding: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    """The statements that were taken and define something."""
    stated: dict[tuple[str, str], str] = field(default_factory=dict)
    """The values of settings by names and by what they are stated of: ``ALTER ROLE CLERK``, '', …."""

    def pass_over(self, statement: SqlStatement, why: str = "") -> None:
        """Note a statement, and the name that it would have defined."""
        self.notes.append(f"passed over{why}: {_said(statement)}")
        sign = _OPERATOR.match(statement.bare)
        name = sign[1] if sign else name_in(statement.bare)
        self.withheld.append(name)
        types = _types_of_cast(statement.bare)
        if _CALLED.match(statement.bare):
            self.hiding.append(name)
        elif types and not self._defined().intersection(map(bare_name, types)):
            self.hiding.append(CASTS)

    def _defined(self) -> set[str]:
        """The bare names of what the statements that were taken define or change."""
        return {name for each in self.made for name in SqlStatement(each).objects}

    def define(self, statement: SqlStatement) -> None:
        """Run a statement that defines something.

        Raises:
            WireError: PostgreSQL refuses it.
        """
        # Within a transaction an index is made at once.
        text = _CONCURRENTLY.sub(r"\1", statement.bare)
        self.sandbox.define(text)
        self.made.append(text)

    def state(self, statement: SqlStatement) -> None:
        """Let what follows mean what it does under the setting that a statement states."""
        found = self.sandbox.set(statement.bare)
        if found is None:
            self.notes.append(f"passed over: {_said(statement)}")
        elif found[0] == REFUSED and found[1] != TAKEN[REFUSED]:
            raise InputError(f"texts are read under {REFUSED} = {TAKEN[REFUSED]} alone: {_said(statement)}")
        else:
            of = " ".join(_SET.split(statement.bare, maxsplit=1)[0].upper().split())
            cases = cases_of(statement.bare) if found[0] == ORDER else None
            self.stated |= {(name, of): value for name, value in filter(None, (found, cases))}

    def refusal(self, statement: SqlStatement) -> str:
        """Run a statement; why PostgreSQL refuses it, or ''."""
        try:
            self.define(statement)
        except WireError as error:
            return str(error)
        return ""

    def pass_over_of_server(self, statement: SqlStatement, why: str) -> None:
        """Note a statement of a server's catalogue that is refused; what it concerns is left out."""
        if statement.words[0] == "CREATE" and statement.words[1] in ("EXTENSION", "VIEW", "MATERIALIZED"):
            self.pass_over(statement, f" ({why})")
        elif statement.words[0] != "ALTER" or " SET DEFAULT " not in statement.bare:
            self.leave_out(statement, why)

    def leave_out(self, statement: SqlStatement, why: str) -> None:
        """Leave out the tables that a refused statement is about, and what names them."""
        self.notes.append(f"left out, with all that names it ({why}): {_said(statement)}")
        before = self._relations()
        about = statement.objects
        for name in [each for each in before if bare_name(each) in about or self._has_type(each, about)]:
            if name in self._relations():
                self.define(SqlStatement(f"DROP {_kind(before[name])} {name} CASCADE"))
        lost = before.keys() - self._relations().keys()
        self.withheld += [each.lower() for each in (*statement.objects, *map(bare_name, lost))]

    def schema(self, name: str) -> Schema:
        """The schema that the statements made.

        Raises:
            WireError: the server refuses to tell.
        """
        values = [(setting, value) for (setting, _), value in self._that_count().items()]
        # What is assumed anyhow no statement within the database can say.
        plain = {(setting, TAKEN[setting]) for setting in PINNED}
        settings = tuple(each for each in made_under(settled(values)) if each not in plain)
        for setting in sorted({each for each, _ in values} - {each for each, _ in settled(values)}):
            said = " and ".join(sorted({repr(value) for each, value in values if each == setting}))
            self.notes.append(
                f"{setting} is stated to be {said}, and taken for neither: it hangs on who signs in"
            )
        found = whole_schema(self.sandbox, name, settings)
        filled = {bare_name(str(each)) for (each,) in self.sandbox.wire.execute(_FILLED).rows}
        return replace(
            found,
            native=tuple(_without_rows(text, filled) for text in self.made),
            notes=tuple(dict.fromkeys((*self.notes, *found.notes))),
            withheld=tuple(dict.fromkeys(filter(None, (*self.withheld, *found.withheld)))),
            hiding=tuple(dict.fromkeys(self.hiding)),
        )

    def _that_count(self) -> dict[tuple[str, str], str]:
        """The settings that are stated, but for those of the server that a database has its own of."""
        of_databases = {name for name, of in self.stated if of.startswith("ALTER DATABASE")}
        return {
            (name, of): value
            for (name, of), value in self.stated.items()
            if not (of == "ALTER SYSTEM" and name in of_databases)
        }

    def _relations(self) -> dict[str, str]:
        return {str(name): str(kind) for name, kind in self.sandbox.wire.execute(_RELATIONS).rows}

    def _has_type(self, relation: str, names: tuple[str, ...]) -> bool:
        types = self.sandbox.wire.one(_TYPES, (relation,)).rows
        return any(name in names for (name,) in types)


def load_ddl(text: str, name: str) -> Schema:
    """The schema that a script defines: one by hand, or all of what ``pg_dump`` writes.

    Statements about rows, rights, owners, comments and settings are passed over; functions, triggers, rules
    and policies as well, with a note.

    Raises:
        InputError: a statement is unknown, or no table is created.
    """
    called = name or "DDL"
    if not is_text(text):
        raise InputError(f"{called}: no text: it holds NUL or half of a surrogate pair")
    if len(text) > _LARGEST:
        raise InputError(f"{called}: longer than {_LARGEST:,} characters")
    with Sandbox() as sandbox:
        reading = ScriptReading(sandbox)
        for statement in statements(text):
            run_statement(statement, reading)
        sandbox.open_to_reader()
        try:
            schema = reading.schema(name)
        except WireError as error:
            raise InputError(f"{called}: {error}") from None
    if not schema.tables:
        raise InputError(": ".join((called, "creates no table", *schema.notes[:1])))
    return schema


def whole_schema(sandbox: Sandbox, name: str, settings: tuple[tuple[str, str], ...] = ()) -> Schema:
    """The schema of a database of the embedded server, with what its reader knows of CHECKs.

    Raises:
        WireError, InputError: as :func:`read_catalogue`.
    """
    schema = replace(read_catalogue(sandbox.wire, name), settings=settings)
    conditions = any("CHECK (" in text for table in schema.tables for text in (*table.native, *schema.native))
    if not conditions and not any(column.derived for table in schema.tables for column in table.columns):
        return schema
    session = PostgresSession(sandbox, schema)
    try:
        return replace(read_catalogue(sandbox.wire, name, _ByReader(schema, session)), settings=settings)
    finally:
        session.close_core()


def run_statement(statement: SqlStatement, reading: ScriptReading) -> None:
    """Run a statement that defines something; pass over others.

    Raises:
        InputError: it is unknown.
    """
    words = statement.words
    if not words:
        return
    match words[0]:
        case "CREATE" | "SET" if stated_by(statement.bare):
            reading.state(statement)
        case "CREATE":
            _create(statement, reading)
        case "ALTER" if words[1] in _ALTERED:
            _alter(statement, reading)
        case "DROP" if words[1] in _DROPPED:
            _attempt(statement, reading)
        case "SET" if "SEARCH_PATH" in words[:3]:
            reading.sandbox.set_path(statement.bare)
            reading.made.append(statement.bare)
        case "ALTER" if words[1] in _SETTING and stated_by(statement.bare):
            reading.state(statement)
        case "ALTER" if words[1] in _SETTING and (path := path_in(statement.bare)):
            reading.made.append("SET search_path = " + ", ".join(map(quoted_name, path)))
            reading.sandbox.set_path(reading.made[-1])
        case "ALTER" | "DROP":
            # Of what was passed over itself, or has no bearing on tables.
            pass
        case "DO":
            reading.pass_over(statement)
        case word if word not in _OF_ROWS:
            raise InputError(f"DDL statement refused (not DDL): {_said(statement)}")


def _create(statement: SqlStatement, reading: ScriptReading) -> None:
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


def _alter(statement: SqlStatement, reading: ScriptReading) -> None:
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


def _require(statement: SqlStatement, reading: ScriptReading) -> None:
    try:
        reading.define(statement)
    except WireError as error:
        if error.code != _EXISTS_ALREADY or statement.words[1] != "SCHEMA":
            reading.leave_out(statement, str(error))


_EXISTS_ALREADY = "42P06"
_NOT_FILLED = "55000"


def _attempt(statement: SqlStatement, reading: ScriptReading, *, noted: bool = False) -> None:
    try:
        reading.define(statement)
    except WireError as error:
        if error.code == _NOT_FILLED and statement.words[1] == "MATERIALIZED":
            _attempt(SqlStatement(f"{statement.bare} WITH NO DATA"), reading, noted=noted)
        elif noted:
            reading.pass_over(statement, f" ({error})")


_CONCURRENTLY = re.compile(r"\A(CREATE\s+(?:UNIQUE\s+)?INDEX\s+)CONCURRENTLY\s+", re.IGNORECASE)
_RELATIONS = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
_TYPES = """
SELECT e.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_type e ON e.oid IN (t.oid, t.typelem, t.typbasetype)
WHERE a.attrelid = $1::text::regclass AND a.attnum > 0
"""
_FILLED = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_relation_size(c.oid) > 0
"""


_SET = re.compile(r"\bSET\b", re.IGNORECASE)
_CALLED = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|AGGREGATE)\b", re.IGNORECASE)
_CAST = re.compile(r"CREATE\s++CAST\s*+\(([^()]*+)\)", re.IGNORECASE)
_OPERATOR = re.compile(r"CREATE\s++OPERATOR\s++(?:[\w\"]++\s*+\.\s*+)?+([^\s\w(\"]++)", re.IGNORECASE)


def _types_of_cast(text: str) -> tuple[str, ...]:
    """Both types that a CREATE CAST names; none of another statement."""
    found = _CAST.match(text)
    words = found[1].split() if found else []
    middle = next((place for place, word in enumerate(words) if word.upper() == "AS"), None)
    return () if middle is None else (" ".join(words[:middle]), " ".join(words[middle + 1 :]))


def _kind(relation: str) -> str:
    return {"v": "VIEW", "m": "MATERIALIZED VIEW"}.get(relation, "TABLE")


def _without_rows(text: str, filled: set[str]) -> str:
    """The statement; one that makes a table from a query makes it without rows."""
    statement = SqlStatement(text)
    made = statement.words[:1] == ("CREATE",) and not filled.isdisjoint(statement.objects[:1])
    return f"{text} WITH NO DATA" if made and _FROM_QUERY.search(text) else text


_FROM_QUERY = re.compile(r"\bAS\b[\s(]*(?:SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE)


def _said(statement: SqlStatement) -> str:
    return " ".join(statement.bare[:_SAID].split("\n", 1)[0].split())


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
        found = read_query(query, self._schema, self._session)
        tree = None if isinstance(found, Broken) or self._hangs(found, query) else found.tree
        return tree if isinstance(tree, exp.Select) else None

    def _hangs(self, found: Query, text: str) -> bool:
        """Whether what it says hangs on a setting that nobody states."""
        # A constant with a zone was made of a text that is gone.
        zone = ("TimeZone",) if "with time zone" in text else ()
        return not {*found.settings, *zone} <= PINNED | {name for name, _ in self._schema.settings}
