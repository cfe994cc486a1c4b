"""Solves goals: templates of row combinations on which conditions have wished truth values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from equiv.cells import Cell, Row
from equiv.core.reading.goals import All, Goal, Leaf, Opposite, SameValue, SlotColumn, Some
from equiv.core.reading.queries import PairReading
from equiv.generate.scratch import Scratch, TruthTable
from equiv.generate.values.pools import Pools

_CAPS = {1: 40, 2: 24, 3: 9, 4: 5}
"""How many values of each place a condition on that many places is tried on."""

MAX_LEAVES = 200
"""Conditions beyond so many are left to chance."""

_TRIES = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Places that hold one value; ``choices`` is empty if any value will do."""

    places: tuple[SlotColumn, ...]
    choices: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A row combination up to the choice of a value for each group."""

    groups: tuple[Group, ...]
    flipped: bool
    """Whether some goal is meant to fail."""
    twice: int | None = None
    """The slot that is to have exactly two rows, or None if that is left open."""
    branch: bool = False
    """Whether a condition inside CASE, FILTER or HAVING is meant to hold."""


Wish = tuple[Goal, bool | None]
"""A goal and the truth value that it should have; None is unknown (NULL)."""


class Solver:
    """Finds templates for wished truth values of goals."""

    def __init__(self, reading: PairReading, pools: Pools, scratch: Scratch) -> None:
        self._reading = reading
        self._pools = pools
        self._scratch = scratch
        self._truths: dict[Leaf, TruthTable | None] = {}

    def template(self, goals: Sequence[Wish], rng: Random) -> Template:
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
        return Template(state.groups(), flipped)

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
        pools = [self._pools.values.get(self._reading.key(member), []) for member in members]
        shared = [value for value in pools[0] if all(value in pool for pool in pools[1:])]
        return shared or pools[0]

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
