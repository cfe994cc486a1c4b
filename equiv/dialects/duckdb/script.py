"""Databases written down as scripts of DuckDB's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from equiv.core.model import Schema, Table, View, quoted_name
from equiv.dialects.duckdb.session_settings import TAKEN
from equiv.dialects.duckdb.values import literal
from equiv.graphs import depth_first_postorder

if TYPE_CHECKING:
    from equiv.cells import Row
    from equiv.dialects.protocol import Filled

SET_ZONE = f"SET TimeZone = '{TAKEN['TimeZone']}'"


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables, of the parents that they refer to and of views, and an INSERT for each row.

    One view that is named brings all tables and views.  Before them stands the time zone, if it is known.
    """
    named = {*tables, *filled}
    views = schema.native_views if any(view.name in named for view in schema.native_views) else ()
    names = [table.name for table in schema.tables] if views else sorted(named)
    needed = list(_needed(schema, names))
    zone = [SET_ZONE] if dict(schema.settings).get("TimeZone") == TAKEN["TimeZone"] else []
    statements = [*zone, *schema.native, *(each for table in needed for each in table.native)]
    rows = {name.lower(): found for name, found in filled.items()}
    for table in needed:
        if table.name.lower() in rows:
            statements += _inserts(table, *rows[table.name.lower()])
    statements += [creating(view) for view in views]
    return "".join(f"{statement};\n" for statement in statements)


def creating(view: View) -> str:
    """The statement that makes a view."""
    columns = f" ({', '.join(map(quoted_name, view.columns))})" if view.columns else ""
    return f"CREATE VIEW {quoted_name(view.name)}{columns} AS {view.sql}"


def _needed(schema: Schema, names: Iterable[str]) -> Iterator[Table]:
    """The tables, and those that their foreign keys refer to, parents first: DuckDB checks row by row."""
    wanted = [table.name for name in names if (table := schema.table(name))]

    def parents(name: str) -> Iterator[str]:
        table = schema.table(name)
        found = (schema.table(key.parent) for key in table.foreign_keys) if table else ()
        return (parent.name for parent in found if parent and parent is not table)

    for name in depth_first_postorder(dict.fromkeys(wanted), parents):
        table = schema.table(name)
        if table is not None:
            yield table


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    known = [(place, column) for place, name in enumerate(columns) if (column := table.column(name))]
    kept = [(place, column) for place, column in known if not column.derived and not column.generated]
    if not kept:
        yield from (f"INSERT INTO {quoted_name(table.name)} DEFAULT VALUES" for _ in rows)
        return
    names = ", ".join(quoted_name(column.name) for _, column in kept)
    for row in _in_order(table, columns, list(rows)):
        values = ", ".join(literal(row[place], column) for place, column in kept)
        yield f"INSERT INTO {quoted_name(table.name)} ({names}) VALUES ({values})"


def _in_order(table: Table, columns: Sequence[str], rows: list[Row]) -> list[Row]:
    """The rows, each after the ones of the same table that it refers to; a circle is left as it is."""
    at = {name.lower(): place for place, name in enumerate(columns)}
    keys = [
        ([at[c.lower()] for c in key.columns], [at[c.lower()] for c in key.parent_columns])
        for key in table.foreign_keys
        if key.parent.lower() == table.name.lower() and {c.lower() for c in key.columns} <= at.keys()
    ]
    if not keys:
        return rows

    def before(place: int) -> Iterator[int]:
        for own, other in keys:
            wanted = [rows[place][i] for i in own]
            yield from (i for i, row in enumerate(rows) if i != place and [row[j] for j in other] == wanted)

    return [rows[place] for place in depth_first_postorder(range(len(rows)), before)]
