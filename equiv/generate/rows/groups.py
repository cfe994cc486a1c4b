"""Rows in groups of several sizes, two with equal names: they tell GROUP BY key from GROUP BY name."""

from __future__ import annotations

from equiv.cells import Cell
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.row_combinations import Plan, copy_slot, emit, value_of
from equiv.generate.rows.shared_group_keys import hold, is_in_no_key
from equiv.generate.rows.solver import Template

_NULL_NAMES = 0.4
"""How often the two groups that are alike have NULL for names that are unique."""

_LOOSE = 0.4
"""How often the columns of GROUP BYs are left to chance within the table whose rows make up a group."""


def stamp_groups(
    plan: Plan,
    template: Template,
    sizes: tuple[int, ...],
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Stamp groups of these sizes; the first two have other keys and else the same cells.

    A query that groups by a key and one that groups by a name differ where the two together outdo the others.
    """
    tables = plan.reading.slots.tables
    slots = list(range(len(tables)))
    if not slots:
        return
    varying = builder.rng.choice([slot for slot in slots if _is_child(plan, slot)] or slots)
    alike: list[dict[str, Cell]] = []
    nulls = builder.rng.random() < _NULL_NAMES
    for number, size in enumerate(sizes):
        values = [value_of(plan, group, builder) for group in template.groups]
        at = {table: len(partials[table]) for table in tables}
        emit(tables, slots, template, values, partials)
        made = [partials[table][at[table] + tables[:slot].count(table)] for slot, table in enumerate(tables)]
        alike = _fill_alike(plan, made, varying, builder, alike if number == 1 else [])
        if nulls and number <= 1:
            _null_names(plan, made, varying)
        copy_slot(plan, (template, slots, values), varying, size, builder=builder, partials=partials)
        if plan.reading.groupings and builder.rng.random() >= _LOOSE:
            table = tables[varying]
            hold(plan, {table: partials[table][at[table] :]}, builder, is_in_no_key)


def _null_names(plan: Plan, rows: list[dict[str, Cell]], varying: int) -> None:
    """Put NULL into named cells that are unique by themselves: so alone can two rows share such a name."""
    for slot, row in enumerate(rows):
        spec = plan.specs[plan.reading.slots.tables[slot]]
        names = [name for name in plan.reading.mentioned[spec.name] if (name,) in spec.keys]
        row.update({name: None for name in names if slot != varying and name in spec.nullable - row.keys()})


def _is_child(plan: Plan, slot: int) -> bool:
    """Whether the table of a slot refers to another and no other refers to it."""
    tables = plan.reading.slots.tables
    own = plan.specs[tables[slot]]
    others = [plan.specs[table] for table in tables if table != own.name]
    return not any(r.parent == own.name for other in others for r in other.references)


def _fill_alike(
    plan: Plan, rows: list[dict[str, Cell]], varying: int, builder: Builder, earlier: list[dict[str, Cell]]
) -> list[dict[str, Cell]]:
    """Fill the named cells of all slots but one that are no key, as in an earlier group if there is one."""
    tables = plan.reading.slots.tables
    filled: list[dict[str, Cell]] = []
    for slot, row in enumerate(rows):
        spec = plan.specs[tables[slot]]
        bound = {name for key in spec.keys for name in key} | {n for r in spec.references for n in r.columns}
        named = [name for name in plan.reading.mentioned[spec.name] if name in spec.columns]
        free = [name for name in named if name not in bound and name not in row and slot != varying]
        cells = {name: earlier[slot][name] if earlier else builder.pick(spec.name, name) for name in free}
        row.update(cells)
        filled.append(cells)
    return filled
