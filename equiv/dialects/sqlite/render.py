"""DDL from the model: what a fresh SQLite needs for a schema's databases, as a script and as a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.connection import Connection, RunnerError
from equiv.core.model import Column, Schema, Table, View, complete_foreign_keys
from equiv.core.runner import Guarded, open_memory
from equiv.core.single_values import sql_literal
from equiv.dialects.sqlite.pragmas import define, read_as_written
from equiv.errors import InputError
from equiv.files import one_line
from equiv.names import fold, folded, quoted

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


_TYPE = re.compile(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*( ?\([\d ,.+-]*\))?\Z")
_BARE_DEFAULT = re.compile(r"""(\w+|[+-]?[\w.]+|x?'(?:[^']|'')*'|"(?:[^"]|"")*")\Z""", re.IGNORECASE)


def create_statements(schema: Schema, tables: Iterable[str] | None = None) -> list[str]:
    """Executable statements that create the tables (all, or those named), every view and every trigger.

    Where there are triggers all tables are made, since these may write into any of them.

    A table's own DDL is used if SQLite makes of it exactly what the model
    says; otherwise a statement is made from the model.  Indexes that forbid
    rows follow their table.  Parents stand before
    their children, except in a cycle of foreign keys.  Names of no table
    are ignored.

    Raises:
        InputError: a constraint that the model does not hold cannot be made here.
    """
    wanted = None if tables is None or schema.triggers else folded(tables)
    return [
        statement
        for name, statements in _all_statements(schema)
        if wanted is None or name in wanted or not name
        for statement in statements
    ]


@lru_cache(maxsize=64)
def _all_statements(schema: Schema) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Statements by table in lower case, those of the views under ''."""
    remade = _remade_from_ddl(schema)
    tables = [
        (fold(table.name), tuple(_table_statements(table, remade.table(table.name))))
        for table in schema.parents_first(table.name for table in schema.tables)
    ]
    _require_indexes(schema, [statement for _, statements in tables for statement in statements])
    return (*tables, ("", (*(_create_view(view) for view in schema.views), *schema.triggers)))


def with_sound_triggers(schema: Schema) -> Schema:
    """The schema without triggers that no row gets past as they name what is not in it; a note for each."""
    if not schema.triggers:
        return schema
    kept, notes = [], []
    with closing(Connection()) as connection:
        for statement in create_statements(replace(schema, triggers=())):
            define(connection, statement)
        for trigger in schema.triggers:
            connection.execute("SAVEPOINT trial")
            why = define(connection, trigger) or _why_no_row_passes(connection)
            connection.execute("RELEASE trial" if why is None else "ROLLBACK TO trial")
            if why is None:
                kept.append(trigger)
            else:
                notes.append(f"skipped ({why}): {' '.join(trigger[:120].split())}")
    return replace(schema, triggers=tuple(kept), notes=(*schema.notes, *notes))


def _why_no_row_passes(connection: Connection) -> str | None:
    """Why the newest trigger's table takes no statement."""
    (table,) = connection.execute(
        "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid DESC LIMIT 1"
    ).fetchone()
    column = connection.execute("SELECT name FROM pragma_table_info(?) LIMIT 1", (table,)).fetchone()[0]
    place = quoted(table)
    for statement in (
        f"INSERT INTO {place} DEFAULT VALUES",
        f"UPDATE {place} SET {quoted(column)} = NULL",
        f"DELETE FROM {place}",
    ):
        try:
            connection.execute(f"EXPLAIN {statement}").close()
        except RunnerError as error:
            # A view takes what its triggers take alone.
            if "cannot modify" not in str(error):
                return str(error)
    return None


def _remade_from_ddl(schema: Schema) -> Schema:
    """What SQLite makes of the tables' own DDL, of as many as it accepts."""
    with closing(Connection()) as connection:
        remade = [table for each in schema.tables for table in _remade(connection, each.ddl)]
    return complete_foreign_keys(Schema(tuple(remade)))


def _remade(connection: Connection, ddl: str) -> tuple[Table, ...]:
    """The table that SQLite makes of its DDL, and drops: among many others each would take longer."""
    if define(connection, ddl) is not None:
        return ()
    tables = read_as_written(connection).tables
    for table in tables:
        connection.execute(f"DROP TABLE {quoted(table.name)}")
    return tables


def _require_indexes(schema: Schema, statements: Iterable[str]) -> None:
    """See that every index that forbids rows can be made: a function or collation may be unknown here.

    Raises:
        InputError: one cannot.
    """
    binding = {index for table in schema.tables for index in table.indexes}
    if not binding:
        return
    with closing(Connection()) as connection:
        for statement in statements:
            why = define(connection, statement)
            if why is not None and statement in binding:
                raise InputError(f"a unique index cannot be created ({why}): {statement[:120]}")


def _table_statements(table: Table, remade: Table | None) -> list[str]:
    made = set(remade.unique) if remade else set()
    added = [columns for columns in table.unique if columns not in made]
    if remade is None or made - set(table.unique):
        return table_statements(table)
    if replace(remade, ddl=table.ddl, unique=table.unique, indexes=table.indexes) != table:
        return table_statements(table)
    return [table.ddl, *(_create_index(table, columns) for columns in added), *table.indexes]


def _create_index(table: Table, columns: tuple[str, ...]) -> str:
    name = "_".join(("unique", table.name, *columns))
    return f"CREATE UNIQUE INDEX {quoted(name)} ON {quoted(table.name)} ({_list(columns)})"


def table_statements(table: Table) -> list[str]:
    """The statements, made from the model alone, that create a table and the indexes that forbid rows.

    Raises:
        InputError: as :func:`_create_table`.
    """
    return [_create_table(table), *table.indexes]


def _create_table(table: Table) -> str:
    """A CREATE TABLE statement made from the model alone.

    Raises:
        InputError: the table has generated columns or collated keys that the model does not hold.
    """
    if any(column.generated and not column.expression for column in table.columns):
        raise InputError(f"table {table.name}: its generated columns cannot be recreated from its DDL")
    if table.collated_keys:
        raise InputError(f"table {table.name}: the collations of its keys cannot be recreated from its DDL")
    inline = table.primary_key[0] if table.descending_key else table.rowid_alias
    parts = [_column_definition(column, table, inline) for column in table.columns]
    if table.primary_key and inline is None:
        parts.append(f"PRIMARY KEY ({_list(table.primary_key)})")
    parts.extend(f"UNIQUE ({_list(columns)})" for columns in table.unique)
    parts.extend(f"CHECK ({expression})" for expression in table.checks)
    parts.extend(
        f"FOREIGN KEY ({_list(key.columns)}) REFERENCES {quoted(key.parent)} ({_list(key.parent_columns)})"
        for key in table.foreign_keys
    )
    options = [text for text, on in (("WITHOUT ROWID", table.without_rowid), ("STRICT", table.strict)) if on]
    return f"CREATE TABLE {quoted(table.name)} (\n  " + ",\n  ".join(parts) + "\n)" + ", ".join(options)


def _column_definition(column: Column, table: Table, inline_key: str | None) -> str:
    declared_type = column.declared_type or ("ANY" if table.strict else "")
    parts = [quoted(column.name)]
    if declared_type:
        parts.append(declared_type if _TYPE.match(declared_type) else quoted(declared_type))
    if column.name == inline_key:
        parts.append("PRIMARY KEY DESC" if table.descending_key else "PRIMARY KEY")
    if column.not_null:
        parts.append("NOT NULL")
    if column.collation != "BINARY":
        parts.append(f"COLLATE {quoted(column.collation)}")
    if column.generated:
        parts.append(f"AS ({column.expression})")
    if column.default is not None:
        bare = _BARE_DEFAULT.match(column.default)
        parts.append(f"DEFAULT {column.default}" if bare else f"DEFAULT ({column.default})")
    return " ".join(parts)


def _list(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


def _create_view(view: View) -> str:
    columns = f" ({_list(view.columns)})" if view.columns else ""
    return f"CREATE VIEW {quoted(view.name)}{columns} AS {view.sql}"


def empty_database(schema: Schema) -> Guarded:
    """An empty database in memory, on which queries can be prepared.

    Raises:
        InputError: the schema is more than SQLite takes within the limits for what strangers write.
    """
    engine = open_memory()
    try:
        for statement in create_statements(schema):
            engine.connection.execute(statement)
    except (RunnerError, ValueError) as error:
        engine.close()
        raise InputError(f"the schema is refused: {one_line(error)}") from None
    engine.seal()
    return engine


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables and of all views, and an INSERT for each row, for any state of foreign keys."""
    statements = create_statements(schema, tables)
    for table, (columns, rows) in filled.items():
        head = f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, columns))}) VALUES "
        statements += [head + "(" + ", ".join(map(sql_literal, row)) + ")" for row in rows]
    text = "".join(f"{statement};\n" for statement in statements)
    return text if "REFERENCES" not in text.upper() or _keeps_foreign_keys(text) else f"{UNENFORCED}{text}"


UNENFORCED = """\
-- SQLite enforces foreign keys only where it is told to, and not here.
PRAGMA foreign_keys = OFF;
"""


def _keeps_foreign_keys(text: str) -> bool:
    """Whether a script runs where SQLite enforces foreign keys, statement by statement."""
    with closing(Connection()) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        try:
            connection.run_script(text)
        except RunnerError:
            return False
    return True


def store(path: Path, schema: Schema, filled: Filled) -> None:
    """Write a database file with all tables, indexes that forbid rows, and views of the schema.

    Raises:
        InputError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    try:
        with closing(Connection(str(path))) as connection:
            connection.execute("BEGIN")
            for statement in create_statements(schema):
                connection.execute(statement)
            for table, (columns, rows) in filled.items():
                names = ", ".join(map(quoted, columns))
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})", rows)
            connection.execute("COMMIT")
    except RunnerError as error:
        raise InputError(f"{path}: {error}") from None
