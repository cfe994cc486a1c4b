"""The premises of a check, as a caller gives them: schema, populated database, options."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from equiv.core.connection import is_url, parts_of, path_of
from equiv.core.model import Schema
from equiv.dialects.crossing.dialect import across, giver_of
from equiv.dialects.registry import dialect_at, dialect_named, dialect_of_ddl
from equiv.errors import InputError
from equiv.files import read_text
from equiv.options import Options
from equiv.schema.locate import require_dialect
from equiv.schema.tables_json import schema_of_mapping

SchemaGiven = Schema | str | Path | Mapping[str, Any] | None
"""What the library takes for a schema."""


class ReadsDdl(Protocol):
    """Gives the schema of some DDL with a name, in a dialect."""

    def __call__(self, text: str, name: str = "", dialect: str = "") -> Schema: ...


@dataclass(frozen=True)
class Premises:
    """A schema, or a database that has one, and how pairs are compared on it; to be had by :meth:`of`."""

    schema: Schema | None
    database: Path | None
    options: Options
    state: tuple[object, ...] = ()
    """Of the files that count when this was made: of a database size, time of change, which file; of a rule
    pack its digest."""

    @classmethod
    def of(
        cls,
        schema: SchemaGiven,
        db: str | Path | None,
        options: Options,
        load: ReadsDdl | None = None,
    ) -> Premises:
        """The premises that arguments of the library stand for.

        Args:
            schema: a schema, DDL text, the path of a DDL file, or a dict that stands for a schema.
            db: the path of a database.
            options: how pairs are compared.
            load: gives the schema of a text with a name in a dialect; by default it is read here.

        Raises:
            InputError: neither schema nor db is given, or the schema or a rule pack cannot be read.
        """
        if schema is None and db is None:
            raise InputError("give a schema with schema=, db= or both")
        digests: tuple[str, ...] = ()
        if options.rules:
            from equiv.packs import load_packs, located

            options = replace(options, rules=tuple(map(located, options.rules)))
            digests = tuple(pack.digest for pack in load_packs(options.rules))
        options = options_on(db, options, schema)
        if isinstance(db, str) and is_url(db):
            db = path_of(db)
        database = Path(db).absolute() if db is not None else None
        if database is not None:
            require_dialect(database, options.given_dialect)
        state = tuple(map(_state, parts_of(database))) if database is not None else ()
        return cls(_schema_of(schema, options.pair_dialect, load), database, options, (*state, *digests))

    @classmethod
    def from_pickled(cls, pickled: bytes) -> Premises:
        """The premises that :attr:`pickled` was made of."""
        return cls(*pickle.loads(pickled))  # noqa: S301 - this program wrote it

    @cached_property
    def pickled(self) -> bytes:
        """The premises as bytes for a worker; also a key, since they hold whatever the verdict depends on."""
        return pickle.dumps((self.schema, self.database, self.options, self.state))


def options_on(db: str | Path | None, options: Options, schema: SchemaGiven = None) -> Options:
    """The options of pairs on a database or some DDL: where none names a dialect, what these show."""
    if options.pair_dialect:
        return options
    shown = dialect_at(db)
    if not shown and isinstance(schema, str | Path):
        shown = dialect_of_ddl(str(schema)) if _is_text(schema) else dialect_at(schema)
    return replace(options, dialect=shown)


def _is_text(schema: SchemaGiven) -> bool:
    """Whether a schema is given as DDL itself, not as the path of a file."""
    return isinstance(schema, str) and (";" in schema or "(" in schema)


def _state(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)  # noqa: PTH116 - it is a text
    except (OSError, ValueError):
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino


def _schema_of(schema: SchemaGiven, dialect: str, reads: ReadsDdl | None) -> Schema | None:
    def load(text: str, name: str) -> Schema:
        return (reads or read_ddl)(text, name, dialect)

    known = dialect_named(dialect)
    if schema is None:
        return None
    if isinstance(schema, Schema):
        return across(schema, known)
    if isinstance(schema, Mapping):
        return across(schema_of_mapping(schema, giver_of(known).name, load), known)
    if not isinstance(schema, str | Path):
        raise InputError(f"schema must be a Schema, a text, a path or a dict, not {type(schema).__name__}")
    if isinstance(schema, Path) or not _is_text(schema):
        path = Path(schema)
        return load(read_text(path), path.stem)
    return load(schema, "")


@lru_cache(maxsize=16)
def read_ddl(text: str, name: str = "", dialect: str = "") -> Schema:
    """The schema of some DDL in a dialect.

    Raises:
        InputError: it cannot be used.
    """
    return dialect_named(dialect).loader.read_ddl(text, name)
