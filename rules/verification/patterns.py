"""Schema patterns: a schema with other types, keys, columns and promises, queries left as they are.

A rule is to be shown on each pattern on which its guards let it fire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from equiv.core.model import Column, Schema, Table
from equiv.dialects.registry import reference
from equiv.errors import InputError
from equiv.rules.verification.golden import World

Change = Callable[[Table], Table]


def _with_columns(table: Table, change: Callable[[Column], Column]) -> Table:
    return replace(table, columns=tuple(map(change, table.columns)))


def _typed(name: str) -> Change:
    return lambda table: _with_columns(table, lambda column: replace(column, declared_type=name))


def _strict(table: Table) -> Table:
    return _with_columns(table, lambda column: replace(column, not_null=True))


def _nullable(table: Table) -> Table:
    own = table.rowid_alias
    return _with_columns(table, lambda column: replace(column, not_null=column.name == own))


def _without_keys(table: Table) -> Table:
    return _nullable(replace(table, primary_key=(), unique=(), foreign_keys=()))


def _with_nullable_keys(table: Table) -> Table:
    """Every primary key becomes UNIQUE: it admits rows with a NULL."""
    keys = (table.primary_key,) if table.primary_key else ()
    return _nullable(replace(table, primary_key=(), unique=tuple(dict.fromkeys((*keys, *table.unique)))))


def _wide(table: Table) -> Table:
    return replace(table, columns=(*table.columns, Column("extra_1"), Column("extra_2", "TEXT")))


def _with_wide_keys(table: Table) -> Table:
    """A primary key of one column gets a second."""
    if len(table.primary_key) != 1:
        return _wide(table)
    return replace(_wide(table), primary_key=(*table.primary_key, "extra_1"))


PATTERNS: dict[str, Change] = {
    "untyped": _typed(""),
    "integer": _typed("INTEGER"),
    "text": _typed("TEXT"),
    "real": _typed("REAL"),
    "numeric": _typed("NUMERIC"),
    "not null": _strict,
    "nullable": _nullable,
    "no keys": _without_keys,
    "nullable keys": _with_nullable_keys,
    "wide": _wide,
    "wide keys": _with_wide_keys,
}
"""How each table of a schema is changed, by name."""


def _collated(name: str, step: int = 1) -> Change:
    """The collation of every column, or of every so-many-th; SQLite gives one to columns of any type."""

    def change(table: Table) -> Table:
        columns = tuple(
            replace(column, collation=name if place % step == 0 else "BINARY")
            for place, column in enumerate(table.columns, 1)
        )
        return replace(table, columns=columns)

    return change


COLLATED: dict[str, Change] = {
    "nocase": _collated("NOCASE"),
    "rtrim": _collated("RTRIM"),
    "half nocase": _collated("NOCASE", step=2),
}
"""Patterns of other collations than BINARY, of which the algebra has few: databases are tried on them."""


def worlds(world: World) -> Iterator[tuple[str, World]]:
    """A world as written, what of it SQLite itself enforces, and every pattern of it that can be made."""
    yield "as written", world
    yield "declared", replace(world, policy="declared")
    yield from _changed(world, PATTERNS)


def collated_worlds(world: World) -> Iterator[tuple[str, World]]:
    """The patterns of a world under other collations than BINARY."""
    yield from _changed(world, COLLATED)


def _changed(world: World, patterns: dict[str, Change]) -> Iterator[tuple[str, World]]:
    for name, change in patterns.items():
        tables = tuple(replace(change(table), ddl="") for table in world.schema.tables)
        try:
            statements = reference().create(Schema(tables, world.schema.views))
            yield name, replace(world, ddl=";\n".join(statements))
        except InputError:
            continue
