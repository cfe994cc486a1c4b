"""Queries as parts of a query around them, with its column in the place of one of theirs.

What holds of a column need not hold of an outer one, which has one value for all rows of the query; a
rewrite that forgets to ask whose column it is goes wrong here, and hardly anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from sqlglot import exp

from equiv.core.model import Schema, quoted
from equiv.core.printing import to_sql

_OUTER = "around"
"""The alias of the table around, which no query should use."""


def within(queries: Sequence[exp.Expression], schema: Schema) -> Iterator[tuple[str, ...]]:
    """Texts of some queries, each within the same query over a table of theirs; all in one way at a time.

    A column of the table stands, as that of the row around, in the place of what the queries read of
    one of its rows: everywhere, or only in conditions.

    Args:
        queries: resolved trees, which are left as they are.
        schema: has their tables.
    """
    has_one_column = all(len(query.selects) == 1 for query in queries if isinstance(query, exp.Query))
    made = set[tuple[str, ...]]()
    for (table, place, column), only in product(_read(queries[0], schema), (False, True)):
        parts = [_with_outer(query, table, place, column, only_conditions=only) for query in queries]
        texts = tuple(to_sql(part) for part in parts if part is not None)
        if len(texts) == len(queries) and texts not in made:
            made.add(texts)
            for form in _forms(table, column, has_one_column=has_one_column):
                yield tuple(form.format(text) for text in texts)


def _aliases(query: exp.Expression, table: str) -> list[str]:
    return [each.alias_or_name for each in query.find_all(exp.Table) if each.name == table]


def _read(query: exp.Expression, schema: Schema) -> list[tuple[str, int, str]]:
    """Tables that a query reads, with the place of one of their sources and a column that it reads there."""
    names = {table.name for table in query.find_all(exp.Table) if schema.table(table.name) is not None}
    read = {
        (name, place, column.name)
        for name in names
        for place, alias in enumerate(_aliases(query, name))
        for column in query.find_all(exp.Column)
        if column.text("table") == alias
    }
    return sorted(read)


def _with_outer(
    query: exp.Expression, table: str, place: int, column: str, *, only_conditions: bool
) -> exp.Expression | None:
    """The query with an outer column for its own of one source; None if it has none there."""
    copy = query.copy()
    alias = _aliases(copy, table)[place : place + 1]
    places = [
        each
        for each in copy.find_all(exp.Column)
        if [each.text("table")] == alias
        and each.name == column
        and (not only_conditions or each.find_ancestor(exp.Where, exp.Join, exp.Having) is not None)
    ]
    for each in places:
        each.set("table", exp.to_identifier(_OUTER))
    return copy if places else None


def _forms(table: str, column: str, *, has_one_column: bool) -> Iterator[str]:
    """Queries with a place for another one, in braces."""
    key = f"{_OUTER}.{quoted(column)}".replace("{", "{{").replace("}", "}}")
    source = f"FROM {quoted(table)} AS {_OUTER}".replace("{", "{{").replace("}", "}}")
    yield f"SELECT {key} {source} WHERE EXISTS ({{}})"
    yield f"SELECT {key}, (SELECT COUNT(*) FROM ({{}}) AS counted) AS n {source}"
    if has_one_column:
        yield f"SELECT {key}, ({{}}) AS v {source}"
        yield f"SELECT {key} {source} WHERE {key} IN ({{}})"
