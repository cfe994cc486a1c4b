"""Solves a sketch: a value for each class of equal cells, such that all conditions are as they should be.

Values of the pools are tried first, by the truth tables that SQLite gives.  A class or a condition that no
value of the pools serves is solved for: one class alone by SQLite over a range of whole numbers, days or
clock times, several together and texts by Z3, and what these give is put to SQLite again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.model import Column
from equiv.core.reading.goals import Leaf, Place
from equiv.core.reading.queries import ColumnKey, Reading
from equiv.generate.canonical.ranges import candidates
from equiv.generate.canonical.sketches import COPY, Sketch, Wanted, Wish, moved
from equiv.generate.rows.specs import TableSpec
from equiv.generate.scratch import Condition, Scratch, TruthTable
from equiv.generate.values.pools import Pools
from equiv.graphs import components

_CAPS = {1: 40, 2: 24, 3: 9, 4: 5}
"""How many values of each place a condition on that many places is tried on."""

_STEPS = 400
MOST_ESCALATIONS = 24
"""So many classes or groups of them are solved for in one pair, pools apart."""

_GRID = {2: 60, 3: 14}
"""How many candidates of each of so many classes are tried together."""

Values = dict[int, Cell]
"""The value of each class, by the number of the class."""


@dataclass
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
    escalations: int = MOST_ESCALATIONS
    _truths: dict[Leaf, TruthTable | None] = field(default_factory=dict)
    found: dict[object, Row | None] = field(default_factory=dict)
    """What was solved for beyond the pools."""

    def key(self, place: Place) -> ColumnKey:
        """The column of a cell."""
        return self.reading.slots.tables[place[0] % COPY], place[1]

    def solve(self, sketch: Sketch) -> Solved | None:
        """The sketch's classes and values; None if no values were found."""
        classes = self._chased(sketch)
        if any(classes[a] == classes[b] for a, b in sketch.apart):
            return None
        members: dict[int, list[Place]] = {}
        for place, number in classes.items():
            members.setdefault(number, []).append(place)
        problem = _Problem(self, classes, members, sketch)
        values: Values = {}
        for part in problem.parts():
            found = problem.solved(part)
            if found is None:
                return None
            values |= found
        return Solved(classes, values)

    def _chased(self, sketch: Sketch) -> dict[Place, int]:
        """The class of each cell that the sketch names: equal cells, and those of rows with equal keys."""
        parent: dict[Place, Place] = {}

        def root(place: Place) -> Place:
            while parent.setdefault(place, place) != place:
                place = parent[place]
            return place

        for one, other in sketch.sames:
            parent[root(one)] = root(other)
        for wish in sketch.wishes:
            for place in wish.places:
                root(place)
        for pair in sketch.apart:
            for place in pair:
                root(place)
        while any(self._merge_rows(one, other, parent, root) for one, other in self._twins(sketch)):
            pass
        numbers: dict[Place, int] = {}
        return {place: numbers.setdefault(root(place), len(numbers)) for place in list(parent)}

    def _twins(self, sketch: Sketch) -> Iterator[tuple[int, int]]:
        tables = self.reading.slots.tables
        for one, other in combinations(sketch.atoms, 2):
            if tables[one % COPY] == tables[other % COPY]:
                yield one, other

    def _merge_rows(self, one: int, other: int, parent: dict[Place, Place], root: object) -> bool:
        """Unify two rows of one table that agree in a key (the chase with an equality); whether that was new."""
        assert callable(root)
        spec = self.specs[self.reading.slots.tables[one % COPY]]
        for key in spec.keys:
            if all(
                (a := (one, n)) in parent and (b := (other, n)) in parent and root(a) == root(b) for n in key
            ):
                names = {name for atom, name in list(parent) if atom in (one, other)}
                fresh = [name for name in names if root((one, name)) != root((other, name))]
                for name in fresh:
                    parent[root((one, name))] = root((other, name))
                return bool(fresh)
        return False

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

    def satisfying(
        self, conditions: Sequence[Condition], lists: Mapping[Place, Sequence[Cell]], limit: int
    ) -> list[Row]:
        """Values of places, one of each list, on which SQLite finds all conditions as they should be."""
        columns = {place: self.pools.columns[self.key(place)] for place in lists}
        return self.scratch.satisfying(conditions, columns, lists, limit)


@dataclass
class _Problem:
    """The conditions of one sketch over classes of cells."""

    solver: CellSolver
    classes: dict[Place, int]
    members: dict[int, list[Place]]
    sketch: Sketch

    def parts(self) -> Iterator[tuple[list[int], list[Wish]]]:
        """The classes that conditions tie together, with these conditions."""
        wishes = [(wish, [self.classes[place] for place in wish.places]) for wish in self.sketch.wishes]
        pairs = [(numbers[0], other) for _, numbers in wishes for other in numbers[1:]]
        pairs += [(self.classes[a], self.classes[b]) for a, b in self.sketch.apart]
        read = dict.fromkeys(n for _, numbers in wishes for n in numbers)
        read |= dict.fromkeys(n for pair in pairs for n in pair)
        for group in components(read, pairs):
            inside = set(group)
            yield list(group), [wish for wish, numbers in wishes if numbers and numbers[0] in inside]

    def solved(self, part: tuple[list[int], list[Wish]]) -> Values | None:
        """Values of the classes of a part."""
        numbers, wishes = part
        if self._contradicts(wishes):
            return None
        lists = {number: self._pool(number) for number in numbers}
        found = self._from_pools(numbers, wishes, lists)
        if found is not None or not any(map(_is_hard, wishes)) or any(wish.wanted is None for wish in wishes):
            return found
        question = self._question(numbers, wishes)
        if question not in self.solver.found:
            if self.solver.escalations <= 0:
                return None
            self.solver.escalations -= 1
            solved = self._solved_for(numbers, wishes)
            self.solver.found[question] = None if solved is None else tuple(solved[n] for n in numbers)
        known = self.solver.found[question]
        return None if known is None else dict(zip(numbers, known, strict=True))

    def _contradicts(self, wishes: Sequence[Wish]) -> bool:
        """Whether one condition on the same classes should have two truth values."""
        wanted: dict[object, Wanted] = {}
        return any(
            wanted.setdefault((wish.leaf.sql, *(self.classes[p] for p in wish.places)), wish.wanted)
            is not wish.wanted
            for wish in wishes
        )

    def _question(self, numbers: Sequence[int], wishes: Sequence[Wish]) -> object:
        """What is the same for copies of the same rows."""
        at = {number: position for position, number in enumerate(numbers)}
        columns = tuple(self.solver.key(self.members[number][0]) for number in numbers)
        asked = (
            (wish.leaf.sql, wish.wanted, tuple(at[self.classes[p]] for p in wish.places)) for wish in wishes
        )
        return columns, frozenset(asked)

    def _pool(self, number: int) -> list[Cell]:
        """The values that all columns of a class may hold; those of the first if they share none."""
        pools = [self.solver.pools.values.get(self.solver.key(place), []) for place in self.members[number]]
        shared = [value for value in pools[0] if all(value in pool for pool in pools[1:])]
        return shared or pools[0]

    def _from_pools(
        self, numbers: Sequence[int], wishes: Sequence[Wish], lists: dict[int, list[Cell]]
    ) -> Values | None:
        tables: list[tuple[list[int], set[Row]]] = []
        nulled: set[int] = set()
        for wish in wishes:
            own = [self.classes[place] for place in wish.places]
            truth = self.solver.truth(wish.leaf)
            rows = truth and (
                truth.true if wish.wanted else truth.false if wish.wanted is False else truth.unknown
            )
            if wish.wanted is None and not rows:
                able = [n for n in own if self._is_nullable(n)]
                if not able:
                    return None
                nulled.add(able[0])
                continue
            if not rows:
                return None
            if len(set(own)) == 1:
                possible = {row[0] for row in rows if len(set(row)) == 1}
                lists[own[0]] = [value for value in lists[own[0]] if value in possible]
            else:
                tables.append((own, set(rows)))
        for number in nulled:
            lists[number] = [None]
        apart = [
            (self.classes[a], self.classes[b]) for a, b in self.sketch.apart if self.classes[a] in numbers
        ]
        steps = [_STEPS]
        return _search(list(numbers), lists, tables, apart, {}, steps)

    def _is_nullable(self, number: int) -> bool:
        return all(self.solver.key(place) in self.solver.pools.nullable for place in self.members[number])

    def _solved_for(self, numbers: Sequence[int], wishes: Sequence[Wish]) -> Values | None:
        """Values beyond the pools: by SQLite over ranges, else by Z3; SQLite has the last word."""
        heads = {number: self.members[number][0] for number in numbers}
        columns = {n: self.solver.pools.columns.get(self.solver.key(place)) for n, place in heads.items()}
        if any(column is None or column.samples is not None for column in columns.values()):
            return None
        conditions = [(self._over_heads(wish, heads), wish.wanted) for wish in wishes]
        found = self._over_ranges(heads, conditions)
        return found if found is not None else self._by_z3(heads, conditions)

    def _over_heads(self, wish: Wish, heads: Mapping[int, Place]) -> exp.Expr:
        return moved(wish.node, {place: heads[self.classes[place]] for place in wish.places})

    def _over_ranges(self, heads: Mapping[int, Place], conditions: list[Condition]) -> Values | None:
        """One value for each class of the candidates of its kind, as far as their product is small."""
        lists: dict[Place, list[Cell]] = {}
        for place in heads.values():
            portions = candidates(self._column(place), [node for node, _ in conditions], self._pool_of(place))
            alone = [condition for condition in conditions if _places(condition[0]) == {place}]
            if alone:
                lists[place] = self._among(place, portions, alone, 1 if len(heads) == 1 else _GRID[2])
            else:
                lists[place] = next(portions, [])
        if len(heads) == 1:
            (place,) = lists
            return dict.fromkeys(heads, lists[place][0]) if lists[place] else None
        size = _GRID.get(len(heads), 0)
        if not size or not all(lists.values()):
            return None
        lists = {place: values[:size] for place, values in lists.items()}
        rows = self.solver.satisfying(conditions, lists, 1)
        return dict(zip(heads, rows[0], strict=True)) if rows else None

    def _among(
        self, place: Place, portions: Iterator[list[Cell]], alone: list[Condition], limit: int
    ) -> list[Cell]:
        """The first candidates on which conditions on one cell are as they should be."""
        for portion in portions:
            rows = self.solver.satisfying(alone, {place: portion}, limit)
            if rows:
                return [row[0] for row in rows]
        return []

    def _pool_of(self, place: Place) -> list[Cell]:
        return self.solver.pools.values.get(self.solver.key(place), [])

    def _by_z3(self, heads: Mapping[int, Place], conditions: list[Condition]) -> Values | None:
        from equiv.generate.canonical.models import models

        columns = {place: self._column(place) for place in heads.values()}
        for values in models(columns, conditions):
            rows = self.solver.satisfying(conditions, {place: [values[place]] for place in columns}, 1)
            if rows:
                return dict(zip(heads, rows[0], strict=True))
        return None

    def _column(self, place: Place) -> Column:
        return self.solver.pools.columns[self.solver.key(place)]


def _places(node: exp.Expr) -> set[Place]:
    return {(int(c.table[1:]), c.name) for c in node.find_all(exp.Column)}


_PLAIN = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Literal)
_PLAIN_PARTS = (*_PLAIN, exp.Column, exp.Identifier, exp.Null, exp.Neg, exp.Paren, exp.Boolean)


def _is_hard(wish: Wish) -> bool:
    """Whether a condition computes: what compares a column with literals, the pools have the values for."""
    return not all(isinstance(node, _PLAIN_PARTS) for node in wish.leaf.node.walk())


def _search(
    numbers: list[int],
    lists: Mapping[int, list[Cell]],
    tables: list[tuple[list[int], set[Row]]],
    apart: list[tuple[int, int]],
    chosen: Values,
    steps: list[int],
) -> Values | None:
    """Values from the lists that are in all tables; None if none were found in so many steps."""
    if not numbers:
        return chosen
    number = numbers[0]
    for value in lists[number]:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        trial = {**chosen, number: value}
        if _is_open(trial, tables, apart, number):
            found = _search(numbers[1:], lists, tables, apart, trial, steps)
            if found is not None:
                return found
    return None


def _is_open(
    values: Values, tables: list[tuple[list[int], set[Row]]], apart: list[tuple[int, int]], last: int
) -> bool:
    for own, rows in tables:
        if last in own and all(number in values for number in own):
            if tuple(values[number] for number in own) not in rows:
                return False
    return all(values[a] != values[b] for a, b in apart if last in (a, b) and a in values and b in values)
