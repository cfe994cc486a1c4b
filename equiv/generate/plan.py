"""The generated databases of a pair: targeted ones first, then random ones with changing profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from sqlglot import exp

from equiv.generate.constraints import Constraints, constraints_of
from equiv.generate.conditions import Place
from equiv.generate.database import Database
from equiv.generate.domains import check_condition, make_pools
from equiv.generate.layout import layout_of
from equiv.generate.mutants import Group, Template, templates
from equiv.generate.reading import LARGEST_COUNT, Reading, read_pair
from equiv.generate.rows import Builder, Style, TableSpec, table_specs
from equiv.generate.scratch import Scratch, scratch
from equiv.pair import Pair
from equiv.verdict import Cell

_COUNTING_UP = 0.4
"""How often the copies of a row get values that all differ, for COUNT(DISTINCT …) and SUM."""

MAX_ROWS = 200
"""Rows of one table that stamping stops at."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one database is made of."""

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
    style: Style = Style()


@dataclass(frozen=True)
class Plan:
    """What all databases of a pair share."""

    reading: Reading
    specs: Mapping[str, TableSpec]
    templates: tuple[Template, ...]
    counts: tuple[int, ...]
    seed: str


def databases(pair: Pair, effort: int, known: Iterable[Database] = ()) -> Iterator[Database]:
    """Known databases first, then ``effort`` made ones; all satisfy the pair's facts.

    The n-th made database depends on the pair and on n alone.

    Args:
        known: databases of the same schema that satisfied the same facts, such as
            :meth:`equiv.generate.killers.Killers.candidates`; what the pair mentions and
            they lack is filled in.
    """
    plan = make_plan(pair)
    for number, database in enumerate(known):
        yield complete(plan, database, number)
    for index in range(effort):
        yield make_database(plan, index)


def make_plan(pair: Pair) -> Plan:
    """Read a pair and prepare its pools and templates."""
    seed = f"{pair.pred.sql}\x1f{pair.gold.sql}"
    constraints = constraints_of(pair.schema, pair.facts)
    reading = read_pair(((pair.pred.sql, pair.pred.tree), (pair.gold.sql, pair.gold.tree)), pair.schema)
    layout = layout_of(reading, constraints)
    desk = scratch()
    pools = make_pools(reading, layout, constraints, desk)
    made = templates(reading, pools, desk, Random(seed))
    specs = table_specs(layout, constraints, pools, _row_checks(layout, constraints, desk))
    counts = sorted({step for count in reading.counts for step in (count - 1, count, count + 1, count + 2)})
    return Plan(reading, specs, tuple(made), tuple(c for c in counts if 1 < c <= LARGEST_COUNT + 2), seed)


def _row_checks(
    layout: Mapping[str, tuple[str, ...]], constraints: Mapping[str, Constraints], desk: Scratch
) -> dict[str, Callable[[Mapping[str, Cell]], bool]]:
    """For each table with CHECKs over several columns, the test that its rows must pass."""
    tests = {}
    for table in layout:
        rules = constraints[table]
        spanning = [check for check in rules.checks if not _is_single(check)]
        if spanning:
            tests[table] = desk.row_check(rules.table, spanning)
    return tests


def _is_single(check: str) -> bool:
    condition = check_condition(check)
    return condition is not None and len({column.name.lower() for column in condition.find_all(exp.Column)}) == 1


_SCRIPT: tuple[Profile, ...] = (
    Profile(stamps=1, style=Style(walks=1.0)),
    Profile(stamps=14, flipped=0.8, style=Style(walks=0.9, fresh_keys=1.0)),
    Profile(stamps=2, copies=3, style=Style(walks=0.3, palette=2)),
    Profile(stamps=3, flipped=0.5, copies=2, extra=1, style=Style(walks=0.8, nulls=0.2)),
    Profile(stamps=0),
    Profile(stamps=1, copies=2, exact_copies=True, style=Style(walks=0.0, palette=1)),
    Profile(stamps=2, flipped=1.0, style=Style(walks=0.7)),
    Profile(stamps=3, style=Style(walks=1.0, nulls=0.35)),
)


def _profile(plan: Plan, index: int, rng: Random) -> Profile:
    if index < len(_SCRIPT):
        return _SCRIPT[index]
    style = Style(
        nulls=rng.choice((0.0, 0.0, 0.0, 0.1, 0.3, 0.6)),
        walks=rng.choice((0.0, 0.4, 0.8, 1.0)),
        palette=rng.choice((1, 2, 3, 5)),
        fresh_keys=rng.choice((0.2, 0.7, 1.0)),
    )
    if plan.counts and index % 4 == 0:
        return Profile(
            stamps=rng.choice((1, 1, 2, 3)),
            copies=rng.choice(plan.counts),
            exact_copies=rng.random() < 0.7,
            flipped=rng.choice((0.0, 0.2)),
            style=style,
        )
    return Profile(
        stamps=rng.choice((1, 1, 2, 2, 3, 4, 6)),
        flipped=rng.choice((0.0, 0.3, 0.5, 0.8)),
        copies=rng.choice((1, 1, 2, 3, 4)),
        omit=rng.choice((0.0, 0.0, 0.2)),
        extra=rng.choice((0, 0, 1, 3)),
        style=style,
    )


def make_database(plan: Plan, index: int) -> Database:
    """The ``index``-th database of a plan."""
    rng = Random(f"{plan.seed}\x1f{index}")
    profile = _profile(plan, index, rng)
    builder = Builder(plan.specs, rng, profile.style)
    partials: dict[str, list[dict[str, Cell]]] = {table: [] for table in plan.specs}
    plain = [template for template in plan.templates if not template.flipped]
    flipped = [template for template in plan.templates if template.flipped] or plain
    for _ in range(profile.stamps if plan.templates else 0):
        source = flipped if rng.random() < profile.flipped else plain
        _stamp(plan, rng.choice(source), profile, builder, partials)
    for table, rows in partials.items():
        for _ in range(int(rng.random() * (profile.extra + 1)) if table in plan.reading.mentioned else 0):
            rows.append({})
        for partial in rows[:MAX_ROWS]:
            builder.add(table, partial)
    return builder.database()


def _stamp(
    plan: Plan,
    template: Template,
    profile: Profile,
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add the rows of one row combination, and copies in which one slot varies."""
    rng, tables = builder.rng, plan.reading.slots.tables
    slots = [slot for slot in range(len(tables)) if not (profile.omit and rng.random() < profile.omit)]
    values = [_value(plan, group, builder) for group in template.groups]
    _emit(tables, slots, template, values, partials)
    copies = profile.copies if profile.exact_copies else 1 + int(rng.random() * profile.copies)
    if copies < 2 or not slots:
        return
    varying = rng.choice(slots)
    changing = [at for at, group in enumerate(template.groups) if _varies(plan, group, varying)]
    touched = {place[0] for at in changing for place in template.groups[at].places} | {varying}
    counting_up = rng.random() < _COUNTING_UP
    for turn in range(1, copies):
        for at in changing:
            group = template.groups[at]
            ladder = _ladder(plan, group) if counting_up else ()
            values[at] = ladder[turn % len(ladder)] if ladder else _value(plan, group, builder)
        _emit(tables, [slot for slot in slots if slot in touched], template, values, partials)


def _ladder(plan: Plan, group: Group) -> tuple[Cell, ...]:
    """Many different values for a group; beyond its choices where these end at an end of the pool."""
    numbers = sorted(value for value in group.choices if isinstance(value, int))
    if len(numbers) < 2:
        return ()
    pool = [value for value in plan.specs[plan.reading.key(group.places[0])[0]].pools[group.places[0][1]]]
    ends = [value for value in pool if isinstance(value, int)]
    ladder = list(numbers)
    if numbers[-1] == max(ends):
        ladder += range(numbers[-1] + 1, numbers[-1] + LARGEST_COUNT)
    elif numbers[0] == min(ends):
        ladder += range(numbers[0] - 1, numbers[0] - LARGEST_COUNT, -1)
    return tuple(ladder)


def _emit(
    tables: list[str],
    slots: list[int],
    template: Template,
    values: list[Cell],
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
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


def _is_key(plan: Plan, place: Place) -> bool:
    table, name = plan.reading.key(place)
    return (name,) in plan.specs[table].keys


def _value(plan: Plan, group: Group, builder: Builder) -> Cell:
    rng = builder.rng
    if group.choices:
        return group.choices[int(rng.random() * len(group.choices))]
    place = next((place for place in group.places if _is_key(plan, place)), None)
    if place is not None and rng.random() < builder.style.fresh_keys:
        return builder.fresh(*plan.reading.key(place))
    return builder.pick(*plan.reading.key(place or group.places[0]))


def complete(plan: Plan, database: Database, number: int) -> Database:
    """A database with the columns and tables of a plan: its own rows, completed where they lack cells."""
    if {table: columns for table, (columns, _) in database.tables.items()} == {
        table: plan.specs[table].columns for table in plan.specs if table in database.tables
    } and all(table in database.tables for table in plan.reading.mentioned):
        return database
    builder = Builder(plan.specs, Random(f"{plan.seed}\x1fknown {number}"), Style())
    for table in plan.specs:
        columns, rows = database.tables.get(table, ((), ()))
        for row in rows:
            builder.add(table, dict(zip(columns, row, strict=True)))
        if not rows and table in plan.reading.mentioned:
            builder.add(table, {})
            builder.add(table, {})
    return builder.database()
