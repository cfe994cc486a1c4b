"""Foreign keys as the model holds them: with the columns of their parents."""

from __future__ import annotations

from dataclasses import replace

from equiv.core.model import ForeignKey, Schema, Table


def complete_foreign_keys(schema: Schema) -> Schema:
    """Foreign keys spelled as their parents are, with the parent's primary key where no columns are named.

    A key without parent columns whose parent is unknown, or has a primary
    key of another length, means nothing and is dropped.
    """

    def complete(key: ForeignKey) -> ForeignKey | None:
        parent = schema.table(key.parent)
        named = key.parent_columns or (parent.primary_key if parent else ())
        if len(named) != len(key.columns):
            return None
        if parent is None:
            return key
        columns = (parent.column(name) for name in named)
        spelled = tuple(c.name if c else name for c, name in zip(columns, named, strict=True))
        return ForeignKey(key.columns, parent.name, spelled)

    def keys(table: Table) -> tuple[ForeignKey, ...]:
        completed = (complete(key) for key in table.foreign_keys)
        return tuple(dict.fromkeys(key for key in completed if key))

    return replace(schema, tables=tuple(replace(t, foreign_keys=keys(t)) for t in schema.tables))
