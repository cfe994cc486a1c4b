"""Descriptions of columns, as BIRD and ROSE publish them.

BIRD has ``database_description/<table>.csv`` beside each database, with the
headers ``original_column_name, column_name, column_description, data_format,
value_description``: in UTF-8 with or without a mark, in UTF-16 or in
Windows-1252, with line breaks inside cells, blank lines, blanks around headers
and cells without a header.  ROSE has one ``<db_id>_schema.json``: table ->
list of ``{column_name, column_description?, value_description?}``.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Described = Mapping[str, tuple["DescribedColumn", ...]]
"""The described columns of each table."""

COLUMN = "original_column_name"
"""The header without which a file is no description."""


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """The description of a column; fields are '' where nothing is said."""

    name: str
    readable: str = ""
    meaning: str = ""
    form: str = ""
    values: str = ""

    @property
    def says_something(self) -> bool:
        """Whether more is known than its name."""
        return bool(self.meaning or self.form or self.values or _differs(self.readable, self.name))


LONGEST_CELL = 100_000
"""How many characters a cell may have."""


def read_csv(data: bytes) -> tuple[DescribedColumn, ...]:
    """The columns that a file of BIRD describes.

    Raises:
        ValueError: it is no such file.
    """
    try:
        rows = list(csv.reader(io.StringIO(_decoded(data), newline="")))
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from None
    if any(len(cell) > LONGEST_CELL for row in rows for cell in row):  # csv's own limit is everybody's
        raise ValueError("not CSV: a cell is too long")
    head, *body = [row for row in rows if any(cell.strip() for cell in row)] or [[]]
    names = [name.strip().strip("\ufeff").lower() for name in head]
    if COLUMN not in names:
        raise ValueError(f"no header {COLUMN}")
    found = []
    for row in body:
        cell = dict(zip(names, map(_line, row), strict=False))
        column = DescribedColumn(
            cell.get(COLUMN) or cell.get("column_name", ""),
            cell.get("column_name", ""),
            cell.get("column_description", ""),
            cell.get("data_format", ""),
            cell.get("value_description", ""),
        )
        if column.name:
            found.append(column)
    return tuple(found)


def read_json(data: bytes) -> Described:
    """The columns that a file of ROSE describes, by table.

    Raises:
        ValueError: it is no such file.
    """
    try:
        tables = json.loads(_decoded(data))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    match tables:
        case dict():
            return {table: _json_columns(table, entries) for table, entries in tables.items()}
    raise ValueError("not an object of tables")


def _json_columns(table: str, entries: Any) -> tuple[DescribedColumn, ...]:
    match entries:
        case list():
            return tuple(_json_column(table, entry) for entry in entries)
    raise ValueError(f"{table!r} is no list of columns")


def _json_column(table: str, entry: Any) -> DescribedColumn:
    match entry:
        case {"column_name": str(name), **rest}:
            meaning, values = rest.get("column_description"), rest.get("value_description")
            return DescribedColumn(_line(name), meaning=_line(meaning), values=_line(values))
    raise ValueError(f"a column of {table!r} has no column_name")


def _line(value: Any) -> str:
    """A cell on one line; '' if there is none."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _differs(one: str, other: str) -> bool:
    """Whether a readable name differs from the name by more than letter case and what joins words."""
    plain = [text.lower().replace("_", "").replace(" ", "") for text in (one, other)]
    return bool(one) and plain[0] != plain[1]


def _decoded(data: bytes) -> str:
    """The text in one of the encodings that such files come in; a byte that has no letter is marked."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
