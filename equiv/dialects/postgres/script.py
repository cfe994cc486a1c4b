"""Databases written down as scripts of PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from equiv.cells import Cell, Row
from equiv.core.model import Column, Domain, Schema, Table, View
from equiv.dialects.typed.table_names import DEFAULT
from equiv.graphs import depth_first_postorder

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled

_FEW = 100
_BATCH = 200
_MADE = re.compile(r"CREATE (?:SCHEMA|TYPE|DOMAIN) (.*?)(?: AS |\Z)", re.DOTALL)


def quoted_name(name: str) -> str:
    """A name as PostgreSQL reads it back; always in quotes, since words may be reserved."""
    return '"' + name.replace('"', '""') + '"'


def native_name(relation: Table | View) -> str:
    """The name of a table or view with its schema."""
    namespace, _, name = relation.name.rpartition(".")
    return f"{quoted_name(namespace or DEFAULT)}.{quoted_name(name)}"


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables, of the parents that they refer to and of views, and an INSERT for each row.

    What rows need not keep one by one (foreign keys, constraints that are checked late) is made last.  One
    view that is named brings all tables and views.
    """
    named = {*tables, *filled}
    views = schema.native_views if any(view.name in named for view in schema.native_views) else ()
    needed = list(_needed(schema, [table.name for table in schema.tables] if views else sorted(named)))
    made = [each for table in needed for each in table.native]
    statements = [*_foundations(schema, made), *made]
    for name, (columns, rows) in filled.items():
        table = schema.table(name)
        if table is not None:
            statements += _inserts(table, columns, rows)
    statements += [each for table in needed for each in table.native_after]
    statements += filter(None, [path_of(schema)])
    statements += [f"CREATE VIEW {native_name(view)} AS {view.sql}" for view in views]
    return "".join(f"{statement};\n" for statement in statements)


def _foundations(schema: Schema, made: Iterable[str]) -> list[str]:
    """The schemas and types whose names the statements hold that make tables, or other such types."""
    texts = [*made, path_of(schema)]
    found: list[str] = []
    for statement in reversed(schema.native):
        name = _MADE.match(statement)
        if name is None or any(name[1] in text for text in texts):
            found.insert(0, statement)
            texts.append(statement)
    return found


def path_of(schema: Schema) -> str:
    """The statement by which names are found in any schema; empty if there is but one."""
    names = dict.fromkeys([DEFAULT, *(table.namespace for table in schema.tables)])
    if len(names) == 1:
        return ""
    return "SET search_path = " + ", ".join(quoted_name(name) for name in names)


def _needed(schema: Schema, names: Iterable[str]) -> Iterator[Table]:
    """The tables, and those that their foreign keys refer to, parents first."""
    wanted = [table.name for name in names if (table := schema.table(name))]

    def parents(name: str) -> Iterator[str]:
        table = schema.table(name)
        found = (schema.table(key.parent) for key in table.foreign_keys) if table else ()
        return (parent.name for parent in found if parent)

    for name in depth_first_postorder(dict.fromkeys(wanted), parents):
        table = schema.table(name)
        if table is not None:
            yield table


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    kept = [i for i, name in enumerate(columns) if not _is_derived(table, name)]
    known = [table.column(columns[i]) for i in kept]
    names = ", ".join(quoted_name(column.name) for column in known if column)
    head = f"INSERT INTO {native_name(table)} ({names}) VALUES "
    if not kept:
        yield from (f"INSERT INTO {native_name(table)} DEFAULT VALUES" for _ in rows)
        return
    places = [(i, column) for i, column in zip(kept, known, strict=True) if column]
    for few in _in_batches(list(rows)):
        values = (", ".join(literal(row[i], column) for i, column in places) for row in few)
        yield f"{head}({'), ('.join(values)})"


def _in_batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one, as a person reads them; those of a populated database many to an INSERT."""
    size = 1 if len(rows) <= _FEW else _BATCH
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _is_derived(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is None or column.derived or column.generated


def literal(cell: Cell, column: Column | None = None) -> str:
    """A cell as a literal of the column's type."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"'\\x{cell.hex()}'::bytea"
        case int() if column is not None and column.domain is Domain.BOOLEAN and cell in (0, 1):
            return "TRUE" if cell else "FALSE"
        case int():
            return str(cell)
        case float():
            return repr(cell) if abs(cell) < float("inf") else f"'{cell}'".replace("inf", "Infinity")
    text = cell.replace("'", "''")
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"
