"""Queries as parts of a query around them, with its column in the place of one of theirs.

What holds of a column need not hold of an outer one, which has one value for all rows of the query; a
rewrite that forgets to ask whose column it is goes wrong here, and hardly anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from equiv.schema.model import Schema
from equiv.sqlite.identifiers import quoted
from equiv.sqlite.printing.trees import to_sql

_OUTER = "around"
"""The alias of the table around, which no query should use."""


def within(queries: Sequence[exp.Expression], schema: Schema) -> Iterator[tuple[str, ...]]:
    """Texts of some queries, each within the same query over a table of theirs; all in one way at a time.

    A column of the table stands, as that of the row around, in the place of the queries' own: of all
    that they read of it, or only of that in conditions.

    Args:
        queries: resolved trees, which are left as they are.
        schema: has their tables.
    """
    has_one_column = all(len(query.selects) == 1 for query in queries if isinstance(query, exp.Query))
    for table, column in _read(queries[0], schema):
        for only_conditions in (False, True):
            parts = [_with_outer(query, table, column, only_conditions=only_conditions) for query in queries]
            texts = [to_sql(part) for part in parts if part is not None]
            if len(texts) == len(queries):
                for form in _forms(table, column, has_one_column=has_one_column):
                    yield tuple(form.format(text) for text in texts)


def _read(query: exp.Expression, schema: Schema) -> list[tuple[str, str]]:
    """Tables that a query reads, each with a column of its that it reads."""
    read = [
        (table.name, column.name)
        for table in query.find_all(exp.Table)
        for column in query.find_all(exp.Column)
        if schema.table(table.name) is not None and column.text("table") == table.alias_or_name
    ]
    return sorted(set(read))


def _with_outer(
    query: exp.Expression, table: str, column: str, *, only_conditions: bool
) -> exp.Expression | None:
    """The query with an outer column for its own; None if it has none there."""
    copy = query.copy()
    aliases = {each.alias_or_name for each in copy.find_all(exp.Table) if each.name == table}
    found = [
        each
        for each in copy.find_all(exp.Column)
        if each.text("table") in aliases
        and each.name == column
        and (not only_conditions or each.find_ancestor(exp.Where, exp.Join, exp.Having) is not None)
    ]
    for each in found:
        each.set("table", exp.to_identifier(_OUTER))
    return copy if found else None


def _forms(table: str, column: str, *, has_one_column: bool) -> Iterator[str]:
    """Queries with a place for another one, in braces."""
    key = f"{_OUTER}.{quoted(column)}".replace("{", "{{").replace("}", "}}")
    source = f"FROM {quoted(table)} AS {_OUTER}".replace("{", "{{").replace("}", "}}")
    yield f"SELECT {key} {source} WHERE EXISTS ({{}})"
    if has_one_column:
        yield f"SELECT {key}, ({{}}) AS v {source}"
        yield f"SELECT {key} {source} WHERE {key} IN ({{}})"
