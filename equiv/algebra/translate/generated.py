"""Generated columns: the expression over the other columns of the row.

A column stays as it is where storing its value may convert it, or where a fact speaks of it that is neither
a CHECK nor its type: a key, NOT NULL, a reference.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.algebra.kinds import kinds
from equiv.algebra.terms import Binding, Expression, Field
from equiv.algebra.translate.symbol_table import SymbolTable, Translation
from equiv.algebra.world import World
from equiv.core.functions.traits import ALL, StorageClass
from equiv.core.model import Affinity, Column, Table
from equiv.core.query import UnsupportedError
from equiv.dialects.registry import reference
from equiv.facts import FactKind

_KEPT: dict[Affinity, frozenset[StorageClass]] = {
    Affinity.BLOB: ALL,
    Affinity.TEXT: frozenset({"null", "text", "blob"}),
    # A REAL that is whole is stored as an integer.
    Affinity.INTEGER: frozenset({"null", "integer", "blob"}),
    Affinity.NUMERIC: frozenset({"null", "integer", "blob"}),
    Affinity.REAL: frozenset({"null", "real", "blob"}),
}
"""The storage classes that a column of an affinity stores as they are."""


def column_value(binding: Binding, table: Table, column: Column, world: World) -> Expression:
    """The value of a column of a row: its expression if it is generated, else the field itself."""
    if column.generated and column.expression and not _is_spoken_of(table, column, world):
        found = _computed(binding, table, column, world)
        if found is not None:
            return found
    return Field(binding.row, column.name)


def _is_spoken_of(table: Table, column: Column, world: World) -> bool:
    """Whether a fact other than a CHECK or its type names the column."""
    place = (table.name.lower(), column.name.lower())
    silent = (FactKind.CHECK, FactKind.TYPE)
    return any(fact.kind not in silent and place in fact.places for fact in world.facts)


def _computed(binding: Binding, table: Table, column: Column, world: World) -> Expression | None:
    """The expression of a generated column over a row; None if it cannot be said or is converted."""
    from equiv.algebra.translate.expression import expression

    query = reference().rows_breaking(column.expression, table)
    where = query.args.get("where") if query is not None else None
    if query is None or where is None or not isinstance(where.this, exp.Not):
        return None
    others = {node.name.lower() for node in where.find_all(exp.Column)}
    # Columns may be generated from generated ones, but in no circle.
    values = {
        (table.name, each.name): column_value(binding, table, each, world)
        for each in table.columns
        if each.name.lower() in others and each.name != column.name
    }
    try:
        found = expression(where.this.this, SymbolTable(Translation(query, world)).inside(values))
    except UnsupportedError:
        return None
    trial = World(world.schema, world.facts, world.names)
    if not kinds(found, trial, {binding.row: binding.source}) <= _KEPT[column.affinity]:
        return None
    world.use(trial.used)
    return found
