"""Descriptions of columns, as BIRD and ROSE publish them, and as a model is shown them.

They lie below a root by the name of the database: ``<root>/<db_id>/database_description/*.csv`` (BIRD's
layout) or ``<root>/<db_id>_schema.json`` (ROSE's). Names come from strangers: nothing outside the root is
read.

BIRD has ``database_description/<table>.csv`` beside each database, with the
headers ``original_column_name, column_name, column_description, data_format,
value_description``: in UTF-8 with or without a mark, in UTF-16 or in
Windows-1252, with line breaks inside cells, blank lines, blanks around headers
and cells without a header.  ROSE has one ``<db_id>_schema.json``: table ->
list of ``{column_name, column_description?, value_description?}``.

A model is shown one line a column, in no more than so many characters.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import FileErrors, one_line
from equiv.schema.locate import confined, is_plain_name
from equiv.show.page import escape

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
    raise ValueError(f"{table!r} is not a list of columns")


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


MOST = 24_000
"""Characters for one database, about 6,000 tokens; the longest of BIRD's dev databases needs 12,000."""

WIDTHS = (1000, 500, 250, 120, 60, 0)
"""Characters of one description, the widest that fit first."""


def as_text(described: Described, most: int = MOST) -> str:
    """The descriptions of a database; '' if there are none.

    The text is the same for every question on the database, so that providers can keep the prefix.  What
    does not fit is cut: each description first, then the columns at the end.
    """
    texts = ("\n".join(_lines(described, width)) for width in WIDTHS)
    text = ""
    for text in texts:
        if len(text) <= most:
            return text
    kept = text[:most].rpartition("\n")[0]
    left = text.count("\n") - kept.count("\n")
    return f"{kept}\n({left} more lines are left out)"


def _lines(described: Described, width: int) -> Iterator[str]:
    for table, columns in sorted(described.items()):
        told = [_column(column, width) for column in columns if column.says_something]
        if told:
            yield f"{_cut(table, 200)}:"
            yield from told


def _column(column: DescribedColumn, width: int) -> str:
    said = {
        "": column.readable if column.readable != column.name else "",
        "meaning: ": column.meaning if column.meaning != column.readable else "",
        "form: ": column.form,
        "values: ": column.values,
    }
    parts = [f"{what}{_cut(text, width)}" for what, text in said.items() if text and width]
    return "; ".join([f"- {_cut(column.name, 200)}", *parts])


def _cut(text: str, width: int) -> str:
    shown = escape(text[:width])
    return shown if len(text) <= width else f"{shown}…"


FOLDER = "database_description"
SCHEMA = "_schema.json"
LARGEST = 4_000_000
"""Bytes of a file; a larger one is no description."""


@dataclass(frozen=True, slots=True)
class DescriptionSource:
    """The places where descriptions of databases are looked for.

    Attributes:
        root: a folder with something for each database, or None.
        beside: the file of the one database there is, or None.
    """

    root: Path | None = None
    beside: Path | None = None

    def files(self, db_id: str) -> list[Path]:
        """The files that describe a database; none if there are none."""
        if self.beside is not None:
            return _in_folder(self.beside.parent, (FOLDER,))
        if self.root is None or not is_plain_name(db_id):
            return []
        if found := _in_folder(self.root, (db_id, FOLDER)):
            return found
        schema = confined(self.root, f"{db_id}{SCHEMA}")
        return [schema] if schema else []

    def digest(self) -> str:
        """SHA-256 of all files that may be read, whatever the databases; '' if there are none.

        Raises:
            InputError: the root or a file cannot be read.
        """
        digest = hashlib.sha256()
        files = sorted(self._all())
        for path in files:
            digest.update(repr((path.name, path.parent.name)).encode())
            digest.update(hashlib.sha256(_beginning(path)).digest())
        return digest.hexdigest() if files else ""

    def _all(self) -> Iterator[Path]:
        if self.beside is not None:
            yield from self.files("")
        elif self.root is not None:
            with FileErrors(self.root):
                names = {entry.name.removesuffix(SCHEMA) for entry in self.root.iterdir()}
            for name in names:
                yield from self.files(name)


class Descriptions:
    """The descriptions of each database as text; may be asked from several threads."""

    def __init__(self, source: DescriptionSource) -> None:
        self._source = source
        self._texts: dict[str, str] = {}
        self._turn = threading.Lock()
        self.remarks: list[str] = []
        """Files that could not be read, and why."""

    def of(self, db_id: str) -> str:
        """The descriptions of a database's columns as text; '' if there are none."""
        with self._turn:
            if db_id not in self._texts:
                self._texts[db_id] = as_text(self._described(self._source.files(db_id)))
            return self._texts[db_id]

    def _described(self, files: Iterable[Path]) -> Described:
        found: dict[str, tuple[DescribedColumn, ...]] = {}
        for path in files:
            try:
                found |= _read(path)
            except (InputError, ValueError) as error:
                self.remarks.append(f"{path}: not read as a description of columns: {one_line(error)}")
        return found


def _read(path: Path) -> Mapping[str, tuple[DescribedColumn, ...]]:
    data = _beginning(path)
    if len(data) > LARGEST:
        raise InputError(f"longer than {LARGEST:,} bytes")
    return read_json(data) if path.name.endswith(SCHEMA) else {path.stem: read_csv(data)}


def _in_folder(root: Path, parts: tuple[str, ...]) -> list[Path]:
    folder = root.joinpath(*parts)
    if not folder.is_dir():
        return []
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.lower().endswith(".csv"))
    found = (confined(root, *parts, name) for name in names)
    return [path for path in found if path is not None]


def _beginning(path: Path) -> bytes:
    """The content of a file, of a larger one one byte more than is read."""
    with FileErrors(path), path.open("rb") as file:
        return file.read(LARGEST + 1)
