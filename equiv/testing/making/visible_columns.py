"""The columns in scope of a SELECT in a tree: of its own sources, and of the queries around it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.model import Schema, Table, quoted
from equiv.testing.making.columns import Seen, columns_of

MARK = "\N{SECTION SIGN}"
"""Begins a literal or name that stands for text; nothing else may hold it."""


def tables_of(select: exp.Select, schema: Schema) -> Iterator[tuple[Table, str]]:
    """The base tables that a SELECT reads itself, with their aliases."""
    for source in _sources(select):
        found = schema.table(source.name) if isinstance(source, exp.Table) else None
        if found is not None and not _is_cte(source):
            yield found, source.alias_or_name


def seen_by(select: exp.Select, schema: Schema) -> list[Seen]:
    """The columns of the sources of a SELECT."""
    columns: list[Seen] = []
    for source in _sources(select):
        alias = source.alias_or_name
        table = schema.table(source.name) if isinstance(source, exp.Table) else None
        if table is not None and not _is_cte(source):
            columns += columns_of(table, alias)
            continue
        body = source.this if isinstance(source, exp.Subquery) else _cte(source)
        while isinstance(body, exp.SetOperation | exp.Subquery):
            body = body.this
        if isinstance(body, exp.Select):
            names = [each.alias_or_name for each in body.expressions]
            columns += [(f"{quoted(alias)}.{quoted(name)}", "u") for name in names if name.isidentifier()]
    return columns


def outer_columns(select: exp.Select, schema: Schema) -> Iterator[Seen]:
    """The columns that a subquery may mention besides its own."""
    above = select.parent
    while above is not None and not isinstance(above, exp.CTE | exp.From | exp.Join):
        if isinstance(above, exp.Select):
            yield from seen_by(above, schema)
        above = above.parent


def _sources(select: exp.Select) -> Iterator[exp.Expression]:
    clauses = [select.args.get("from_"), *(select.args.get("joins") or ())]
    yield from (
        clause.this for clause in clauses if clause is not None and not clause.this.name.startswith(MARK)
    )


def _cte(source: exp.Expression) -> exp.Expression | None:
    found = [cte for cte in source.root().find_all(exp.CTE) if cte.alias == source.name]
    return found[0].this if found else None


def _is_cte(source: exp.Expression) -> bool:
    return _cte(source) is not None
