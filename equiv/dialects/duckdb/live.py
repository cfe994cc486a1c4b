"""Populated databases: files that are only read, and may have macros of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from equiv.dialects.duckdb.catalogue import read_catalogue
from equiv.dialects.duckdb.database import Database, DuckdbError, one_line
from equiv.dialects.duckdb.guard import ALLOWED, harmless_macros
from equiv.dialects.duckdb.read import read_on_data
from equiv.dialects.duckdb.session import DuckdbSession
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.core.query import Broken, Query


class FileSession(DuckdbSession):
    """A populated database, which may have macros of its own."""

    def __init__(self, database: Database, schema: Schema) -> None:
        super().__init__(database, schema)
        self._macros = harmless_macros(database, schema)

    def prepared(self, text: str, refused: Broken) -> Query | Broken:
        """See :class:`~equiv.dialects.protocol.UsersDatabase`."""
        return read_on_data(text, refused, self.schema, self.database, self._macros)


def opened(path: Path) -> FileSession:
    """A populated database, which is only read.

    Raises:
        InputError: it cannot be opened.
    """
    try:
        database = Database(path)
    except (DuckdbError, ValueError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None
    try:
        _require_own_functions(database, path)
        return FileSession(database, read_catalogue(database, path.stem))
    except BaseException:
        database.close()
        raise


def _require_own_functions(database: Database, path: Path) -> None:
    """Make sure that no macro of a file has the name of a function that queries may call.

    Raises:
        InputError: one has.
    """
    made = database.execute("SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal")
    hidden = sorted({str(name).lower() for (name,) in made} & ALLOWED)
    if hidden:
        raise InputError(f"{path}: not supported: a macro hides DuckDB's function {hidden[0]}")
