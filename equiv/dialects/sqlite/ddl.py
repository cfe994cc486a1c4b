"""Schemas from DDL text, run by an empty SQLite and read back; what it refuses is read as other systems'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import apsw

from equiv.core.connection import Connection, RunnerError
from equiv.core.lexer import TokenKind, bare, name_of, parts_between_commas, tokens
from equiv.core.model import ForeignKey, PassedOver, Schema, Table
from equiv.core.query import Sign
from equiv.core.runner import ENCODING, MAX_STATEMENT
from equiv.core.texts import bare_statements, is_dump, name_in, statements, without_rows
from equiv.dialects.sqlite.attached import databases, joined
from equiv.dialects.sqlite.foreign import altered_table, foreign_table
from equiv.dialects.sqlite.pragmas import LACKING, define, is_disordered, is_searched, read_schema
from equiv.dialects.sqlite.remarks import DEFAULTS, SEVERAL, sign_in_ddl
from equiv.dialects.sqlite.render import create_statements, table_statements, with_sound_triggers
from equiv.errors import InputError
from equiv.files import is_text
from equiv.names import fold, quoted

_INDEX = r"CREATE\s+(UNIQUE\s+)?((NON)?CLUSTERED\s+)?INDEX"
_DEFINITION = re.compile(rf"(CREATE\s+(TEMP(ORARY)?\s+)?(TABLE|VIEW)|{_INDEX})\b", re.IGNORECASE)
_ROWS = re.compile(r"\s*(INSERT|REPLACE)\b", re.IGNORECASE)
_ALTER = re.compile(rf"(ALTER\s+(TABLE|VIEW)|{_INDEX})\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"ALTER\s+(AGGREGATE|DATABASE|DEFAULT|DOMAIN|EXTENSION|FUNCTION|INDEX|OPERATOR|PROCEDURE|PUBLICATION|ROLE"
    r"|SCHEMA|SEQUENCE|TYPE)\b",
    re.IGNORECASE,
)
"""What alters nothing that a schema here could hold."""
_IDLE = re.compile(
    r"(OWNER TO|CLUSTER ON|REPLICA IDENTITY|ATTACH PARTITION|(CHECK|WITH CHECK CHECK) CONSTRAINT"
    r"|((NO )?FORCE|(ENABLE|DISABLE)( ALWAYS| REPLICA)?) (ROW|TRIGGER|RULE|KEYS)|AUTO_INCREMENT =|ENGINE ="
    r"|ALTER (COLUMN )?\S+ (SET DEFAULT|DROP DEFAULT|ADD GENERATED|SET STATISTICS|SET STORAGE))( |\Z)"
)
"""What a part of ALTER TABLE, or of ALTER VIEW, begins with that alters nothing either."""
_OF_MYSQL = re.compile(
    r"\b(ENGINE\s*=|AUTO_INCREMENT\b|CHARSET\b)|/\*!\d|-- (MySQL|MariaDB) dump", re.IGNORECASE
)
_UNENFORCED = re.compile(r"/\*!\d+ NOT ENFORCED \*/")
"""What ``mysqldump`` writes behind a CHECK that rows need not pass."""
_TRANSACTION = re.compile(
    r"(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|START(?=\s+TRANSACTION\b))\b", re.IGNORECASE
)
_BEGINS = re.compile(
    r"(START\s+TRANSACTION|BEGIN\s+(WORK|TRAN|ISOLATION|READ))\b.*", re.IGNORECASE | re.DOTALL
)
_WORK = re.compile(r"\A(COMMIT|END|ROLLBACK)\s+(?:WORK|TRAN)\b", re.IGNORECASE)
"""Words of other systems' transactions that SQLite lacks."""
_OTHER_KIND = re.compile(
    r"CREATE\s+(?P<replaces>OR\s+(REPLACE|ALTER)\s+)?(ALGORITHM\s*=\s*\w+\s+|DEFINER\s*=\s*\S+\s+"
    r"|SQL\s+SECURITY\s+\w+\s+|(UNLOGGED|GLOBAL|LOCAL|FOREIGN|EXTERNAL|TRANSIENT|RECURSIVE)\s+)*"
    r"(?P<made>(TEMP(ORARY)?\s+)?(TABLE|VIEW)\b)",
    re.IGNORECASE,
)
"""A table or a view of another system's, with words before its kind that SQLite lacks."""
_TRIGGER = re.compile(r"CREATE\s+(TEMP(ORARY)?\s+)?TRIGGER\b", re.IGNORECASE)
_VIEW = re.compile(r"CREATE\s+(TEMP(ORARY)?\s+)?VIEW\b", re.IGNORECASE)
_PASSED_OVER = re.compile(
    r"CREATE\s+(OR\s+REPLACE\s+)?(FUNCTION|PROCEDURE|RULE|POLICY|TYPE|DOMAIN|AGGREGATE|MATERIALIZED|VIRTUAL)\b",
    re.IGNORECASE,
)
"""What may matter and is skipped."""
_DENIED = "not authorized"
_NEAR = re.compile(r'no such collation sequence: (.+)|near "(.+)": syntax error')
_OF_OTHER_SYSTEMS = re.compile(
    r"c|posix|default|ucs_basic|(utf|ucs|latin|ascii|cp\d|gbk|big5|sjis|koi8|binary|sql_|latin1_)\w*"
    r"|\w+_(ci|cs|bin|ai|as|ks|ws)(_\w+)*|[a-z]{2,3}[-_][A-Z]{2}\b.*|.*-x-icu",
    re.IGNORECASE,
)
"""The collations that other systems bring."""
_OF_SCHEMA_TABLE = re.compile(
    r"(UPDATE|DELETE\s+FROM)\s+(OR\s+\w+\s+)?(\W?\w+\W?\s*\.\s*)?\W?sqlite_(temp_)?(master|schema)\b",
    re.IGNORECASE,
)
_ATTACH = re.compile(r"(ATTACH|DETACH)\b", re.IGNORECASE)
_DROP = re.compile(r"DROP\s+(TABLE|VIEW|INDEX|TRIGGER)\b", re.IGNORECASE)
_IGNORED = re.compile(
    r"(ANALYZE|ATTACH|BEGIN|COMMENT|COMMIT|CREATE|DELETE|DELIMITER|DETACH|DROP|END|EXPLAIN|GRANT|INSERT|LOCK|PRAGMA"
    r"|REINDEX|RELEASE|REPLACE|REVOKE|ROLLBACK|SAVEPOINT|SELECT|SET|START|UNLOCK|UPDATE|USE|VACUUM|WITH)\b",
    re.IGNORECASE,
)


def load_ddl(text: str, name: str = "") -> Schema:
    """The schema that a script of CREATE TABLE, CREATE INDEX, CREATE VIEW and ALTER TABLE statements defines.

    Statements that define nothing (INSERT, PRAGMA, BEGIN, …) are skipped;
    what is dropped is gone.  A CREATE TABLE that SQLite refuses is read as MySQL,
    PostgreSQL or T-SQL.

    Raises:
        InputError: a statement is not understood (its first line is named), or no table is created.
    """
    if not is_text(text):
        raise InputError(f"{name or 'DDL'}: not valid text: it holds NUL or an unpaired surrogate")
    dumped = is_dump(text)
    if dumped:
        text = without_rows(text)
    if "`" in text and _OF_MYSQL.search(text):
        text = text.replace("\\'", "''")  # MySQL's escape: SQLite has none, and would end the string here.
        text = _UNENFORCED.sub(" NOT ENFORCED", text)
    read = _Script(closed := Connection())
    with closing(closed):
        closed.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT)
        closed.execute("PRAGMA temp_store = MEMORY")
        for statement in bare_statements(text, bodiless=True) if dumped else statements(text):
            if not _ROWS.match(statement) and (definition := bare(statement)):
                _require_own_settings(definition)
                try:
                    _run(read, definition)
                except InputError as error:
                    is_lost_view = dumped and _VIEW.match(definition)
                    is_elsewhere = "unknown database" in str(error) or _is_of_other_kind(definition)
                    if not is_lost_view and not _TRIGGER.match(definition) and not is_elsewhere:
                        raise
                    read.passed.append(definition)
                read.signs.extend(filter(None, [None if read.signs else sign_in_ddl(definition)]))
                if _PASSED_OVER.match(definition) and name_in(definition) not in _names(closed):
                    read.passed.append(definition)
        schema = joined([(home, read_schema(closed, name, home)) for home in databases(closed)])
    if not schema.tables:
        raise InputError(f"{name or 'DDL'}: no table was created: the script has no CREATE TABLE")
    _require_beside(schema)
    schema = with_sound_triggers(schema)
    # What a file holds that the script attaches and puts nothing into, nobody says.
    files = read.files - {each.partition(".")[0] for each in schema.qualifiers}
    unread = [PassedOver("database", each, "its file is not read") for each in sorted(files)]
    hidden = [*map(name_in, read.passed), *files, *(["no such table"] if unread else [])]
    return replace(
        schema,
        foreign=str(read.signs[0]) if read.signs else "",
        qualifiers=tuple(sorted({*schema.qualifiers, *read.homes.values()})),
        notes=(*map(_said, read.passed), *schema.notes),
        withheld=(*schema.withheld, *filter(None, hidden)),
        passed=(*schema.passed, *unread),
    )


@dataclass(frozen=True, slots=True)
class _Script:
    """What a script has made so far."""

    connection: Connection
    signs: list[Sign] = field(default_factory=list)
    """Those of other dialects."""
    passed: list[str] = field(default_factory=list)
    """The statements that were skipped and may matter."""
    homes: dict[str, str] = field(default_factory=dict)
    """By the name of a table or view, the schema of another system's that the script writes before it."""
    files: set[str] = field(default_factory=set)
    """The attached databases that lie in files."""
    read_anew: set[str] = field(default_factory=set)
    """The names of the indexes that SQLite refuses, which are constraints of their tables here."""


def _names(connection: Connection) -> set[str]:
    """The names of all tables and views, in lower case."""
    return {fold(row[0]) for row in connection.execute("SELECT name FROM pragma_table_list")}


def _require_beside(schema: Schema) -> None:
    """See that what several databases hold can stand in one.

    Raises:
        InputError: two indexes of one name, say, cannot.
    """
    if any("." in each for each in schema.qualifiers):
        with closing(Connection()) as connection:
            for statement in create_statements(schema):
                if why := define(connection, statement):
                    raise _refusal(statement, why)


def _said(definition: str) -> str:
    return f"skipped: {' '.join(definition[:120].split())}"


def _of_schema(statement: str) -> tuple[str, str, str]:
    """Of what a statement creates or drops the name before its own, its own, and the rest; or ''s."""
    found = tokens(statement)
    words = [token.word for token in found]
    kind = next((i for i, word in enumerate(words[:5]) if word in ("TABLE", "VIEW", "INDEX", "TRIGGER")), -1)
    first = next(i for i in range(kind + 1, len(words)) if words[i] not in ("IF", "NOT", "EXISTS"))
    if kind < 0 or words[first + 1 : first + 2] != ["."]:
        return "", "", ""
    before, name = (fold(name_of(statement, token)) for token in (found[first], found[first + 2]))
    return before, name, statement[: found[first].start] + statement[found[first + 2].start :]


def _attach(script: _Script, statement: str) -> None:
    """Attach an empty database in place of what a statement attaches, or detach one.

    Raises:
        InputError: SQLite refuses it.
    """
    parts = tokens(statement)[:-1]
    named = next((name for word, name in pairwise(reversed(parts)) if name.word == "AS"), None)
    try:
        if parts[0].word == "DETACH":
            script.connection.run_alone(statement)
        elif named is not None:
            name = fold(name_of(statement, parts[parts.index(named) + 1]))
            script.connection.execute(f"ATTACH ':memory:' AS {quoted(name)}")
            script.files.update({name} - ({name} if ":memory:" in statement else set()))
    except RunnerError as error:
        raise _refusal(statement, error) from None
    script.files.intersection_update(databases(script.connection))


def _require_own_settings(statement: str) -> None:
    """Refuse DDL for a session whose texts mean something else than ours, or whose rows keep less.

    Raises:
        InputError: it is a PRAGMA that sets another encoding, or one of these switches another way.
    """
    parts = tokens(statement)[:-1]
    if not parts or parts[0].word != "PRAGMA":
        return
    words = [fold(name_of(statement, token)) for token in parts[1:]]
    name = next((word for word in words[:3] if word == "encoding" or word in _SWITCHES), "")
    value = "".join(words[words.index(name) + 1 :]).strip("=();") if name else ""
    if name == "encoding" and value not in ("", "utf-8", "utf8"):
        raise _refusal(statement, f"the only supported encoding is {ENCODING}")
    usual, why = _SWITCHES.get(name, (False, ""))
    if why and value and (value not in ("0", "off", "false", "no")) != usual:
        raise _refusal(statement, why)


_SWITCHES = {
    "case_sensitive_like": (False, "equiv supports only a LIKE that ignores the case of ASCII letters"),
    "full_column_names": (False, "equiv supports only short column names in subqueries"),
    "ignore_check_constraints": (False, "equiv supports only enforced CHECK constraints"),
    "legacy_alter_table": (
        False,
        "equiv supports only RENAME that reaches views and keys",
    ),
    "recursive_triggers": (False, "equiv supports only non-recursive triggers"),
    "short_column_names": (True, "equiv supports only short column names in subqueries"),
}
"""PRAGMAs that are on or off, which way they are here, and what that means."""


def _run(script: _Script, statement: str) -> None:
    if is_searched(statement):
        define(script.connection, statement)
    elif _ATTACH.match(statement):
        _attach(script, statement)
    elif _TRANSACTION.match(statement):
        with suppress(RunnerError):
            script.connection.run_alone(_WORK.sub(r"\1", _BEGINS.sub("BEGIN", statement)))
    elif _is_of_other_kind(statement):
        _create(script, statement)
    elif _DEFINITION.match(statement):
        _define(script, statement)
    elif _TRIGGER.match(statement):
        if why := define(script.connection, statement):
            raise _refusal(statement, why)
    elif _OF_OTHERS.match(statement):
        return
    elif _ALTER.match(statement):
        _alter(script, statement, "not understood")
    elif _DROP.match(statement):
        _drop(script, statement)
    elif not _IGNORED.match(statement) or _OF_SCHEMA_TABLE.match(statement):
        raise _refusal(statement, "not DDL")


def _is_of_other_kind(statement: str) -> bool:
    found = _OTHER_KIND.match(statement)
    return found is not None and _DEFINITION.match(statement) is None


def _create(script: _Script, statement: str) -> None:
    """Create a table or a view without the words of other systems before its kind, in place of an older one.

    Raises:
        InputError: SQLite, and the parser of other systems' tables, refuse it.
    """
    found = _OTHER_KIND.match(statement)
    assert found is not None
    made = f"CREATE {statement[found.start('made') :]}"
    if found["replaces"]:
        kind = "VIEW" if _VIEW.match(made) else "TABLE"
        for each in _named(made)[1][:1]:
            _drop(script, f"DROP {kind} IF EXISTS {quoted(each)}")
    script.signs.extend([] if script.signs else [Sign(" ".join(found[0].split()[:-1]), SEVERAL)])
    _define(script, made)


def _drop(script: _Script, statement: str) -> None:
    """Drop a table, view, index or trigger; of other systems' also several, and behind further words.

    Raises:
        InputError: it stays, as does an index that is a constraint.
    """
    before, name, rest = _of_schema(statement)
    is_ours = bool(before) and script.homes.get(name) == before
    try:
        script.connection.run_alone(rest if is_ours else statement)
        script.homes.pop(name if is_ours else "", None)
    except RunnerError as error:
        # What is not there need not go.
        kind, names = _named(statement)
        if "no such" in str(error) and script.read_anew.isdisjoint(["", *names]):
            return
        if kind == "INDEX" and not _indexes(script.connection).issuperset(names):
            raise _refusal(statement, "not understood: it drops an index that is none of SQLite's") from None
        for each in names:
            try:
                script.connection.run_alone(f"DROP {kind} IF EXISTS {quoted(each)}")
            except RunnerError as why:
                raise _refusal(statement, why) from None


def _named(statement: str) -> tuple[str, list[str]]:
    """The kind of what a statement creates or drops, and its names, folded; '' of an index without one."""
    found = tokens(statement)
    words = [token.word for token in found]
    kind = next(each for each in words if each in ("TABLE", "VIEW", "INDEX", "TRIGGER"))
    at, names = words.index(kind) + 1, []
    while words[at] in ("CONCURRENTLY", "IF", "NOT", "EXISTS"):
        at += 1
    if words[at] == "ON":
        return kind, [""]
    while at < len(words) - 1:
        while words[at + 1] == ".":
            at += 2
        names.append(fold(name_of(statement, found[at])))
        if words[at + 1] != ",":
            break
        at += 2
    return kind, names


def _indexes(connection: Connection) -> set[str]:
    return {fold(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}


def _refusal(statement: str, why: object) -> InputError:
    first = statement.splitlines()[0].strip()
    return InputError(f"DDL statement rejected ({' '.join(str(why).split())[:200]}): {first[:120]}")


def _define(script: _Script, statement: str) -> None:
    before, name, rest = _of_schema(statement)
    made = name if before else name_in(statement)
    if script.homes.get(made, before) != before:
        raise _refusal(statement, f"{script.homes[made]}.{made} has the same name; rename one of them")
    why = _defined(script.connection, statement)
    # A type that SQLite takes as it is written is not to be read as another system's.
    if why and before and "unknown database" in why:
        is_index = re.match(_INDEX, statement, re.IGNORECASE) is not None
        if is_index and before not in {*script.homes.values(), *DEFAULTS}:
            raise _refusal(statement, f"no database {before}")
        if name in _names(script.connection) and name not in script.homes:
            raise _refusal(statement, f"another table is named {name}; rename one of them")
        script.homes[name] = before
        statement = rest
        why = _defined(script.connection, statement)
    if why is None:
        return
    if _ALTER.match(statement):
        _alter(script, statement, why)
        return

    # What no other system's words excuse is a mistake, which SQLite names.
    sign = sign_in_ddl(statement)
    is_mistaken = "already exists" in why or (sign is None and is_disordered(statement))
    is_attached = before in databases(script.connection)
    table = None if is_mistaken or is_attached else foreign_table(statement)
    if table is None or not _make(script, table):
        lacking = LACKING.match(why)
        if lacking is None or lacking[1] != "function":
            raise _refusal(statement, why)
        # An application's own function: its tables are passed over as they are read.
        script.connection.create_function(lacking[2], -1, lambda *_: None, deterministic=True)
        _define(script, statement)
        return
    if sign is None:
        near = _NEAR.match(why)
        script.signs.append(Sign(near[2] or f"COLLATE {near[1]}" if near else why[:80], SEVERAL))


def _defined(connection: Connection, statement: str) -> str | None:
    """Define a table, view or index; SQLite's reason to refuse it, or None."""
    why = define(connection, statement)
    if why == _DENIED and (empty := _without_rows_of_its_query(statement)):
        # No row of the query is asked for.
        return define(connection, empty, reads=True)
    while why and (found := _NEAR.match(why)) and found[1] and not _OF_OTHER_SYSTEMS.fullmatch(found[1]):
        # An application's own collation: its tables are passed over as they are read.
        connection.create_collation(found[1], lambda a, b: (a > b) - (a < b))
        why = define(connection, statement)
    return why


def _without_rows_of_its_query(statement: str) -> str:
    """A CREATE TABLE … AS with as many rows as a schema has; '' if it is none."""
    stream = tokens(statement)
    found = next((token for token in stream[:12] if token.word == "AS"), None)
    if found is None or any(token.word == "(" for token in stream[: stream.index(found)]):
        return ""
    return f"{statement[: found.end]} SELECT * FROM ({statement[found.end :]}\n) LIMIT 0"


def _with_parents(table: Table, homes: Mapping[str, str]) -> Table:
    """The table whose foreign keys name no schema: those to a table of a schema that is not its are gone.

    Args:
        table: as the parser of another system read it.
        homes: the schemas before the names of tables so far.
    """
    own, kept = homes.get(fold(table.name), ""), list[ForeignKey]()
    for key in table.foreign_keys:
        schema, _, parent = key.parent.rpartition(".")
        if fold(schema) in ("", own, homes.get(fold(parent), ""), *({*DEFAULTS} - {*homes.values()})):
            kept.append(replace(key, parent=parent))
    return replace(table, foreign_keys=tuple(kept))


def _make(script: _Script, table: Table) -> bool:
    made = table_statements(_with_parents(table, script.homes))
    return all(define(script.connection, statement) is None for statement in made)


def _alter(script: _Script, statement: str, why: str) -> None:
    """Add a column as SQLite does, or a constraint, which SQLite cannot, by making the empty table anew."""
    connection = script.connection
    with suppress(RunnerError):
        connection.run_alone(statement)
        return

    if _is_idle(statement):
        return
    beside = databases(connection) != ["main"]
    table = None if beside else altered_table(statement, read_schema(connection))
    if table is None:
        raise _refusal(statement, why)
    script.read_anew.update(_named(statement)[1] if _DEFINITION.match(statement) else ())
    of_table = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
    triggers = [row[0] for row in connection.execute(of_table, (table.name,))]
    connection.execute(f"DROP TABLE {quoted(table.name)}")
    if not _make(script, table) or any(define(connection, trigger) for trigger in triggers):
        raise _refusal(statement, why)


def _is_idle(statement: str) -> bool:
    """Whether each part of an ALTER TABLE or ALTER VIEW alters nothing that a schema here could hold."""
    found = tokens(statement)[:-1]
    words = [token.word for token in found]
    at = next((i for i in range(2, len(words)) if words[i] not in ("IF", "EXISTS", "ONLY")), len(words))
    while words[at + 1 : at + 2] == ["."]:
        at += 2
    plain = (TokenKind.NAME, TokenKind.SIGN)
    parts = (
        "".join(f"{token.word if token.kind in plain else 'x'} " for token in part)
        for part in parts_between_commas(found[at + 1 :])
    )
    return words[:1] == ["ALTER"] and all(map(_IDLE.match, parts))
