"""CHECK expressions, read as conditions on the rows of their table."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.core.identifiers import quoted
from equiv.core.lexer import GrammarError
from equiv.core.model import Schema, Table
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.resolve.trees import resolve


def rows_breaking(expression: str, table: Table) -> exp.Expression | None:
    """The query of the rows that break a CHECK, resolved; None if it is none that queries may hold."""
    text = f"SELECT 1 FROM {quoted(table.name)} WHERE NOT ({expression})"
    try:
        return resolve(read(text), Schema((table,)))
    except (GrammarError, UnsupportedError, RecursionError):
        return None


def condition_of(expression: str, table: Table) -> exp.Expression | None:
    """A CHECK as a condition over the table's columns; None as :func:`rows_breaking`."""
    query = rows_breaking(expression, table)
    return None if query is None else cast(exp.Expression, query.args["where"].this.this)


def columns_of(expression: str, table: Table) -> set[str]:
    """The columns that a CHECK reads, in lower case; empty if that is not known."""
    condition = condition_of(expression, table)
    found = condition.find_all(exp.Column) if condition is not None else ()
    return {column.name.lower() for column in found}
