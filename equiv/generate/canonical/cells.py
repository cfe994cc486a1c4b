"""Solves a sketch: a value for each class of equal cells, such that all conditions are as they should be.

Values of the pools are tried first, by the truth tables that SQLite gives.  What no value of the pools serves
is solved for: one class alone by SQLite over ranges of numbers, texts, days or clock times, several
together by Z3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.reading.goals import Leaf, Place
from equiv.core.reading.queries import ColumnKey, Reading
from equiv.generate.canonical.beyond_pools import BeyondPools, Means
from equiv.generate.canonical.choosing import Choice, Values
from equiv.generate.canonical.classes import classes_of
from equiv.generate.canonical.sketches import COPY, Sketch, Wanted, Wish, moved
from equiv.generate.rows.specs import TableSpec
from equiv.generate.scratch import Scratch, TruthTable
from equiv.generate.values.pools import Pools
from equiv.graphs import components

_CAPS = {1: 40, 2: 24, 3: 9, 4: 5}
"""How many values of each place a condition on that many places is tried on."""

MOST_NODES = 300
MOST_SOLVED = 24
"""So many questions of a pair are solved beyond the pools."""

_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between)
_PLAIN = (*_COMPARED, exp.Literal, exp.Column, exp.Identifier, exp.Null, exp.Neg, exp.Paren, exp.Boolean)


@dataclass(frozen=True)
class Solved:
    """The classes of equal cells of a sketch, and the values of those that a condition reads."""

    classes: dict[Place, int]
    values: Values


@dataclass
class CellSolver:
    """Solves the sketches of one pair."""

    reading: Reading
    pools: Pools
    specs: Mapping[str, TableSpec]
    scratch: Scratch
    solved: dict[object, Row | None] = field(default_factory=dict)
    """The answers to questions beyond the pools: copies of a row ask the same one."""
    _truths: dict[Leaf, TruthTable | None] = field(default_factory=dict)
    _computing: dict[Leaf, bool] = field(default_factory=dict)

    @cached_property
    def means(self) -> Means:
        """What questions beyond the pools share."""
        return Means(self.scratch)

    def computes(self, leaf: Leaf) -> bool:
        """Whether a condition computes, and is not too long to be solved.

        Where a column is compared with literals, the pools have the values.
        """
        if leaf not in self._computing:
            nodes = list(islice(leaf.node.walk(), MOST_NODES + 1))
            plain = all(isinstance(node, _PLAIN) for node in nodes)
            self._computing[leaf] = not plain and len(nodes) <= MOST_NODES
        return self._computing[leaf]

    def key(self, place: Place) -> ColumnKey:
        """The column of a cell."""
        return self.reading.slots.tables[place[0] % COPY], place[1]

    def solve(self, sketch: Sketch) -> Solved | None:
        """The sketch's classes and values; None if no values were found."""
        classes = classes_of(sketch, self.reading.slots.tables, self.specs)
        if any(classes[a] == classes[b] for a, b in sketch.apart):
            return None
        values: Values = {}
        for part in _parts(sketch, classes):
            found = _Question(self, classes, *part).answer()
            if found is None:
                return None
            values |= found
        return Solved(classes, values)

    def truth(self, leaf: Leaf) -> TruthTable | None:
        """The truth table of a condition over the pools of its places."""
        if leaf not in self._truths:
            cap = _CAPS.get(len(leaf.places), 0)
            numbers = {place: self.pools.numbers.get(self.key(place)) for place in leaf.places}
            known = {place: number for place, number in numbers.items() if number is not None}
            usable = bool(cap) and len(known) == len(numbers)
            self.pools.put_back(self.scratch)
            self._truths[leaf] = self.scratch.truth(leaf.node, known, cap) if usable else None
        return self._truths[leaf]


_Part = tuple[dict[int, list[Place]], list[Wish], list[tuple[int, int]]]


def _parts(sketch: Sketch, classes: Mapping[Place, int]) -> Iterator[_Part]:
    """The classes that conditions tie together with their cells, these conditions, and the classes apart."""
    members: dict[int, list[Place]] = {}
    for place, number in classes.items():
        members.setdefault(number, []).append(place)
    wishes = [(wish, [classes[place] for place in wish.places]) for wish in sketch.wishes]
    apart = [(classes[a], classes[b]) for a, b in sketch.apart]
    tied = [(numbers[0], other) for _, numbers in wishes for other in numbers[1:]] + apart
    read = dict.fromkeys(number for _, numbers in wishes for number in numbers)
    read |= dict.fromkeys(number for pair in apart for number in pair)
    for group in components(read, tied):
        inside = {number: members[number] for number in group}
        own = [wish for wish, numbers in wishes if numbers and numbers[0] in inside]
        yield inside, own, [pair for pair in apart if pair[0] in inside]


@dataclass(frozen=True)
class _Question:
    """Which values of some classes make conditions as they should be."""

    solver: CellSolver
    classes: Mapping[Place, int]
    members: Mapping[int, Sequence[Place]]
    wishes: Sequence[Wish]
    apart: Sequence[tuple[int, int]]

    def answer(self) -> Values | None:
        """The values; None if none were found."""
        if self._contradicts_itself():
            return None
        found = self._from_pools()
        beyond = any(self.solver.computes(wish.leaf) for wish in self.wishes)
        beyond = beyond and all(wish.wanted is not None for wish in self.wishes)
        return found if found is not None or not beyond else self._from_beyond()

    def _contradicts_itself(self) -> bool:
        """Whether one condition on the same classes should have two truth values."""
        wanted: dict[object, Wanted] = {}
        keys = ((wish, (wish.leaf.sql, *(self.classes[p] for p in wish.places))) for wish in self.wishes)
        return any(wanted.setdefault(key, wish.wanted) is not wish.wanted for wish, key in keys)

    def _from_pools(self) -> Values | None:
        lists = {number: self._pool(number) for number in self.members}
        tables: list[tuple[list[int], set[Row]]] = []
        nulled: set[int] = set()
        for wish in self.wishes:
            own = [self.classes[place] for place in wish.places]
            rows = _rows(self.solver.truth(wish.leaf), wish.wanted)
            if not rows:
                # Of conditions that are to be NULL, one class becomes so.
                able = [number for number in own if wish.wanted is None and self._is_nullable(number)]
                if not able:
                    return None
                nulled.add(able[0])
            elif len(set(own)) == 1:
                possible = {row[0] for row in rows if len(set(row)) == 1}
                lists[own[0]] = [value for value in lists[own[0]] if value in possible]
            else:
                tables.append((own, set(rows)))
        lists |= {number: [None] for number in nulled}
        return Choice(lists, tables, self.apart).found()

    def _pool(self, number: int) -> list[Cell]:
        """The values that all columns of a class may hold; those of the first if they share none."""
        keys = [self.solver.key(place) for place in self.members[number]]
        pools = [self.solver.pools.values.get(key, []) for key in dict.fromkeys(keys)]
        shared = [value for value in pools[0] if all(value in pool for pool in pools[1:])]
        return shared or pools[0]

    def _is_nullable(self, number: int) -> bool:
        return all(self.solver.key(place) in self.solver.pools.nullable for place in self.members[number])

    def _from_beyond(self) -> Values | None:
        """Values beyond the pools, if the pair has not asked for too many."""
        known, key = self.solver.solved, self._key()
        if key not in known:
            if len(known) >= MOST_SOLVED:
                return None
            known[key] = self._solved()
        row = known[key]
        return None if row is None else dict(zip(self.members, row, strict=True))

    def _key(self) -> object:
        """What is the same for copies of the same rows."""
        at = {number: position for position, number in enumerate(self.members)}
        columns = tuple(self.solver.key(places[0]) for places in self.members.values())
        asked = ((w.leaf.sql, w.wanted, tuple(at[self.classes[p]] for p in w.places)) for w in self.wishes)
        return columns, frozenset(asked), tuple((at[a], at[b]) for a, b in self.apart)

    def _solved(self) -> Row | None:
        heads = {number: places[0] for number, places in self.members.items()}
        columns = {place: self.solver.pools.columns.get(self.solver.key(place)) for place in heads.values()}
        present = {place: column for place, column in columns.items() if column is not None}
        if len(present) < len(columns):
            return None
        conditions = [(self._over(heads, wish), wish.wanted) for wish in self.wishes]
        conditions += [(_differ(heads[a], heads[b]), True) for a, b in self.apart]
        pools = {place: self._pool(number) for number, place in heads.items()}
        return BeyondPools(self.solver.means, present, pools, conditions).found()

    def _over(self, heads: Mapping[int, Place], wish: Wish) -> exp.Expr:
        """A condition over the first cells of its classes."""
        return moved(wish.node, {place: heads[self.classes[place]] for place in wish.places})


def _rows(truth: TruthTable | None, wanted: Wanted) -> Sequence[Row]:
    if truth is None:
        return ()
    return truth.unknown if wanted is None else truth.true if wanted else truth.false


def _differ(one: Place, other: Place) -> exp.Expr:
    left, right = (exp.column(name, table=f"s{slot}", quoted=True) for slot, name in (one, other))
    return exp.NEQ(this=left, expression=right)
