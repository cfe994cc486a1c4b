"""Two queries in one file: the prediction first, then the gold query, each ended by a semicolon."""

from __future__ import annotations

from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.files import read_query_file


def read_both(name: str, dialect: str = "") -> tuple[str, str]:
    """The texts of the two queries of a file, or of standard input if it is called ``-``.

    Args:
        name: the file.
        dialect: the dialect that the queries are written in, by name; '' is the reference.

    Raises:
        InputError: the file cannot be read, or does not hold two statements; or there is no such dialect.
    """
    statements = dialect_named(dialect).reader.statements(read_query_file(name))
    match statements:
        case [pred, gold]:
            return pred, gold
    source = "standard input" if name == "-" else name
    number = (
        "no statement"
        if not statements
        else "1 statement"
        if len(statements) == 1
        else f"{len(statements)} statements"
    )
    raise InputError(f"{source}: holds {number}, not two: the prediction, then the gold query")
