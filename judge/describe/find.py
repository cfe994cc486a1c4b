"""Where the descriptions of a database are.

Below a root by the name of the database: ``<root>/<db_id>/database_description/*.csv`` (BIRD's layout) or
``<root>/<db_id>_schema.json`` (ROSE's).  Names come from strangers: nothing outside the root is read.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.files import one_line
from equiv.schema.locate import confined, is_plain_name

from .read import Described, DescribedColumn, read_csv, read_json
from .show import as_text

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
            try:
                names = {entry.name.removesuffix(SCHEMA) for entry in self.root.iterdir()}
            except OSError as error:
                raise InputError(f"{self.root}: {error.strerror or error}") from None
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
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
