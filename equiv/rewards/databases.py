"""The database that a trainer names: a file, a name, DDL, a schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from equiv.core.model import Schema
from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.options import Options
from equiv.schema.locate import Load, looks_like_path, place_for_check

_DDL = re.compile(r"\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TABLE\b", re.IGNORECASE)


def premises_of(db: object, options: Options, load: Load) -> Premises:
    """The premises that a database stands for.

    Args:
        db: the path of a database file, or of DDL in another dialect than SQLite's; a name that ``--db``
            finds; DDL; a schema, or a dict that is one.
        options: how pairs are compared.
        load: gives the schema of some DDL, and a name; what it raises is not caught.

    Raises:
        InputError: it leads nowhere.
    """
    match db:
        case Schema() | Mapping():
            return Premises.of(db, None, options, load)
        case str() if _DDL.search(db):
            return Premises.of(db, None, options, load)
        case Path():
            return _on_file(db, options)
        case str() if looks_like_path(db):
            return _on_file(Path(db), options)
        case str():
            place = place_for_check(db, None, options.given_dialect)
            return Premises.of(place.schema, place.database, options)
        case _:
            raise InputError(f"a database is a path, a name, DDL or a Schema, not {type(db).__name__}")


def _on_file(path: Path, options: Options) -> Premises:
    if not path.is_file():
        raise InputError(f"{path}: no such database")
    return Premises.of(None, path, options)
