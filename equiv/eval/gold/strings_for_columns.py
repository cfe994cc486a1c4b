"""Gold queries with a string where a column was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.block import is_aggregate
from equiv.core.claims.predicates import COMPARISONS, is_literal, is_text
from equiv.core.literals import sql_literal
from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase

_OF_NUMBERS = (exp.Sum, exp.Avg, exp.Min, exp.Max)


def quoted_name(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query has a string where only a column makes sense, mostly a misspelt name in double quotes.

    SQLite reads a name in double quotes that names no column as a string, without a word.  Reported is one
    that is selected, sorted or grouped by, aggregated, or compared with a constant; or whose letters are
    those of a column of the tables that are read; and a string in single quotes as a key or in SUM, AVG, MIN
    or MAX.  ``city = "Paris"`` is a string in SQLite and meant as one, so it is not reported.
    No fault: a constant that is to label the rows.
    Example: ``SELECT name FROM person ORDER BY "brith date"``: every row has the same key.
    """
    query = subject.query
    if not isinstance(query, Query):
        return
    if query.tree is None:
        columns = _letters_of_columns(subject.engine.schema)
        names = [name for name in query.quoted_strings if _letters(name) in columns]
    else:
        names = [text.name for text in query.tree.find_all(exp.Literal) if _is_misplaced(text, subject)]
    for name in dict.fromkeys(names):
        yield Finding(
            Kind.QUOTED_NAME, Basis.TEXT, f"{sql_literal(name)} is a string where a column is meant"
        )


def _is_misplaced(text: exp.Expression, subject: QueryInDatabase) -> bool:
    if not is_text(text):
        return False
    parent = text.parent
    if isinstance(parent, exp.Ordered | exp.Group) or _is_of_numbers(parent):
        return True
    if not text.meta.get("misread"):
        return False
    if isinstance(parent, exp.Alias) or (parent is not None and is_aggregate(parent)):  # type: ignore[arg-type]
        return True
    if isinstance(parent, COMPARISONS) and all(map(is_literal, parent.iter_expressions())):
        return True
    return _letters(text.name) in _letters_of_columns(subject.engine.schema, _tables(text))


def _is_of_numbers(call: exp.Expr | None) -> bool:
    return isinstance(call, _OF_NUMBERS) and is_aggregate(call)


def _tables(node: exp.Expression) -> set[str]:
    """The tables that the whole query reads, in lower case."""
    return {table.name.lower() for table in node.root().find_all(exp.Table)}


def _letters_of_columns(schema: Schema, tables: set[str] | None = None) -> set[str]:
    chosen = [t for t in schema.tables if tables is None or t.name.lower() in tables]
    return {_letters(column.name) for table in chosen for column in table.columns}


def _letters(name: str) -> str:
    """A name less its qualifier, case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.rpartition(".")[2]).lower()
