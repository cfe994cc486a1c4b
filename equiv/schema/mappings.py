"""The schema that a dict stands for: columns by table, or an entry of a tables.json."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from equiv.core.model import Schema, quoted
from equiv.errors import InputError
from equiv.files import is_text, one_line
from equiv.schema.tables_json import schema_of_entry

FORM = 'write {"table": {"column": "INTEGER NOT NULL"}} or {"table": ["column"]}'


def schema_of_mapping(given: Mapping[str, Any], dialect: str, load: Callable[[str, str], Schema]) -> Schema:
    """The schema of a dict.

    Args:
        given: for each table its columns, with what DDL says of each after its name, or their names alone;
            or an entry of a tables.json.
        dialect: the name of the schema's dialect.
        load: gives the schema of some DDL, and a name.

    Raises:
        InputError: it has another form, or the DDL cannot be used.
    """
    if "table_names_original" in given:
        try:
            return replace(schema_of_entry(dict(given)), dialect=dialect)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"not of the form of tables.json: {one_line(error)}") from None
    if not given:
        raise InputError(f"the schema has no table: {FORM}")
    return load("".join(_statement(name, columns) for name, columns in given.items()), "")


def _statement(table: object, columns: object) -> str:
    parts = list(_columns(columns))
    if not is_text(table) or not parts or not all(is_text(part) for pair in parts for part in pair):
        raise InputError(f"table {table!r}: no columns in {columns!r:.60}: {FORM}")
    written = ", ".join(f"{quoted(name)} {rest}".rstrip() for name, rest in parts)
    return f"CREATE TABLE {quoted(str(table))} ({written});\n"


def _columns(columns: object) -> Iterator[tuple[str, str]]:
    match columns:
        case Mapping():
            yield from columns.items()
        case Sequence() if not isinstance(columns, str | bytes):
            yield from ((name, "") for name in columns)
