"""Schemas from tables.json, the form in which Spider and BIRD publish theirs, and from dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from equiv.core.model import Column, ForeignKey, Schema, Table, complete_foreign_keys
from equiv.errors import InputError
from equiv.files import is_text, load_json, one_line, read_text
from equiv.names import fold, quoted

_DECLARED_TYPES = {"number": "NUMERIC", "time": "DATETIME", "others": ""}
"""Spider's own type words; any other word (text, boolean, integer, real, date, …) is a SQL type."""


def load_tables_json(path: str | Path, text: str | None = None) -> dict[str, Schema]:
    """The schemas of a tables.json file by database id, without SQLite's internal tables.

    Args:
        path: the file.
        text: what it holds, if that is read: a pipe is read once.

    Raises:
        InputError: the file is missing, no JSON, or not of that form.
    """
    file = Path(path)
    entries = load_json(file, read_text(file) if text is None else text)
    try:
        schemas = [schema_of_entry(entry) for entry in (entries if isinstance(entries, list) else [entries])]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{file}: not of the form of tables.json: {one_line(error)}") from None
    return {schema.name: schema for schema in schemas}


def schema_of_entry(entry: dict[str, Any]) -> Schema:
    """The schema of an entry of a tables.json; what is not of its form raises many an error."""
    names: list[str] = entry["table_names_original"]
    columns: list[tuple[int, str]] = entry["column_names_original"]
    types: list[str] = entry["column_types"]
    _require_texts([entry["db_id"], *names, *(name for _, name in columns), *types])
    keys = [i for key in entry.get("primary_keys") or () for i in _members(key)]
    links = [(_members(child), _members(parent)) for child, parent in entry.get("foreign_keys") or ()]

    def named(indexes: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(columns[i][1] for i in indexes)

    def build(number: int, name: str) -> Table:
        def owned(index: int) -> bool:
            return columns[index][0] == number

        return _numbered(
            Table(
                name,
                tuple(
                    Column(column, _declared_type(types[i]))
                    for i, (owner, column) in enumerate(columns)
                    if owner == number
                ),
                primary_key=named(tuple(filter(owned, keys))),
                foreign_keys=tuple(
                    ForeignKey(named(child), names[columns[parent[0]][0]], named(parent))
                    for child, parent in links
                    if owned(child[0])
                ),
            )
        )

    tables = (build(number, name) for number, name in enumerate(names))
    # SQLite has no table without a column.
    own = tuple(table for table in tables if table.columns and not fold(table.name).startswith("sqlite_"))
    return complete_foreign_keys(Schema(own, name=entry["db_id"]))


def _require_texts(values: Iterable[object]) -> None:
    """Refuse names and types that are none.

    Raises:
        ValueError: one is another value, or a text that SQLite cannot hold.
    """
    for value in values:
        if not is_text(value):
            raise ValueError(f"{ascii(value)[:40]} is not a name")


def _members(key: int | list[int]) -> tuple[int, ...]:
    """Column numbers of a key; those of a composite key are nested, or stand flat among the others.

    Raises:
        ValueError: a number is negative.
    """
    members = tuple(key) if isinstance(key, list) else (key,)
    if any(member < 0 for member in members):
        raise ValueError(f"no column {min(members)}")
    return members


def _declared_type(word: str) -> str:
    return _DECLARED_TYPES.get(word.lower(), word.upper())


def _numbered(table: Table) -> Table:
    """The table with its rowid column, if it has one, marked NOT NULL, as SQLite makes it."""
    columns = (replace(c, not_null=True) if c.name == table.rowid_alias else c for c in table.columns)
    return replace(table, columns=tuple(columns))


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
