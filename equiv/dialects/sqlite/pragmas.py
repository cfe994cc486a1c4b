"""Schemas from SQLite itself: its PRAGMAs say what it enforces, the text of the DDL says the rest.

SQLite's PRAGMAs do not report these.  A parser would print an expression
anew, and differently; what is cut out here is the user's own text, less its
comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import apsw

from equiv.core.connection import Connection, RunnerError
from equiv.core.lexer import (
    Token,
    bare,
    closing_index,
    name_of,
    parts_between_commas,
    strip_comments,
    tokens,
)
from equiv.core.model import Column, ForeignKey, PassedOver, Schema, Table, View, complete_foreign_keys
from equiv.core.runner import open_file
from equiv.errors import InputError, about
from equiv.files import one_line
from equiv.names import fold, quoted

_TABLE_CONSTRAINT = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})


@dataclass(frozen=True, slots=True)
class TableText:
    """The parts of a CREATE TABLE that no PRAGMA shows."""

    checks: tuple[str, ...] = ()
    collations: tuple[tuple[str, str], ...] = ()
    """Pairs of a column's name in lower case and its collation in upper case."""
    expressions: tuple[tuple[str, str], ...] = ()
    """Pairs of a generated column's name in lower case and what it computes."""
    without_rowid: bool = False
    strict: bool = False


def _read_table_text(ddl: str) -> TableText:
    """Read a CREATE TABLE statement that SQLite has accepted."""
    sql = strip_comments(ddl)
    stream = tokens(sql)
    opening = next((i for i, token in enumerate(stream) if token.word == "("), len(stream) - 1)
    end = closing_index(stream, opening)
    parts = list(parts_between_commas(stream[opening + 1 : end]))
    options = [token.word for token in stream[end + 1 :]]
    return TableText(
        checks=tuple(check for part in parts for check in _checks(sql, part)),
        collations=tuple(pair for part in parts for pair in _collation(sql, part)),
        expressions=tuple(pair for part in parts for pair in _expression(sql, part)),
        without_rowid="WITHOUT" in options,
        strict="STRICT" in options,
    )


def is_disordered(ddl: str) -> bool:
    """Whether a definition in a CREATE TABLE is empty, or a column follows a constraint of the table."""
    stream = tokens(ddl)
    opening = next((i for i, token in enumerate(stream) if token.word == "("), len(stream) - 1)
    parts = list(parts_between_commas(stream[opening + 1 : closing_index(stream, opening)]))
    constrains = [not part or part[0].word in _TABLE_CONSTRAINT or _is_index(part) for part in parts]
    return not all(parts) or constrains != sorted(constrains)


def _is_index(part: Sequence[Token]) -> bool:
    """Whether a definition is what MySQL writes for an index: ``KEY i (a)``."""
    return len(part) > 3 and part[0].word in ("KEY", "INDEX") and part[2].word == "("


def _read_view_text(name: str, ddl: str) -> View:
    """Read a CREATE VIEW statement that SQLite has accepted."""
    sql = bare(ddl)
    outer = list(_outer(tokens(sql)))
    as_index = next(i for i, token in enumerate(outer) if token.word == "AS")
    columns: tuple[str, ...] = ()
    if outer[as_index - 1].word == ")":
        body = sql[outer[as_index - 2].end : outer[as_index - 1].start]
        columns = tuple(name_of(body, token) for token in tokens(body)[:-1] if token.word != ",")
    return View(name, sql[outer[as_index].end :].strip(), columns)


def _outer(part: Sequence[Token]) -> Iterator[Token]:
    """The tokens outside parentheses, the outermost parentheses included."""
    depth = 0
    for token in part:
        depth -= token.word == ")"
        if depth == 0:
            yield token
        depth += token.word == "("


def _checks(sql: str, part: Sequence[Token]) -> Iterator[str]:
    outer = list(_outer(part))
    for i, token in enumerate(outer):
        if token.word == "CHECK":
            yield sql[outer[i + 1].end : outer[i + 2].start].strip()


def _collation(sql: str, part: Sequence[Token]) -> Iterator[tuple[str, str]]:
    if not part or part[0].word in _TABLE_CONSTRAINT:
        return
    for before, token in reversed(list(pairwise(_outer(part)))):
        if before.word == "COLLATE":
            yield fold(name_of(sql, part[0])), name_of(sql, token).upper()
            return


def _expression(sql: str, part: Sequence[Token]) -> Iterator[tuple[str, str]]:
    if not part or part[0].word in _TABLE_CONSTRAINT:
        return
    outer = list(_outer(part))
    for i, token in enumerate(outer[:-2]):
        if token.word == "AS" and outer[i + 1].word == "(":
            yield fold(name_of(sql, part[0])), sql[outer[i + 1].end : outer[i + 2].start].strip()
            return


PragmaRow = tuple[Any, ...]

_BETWEEN_CHECKS, _MOST_CHECKS = 10_000, 200
"""Steps of SQLite's between two looks at what a query has spent, and how many looks it gets."""
_VIRTUAL = re.compile(r"CREATE\s+VIRTUAL\b", re.IGNORECASE)
_EXPRESSION = -2
"""What ``PRAGMA index_xinfo`` has for the number of a column that is an expression."""

_ALLOWED = frozenset(
    {
        apsw.SQLITE_CREATE_TABLE,
        apsw.SQLITE_CREATE_INDEX,
        apsw.SQLITE_CREATE_VIEW,
        apsw.SQLITE_CREATE_TRIGGER,
        apsw.SQLITE_CREATE_TEMP_TABLE,
        apsw.SQLITE_CREATE_TEMP_INDEX,
        apsw.SQLITE_CREATE_TEMP_VIEW,
        apsw.SQLITE_CREATE_TEMP_TRIGGER,
        apsw.SQLITE_INSERT,
        apsw.SQLITE_UPDATE,
        apsw.SQLITE_READ,
        apsw.SQLITE_FUNCTION,
        apsw.SQLITE_REINDEX,
        apsw.SQLITE_TRANSACTION,
    }
)
"""All that creating a table, index, view or trigger needs, if no query fills the table."""


def load_sqlite(path: str | Path) -> Schema:
    """The schema of a SQLite file, named after the file; see :func:`equiv.core.runner.open_file`.

    Virtual tables are left out.

    Raises:
        InputError: there is no such file, or it is not a SQLite database.
    """
    try:
        with closing(open_file(path)) as guarded:
            return read_schema(guarded.connection, Path(path).stem)
    except (OSError, ValueError, RunnerError) as error:
        raise InputError(about(path, one_line(error))) from None


def define(connection: Connection, statement: str, *, reads: bool = False) -> str | None:
    """Execute a CREATE TABLE, INDEX, VIEW or TRIGGER, which may come from a stranger's file.

    Args:
        connection: the database.
        reads: whether a query may go with it.

    Returns:
        SQLite's reason to refuse it, or None if it is done.
    """
    reads = reads or is_searched(statement)
    allowed = _ALLOWED | _READS if reads else _ALLOWED
    connection.set_authorizer(lambda act, *_: apsw.SQLITE_OK if act in allowed else apsw.SQLITE_DENY)
    spent = count()
    connection.set_progress_handler(lambda: reads and next(spent) >= _MOST_CHECKS, _BETWEEN_CHECKS)
    try:
        connection.run_alone(statement)
    except RunnerError as error:
        return str(error)
    finally:
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)
    return None


_READS = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE, apsw.SQLITE_CREATE_VTABLE))


def is_searched(statement: str) -> bool:
    """Whether a statement creates an FTS5 table that keeps its rows itself."""
    words = [token.word for token in tokens(statement)]
    if words[:3] != ["CREATE", "VIRTUAL", "TABLE"] or "(" not in words:
        return False
    options = (word for word, after in pairwise(words) if after == "=")
    before = words[: words.index("(")]
    return before[-2:] == ["USING", "FTS5"] and not any(word.startswith("CONTENT") for word in options)


def read_schema(connection: Connection, name: str = "", database: str = "main") -> Schema:
    """The schema of one database of a connection; views and tables in order of creation.

    A table that needs a collation or a function of an application is passed over: SQLite alone can neither
    make it nor compare its texts.
    """
    schema = complete_foreign_keys(read_as_written(connection, name, database))
    lost = dict(_of_applications(schema.tables))
    if not lost:
        return schema
    return replace(
        schema,
        # What a key to such a table demands, rows can be found for.
        tables=tuple(
            replace(t, foreign_keys=tuple(k for k in t.foreign_keys if fold(k.parent) not in lost))
            for t in schema.tables
            if fold(t.name) not in lost
        ),
        passed=tuple(PassedOver("table", name, why) for name, why in lost.items()),
        withheld=(*schema.withheld, *lost, *(fold(why.split()[-1]) for why in lost.values())),
    )


def _of_applications(tables: Iterable[Table]) -> Iterator[tuple[str, str]]:
    """The tables that SQLite alone cannot make, each with its name in lower case and what SQLite lacks."""
    own = [table for table in tables if table.checks or table.indexes or _COMPUTES.search(table.ddl)]
    with closing(Connection()) as connection:
        for table in own:
            found = (LACKING.search(define(connection, text) or "") for text in (table.ddl, *table.indexes))
            if lacking := next(filter(None, found), None):
                yield fold(table.name), f"SQLite has no {lacking[1]} {lacking[2]}"


_COMPUTES = re.compile(r"\b(COLLATE|AS)\b", re.IGNORECASE)
LACKING = re.compile(r"(?:no such|unknown) (collation|function)(?: sequence)?: ([^()]+)")
"""What SQLite says that it lacks of an application's: which of the two, and its name."""


def read_as_written(connection: Connection, name: str = "", database: str = "main") -> Schema:
    """The schema as :func:`read_schema` gives it, of all tables, with foreign keys as they are written."""
    source = _Database(connection, database)
    found = connection.execute(
        f"SELECT type, name, sql FROM {quoted(database)}.sqlite_master"
        " WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    ).fetchall()
    virtual = {table: ddl for kind, table, ddl in found if kind == "table" and _VIRTUAL.match(ddl)}
    searched = {table for table, ddl in virtual.items() if is_searched(ddl)}
    parts = {f"{table}_{part}" for table in searched for part in _PARTS}
    tables = [
        _read_searched(source, table, ddl) if table in searched else _read_table(source, table, ddl)
        for kind, table, ddl in found
        if kind == "table" and (table in searched or table not in virtual) and table not in parts
    ]
    virtual = {table: ddl for table, ddl in virtual.items() if table not in searched}
    views = [_read_view_text(view, ddl) for kind, view, ddl in found if kind == "view"]
    triggers = tuple(bare(ddl) for kind, _, ddl in found if kind == "trigger")
    return Schema(
        tuple(tables),
        tuple(views),
        name,
        triggers=triggers,
        notes=tuple(f"skipped: {' '.join(ddl[:120].split())}" for ddl in virtual.values()),
        withheld=tuple(fold(table) for table in virtual),
    )


_PARTS = ("data", "idx", "content", "docsize", "config")
"""Behind the name of an FTS5 table, those of the tables that it consists of."""


@dataclass(frozen=True, slots=True)
class _Database:
    """One of the databases of a connection."""

    connection: Connection
    name: str

    def pragma(self, of: str, name: str) -> list[PragmaRow]:
        """The rows of a PRAGMA of a table or index of this database."""
        return self.connection.execute(f"PRAGMA {quoted(self.name)}.{of}({quoted(name)})").fetchall()


def _read_searched(database: _Database, name: str, ddl: str) -> Table:
    rowid = Column("rowid", "INTEGER", not_null=True, hidden=True)
    columns = tuple(Column(row[1]) for row in database.pragma("table_info", name))
    return Table(name, (rowid, *columns), primary_key=("rowid",), ddl=ddl)


def _read_table(database: _Database, name: str, ddl: str) -> Table:
    text = _read_table_text(ddl)
    info = database.pragma("table_xinfo", name)
    key = tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: int(row[5])))
    indexes = database.pragma("index_list", name)
    key_index = next((row[1] for row in indexes if row[3] == "pk"), None)
    is_rowid = len(key) == 1 and key_index is None and not text.without_rowid
    columns = tuple(_column(row, text, is_rowid and row[1] == key[0]) for row in info)
    table = Table(
        name, columns, checks=text.checks, without_rowid=text.without_rowid, strict=text.strict, ddl=ddl
    )
    # A key under another collation than its column's keeps values apart, or together, that `=` does not.
    own = [(row[1], row[3]) for row in indexes if row[3] != "c"]
    collated = {origin for index, origin in own if _index_columns(database, index, table) is None}
    if "pk" in collated:
        key = ()
    sole_integer = len(key) == 1 and _type_of(table, key[0]) == "INTEGER"
    return replace(
        table,
        primary_key=key,
        unique=_unique(database, indexes, table),
        foreign_keys=_foreign_keys(database, table),
        descending_key=sole_integer and not is_rowid and not text.without_rowid,
        indexes=tuple(_binding_indexes(database, indexes, table)),
        collated_keys=bool(collated),
    )


def _type_of(table: Table, name: str) -> str:
    column = table.column(name)
    return column.declared_type.upper() if column else ""


def _column(row: PragmaRow, text: TableText, is_rowid: bool) -> Column:
    _, name, declared_type, not_null, default, _, hidden = row
    return Column(
        name=name,
        declared_type="" if text.strict and declared_type.upper() == "ANY" else declared_type,
        not_null=bool(not_null) or is_rowid,
        collation=dict(text.collations).get(fold(name), "BINARY"),
        generated=hidden in (2, 3),
        default=default,
        expression=dict(text.expressions).get(fold(name), "") if hidden in (2, 3) else "",
        samples=_BLOBS if text.strict and declared_type.upper() == "BLOB" else None,
    )


_BLOBS = (b"a", b"b", b"", b"ab", b"1", b"\x00", b"A", b"\xff", b"\xc3\xa9")
"""What a BLOB column of a STRICT table holds: SQLite converts nothing to a blob and refuses what is none."""


def _binding_indexes(database: _Database, indexes: list[PragmaRow], table: Table) -> Iterator[str]:
    """The statements of the indexes that forbid rows and are not among the table's unique columns."""
    for _, name, unique, origin, partial in reversed(indexes):
        computes = any(row[1] == _EXPRESSION for row in database.pragma("index_xinfo", name))
        collated = unique and _index_columns(database, name, table) is None
        if origin == "c" and (partial or computes or collated):
            master = f"{quoted(database.name)}.sqlite_master"
            found = database.connection.execute(
                f"SELECT sql FROM {master} WHERE type = 'index' AND name = ?", (name,)
            )
            yield bare(found.fetchone()[0])


def _unique(database: _Database, indexes: list[PragmaRow], table: Table) -> tuple[tuple[str, ...], ...]:
    """The UNIQUE constraints and unique indexes that hold for all rows, under the columns' collations."""
    found = (
        _index_columns(database, name, table)
        for _, name, unique, origin, partial in indexes
        if unique and not partial and origin != "pk"
    )
    return tuple(sorted({columns for columns in found if columns}))


def _index_columns(database: _Database, index: str, table: Table) -> tuple[str, ...] | None:
    """The columns of an index, or None if one is an expression or has another collation than its column."""
    names = []
    for _, number, name, _, collation, is_key in database.pragma("index_xinfo", index):
        if not is_key:
            continue
        if number < 0 or table.columns[number].collation != collation.upper():
            return None
        names.append(name)
    return tuple(dict.fromkeys(names))


def _foreign_keys(database: _Database, table: Table) -> tuple[ForeignKey, ...]:
    """Foreign keys in order of definition, as written: without parent columns where none are named."""
    rows: dict[int, list[PragmaRow]] = {}
    for row in database.pragma("foreign_key_list", table.name):
        rows.setdefault(row[0], []).append(row)
    keys = []
    for _, parts in sorted(rows.items(), reverse=True):
        parts.sort(key=lambda row: int(row[1]))
        named = tuple(row[4] for row in parts if row[4] is not None)
        columns = (table.column(row[3]) for row in parts)
        own = tuple(c.name if c else row[3] for c, row in zip(columns, parts, strict=True))
        keys.append(ForeignKey(own, parts[0][2], named))
    return tuple(keys)
