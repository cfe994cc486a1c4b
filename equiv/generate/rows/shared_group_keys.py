"""Groups of rows that share the columns of one GROUP BY and differ in the columns of the others.

A query that groups by one column and one that groups by another, or counts DISTINCT where the other counts
all, differ where each has its largest group elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from equiv.cells import Cell
from equiv.core.reading.queries import ColumnKey
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.row_combinations import Plan, emit, value_of
from equiv.generate.rows.solver import Template
from equiv.generate.rows.specs import TableSpec

_COUNTED_ONCE = 0.5
"""How often a column of COUNT(DISTINCT …) has one value in a group."""


def stamp_held(
    plan: Plan,
    template: Template,
    sizes: tuple[int, ...],
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add groups of ``sizes`` row combinations; each group shares its GROUP BY columns and nothing else."""
    tables = plan.reading.slots.tables
    for size in sizes:
        first = {table: len(partials[table]) for table in tables}
        for _ in range(size):
            values = [value_of(plan, group, builder) for group in template.groups]
            emit(tables, list(range(len(tables))), template, values, partials)
        made = {table: partials[table][at:] for table, at in first.items()}
        hold(plan, made, builder, _is_shareable)


def hold(
    plan: Plan,
    rows: Mapping[str, list[dict[str, Cell]]],
    builder: Builder,
    is_open: Callable[[TableSpec, str], bool],
) -> None:
    """Make rows one group of one of the GROUP BYs, and many groups of the others.

    Args:
        rows: by table.
        is_open: whether a column may take one value in all of them.
    """
    rng, reading = builder.rng, plan.reading

    def chosen(keys: Iterable[ColumnKey]) -> list[ColumnKey]:
        return [key for key in keys if key[0] in rows and is_open(plan.specs[key[0]], key[1])]

    clauses = [keys for clause in reading.groupings if (keys := chosen(clause))]
    counted = chosen(reading.counted)
    shared_keys = set(rng.choice(clauses)) if clauses else set()
    shared_keys |= {key for key in counted if rng.random() < _COUNTED_ONCE}
    for key in dict.fromkeys([key for clause in (*clauses, counted) for key in clause]):
        pool = plan.specs[key[0]].pools[key[1]]
        start = int(rng.random() * len(pool))
        for turn, row in enumerate(rows[key[0]]):
            row.setdefault(key[1], pool[(start + (0 if key in shared_keys else turn)) % len(pool)])


def _is_shareable(spec: TableSpec, name: str) -> bool:
    return (name,) not in spec.keys and bool(spec.pools.get(name))


def is_in_no_key(spec: TableSpec, name: str) -> bool:
    """Whether rows that agree in all keys' other columns may agree in this one."""
    return bool(spec.pools.get(name)) and not any(name in key for key in spec.keys)
