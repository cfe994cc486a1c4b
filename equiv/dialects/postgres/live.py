"""Populated databases: a script with rows, restored on the embedded server."""

from __future__ import annotations

from pathlib import Path

from equiv.core.model import Schema
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.protocol import Filled
from equiv.errors import InputError


def opened(path: Path) -> PostgresSession:
    """A populated database, which is only read."""
    raise InputError(f"{path}: no database of PostgreSQL's")


def load_database(path: Path) -> Schema:
    """The schema of a populated database."""
    raise InputError(f"{path}: no database of PostgreSQL's")


def stored(path: Path, schema: Schema, filled: Filled) -> None:
    """Write rows as a script that makes the database."""
    from equiv.dialects.postgres.script import script

    path.write_text(script(schema, [table.name for table in schema.tables], filled))
