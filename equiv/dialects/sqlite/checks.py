"""CHECK expressions, read as conditions on the rows of their table."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.lexer import GrammarError
from equiv.core.model import Schema, Table, quoted
from equiv.core.query import UnsupportedError
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.resolve.trees import resolve


def rows_breaking(expression: str, table: Table) -> exp.Expression | None:
    """The query of the rows that break a CHECK, resolved; None if it is none that queries may hold."""
    text = f"SELECT 1 FROM {quoted(table.name)} WHERE NOT ({expression})"
    try:
        return resolve(read(text), Schema((table,)))
    except (GrammarError, UnsupportedError, RecursionError):
        return None
