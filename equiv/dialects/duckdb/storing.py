"""Rows written as a database file of DuckDB's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from equiv.core.model import Schema
from equiv.dialects.duckdb.database import one_line
from equiv.dialects.duckdb.script import script
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


def stored(path: Path, schema: Schema, filled: Filled) -> None:
    """Write rows as a database file.

    Raises:
        InputError: it cannot be written.
    """
    names = [table.name for table in schema.tables] + [view.name for view in schema.native_views]
    try:
        path.unlink(missing_ok=True)
        with duckdb.connect(
            str(path), config={"threads": "1", "autoload_known_extensions": "false"}
        ) as connection:
            connection.execute(script(schema, names, filled))
    except (duckdb.Error, OSError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None
