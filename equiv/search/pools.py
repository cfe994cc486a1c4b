"""Pools for symbolic cells: the likeliest values of each column, shared where columns are compared."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.cells import Cell
from equiv.core.reading.queries import ColumnKey
from equiv.generate.rows.row_combinations import Plan
from equiv.generate.rows.specs import TableSpec
from equiv.graphs import components

Pools = Mapping[ColumnKey, tuple[Cell, ...]]
"""The cells that each column may hold, NULL included where it is allowed."""

_FINE = 0.125


def narrow_pools(
    plan: Plan, columns: Mapping[str, tuple[str, ...]], width: int
) -> dict[ColumnKey, tuple[Cell, ...]]:
    """At most ``width`` values a column; columns that are compared share values.

    Columns that arithmetic reads get half as many: sums multiply cases.
    """
    keys = [(table, name) for table, names in columns.items() for name in names]
    groups = _compared(plan, keys)
    pools: dict[ColumnKey, tuple[Cell, ...]] = {}
    for group in groups:
        shared = _shared(plan, group)
        for table, name in group:
            spec = plan.specs[table]
            size = width if (table, name) not in plan.reading.numeric else max(2, width // 2)
            fitting = [fit for value in shared if (fit := spec.fit[name](value)) is not None]
            pool = list(dict.fromkeys(_typed([*fitting, *_finely(spec, name)])))[:size]
            values = [value for _, value in dict.fromkeys(pool)]
            pools[table, name] = (*values, None) if name in spec.nullable or not values else tuple(values)
    return pools


def _finely(spec: TableSpec, name: str) -> list[Cell]:
    """The pool of a column, with a number of three decimals early on if it has fractions: ROUND shows."""
    pool = spec.pools[name]
    if any(isinstance(value, float) and not value.is_integer() for value in pool):
        return [*pool[:2], _FINE, *pool[2:]]
    return pool


def _typed(values: list[Cell]) -> list[tuple[type, Cell]]:
    return [(type(value), value) for value in values]


def _shared(plan: Plan, group: list[ColumnKey]) -> list[Cell]:
    """The values that all columns of a group may hold, those first that stand early in some pool.

    Where a number refers to text, the numbers that both may hold, each in its own way.
    """
    specs = [(plan.specs[table], name) for table, name in group]
    pools = [_typed(spec.pools[name]) for spec, name in specs]
    common = set(pools[0]).intersection(*pools[1:])
    if not common:
        numbers = {case for pool in pools for case in pool if case[0] is int}
        common = {
            case for case in numbers if all(spec.fit[name](case[1]) is not None for spec, name in specs)
        }
    best: dict[tuple[type, Cell], int] = {}
    for pool in pools:
        for at, case in enumerate(pool):
            if case in common:
                best[case] = min(at, best.get(case, at))
    return [value for _, value in sorted(best, key=lambda case: best[case])]


def _compared(plan: Plan, keys: list[ColumnKey]) -> list[list[ColumnKey]]:
    """The columns in groups of those that are compared with one another, or refer to one another."""
    links = list(plan.reading.equal)
    for table, spec in plan.specs.items():
        for reference in spec.references:
            ends = zip(reference.columns, reference.parent_columns, strict=True)
            links += [((table, child), (reference.parent, parent)) for child, parent in ends]
    return components(keys, links)
