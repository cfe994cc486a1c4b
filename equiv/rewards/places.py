"""What a trainer means by a database: a file, a name, DDL, a schema."""

from __future__ import annotations

import re
from pathlib import Path

from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.options import Options
from equiv.schema.locate import Place, looks_like_path, named_database, place_for_check
from equiv.schema.model import Schema

_DDL = re.compile(r"\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TABLE\b", re.IGNORECASE)


def premises_of(db: object, options: Options, root: Path | None = None) -> Premises:
    """The premises that a database stands for.

    Args:
        db: the path of a SQLite file; a name below ``root`` or where ``--db`` looks; DDL; or a schema.
        options: how pairs are compared.
        root: a folder with ``<name>/<name>.sqlite`` or ``<name>.sqlite``.

    Raises:
        InputError: it leads nowhere.
    """
    match db:
        case Schema():
            return Premises.of(db, None, options)
        case str() if _DDL.search(db):
            return Premises.of(db, None, options)
        case Path():
            return _on_file(db, options)
        case str() if looks_like_path(db):
            return _on_file(Path(db), options)
        case str():
            place = _named(db, root)
            return Premises.of(place.schema, place.database, options)
        case _:
            raise InputError(f"a database is a path, a name, DDL or a Schema, not {type(db).__name__}")


def _on_file(path: Path, options: Options) -> Premises:
    if not path.is_file():
        raise InputError(f"{path}: no such database")
    return Premises.of(None, path, options)


def _named(name: str, root: Path | None) -> Place:
    if root is None:
        return place_for_check(name, None)
    found = named_database(name, [root])
    if found is None:
        raise InputError(f"unknown database {name!r}: no {name}.sqlite in {root}")
    return Place(name, found)
