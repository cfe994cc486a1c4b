"""Templates of row combinations on which conditions have wished truth values, and the rows that they stamp.

Templates that tell a query from its mutants: all goals hold, or all but one. A row combination on which
exactly one condition fails tells a query from its mutant without that condition; so do a missing join
partner and a duplicate. Templates are solved once for a pair and then stamped out: each *stamp* adds one
row combination, with new keys, copies, missing partners and other fillings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from random import Random

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.model import Column
from equiv.core.reading.goals import All, Goal, Leaf, Opposite, SameValue, SlotColumn, Some
from equiv.core.reading.queries import LARGEST_COUNT, PairReading
from equiv.generate.complete import Builder, Style
from equiv.generate.pools import Pools, candidates
from equiv.generate.scratch import Scratch, TriedCondition, TruthTable
from equiv.generate.sketches import moved
from equiv.generate.specs import TableSpec

_CAPS = {1: 40, 2: 24, 3: 9, 4: 5}
"""How many values of each place a condition on that many places is tried on."""

MAX_LEAVES = 200
"""Conditions beyond so many are left to chance."""

MAX_SOLVED = 12
"""For so many keys of a pair values are looked for beyond the pools."""

_TRIES = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Places that hold one value; ``choices`` is empty if any value will do."""

    places: tuple[SlotColumn, ...]
    choices: tuple[Cell, ...]
    further: tuple[Cell, ...] = ()
    """Values that serve as the choices do, of a key that many rows are to have, each another one."""


@dataclass(frozen=True, slots=True)
class Template:
    """A row combination up to the choice of a value for each group."""

    groups: tuple[Group, ...]
    flipped: bool
    """Whether some goal is meant to fail."""
    twice: int | None = None
    """The slot that is to have exactly two rows, or None if that is left open."""
    parted: bool = False
    """Whether a condition of one query alone is meant to fail, and all others to hold."""
    branch: bool = False
    """Whether a condition inside CASE, FILTER or HAVING is meant to hold."""


GoalWish = tuple[Goal, bool | None]
"""A goal and the truth value that it should have; None is unknown (NULL)."""


class Solver:
    """Finds templates for wished truth values of goals."""

    def __init__(
        self,
        reading: PairReading,
        pools: Pools,
        scratch: Scratch,
        specs: Mapping[str, TableSpec],
    ) -> None:
        self._reading = reading
        self._pools = pools
        self._scratch = scratch
        self._specs = specs
        self._truths: dict[Leaf, TruthTable | None] = {}
        self._solved: dict[object, tuple[Cell, ...]] = {}

    def template(self, goals: Sequence[GoalWish], rng: Random) -> Template:
        """A template on which the goals have the wished truth values, as far as that was found quickly."""
        wishes: list[tuple[Leaf | SameValue, bool | None]] = []
        for goal, wanted in goals:
            _expand(goal, wanted, rng, wishes)
        state = _State(self._reading, self._pools)
        for wish, wanted in wishes:
            if isinstance(wish, SameValue) and wanted:
                state.join(wish.left, wish.right)
        leaves = [(wish, wanted) for wish, wanted in wishes if isinstance(wish, Leaf)]
        for wish, wanted in sorted(leaves, key=lambda pair: len(pair[0].places)):
            truth = self._truth(wish)
            if truth is not None:
                state.restrict(truth, wanted, rng)
        for wish, wanted in wishes:
            if isinstance(wish, SameValue) and not wanted:
                state.part(wish, wanted, rng)
        flipped = any(not wanted for _, wanted in goals)
        return Template(tuple(self._with_further(group, leaves) for group in state.groups()), flipped)

    def _with_further(self, group: Group, leaves: Sequence[tuple[Leaf, bool | None]]) -> Group:
        """A group with as many values as a count asks for, if it is a key and has conditions of its own."""
        key = next(
            (k for k in map(self._reading.key, group.places) if (k[1],) in self._specs[k[0]].keys), None
        )
        column = self._pools.columns.get(key) if key is not None else None
        own = dict.fromkeys(group.places, group.places[0])
        read = [(leaf, wanted) for leaf, wanted in leaves if own.keys() & {*leaf.places}]
        is_open = all(wanted is not None and own.keys() >= {*leaf.places} for leaf, wanted in read)
        most = max(self._reading.counts) + 2 if self._reading.counts else 0
        if key is None or column is None or column.samples is not None or not (read and is_open):
            return group
        is_fixed = any(
            wanted and isinstance(leaf.node, exp.EQ | exp.In) and isinstance(leaf.node.this, exp.Column)
            for leaf, wanted in read
        )
        if most <= len(group.choices) or is_fixed or len(self._solved) >= MAX_SOLVED:
            return group
        conditions = [(moved(leaf.node, own), wanted) for leaf, wanted in read]
        asked = key, frozenset((node.sql(), wanted) for node, wanted in conditions)
        if asked not in self._solved:
            self._solved[asked] = self._solutions(
                column, group.places[0], conditions, self._pools.values[key], most
            )
        return replace(group, further=self._solved[asked])

    def _solutions(
        self,
        column: Column,
        place: SlotColumn,
        conditions: Sequence[TriedCondition],
        pool: Sequence[Cell],
        most: int,
    ) -> tuple[Cell, ...]:
        """So many values of one place, at most, that meet conditions on it alone."""
        found: dict[Cell, None] = {}
        for portion in candidates(column, [node for node, _ in conditions], pool):
            rows = self._scratch.satisfying(conditions, {place: column}, {place: portion}, most)
            found |= dict.fromkeys(row[0] for row in rows)
            if len(found) >= most:
                break
        return tuple(found)[:most]

    def _truth(self, leaf: Leaf) -> TruthTable | None:
        if leaf not in self._truths:
            cap = _CAPS.get(len(leaf.places), 0)
            found = {place: self._pools.numbers.get(self._reading.key(place)) for place in leaf.places}
            numbers = {place: number for place, number in found.items() if number is not None}
            usable = cap and len(numbers) == len(found) and len(self._truths) < MAX_LEAVES
            self._truths[leaf] = self._scratch.truth(leaf.node, numbers, cap) if usable else None
        return self._truths[leaf]


class _State:
    """Groups of places under construction, with the values that are still possible."""

    def __init__(self, reading: PairReading, pools: Pools) -> None:
        self._reading = reading
        self._pools = pools
        self._group: dict[SlotColumn, list[SlotColumn]] = {}
        self._choices: dict[int, list[Cell]] = {}

    def join(self, left: SlotColumn, right: SlotColumn) -> None:
        """Make two places hold one value."""
        one, other = self._members(left), self._members(right)
        if one is other:
            return
        one += other
        for place in other:
            self._group[place] = one

    def restrict(self, truth: TruthTable, wanted: bool | None, rng: Random) -> None:
        """Keep the values that give a condition the wished truth value, if any such are left."""
        rows = truth.true if wanted else truth.false if wanted is not None else truth.unknown
        if wanted is None and not rows:
            self._make_null(truth.places, rng)
        elif len(truth.places) == 1:
            possible = {row[0] for row in rows}
            self._narrow(truth.places[0], [v for v in self._possible(truth.places[0]) if v in possible])
        elif rows:
            self._pick(truth.places, rows, rng)

    def part(self, same: SameValue, wanted: bool | None, rng: Random) -> None:
        """Make two places differ, or one of them NULL."""
        if wanted is None:
            self._make_null((same.left, same.right), rng)
            return
        left, right = self._possible(same.left), self._possible(same.right)
        for _ in range(_TRIES // 10):
            if left and right:
                one, other = rng.choice(left), rng.choice(right)
                if one != other and self._members(same.left) is not self._members(same.right):
                    self._narrow(same.left, [one])
                    self._narrow(same.right, [other])
                    return

    def groups(self) -> tuple[Group, ...]:
        """The groups made so far."""
        lists = {id(members): members for members in self._group.values()}
        return tuple(Group(tuple(places), tuple(self._choices.get(key, ()))) for key, places in lists.items())

    def _members(self, place: SlotColumn) -> list[SlotColumn]:
        return self._group.setdefault(place, [place])

    def _possible(self, place: SlotColumn) -> list[Cell]:
        members = self._members(place)
        chosen = self._choices.get(id(members))
        if chosen is not None:
            return chosen
        return self._pools.shared(map(self._reading.key, members))

    def _narrow(self, place: SlotColumn, values: list[Cell]) -> None:
        if values:
            self._choices[id(self._members(place))] = values

    def _make_null(self, places: Sequence[SlotColumn], rng: Random) -> None:
        able = [place for place in places if self._reading.key(place) in self._pools.nullable]
        if able:
            self._narrow(rng.choice(able), [None])

    def _pick(self, places: Sequence[SlotColumn], rows: Sequence[Row], rng: Random) -> None:
        possible = [set(self._possible(place)) for place in places]
        for _ in range(_TRIES):
            row = rng.choice(rows)
            if all(value in values for value, values in zip(row, possible, strict=True)):
                for place, value in zip(places, row, strict=True):
                    self._narrow(place, [value])
                return


def _expand(
    goal: Goal, wanted: bool | None, rng: Random, wishes: list[tuple[Leaf | SameValue, bool | None]]
) -> None:
    """Break a goal into wishes for its leaves, choosing one branch where any will do."""
    match goal:
        case Opposite(part):
            _expand(part, None if wanted is None else not wanted, rng, wishes)
        case All(parts) | Some(parts) if not parts:
            return
        case All(parts) if not wanted:
            victim = rng.choice(parts)
            for part in parts:
                _expand(part, wanted if part is victim else True, rng, wishes)
        case Some(parts) if wanted:
            _expand(rng.choice(parts), True, rng, wishes)
        case All(parts) | Some(parts):
            for part in parts:
                _expand(part, wanted, rng, wishes)
        case Leaf() | SameValue():
            wishes.append((goal, wanted))


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
    together: bool = False
    """Whether the copies of a stamp share what one of the GROUP BYs groups by."""
    parted: bool = False
    """Whether stamps meet all conditions but one that one query alone has, as far as there are such."""
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
        return tuple(_templates(self.reading, self.pools, self.desk, self.specs, Random(self.seed)))

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
    values = [value_of(plan, group, builder, nearest=template.parted) for group in template.groups]
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
        varying = rng.choice(_counted_slots(plan, slots) if profile.together else slots)
        copy_slot(plan, whole, varying, copies, builder=builder, partials=partials)


def _counted_slots(plan: Plan, slots: list[int]) -> list[int]:
    """The slots whose rows a group may count: of tables that are grouped by, but not by a key of theirs."""
    tables, grouped = plan.reading.slots.tables, {key for keys in plan.reading.groupings for key in keys}
    alone = {table for table, name in grouped if (name,) in plan.specs[table].keys}
    named = {table for table, _ in grouped} - alone
    return next(
        filter(
            None, ([s for s in slots if tables[s] in named], [s for s in slots if tables[s] not in alone])
        ),
        slots,
    )


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
    if template.parted:
        # On all copies the one condition fails as on the first.
        changing = [at for at in changing if any(_is_key(plan, p) for p in template.groups[at].places)]
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


def value_of(plan: Plan, group: Group, builder: Builder, *, nearest: bool = False) -> Cell:
    """A value for a group of equal columns: one of its choices, a new key, or one of the column's palette.

    Args:
        nearest: whether the first choices are taken more often: those nearest to what conditions mention.
    """
    rng = builder.rng
    if group.further:
        table, name = plan.reading.key(group.places[0])
        return group.further[builder.turn(table, name) % len(group.further)]
    if group.choices:
        return group.choices[int(rng.random() ** (3 if nearest else 1) * len(group.choices))]
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


def _templates(
    reading: PairReading, pools: Pools, scratch: Scratch, specs: Mapping[str, TableSpec], rng: Random
) -> list[Template]:
    """The templates of a pair: all goals of both, of either, all but one, and the bounds of sums."""
    solver = Solver(reading, pools, scratch, specs)
    first, second = reading.goals
    both = tuple(dict.fromkeys((*first, *second)))

    def holding(goals: Iterable[Goal], *others: GoalWish) -> Template:
        return solver.template([*((goal, True) for goal in goals), *others], rng)

    made = [holding(side) for side in (both, both, first, second, both)]
    shared = set(first) & set(second)
    differing = [goal for goal in both if goal not in shared]
    for goal in [*differing, *(goal for goal in both if goal in shared)][:_MAX_GOALS]:
        other_goals = [other for other in both if other != goal]
        made += [holding(other_goals, (goal, wanted)) for wanted in (False, None)]
        if goal not in shared:
            made.append(replace(holding(other_goals, (goal, False)), parted=True))
        own = first if goal in first else second
        made.append(holding([other for other in own if other != goal], (goal, False)))
    asides = reading.asides[:_MAX_ASIDES]
    for aside in asides:
        made += [replace(holding(both, (aside, True)), branch=True), holding(both, (aside, False))]
    for leaf in reading.sums:
        made.append(replace(holding((*both, *reading.extremes, leaf)), twice=leaf.places[0][0]))
    return made
