"""Schemas from SQLite itself: its PRAGMAs say what it enforces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import apsw

from equiv.core.connection import Connection, RunnerError
from equiv.core.lexer import bare
from equiv.core.model import Column, ForeignKey, Schema, Table, complete_foreign_keys, quoted
from equiv.core.runner import open_file
from equiv.dialects.sqlite.schema.ddl_text import TableText, read_table_text, read_view_text
from equiv.errors import InputError
from equiv.files import one_line

Row = tuple[Any, ...]

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
        InputError: there is no such file, or it is no SQLite database.
    """
    try:
        with closing(open_file(path)) as guarded:
            return read_schema(guarded.connection, Path(path).stem)
    except (OSError, ValueError, RunnerError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None


def define(connection: Connection, statement: str, *, reads: bool = False) -> str | None:
    """Execute a CREATE TABLE, INDEX, VIEW or TRIGGER, which may come from a stranger's file.

    Args:
        connection: the database.
        statement: the statement.
        reads: whether a query may go with it.

    Returns:
        SQLite's reason to refuse it, or None if it is done.
    """
    connection.set_authorizer(_authorize_reads if reads else _authorize)
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


def _authorize(action: int, *_: str | None) -> int:
    return apsw.SQLITE_OK if action in _ALLOWED else apsw.SQLITE_DENY


def _authorize_reads(action: int, *_: str | None) -> int:
    return apsw.SQLITE_OK if action in _ALLOWED | _READS else apsw.SQLITE_DENY


_READS = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE))


def read_schema(connection: Connection, name: str = "") -> Schema:
    """The schema of the main database of a connection; views and tables in order of creation."""
    return complete_foreign_keys(read_as_written(connection, name))


def read_as_written(connection: Connection, name: str = "") -> Schema:
    """The schema as :func:`read` gives it, with foreign keys as they are written."""
    found = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    ).fetchall()
    virtual = {table: ddl for kind, table, ddl in found if kind == "table" and _VIRTUAL.match(ddl)}
    tables = [
        _read_table(connection, table, ddl)
        for kind, table, ddl in found
        if kind == "table" and table not in virtual
    ]
    views = [read_view_text(view, ddl) for kind, view, ddl in found if kind == "view"]
    triggers = tuple(bare(ddl) for kind, _, ddl in found if kind == "trigger")
    return Schema(
        tuple(tables),
        tuple(views),
        name,
        triggers=triggers,
        notes=tuple(f"passed over: {' '.join(ddl[:120].split())}" for ddl in virtual.values()),
        withheld=tuple(table.lower() for table in virtual),
    )


def _read_table(connection: Connection, name: str, ddl: str) -> Table:
    text = read_table_text(ddl)
    info = connection.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    key = tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: int(row[5])))
    indexes = connection.execute(f"PRAGMA index_list({quoted(name)})").fetchall()
    key_index = next((row[1] for row in indexes if row[3] == "pk"), None)
    is_rowid = len(key) == 1 and key_index is None and not text.without_rowid
    columns = tuple(_column(row, text, is_rowid and row[1] == key[0]) for row in info)
    table = Table(
        name, columns, checks=text.checks, without_rowid=text.without_rowid, strict=text.strict, ddl=ddl
    )
    # A key under another collation than its column's keeps values apart, or together, that `=` does not.
    own = [(row[1], row[3]) for row in indexes if row[3] != "c"]
    collated = {origin for index, origin in own if _index_columns(connection, index, table) is None}
    if "pk" in collated:
        key = ()
    sole_integer = len(key) == 1 and _type_of(table, key[0]) == "INTEGER"
    return replace(
        table,
        primary_key=key,
        unique=_unique(connection, indexes, table),
        foreign_keys=_foreign_keys(connection, table),
        descending_key=sole_integer and not is_rowid and not text.without_rowid,
        indexes=tuple(_binding_indexes(connection, indexes, table)),
        collated_keys=bool(collated),
    )


def _type_of(table: Table, name: str) -> str:
    column = table.column(name)
    return column.declared_type.upper() if column else ""


def _column(row: Row, text: TableText, is_rowid: bool) -> Column:
    _, name, declared_type, not_null, default, _, hidden = row
    return Column(
        name=name,
        declared_type="" if text.strict and declared_type.upper() == "ANY" else declared_type,
        not_null=bool(not_null) or is_rowid,
        collation=dict(text.collations).get(name.lower(), "BINARY"),
        generated=hidden in (2, 3),
        default=default,
        expression=dict(text.expressions).get(name.lower(), "") if hidden in (2, 3) else "",
    )


def _binding_indexes(connection: Connection, indexes: list[Row], table: Table) -> Iterator[str]:
    """The statements of the indexes that forbid rows and are not among the table's unique columns."""
    for _, name, unique, origin, partial in reversed(indexes):
        computes = any(
            row[1] == _EXPRESSION for row in connection.execute(f"PRAGMA index_xinfo({quoted(name)})")
        )
        collated = unique and _index_columns(connection, name, table) is None
        if origin == "c" and (partial or computes or collated):
            found = connection.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?", (name,)
            )
            yield bare(found.fetchone()[0])


def _unique(connection: Connection, indexes: list[Row], table: Table) -> tuple[tuple[str, ...], ...]:
    """The UNIQUE constraints and unique indexes that hold for all rows, under the columns' collations."""
    found = (
        _index_columns(connection, name, table)
        for _, name, unique, origin, partial in indexes
        if unique and not partial and origin != "pk"
    )
    return tuple(sorted({columns for columns in found if columns}))


def _index_columns(connection: Connection, index: str, table: Table) -> tuple[str, ...] | None:
    """The columns of an index, or None if one is an expression or has another collation than its column."""
    names = []
    for _, number, name, _, collation, is_key in connection.execute(f"PRAGMA index_xinfo({quoted(index)})"):
        if not is_key:
            continue
        if number < 0 or table.columns[number].collation != collation.upper():
            return None
        names.append(name)
    return tuple(dict.fromkeys(names))


def _foreign_keys(connection: Connection, table: Table) -> tuple[ForeignKey, ...]:
    """Foreign keys in order of definition, as written: without parent columns where none are named."""
    rows: dict[int, list[Row]] = {}
    for row in connection.execute(f"PRAGMA foreign_key_list({quoted(table.name)})"):
        rows.setdefault(row[0], []).append(row)
    keys = []
    for _, parts in sorted(rows.items(), reverse=True):
        parts.sort(key=lambda row: int(row[1]))
        named = tuple(row[4] for row in parts if row[4] is not None)
        columns = (table.column(row[3]) for row in parts)
        own = tuple(c.name if c else row[3] for c, row in zip(columns, parts, strict=True))
        keys.append(ForeignKey(own, parts[0][2], named))
    return tuple(keys)
