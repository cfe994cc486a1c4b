"""Sketches of databases that may distinguish two queries, and the strategies that make them.

A sketch has atoms of tables, cells that are equal, and conditions that hold, just fail, or are NULL. A
query's body with its variables frozen (Chandra and Merlin, 1977) is the sketch in which each use of a
table is an atom, each equality an equation of cells, and each other condition holds.

Strategies are named. Those of the theory: freezing a body (Chandra and Merlin), merging variables and just
missing comparisons (Klug), doubling atoms for bags (Chaudhuri and Vardi; Cohen); and groups of exact
sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice

from sqlglot import exp

from equiv.core.reading.goals import All, Goal, Leaf, Opposite, SameValue, SlotColumn, Some, conjuncts
from equiv.core.reading.queries import LARGEST_COUNT, PairReading, SideConditions, Tally
from equiv.generate.specs import TableSpec

COPY = 1000
"""The n-th copy of an atom has its number and n times this."""

MAX_WAYS = 6
"""In so many ways at most goals with alternatives are made to hold."""

Wanted = bool | None
"""The truth value that a condition should have; None is NULL."""


@dataclass(frozen=True)
class Wish:
    """A condition over cells of atoms, and the truth value that it should have."""

    leaf: Leaf
    """Over slots; ``places`` are the cells of atoms that stand for its places, in order."""
    places: tuple[SlotColumn, ...]
    wanted: Wanted

    @property
    def node(self) -> exp.Expr:
        """The condition over cells of atoms."""
        return moved(self.leaf.node, dict(zip(self.leaf.places, self.places, strict=True)))


@dataclass(frozen=True)
class Sketch:
    """A database up to the choice of values."""

    atoms: tuple[int, ...]
    """The number of an atom is, modulo :data:`COPY`, that of its slot."""
    sames: tuple[tuple[SlotColumn, SlotColumn], ...] = ()
    apart: tuple[tuple[SlotColumn, SlotColumn], ...] = ()
    wishes: tuple[Wish, ...] = ()

    def with_same(self, *sames: tuple[SlotColumn, SlotColumn]) -> Sketch:
        """The sketch with more equal cells."""
        return replace(self, sames=(*self.sames, *sames))

    def copied(self, slots: Collection[int], shared: Collection[SlotColumn], turn: int) -> Sketch:
        """The sketch with one more atom for each of some atoms, on which the same conditions hold.

        Args:
            slots: the atoms that are copied.
            shared: cells that the copies share with the atoms.
            turn: the number of the copy.
        """

        def move(place: SlotColumn) -> SlotColumn:
            return (place[0] + turn * COPY, place[1]) if place[0] in slots else place

        chosen = [atom for atom in self.atoms if atom in slots]
        sames = [(move(a), move(b)) for a, b in self.sames if a[0] in slots or b[0] in slots]
        apart = [(move(a), move(b)) for a, b in self.apart if a[0] in slots or b[0] in slots]
        wishes = [
            replace(wish, places=tuple(map(move, wish.places)))
            for wish in self.wishes
            if any(place[0] in slots for place in wish.places)
        ]
        return replace(
            self,
            atoms=(*self.atoms, *(atom + turn * COPY for atom in chosen)),
            sames=(*self.sames, *sames, *((place, move(place)) for place in shared if place[0] in slots)),
            apart=(*self.apart, *apart),
            wishes=(*self.wishes, *wishes),
        )

    def beside(self, other: Sketch, turn: int) -> Sketch:
        """Both sketches, the other's atoms apart from this one's."""

        def move(place: SlotColumn) -> SlotColumn:
            return place[0] + turn * COPY, place[1]

        wishes = (replace(wish, places=tuple(map(move, wish.places))) for wish in other.wishes)
        return Sketch(
            (*self.atoms, *(atom + turn * COPY for atom in other.atoms)),
            (*self.sames, *((move(a), move(b)) for a, b in other.sames)),
            (*self.apart, *((move(a), move(b)) for a, b in other.apart)),
            (*self.wishes, *wishes),
        )

    def without(self, slots: Collection[int]) -> Sketch:
        """The sketch without some atoms, and without what is said of them."""
        return Sketch(
            tuple(atom for atom in self.atoms if atom not in slots),
            tuple(pair for pair in self.sames if not {place[0] for place in pair} & set(slots)),
            tuple(pair for pair in self.apart if not {place[0] for place in pair} & set(slots)),
            tuple(wish for wish in self.wishes if not {place[0] for place in wish.places} & set(slots)),
        )


def moved(node: exp.Expr, places: dict[SlotColumn, SlotColumn]) -> exp.Expr:
    """A grounded expression with its cells replaced by others; a cell without a replacement stays."""

    def swap(part: exp.Expr) -> exp.Expr:
        if isinstance(part, exp.Column) and part.table[1:].isdigit():
            slot, name = places.get((int(part.table[1:]), part.name), (int(part.table[1:]), part.name))
            return exp.column(name, table=f"s{slot}", quoted=True)
        return part

    return node.transform(swap)


def is_small(goals: Iterable[Goal], most: int) -> bool:
    """Whether goals consist of at most so many conditions."""
    open_, seen = list(goals), 0
    while open_ and seen <= most:
        seen += 1
        match open_.pop():
            case All(parts) | Some(parts):
                open_ += parts[: most + 1]
            case Opposite(part):
                open_.append(part)
            case _:
                pass
    return seen <= most


def sketches(atoms: Iterable[int], goals: Iterable[tuple[Goal, Wanted]]) -> Iterator[Sketch]:
    """The ways to give goals their truth values, :data:`MAX_WAYS` at most."""
    start = Sketch(tuple(sorted(set(atoms))))
    return islice(_ways(start, list(goals)), MAX_WAYS)


def _ways(sketch: Sketch, goals: list[tuple[Goal, Wanted]]) -> Iterator[Sketch]:
    if not goals:
        yield sketch
        return
    (goal, wanted), rest = goals[0], goals[1:]
    match goal:
        case Opposite(part):
            yield from _ways(sketch, [(part, None if wanted is None else not wanted), *rest])
        case All(parts) | Some(parts) if not parts:
            yield from _ways(sketch, rest)
        case All(parts) if wanted is not True:
            # Each part fails in turn, the others hold.
            for victim in parts:
                yield from _ways(sketch, [*((p, wanted if p is victim else True) for p in parts), *rest])
        case Some(parts) if wanted:
            for chosen in parts:
                yield from _ways(sketch, [(chosen, True), *rest])
        case All(parts) | Some(parts):
            yield from _ways(sketch, [*((part, wanted) for part in parts), *rest])
        case SameValue(left, right) if wanted:
            yield from _ways(sketch.with_same((left, right)), rest)
        case SameValue(left, right):
            yield from _ways(replace(sketch, apart=(*sketch.apart, (left, right))), rest)
        case Leaf():
            wish = Wish(goal, goal.places, wanted)
            yield from _ways(replace(sketch, wishes=(*sketch.wishes, wish)), rest)


def tallied(sketch: Sketch, tallies: Iterable[tuple[Tally, bool]], copies: int) -> Sketch | None:
    """A sketch in which groups of so many rows have conditions on aggregates hold or fail.

    Each aggregate becomes an expression over the cells of its rows.  None if one has no such form.
    """
    for tally, _ in tallies:
        base = [atom for atom in tally.slots if atom in sketch.atoms]
        for turn in range(1, copies):
            if not any(slot + turn * COPY in sketch.atoms for slot in base):
                sketch = sketch.copied(base, tally.keys, turn)
    wishes: list[Wish] = []
    apart: list[tuple[SlotColumn, SlotColumn]] = []
    for tally, wanted in tallies:
        apart += _counted_apart(tally, copies) if wanted else ()
        turns = [{slot: slot + turn * COPY for slot in tally.slots} for turn in range(copies)]
        node = _expanded(tally, turns)
        if node is None:
            return None
        places = tuple(dict.fromkeys((int(c.table[1:]), c.name) for c in node.find_all(exp.Column)))
        if places:
            wishes.append(Wish(Leaf(node.sql(), places, node), places, wanted))
        # A condition on the number of rows alone has no cells; the run of the query shows whether it holds.
    return replace(sketch, wishes=(*sketch.wishes, *wishes), apart=(*sketch.apart, *apart))


def _counted_apart(tally: Tally, copies: int) -> Iterator[tuple[SlotColumn, SlotColumn]]:
    """The cells of a group's rows that are counted once each where they are equal."""
    for call in tally.calls:
        if call.distinct and isinstance(call.argument, exp.Column):
            slot, name = int(call.argument.table[1:]), call.argument.name
            cells = [(slot + turn * COPY, name) for turn in range(copies)]
            yield from combinations(cells, 2)


def _expanded(tally: Tally, turns: list[dict[int, int]]) -> exp.Expr | None:
    """A tally over the rows of a group of known size; None if an aggregate has no such form."""
    values = []
    for call in tally.calls:
        rows: list[exp.Expr] = []
        for turn in turns:
            if call.argument is not None:
                cells = {
                    (int(c.table[1:]), c.name): (turn.get(int(c.table[1:]), int(c.table[1:])), c.name)
                    for c in call.argument.find_all(exp.Column)
                }
                rows.append(exp.paren(moved(call.argument, cells)))
        value = _aggregated(call.name, rows, len(turns))
        if value is None:
            return None
        values.append(value)

    def swap(part: exp.Expr) -> exp.Expr:
        if isinstance(part, exp.Column) and part.table == "g":
            return exp.paren(values[int(part.name)].copy())
        return part

    return tally.node.transform(swap)


def _aggregated(name: str, rows: list[exp.Expr], count: int) -> exp.Expr | None:
    """An aggregate of a group as an expression over its rows; None if it has no such form."""
    match name:
        case "COUNT":
            # Values are apart unless something makes them equal.
            return exp.Literal.number(count)
        case "SUM" | "TOTAL" | "AVG":
            total = rows[0]
            for row in rows[1:]:
                total = exp.Add(this=total, expression=row)
            if name == "AVG":
                return exp.Div(this=exp.paren(total), expression=exp.Literal.number(f"{count}.0"))
            return total
        case "MIN" | "MAX" if len(rows) == 1:
            return rows[0]
        case "MIN":
            return exp.Least(this=rows[0], expressions=rows[1:])
        case "MAX":
            return exp.Greatest(this=rows[0], expressions=rows[1:])
    return None


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
