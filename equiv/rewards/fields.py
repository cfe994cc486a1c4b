"""Database and gold query of a row of a dataset, by the field names that datasets of text-to-SQL use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

DATABASE_FIELDS = ("db_path", "db_file", "db", "db_id", "database")
"""Looked for in this order: a path goes before a name."""
GOLD_FIELDS = ("gold_sql", "ground_truth", "SQL", "sql", "query", "answer", "solution")


def database_in(row: object, root: str | Path | None, dialect: str = "") -> object:
    """The path, the name or the DDL of the database that a row names; None if it names none.

    A name and the name of a file become a path below ``root``, whether it exists or not; what else a row
    has is returned as it stands.

    Args:
        row: a mapping with one of :data:`DATABASE_FIELDS`.
        root: the folder that names are looked up in; None: where ``--db`` looks.
        dialect: that of databases, by name; '' is the reference.
    """
    name = first_of(row, DATABASE_FIELDS)
    if isinstance(name, str) and root is not None:
        from equiv.dialects.registry import dialect_named
        from equiv.schema.locate import is_plain_name, named_database

        suffixes = dialect_named(dialect).loader.suffixes
        if is_plain_name(name) and not is_ddl(name):
            file = name if name.endswith(suffixes) else f"{name}{suffixes[0]}"
            return named_database(name, [Path(root)], dialect) or Path(root) / file
    return name


_CREATES = re.compile(r"\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TABLE\b", re.IGNORECASE)


def is_ddl(text: str) -> bool:
    """Whether a text creates a table, so that it is no name and no path."""
    return _CREATES.search(text) is not None


def first_of(row: object, fields: tuple[str, ...]) -> object:
    """The value of the first field that a row has; None if it has none."""
    if not isinstance(row, Mapping):
        return None
    return next((row[name] for name in fields if row.get(name) is not None), None)


def gold_in(truth: object) -> object:
    """The gold query in what a dataset calls the ground truth: a text, or a mapping that has it."""
    return first_of(truth, GOLD_FIELDS) if isinstance(truth, Mapping) else truth
