"""Rows from templates: each *stamp* adds one row combination, with new keys, copies, missing partners.

Templates that tell a query from its mutants: all goals hold, or all but one.

A row combination on which exactly one condition fails tells a query from its
mutant without that condition; so do a missing join partner and a duplicate.
Templates are solved once for a pair and then stamped out, with fresh keys and
other fillings, by :mod:`equiv.generate.rows.row_combinations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from random import Random

from equiv.cells import Cell
from equiv.core.reading.goals import Goal, SlotColumn
from equiv.core.reading.queries import LARGEST_COUNT, PairReading
from equiv.generate.rows.cells import Style
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.solver import Group, Solver, Template, Wish
from equiv.generate.rows.specs import TableSpec
from equiv.generate.scratch import Scratch
from equiv.generate.values.pools import Pools

_COUNTING_UP = 0.4
"""How often the copies of a row get values that all differ, for COUNT(DISTINCT …) and SUM."""

_OCCUPYING = 4
"""How often a first row of a table that must have one is tried."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of one database: how many row combinations, and how often they vary."""

    stamps: int = 1
    """Row combinations stamped from templates."""
    flipped: float = 0.0
    """The share of stamps on which some condition fails."""
    copies: int = 1
    """At most so many rows of one slot per stamp, the others shared."""
    omit: float = 0.0
    """How often a slot of a stamp gets no row."""
    extra: int = 0
    """At most so many random rows per table besides."""
    exact_copies: bool = False
    """Whether each stamp has as many copies as allowed, not at most."""
    nulled: int = 0
    """So many rows again with one of their cells NULL."""
    covers: bool = False
    """Whether each condition inside CASE, FILTER and HAVING gets a stamp on which it holds."""
    lacks: str = ""
    """A table that gets no rows but those that others refer to."""
    sizes: tuple[int, ...] = ()
    """If given, a stamp of each size, with copies of one slot; the first two differ in their keys alone."""
    held: bool = False
    """Whether these groups are made of whole row combinations, which share what they are grouped by alone."""
    fan: int = 0
    """If not 0, two slots get copies, so that a join of them has about so many rows."""
    style: Style = field(default_factory=Style)


@dataclass(frozen=True)
class Plan:
    """The plan that all databases of a pair share: goals, table specs, templates and sizes."""

    reading: PairReading
    specs: Mapping[str, TableSpec]
    pools: Pools
    desk: Scratch
    """The scratch database that holds the pools."""
    counts: tuple[int, ...]
    large: tuple[int, ...]
    seed: str
    occupied: frozenset[str] = frozenset()
    """Tables that have a row in every database; see :attr:`equiv.answers.pair.Pair.occupied`."""

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """The templates of the pair, solved when the first one is stamped."""
        self.pools.put_back(self.desk)
        return tuple(_templates(self.reading, self.pools, self.desk, Random(self.seed)))

    @cached_property
    def branches(self) -> tuple[Template, ...]:
        """The templates on which a condition inside CASE, FILTER or HAVING holds."""
        return tuple(template for template in self.templates if template.branch)


def occupy(plan: Plan, builder: Builder) -> None:
    """Add a row to each table that must not be empty and is, where the facts allow one that is found."""
    for table in plan.specs:
        for _ in range(_OCCUPYING):
            if table not in plan.occupied or builder.rows.get(table):
                break
            builder.add(table, {})


def stamp(
    plan: Plan,
    template: Template,
    profile: Profile,
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add the rows of one row combination, and copies in which one slot, chosen by chance, varies."""
    rng, tables = builder.rng, plan.reading.slots.tables
    slots = [slot for slot, table in enumerate(tables) if table != profile.lacks]
    slots = [slot for slot in slots if not (profile.omit and rng.random() < profile.omit)]
    values = [value_of(plan, group, builder) for group in template.groups]
    emit(tables, slots, template, values, partials)
    if not slots:
        return
    whole = (template, slots, values)
    if profile.fan:
        chosen = rng.sample(slots, min(2, len(slots)))
        copies = profile.fan if len(chosen) == 1 else isqrt(profile.fan - 1) + 1
        for varying in chosen:
            copy_slot(plan, whole, varying, copies, builder=builder, partials=partials)
        return
    copies = profile.copies if profile.exact_copies else 1 + int(rng.random() * profile.copies)
    if template.twice is not None:
        copy_slot(plan, whole, template.twice, 2, builder=builder, partials=partials)
    elif copies > 1:
        varying = rng.choice(slots)
        copy_slot(plan, whole, varying, copies, builder=builder, partials=partials)


def copy_slot(
    plan: Plan,
    whole: tuple[Template, list[int], list[Cell]],
    varying: int,
    copies: int,
    *,
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add rows of a combination until one slot has ``copies``; slots that share no value with it get none."""
    template, slots, given = whole
    rng, tables, values = builder.rng, plan.reading.slots.tables, list(given)
    changing = [at for at, group in enumerate(template.groups) if _varies(plan, group, varying)]
    touched = {place[0] for at in changing for place in template.groups[at].places} | {varying}
    counting_up = rng.random() < _COUNTING_UP
    for turn in range(1, copies):
        for at in changing:
            group = template.groups[at]
            ladder = _ladder(plan, group) if counting_up else ()
            values[at] = ladder[turn % len(ladder)] if ladder else value_of(plan, group, builder)
        emit(tables, [slot for slot in slots if slot in touched], template, values, partials)


def _ladder(plan: Plan, group: Group) -> tuple[Cell, ...]:
    """Many different values for a group; beyond its choices where these end at an end of the pool."""
    numbers = sorted(value for value in group.choices if isinstance(value, int))
    if len(numbers) < 2:
        return ()
    table, name = plan.reading.key(group.places[0])
    ends = [value for value in plan.specs[table].pools[name] if isinstance(value, int)]
    ladder = list(numbers)
    if numbers[-1] == max(ends):
        ladder += range(numbers[-1] + 1, numbers[-1] + LARGEST_COUNT)
    elif numbers[0] == min(ends):
        ladder += range(numbers[0] - 1, numbers[0] - LARGEST_COUNT, -1)
    return tuple(ladder)


def emit(
    tables: list[str],
    slots: list[int],
    template: Template,
    values: list[Cell],
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add one row per slot to ``partials``, with the values of the column groups that reach the slot."""
    made: dict[int, dict[str, Cell]] = {slot: {} for slot in slots}
    for group, value in zip(template.groups, values, strict=True):
        for slot, name in group.places:
            if slot in made:
                made[slot][name] = value
    for slot, partial in made.items():
        partials[tables[slot]].append(partial)


def _varies(plan: Plan, group: Group, slot: int) -> bool:
    """Whether a group gets another value in each copy of a slot: it is the slot's own, or a key of it."""
    if all(place[0] == slot for place in group.places):
        return True
    return any(place[0] == slot and _is_key(plan, place) for place in group.places)


def _is_key(plan: Plan, place: SlotColumn) -> bool:
    table, name = plan.reading.key(place)
    return (name,) in plan.specs[table].keys


def value_of(plan: Plan, group: Group, builder: Builder) -> Cell:
    """A value for a group of equal columns: one of its choices, a new key, or one of the column's palette."""
    rng = builder.rng
    if group.choices:
        return group.choices[int(rng.random() * len(group.choices))]
    place = next((place for place in group.places if _is_key(plan, place)), None)
    if place is not None and rng.random() < builder.style.fresh_keys:
        return builder.fresh(*plan.reading.key(place))
    return builder.pick(*plan.reading.key(place or group.places[0]))


def add_nulled_twin(plan: Plan, partials: dict[str, list[dict[str, Cell]]], rng: Random) -> None:
    """Add a stamped row once more, with NULL in one nullable column that a query mentions, keys made anew.

    A NULL beside rows that satisfy everything else is what NOT IN, COUNT(column) and outer joins trip over.
    """
    places = [
        (table, row, name)
        for table, rows in partials.items()
        for row in rows
        for name in row
        if name in plan.specs[table].nullable
    ]
    if not places:
        return
    table, row, nulled = rng.choice(places)
    keys = {name for key in plan.specs[table].keys for name in key}
    partials[table].append({name: cell for name, cell in row.items() if name not in keys} | {nulled: None})


_MAX_GOALS = 24
"""So many goals are missed on purpose, one at a time."""

_MAX_ASIDES = 16


def _templates(reading: PairReading, pools: Pools, scratch: Scratch, rng: Random) -> list[Template]:
    """The templates of a pair: all goals of both, of either, all but one, and the bounds of sums."""
    solver = Solver(reading, pools, scratch)
    first, second = reading.goals
    both = tuple(dict.fromkeys((*first, *second)))

    def holding(goals: Iterable[Goal], *others: Wish) -> Template:
        return solver.template([*((goal, True) for goal in goals), *others], rng)

    made = [holding(side) for side in (both, both, first, second, both)]
    shared = set(first) & set(second)
    differing = [goal for goal in both if goal not in shared]
    for goal in [*differing, *(goal for goal in both if goal in shared)][:_MAX_GOALS]:
        other_goals = [other for other in both if other != goal]
        made += [holding(other_goals, (goal, wanted)) for wanted in (False, None)]
        if goal not in shared:
            made.append(holding(other_goals, (goal, False)))
        own = first if goal in first else second
        made.append(holding([other for other in own if other != goal], (goal, False)))
    asides = reading.asides[:_MAX_ASIDES]
    for aside in asides:
        made += [replace(holding(both, (aside, True)), branch=True), holding(both, (aside, False))]
    for leaf in reading.sums:
        made.append(replace(holding((*both, *reading.extremes, leaf)), twice=leaf.places[0][0]))
    return made
