"""Schemas from DDL text, run by an empty SQLite and read back; tables of other dialects put into its words.

What SQLite has no word for (engines, comments, character sets, plain
indexes) is skipped.  Declared types keep their names, because SQLite
derives affinity from these.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import pairwise

import apsw
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from equiv.core.connection import Connection, RunnerError
from equiv.core.lexer import bare, name_of, tokens
from equiv.core.model import Column, ForeignKey, PassedOver, Schema, Table, quoted
from equiv.core.nodes import DType, Expr
from equiv.core.query import Sign
from equiv.core.runner import ENCODING, MAX_STATEMENT
from equiv.core.texts import bare_statements, is_dump, name_in, statements, without_rows
from equiv.dialects.sqlite.pragmas import define, is_disordered, is_searched, read_schema
from equiv.dialects.sqlite.remarks import sign_in_ddl
from equiv.dialects.sqlite.render import table_statements, with_sound_triggers
from equiv.errors import InputError
from equiv.files import is_text
from equiv.names import fold

_DEEPEST = 100
"""Parentheses nested deeper than this are not given to a recursive parser."""

_TYPES = {"ENUM": "TEXT", "SET": "TEXT", "UUID": "TEXT", "MONEY": "NUMERIC", "ARRAY": "", "VARBINARY": "BLOB"}
_COUNTERS = (exp.AutoIncrementColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)
_COLLATIONS = frozenset({"NOCASE", "RTRIM"})


class _UnknownError(Exception):
    """The statement says something that the model cannot hold."""


def foreign_table(statement: str) -> Table | None:
    """The table that a CREATE TABLE of MySQL, PostgreSQL or T-SQL defines, or None."""
    for tree in _parses(statement):
        if isinstance(tree, exp.Create) and tree.kind == "TABLE" and isinstance(tree.this, exp.Schema):
            try:
                return _table(tree.this)
            except _UnknownError:
                continue
    return None


def altered_table(statement: str, schema: Schema) -> Table | None:
    """A table of the schema with what ALTER TABLE … ADD or CREATE INDEX adds to it, or None."""
    for tree in _parses(statement):
        try:
            match tree:
                case exp.Alter(this=exp.Table()) if table := schema.table(tree.this.name):
                    return _add_all(table, _added(tree))
                case exp.Create(this=exp.Index()) if table := schema.table(_indexed(tree.this)):
                    return _add_index(table, tree.this) if tree.args.get("unique") else table
        except _UnknownError:
            continue
    return None


def _parses(statement: str) -> Iterator[exp.Expr]:
    depth = deepest = 0
    for token in tokens(statement):
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        return
    for dialect in ("mysql", "postgres", "tsql") if "`" in statement else ("postgres", "tsql", "mysql"):
        try:
            with _quiet():
                tree = sqlglot.parse_one(statement, read=dialect)
        except (SqlglotError, RecursionError):
            continue
        yield tree


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence: sqlglot warns on stderr where it understands a statement in part only."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _table(schema: exp.Schema) -> Table:
    table = Table(schema.this.name, ())
    parts = schema.expressions
    for definition in parts:
        if isinstance(definition, exp.ColumnDef):
            table = _add_column(table, definition)
    table = _add_all(table, (part for part in parts if not isinstance(part, exp.ColumnDef)))
    return _number_rows(table, {d.name for d in parts if isinstance(d, exp.ColumnDef) and _counts(d)})


def _number_rows(table: Table, counters: set[str]) -> Table:
    """A sole key that the database numbers by itself is what SQLite calls INTEGER PRIMARY KEY."""
    if len(table.primary_key) != 1 or table.primary_key[0] not in counters:
        return table
    columns = (replace(c, declared_type="INTEGER") if c.name in counters else c for c in table.columns)
    return replace(table, columns=tuple(columns))


def _counts(definition: exp.ColumnDef) -> bool:
    kind = definition.kind.this if definition.kind is not None else None
    serial = isinstance(kind, DType) and "SERIAL" in kind.value.upper()
    return serial or any(isinstance(c.kind, _COUNTERS) for c in definition.constraints)


def _add_column(table: Table, definition: exp.ColumnDef) -> Table:
    column = Column(definition.name, _declared_type(definition))
    for constraint in definition.constraints:
        match kind := constraint.kind:
            case exp.NotNullColumnConstraint():
                column = replace(column, not_null=not kind.args.get("allow_null"))
            case exp.DefaultColumnConstraint(this=exp.Literal() | exp.Null() | exp.Boolean()):
                column = replace(column, default=kind.this.sql(dialect="sqlite"))
            case exp.CollateColumnConstraint() if kind.this.name.upper() in _COLLATIONS:
                column = replace(column, collation=kind.this.name.upper())
            case exp.ComputedColumnConstraint():
                raise _UnknownError
            case exp.GeneratedAsIdentityColumnConstraint(expression=Expr()):
                raise _UnknownError
            case exp.Reference():
                table = _add_reference(table, (column.name,), kind)
            case exp.PrimaryKeyColumnConstraint():
                table = replace(table, primary_key=(column.name,))
            case exp.UniqueColumnConstraint():
                table = replace(table, unique=(*table.unique, (column.name,)))
            case exp.CheckColumnConstraint():
                table = replace(table, checks=(*table.checks, kind.this.sql(dialect="sqlite")))
    return replace(table, columns=(*table.columns, column))


def _declared_type(definition: exp.ColumnDef) -> str:
    kind = definition.kind
    if kind is None:
        return ""
    if not isinstance(kind.this, DType):
        return ""
    name: str = kind.this.value.upper()
    if name == "USERDEFINED":
        return ""
    if "SERIAL" in name:
        return "INTEGER"
    sizes = [p.name for p in kind.expressions if isinstance(p, exp.DataTypeParam) and p.name.isdigit()]
    if name in _TYPES or not sizes:
        return _TYPES.get(name, name)
    return f"{name}({', '.join(sizes)})"


def _add_all(table: Table, constraints: Iterable[exp.Expr]) -> Table:
    for constraint in constraints:
        table = _add_constraint(table, constraint)
    return table


def _add_constraint(table: Table, constraint: exp.Expr) -> Table:
    match constraint:
        case exp.Constraint():
            return _add_all(table, _unwrapped(constraint))
        case exp.PrimaryKey():
            return replace(table, primary_key=_spelled(table, constraint.expressions))
        case exp.UniqueColumnConstraint(this=exp.Schema()):
            return _add_unique(table, constraint.this.expressions)
        case exp.ForeignKey() if reference := constraint.args.get("reference"):
            return _add_reference(table, _spelled(table, constraint.expressions), reference)
        case exp.CheckColumnConstraint():
            return replace(table, checks=(*table.checks, constraint.this.sql(dialect="sqlite")))
        case exp.IndexColumnConstraint():
            return table
    raise _UnknownError


def _unwrapped(constraint: exp.Constraint) -> Iterator[exp.Expr]:
    """What a named constraint holds; T-SQL's PRIMARY KEY CLUSTERED (…) comes as two nodes."""
    parts = constraint.expressions
    for first, second in pairwise([*parts, None]):
        clustered = isinstance(second, exp.ClusteredColumnConstraint | exp.NonClusteredColumnConstraint)
        if clustered and isinstance(first, exp.PrimaryKeyColumnConstraint):
            yield exp.PrimaryKey(expressions=second.this)
        elif clustered and isinstance(first, exp.UniqueColumnConstraint):
            yield exp.UniqueColumnConstraint(this=exp.Schema(expressions=second.this))
        elif not isinstance(first, exp.ClusteredColumnConstraint | exp.NonClusteredColumnConstraint):
            yield first


def _add_reference(table: Table, columns: tuple[str, ...], reference: exp.Reference) -> Table:
    target = reference.this
    if isinstance(target, exp.Schema):
        key = ForeignKey(columns, target.this.name, tuple(node.name for node in target.expressions))
    else:
        key = ForeignKey(columns, target.name, ())
    return replace(table, foreign_keys=(*table.foreign_keys, key))


def _spelled(table: Table, nodes: Iterable[exp.Expr]) -> tuple[str, ...]:
    """The table's names of columns that a constraint lists, maybe with a sort order or a prefix length.

    Raises:
        _UnknownError: an expression stands among them.
    """
    names = []
    for node in nodes:
        part: exp.Expr = node
        while isinstance(part, exp.Ordered | exp.Opclass | exp.ColumnPrefix | exp.Column):
            part = part.this
        column = table.column(part.name) if isinstance(part, exp.Identifier) else None
        if column is None:
            raise _UnknownError
        names.append(column.name)
    return tuple(names)


def _added(alter: exp.Alter) -> Iterator[exp.Expr]:
    for action in alter.args.get("actions") or ():
        if not isinstance(action, exp.AddConstraint):
            raise _UnknownError
        yield from action.expressions


def _indexed(index: exp.Index) -> str:
    table = index.args.get("table")
    return table.name if table else ""


def _add_index(table: Table, index: exp.Index) -> Table:
    parameters = index.args.get("params")
    terms = parameters.args.get("columns") if parameters else None
    if parameters is None or not terms:
        raise _UnknownError
    return _add_unique(table, terms, parameters.args.get("where"))


def _add_unique(table: Table, terms: Sequence[exp.Expr], where: exp.Expr | None = None) -> Table:
    """The table with a unique index: as columns, or as a statement if it is partial or on expressions."""
    parts = [_indexed_term(table, term) for term in terms]
    if where is None:
        try:
            table = replace(table, unique=(*table.unique, _spelled(table, terms)))
        except _UnknownError:
            pass
        else:
            if not any(isinstance(part, exp.Substring) for part in parts):
                return table
    listed = ", ".join(part.sql(dialect="sqlite") for part in parts)
    condition = f" WHERE {where.this.sql(dialect='sqlite')}" if where is not None else ""
    name = quoted(f"index {len(table.indexes)} of {table.name}")
    statement = f"CREATE UNIQUE INDEX {name} ON {quoted(table.name)} ({listed}){condition}"
    return replace(table, indexes=(*table.indexes, statement))


def _indexed_term(table: Table, term: exp.Expr) -> exp.Expr:
    """What a term of an index computes, less its order and operator class; so much of a text as it reads."""
    while isinstance(term, exp.Ordered | exp.Opclass):
        term = term.this
    match term:
        case exp.ColumnPrefix():
            return exp.Substring(this=term.this, start=exp.Literal.number(1), length=term.expression)
        case exp.Anonymous(expressions=[exp.Literal() as length]) if table.column(term.name):
            name = exp.column(term.name, quoted=True)
            return exp.Substring(this=name, start=exp.Literal.number(1), length=length)
    return term


_INDEX = r"CREATE\s+(UNIQUE\s+)?((NON)?CLUSTERED\s+)?INDEX"
_DEFINITION = re.compile(rf"(CREATE\s+(TABLE|VIEW)|{_INDEX})\b", re.IGNORECASE)
_NAME = r"(?:\w+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\])"
_OWN_DATABASE = re.compile(
    rf"CREATE\s+(?P<temporary>TEMP(?:ORARY)?\s+)?(?P<kind>TABLE|VIEW|(?:UNIQUE\s+)?INDEX)\s+"
    r"(?:IF\s+NOT\s+EXISTS\s+)?"
    rf"(?:(?P<name>{_NAME})\s*\.\s*)?(?P<table>{_NAME})",
    re.IGNORECASE,
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
"""What may matter and is skipped."""
_DENIED = "not authorized"
_DROP = re.compile(r"DROP\s+(TABLE|VIEW|INDEX)\b", re.IGNORECASE)
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
    if "`" in text:
        text = text.replace("\\'", "''")  # MySQL's escape: SQLite has none, and would end the string here.
    signs: list[Sign] = []
    passed: list[str] = []
    qualifiers: set[tuple[str, str]] = set()
    # In the order in which SQLite looks for a name that has none before it.
    databases, homes = {"temp": "", "main": ""}, dict[str, str]()
    clashes: list[PassedOver] = []
    with closing(Connection()) as connection:
        connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT)
        for statement in bare_statements(text, bodiless=True) if dumped else statements(text):
            if not _ROWS.match(statement) and (definition := bare(statement)):
                _require_own_settings(definition)
                home, table = _home(definition)
                lasting = _TEMPORARY.sub(r"\1", definition, count=1)
                lasting = _in_main(lasting) if home in databases else lasting
                other = homes.get(table, home)
                if other != home and home in databases and _is_made(connection, lasting):
                    clashes.append(_clash(table, other, home, list(databases), definition))
                    passed.append(definition)
                    continue
                homes[table] = home
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
                qualifiers |= {(home, table)} if home != "main" else set()
                databases |= dict.fromkeys(_attached(definition), "")
                signs += filter(None, [None if signs else sign_in_ddl(definition)])
                if _PASSED_OVER.match(definition) and not _is_made(connection, definition):
                    passed.append(definition)
        schema = read_schema(connection, name)
    if not schema.tables:
        raise InputError(f"{name or 'DDL'}: no table was created: the script has no CREATE TABLE")
    foreign = str(signs[0]) if signs else ""
    schema = with_sound_triggers(schema)
    return replace(
        schema,
        foreign=foreign,
        qualifiers=tuple(
            sorted({f"{q}.{t}" if q in databases else q for q, t in qualifiers if homes.get(t) == q})
        ),
        notes=(*map(_said, passed), *schema.notes),
        withheld=tuple(filter(None, map(name_in, passed))),
        passed=tuple(clashes),
    )


def _is_made(connection: Connection, definition: str) -> bool:
    """Whether there is a table, or a view, of the name of what a statement creates."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    return fold(name_in(definition)) in {fold(name) for (name,) in found}


def _said(definition: str) -> str:
    return f"skipped: {' '.join(definition[:120].split())}"


def _home(definition: str) -> tuple[str, str]:
    """The database, ``main`` if none is said, of the table or view that a statement creates, and its name."""
    found = _OWN_DATABASE.match(definition)
    if found is None or found["kind"].upper().endswith("INDEX"):
        return "main", ""
    home = "temp" if found["temporary"] else fold((found["name"] or "main").strip('"`[]'))
    return home, fold(found["table"].strip('"`[]'))


def _in_main(definition: str) -> str:
    """A definition less the name of a database before that of the table, view or index that it creates."""
    found = _OWN_DATABASE.match(definition)
    if found is None or not found["name"]:
        return definition
    return definition[: found.start("name")] + definition[found.start("table") :]


def _clash(table: str, first: str, second: str, databases: list[str], statement: str) -> PassedOver:
    """The second of two tables of one name, which is left out.

    Args:
        table: their name.
        first: the database of the table that is kept, which the name alone means.
        second: that of the other.
        databases: in the order in which SQLite looks for a name alone.
        statement: what creates the second.

    Raises:
        InputError: the name alone would mean the second, or ``main`` before it.
    """
    why = f"two tables are named {table}: {first}.{table} and {second}.{table}"
    if second == "main" or databases.index(second) < databases.index(first):
        raise _refusal(statement, f"{why}; rename one of them")
    return PassedOver("table", f"{second}.{table}", f"{why}; the first alone is read")


def _attached(statement: str) -> set[str]:
    """The name by which a statement attaches a database, whose file nobody reads."""
    parts = tokens(statement)[:-1]
    return {fold(name_of(statement, parts[-1]))} if parts and parts[0].word == "ATTACH" else set()


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
    "recursive_triggers": (False, "equiv supports only non-recursive triggers"),
    "short_column_names": (True, "equiv supports only short column names in subqueries"),
}
"""PRAGMAs that are on or off, which way they are here, and what that means."""


def _run(connection: Connection, statement: str) -> None:
    if is_searched(statement):
        define(connection, statement)
    elif _DEFINITION.match(statement):
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
    return InputError(f"DDL statement rejected ({' '.join(str(why).split())[:200]}): {first[:120]}")


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

    # A type that SQLite takes as it is written is not to be read as another system's.
    if "unknown database" in why and define(connection, _in_main(statement)) is None:
        return

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

    table = altered_table(statement, read_schema(connection))
    if table is None:
        raise _refusal(statement, why)
    connection.execute(f"DROP TABLE {quoted(table.name)}")
    if not _make(connection, table):
        raise _refusal(statement, why)
