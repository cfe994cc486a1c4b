"""Strategies: each a named way to make sketches of databases that may tell two queries apart.

Those of the theory: freezing a body (Chandra and Merlin), merging variables and just missing comparisons
(Klug), doubling atoms for bags (Chaudhuri and Vardi; Cohen); and groups of exact sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from equiv.core.reading.goals import Goal, SlotColumn, conjuncts
from equiv.core.reading.queries import LARGEST_COUNT, PairReading, SideConditions
from equiv.generate.canonical.sketches import COPY, Sketch, Wanted, is_small, sketches, tallied
from equiv.generate.rows.specs import TableSpec

MOST_PARTS = 8
"""So many conditions are missed, and so many atoms doubled or merged, one at a time."""

MOST_ATOMS, MOST_CONDITIONS = 32, 160
"""For larger queries databases are drawn alone."""

_LARGEST_GROUP = 6


@dataclass(frozen=True)
class Bodies:
    """The bodies of both queries of a pair."""

    reading: PairReading
    specs: dict[str, TableSpec]

    @cached_property
    def first(self) -> SideConditions:
        return self.reading.sides[0]

    @cached_property
    def second(self) -> SideConditions:
        return self.reading.sides[1]

    @cached_property
    def atoms(self) -> tuple[int, ...]:
        """The slots whose rows reach an answer."""
        hidden = self.first.hidden | self.second.hidden
        plain = (self.first.slots - self.first.hidden) | (self.second.slots - self.second.hidden)
        return tuple(sorted(plain | (self.first.slots | self.second.slots) - hidden))

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        """The slots of negated subqueries."""
        return tuple(sorted(self.first.hidden | self.second.hidden))

    @property
    def is_small(self) -> bool:
        """Whether the queries are of a size for which databases are constructed."""
        goals = [
            goal for side in (self.first, self.second) for goal in (*side.goals, *side.inner, *side.asides)
        ]
        atoms = len(self.atoms) + len(self.hidden)
        return 0 < atoms <= MOST_ATOMS and is_small(goals, MOST_CONDITIONS)

    def own(self, side: SideConditions, other: SideConditions) -> list[Goal]:
        """The conditions of one query that the other lacks."""
        known = {*other.goals, *other.inner, *other.asides}
        return [goal for goal in (*side.goals, *side.asides, *side.inner) if goal not in known]

    def goals(self, *sides: SideConditions, inner: bool = False, asides: bool = True) -> list[Goal]:
        """The conditions of queries, each once; those of negated subqueries if asked for."""
        found: dict[Goal, None] = {}
        for side in sides:
            found |= dict.fromkeys(side.goals)
            found |= dict.fromkeys(side.inner if inner else ())
        for side in sides:
            found |= dict.fromkeys(side.asides if asides else ())
        return [part for goal in found for part in conjuncts(goal)]

    def body(self, *sides: SideConditions, inner: bool = False, asides: bool = True) -> Iterator[Sketch]:
        """The frozen bodies of queries: all of their conditions hold on one row combination."""
        goals = self.goals(*sides, inner=inner, asides=asides)
        yield from self.sketches([(goal, True) for goal in goals], inner=inner)

    def sketches(self, wishes: Sequence[tuple[Goal, Wanted]], *, inner: bool) -> Iterator[Sketch]:
        """The sketches on which goals have truth values; with the rows of negated subqueries if asked for."""
        yield from sketches((*self.atoms, *(self.hidden if inner else ())), wishes)


Strategy = Callable[[Bodies], Iterator[Sketch]]


def freeze_bodies(bodies: Bodies) -> Iterator[Sketch]:
    """Both bodies on one row combination, and each alone.  A query has an answer on its own frozen body."""
    yield from _first(bodies.body(bodies.first, bodies.second))
    yield from _first(bodies.body(bodies.first))
    yield from _first(bodies.body(bodies.second))


def part_bodies(bodies: Bodies) -> Iterator[Sketch]:
    """One query's body, on which a condition of the other query alone just fails, or is NULL."""
    for wanted in (False, None):
        for side, other in ((bodies.first, bodies.second), (bodies.second, bodies.first)):
            for goal in bodies.own(other, side)[:MOST_PARTS]:
                inner = goal in other.inner
                rest = [each for each in bodies.goals(side, inner=inner) if each != goal]
                yield from bodies.sketches([*((each, True) for each in rest), (goal, wanted)], inner=inner)


def meet_within_negations(bodies: Bodies) -> Iterator[Sketch]:
    """Row combinations with the rows that negated subqueries look for: these keep an answer out."""
    if bodies.hidden:
        for sides in ((bodies.first, bodies.second), (bodies.first,), (bodies.second,)):
            yield from _first(bodies.body(*sides, inner=True))


def double_atoms(bodies: Bodies) -> Iterator[Sketch]:
    """A second row for one atom, all else shared: one query counts it, the other does not."""
    for sides in _sides(bodies):
        for body in _first(bodies.body(*sides)):
            for atom in _children_first(bodies, body.atoms)[:MOST_PARTS]:
                yield body.copied([atom], (), 1)
                yield body.copied([atom], _sharable(bodies, atom), 1)


def merge_atoms(bodies: Bodies) -> Iterator[Sketch]:
    """One row for two atoms of a table: what two branches or two subqueries ask for, one row meets."""
    tables = bodies.reading.slots.tables
    for sides in _sides(bodies):
        for body in _first(bodies.body(*sides)):
            pairs = [(a, b) for a, b in combinations(body.atoms, 2) if tables[a] == tables[b]]
            for one, other in pairs[:MOST_PARTS]:
                names = bodies.specs[tables[one]].columns
                yield body.with_same(*(((one, name), (other, name)) for name in names))


def miss_conditions(bodies: Bodies) -> Iterator[Sketch]:
    """Both bodies but for one condition that just fails, or is NULL."""
    own = {*bodies.own(bodies.first, bodies.second), *bodies.own(bodies.second, bodies.first)}
    for wanted in (False, None):
        goals = bodies.goals(bodies.first, bodies.second, inner=True)
        for goal in [goal for goal in goals if goal not in own][:MOST_PARTS]:
            rest = [(each, True) for each in goals if each != goal]
            yield from _first(bodies.sketches([*rest, (goal, wanted)], inner=bool(bodies.hidden)))


def lack_rows(bodies: Bodies) -> Iterator[Sketch]:
    """A body without one of its rows: a partner is missing."""
    for body in _first(bodies.body(bodies.first, bodies.second, asides=False)):
        for atom in _children_first(bodies, body.atoms)[:MOST_PARTS] if len(body.atoms) > 1 else ():
            yield body.without([atom])


def size_groups(bodies: Bodies) -> Iterator[Sketch]:
    """Groups on which the conditions of one query on aggregates hold, and one of the other's fails."""
    first, second = bodies.first, bodies.second
    if not (first.tallies or second.tallies):
        return
    for side, other in ((first, second), (second, first)):
        missed = [tally for tally in other.tallies if tally not in side.tallies]
        for body in _first(bodies.body(side)):
            for size in _sizes(bodies):
                holding = [(tally, True) for tally in side.tallies]
                for tally in (*missed, None):
                    failing = [(tally, False)] if tally is not None else []
                    found = tallied(body, [*holding, *failing], size)
                    if found is not None:
                        yield found


def count_groups(bodies: Bodies) -> Iterator[Sketch]:
    """As many rows of one atom as a count asks for, one less and one more, apart or alike in a column."""
    if not bodies.reading.counts:
        return
    for body in _apart(bodies):
        for atom in _children_first(bodies, body.atoms)[:2]:
            for size in _sizes(bodies):
                yield _repeated(body, atom, (), size)
                yield _repeated(body, atom, _grouped(bodies, atom), size)
                yield _repeated(body, atom, _sharable(bodies, atom), size)


def _apart(bodies: Bodies) -> Iterator[Sketch]:
    """Bodies on which one query's conditions hold and one of the other's fails; whole bodies after these."""
    for side, other in ((bodies.first, bodies.second), (bodies.second, bodies.first)):
        for goal in bodies.own(other, side)[:2]:
            inner = goal in other.inner
            rest = [each for each in bodies.goals(side, inner=inner) if each != goal]
            wishes = [*((each, True) for each in rest), (goal, False)]
            yield from _first(bodies.sketches(wishes, inner=inner))
    for sides in _sides(bodies):
        yield from _first(bodies.body(*sides))


def put_beside(bodies: Bodies) -> Iterator[Sketch]:
    """Both bodies on rows of their own, and one body twice."""
    pairs = ((bodies.first, bodies.second), (bodies.first, bodies.first), (bodies.second, bodies.second))
    for one, other in pairs:
        for left in _first(bodies.body(one)):
            for right in _first(bodies.body(other)):
                yield left.beside(right, 1)


STRATEGIES: tuple[Strategy, ...] = (
    part_bodies,
    freeze_bodies,
    meet_within_negations,
    double_atoms,
    size_groups,
    merge_atoms,
    count_groups,
    lack_rows,
    miss_conditions,
    put_beside,
)
"""In the order in which they are tried."""


def _first(found: Iterator[Sketch]) -> Iterator[Sketch]:
    """The first sketch, if there is one."""
    for sketch in found:
        yield sketch
        return


def _sides(bodies: Bodies) -> tuple[tuple[SideConditions, ...], ...]:
    if not bodies.own(bodies.first, bodies.second) and not bodies.own(bodies.second, bodies.first):
        return ((bodies.first, bodies.second),)
    return ((bodies.first, bodies.second), (bodies.first,), (bodies.second,))


def _children_first(bodies: Bodies, atoms: Sequence[int]) -> list[int]:
    """Atoms of tables that refer to others before those that are referred to."""
    tables = bodies.reading.slots.tables
    parents = {reference.parent for spec in bodies.specs.values() for reference in spec.references}
    return sorted(atoms, key=lambda atom: tables[atom % COPY] in parents)


def _sharable(bodies: Bodies, atom: int) -> tuple[SlotColumn, ...]:
    """The cells of an atom that two rows may share: those in no key."""
    spec = bodies.specs[bodies.reading.slots.tables[atom % COPY]]
    keyed = {name for key in spec.keys for name in key}
    return tuple((atom, name) for name in spec.columns if name not in keyed)


def _grouped(bodies: Bodies, atom: int) -> tuple[SlotColumn, ...]:
    """The cells of an atom that a query groups by."""
    table = bodies.reading.slots.tables[atom % COPY]
    keys = {key for clause in bodies.reading.groupings for key in clause}
    return tuple((atom, name) for owner, name in sorted(keys) if owner == table)


def _repeated(body: Sketch, atom: int, shared: Sequence[SlotColumn], size: int) -> Sketch:
    found = body
    for turn in range(1, size):
        found = found.copied([atom], shared, turn)
    return found


def _sizes(bodies: Bodies) -> list[int]:
    """The sizes of groups: those at which a count changes, small ones first."""
    counts = {n for n in bodies.reading.counts if n <= min(_LARGEST_GROUP, LARGEST_COUNT)}
    near = {size for count in counts for size in (count, count - 1, count + 1)}
    tallied_sizes = {1, 2, 3} if bodies.first.tallies or bodies.second.tallies else set()
    return sorted(size for size in near | tallied_sizes if size > 0)
