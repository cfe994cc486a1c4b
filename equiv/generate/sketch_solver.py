"""Solves a sketch: a value for each class of equal cells, such that all conditions are as they should be.

Classes of equal cells are closed under keys: the chase with equalities. Values of the pools are tried
first, by the truth tables that SQLite gives; values that are in all tables of allowed combinations are
found by a search that backtracks. What no value of the pools serves is solved for: one class alone by
SQLite over ranges of numbers, texts, days or clock times near what the conditions mention, several
together by Z3. SQLite has the last word on each.

Rows that the facts ask for besides (of a parent, say) are made when the sketch becomes a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.claims.blocks import COMPARISONS
from equiv.core.model import NUMBERS, Column
from equiv.core.reading.goals import Leaf, SlotColumn
from equiv.core.reading.queries import ColumnKey, PairReading
from equiv.generate.pools import Pools, candidates
from equiv.generate.scratch import Scratch, TriedCondition, TruthTable
from equiv.generate.sketches import COPY, Sketch, Wanted, Wish, moved
from equiv.generate.specs import TableSpec
from equiv.graphs import components, grouped_by

_CAPS = {1: 40, 2: 24, 3: 9, 4: 5}
_CAP_OF_NUMBERS = 6
"""How many values of each place a condition on that many places is tried on."""

MOST_NODES = 300
MOST_SOLVED = 24
"""So many questions of a pair are solved beyond the pools."""

_COMPARED = (*COMPARISONS, exp.Is, exp.In, exp.Between)
_PLAIN = (*_COMPARED, exp.Literal, exp.Column, exp.Identifier, exp.Null, exp.Paren, exp.Boolean)


@dataclass(frozen=True)
class SolvedSketch:
    """The classes of equal cells of a sketch, and the values of those that a condition reads."""

    classes: dict[SlotColumn, int]
    values: _Values


@dataclass(frozen=True, slots=True)
class Later:
    """No value of the pools serves, and what is beyond has not been searched."""


@dataclass
class CellSolver:
    """Solves the sketches of one pair."""

    reading: PairReading
    pools: Pools
    specs: Mapping[str, TableSpec]
    scratch: Scratch
    solved: dict[object, Row | None] = field(default_factory=dict)
    """The answers to questions beyond the pools: copies of a row ask the same one."""
    _truths: dict[Leaf, TruthTable | None] = field(default_factory=dict)
    _computing: dict[Leaf, bool] = field(default_factory=dict)

    @cached_property
    def means(self) -> _Means:
        """The means that questions beyond the pools share."""
        return _Means(self.scratch)

    def computes(self, leaf: Leaf) -> bool:
        """Whether a condition computes, and is not too long to be solved.

        Where a column is compared with literals, the pools have the values.  Numbers of rows that are symbols
        are arguments of these alone, of which no range says anything.
        """
        if leaf not in self._computing:
            nodes = list(islice(leaf.node.walk(), MOST_NODES + 1))
            plain = all(isinstance(node, _PLAIN) or node.is_number for node in nodes)
            self._computing[leaf] = not plain and not self._numbers(leaf) and len(nodes) <= MOST_NODES
        return self._computing[leaf]

    def _numbers(self, leaf: Leaf) -> bool:
        """Whether a condition is about numbers of rows that are symbols."""
        return any(self.key(place)[0] == NUMBERS.name for place in leaf.places)

    def key(self, place: SlotColumn) -> ColumnKey:
        """The column of a cell."""
        return self.reading.slots.tables[place[0] % COPY], place[1]

    def solve(self, sketch: Sketch, *, beyond: bool = True) -> SolvedSketch | Later | None:
        """The sketch's classes and values; None if no values were found.

        Args:
            beyond: whether values are sought beyond the pools; else a sketch that needs them is for later.
        """
        classes = _classes_of(sketch, self.reading.slots.tables, self.specs)
        if any(classes[a] == classes[b] for a, b in sketch.apart):
            return None
        values: _Values = {}
        waits = False
        for part in _parts(sketch, classes):
            match _Question(self, classes, *part).answer(beyond=beyond):
                case None:
                    return None
                case Later():
                    waits = True
                case found:
                    values |= found
        return Later() if waits else SolvedSketch(classes, values)

    def truth(self, leaf: Leaf) -> TruthTable | None:
        """The truth table of a condition over the pools of its places."""
        if leaf not in self._truths:
            cap = min(_CAPS.get(len(leaf.places), 0), _CAP_OF_NUMBERS if self._numbers(leaf) else _CAPS[1])
            numbers = {place: self.pools.numbers.get(self.key(place)) for place in leaf.places}
            known = {place: number for place, number in numbers.items() if number is not None}
            usable = bool(cap) and len(known) == len(numbers)
            self.pools.put_back(self.scratch)
            self._truths[leaf] = self.scratch.truth(leaf.node, known, cap) if usable else None
        return self._truths[leaf]


_Part = tuple[dict[int, list[SlotColumn]], list[Wish], list[tuple[int, int]]]


def _parts(sketch: Sketch, classes: Mapping[SlotColumn, int]) -> Iterator[_Part]:
    """The classes that conditions tie together with their cells, these conditions, and the classes apart."""
    members = grouped_by(classes.__getitem__, classes)
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
    classes: Mapping[SlotColumn, int]
    members: Mapping[int, Sequence[SlotColumn]]
    wishes: Sequence[Wish]
    apart: Sequence[tuple[int, int]]

    def answer(self, *, beyond: bool) -> _Values | Later | None:
        """The values; None if none were found."""
        if self._contradicts_itself():
            return None
        found = self._from_pools()
        computes = any(self.solver.computes(wish.leaf) for wish in self.wishes)
        if found is not None or not computes or any(wish.wanted is None for wish in self.wishes):
            return found
        return self._from_beyond() if beyond else Later()

    def _contradicts_itself(self) -> bool:
        """Whether one condition on the same classes should have two truth values."""
        wanted: dict[object, Wanted] = {}
        keys = ((wish, (wish.leaf.sql, *(self.classes[p] for p in wish.places))) for wish in self.wishes)
        return any(wanted.setdefault(key, wish.wanted) is not wish.wanted for wish, key in keys)

    def _from_pools(self) -> _Values | None:
        lists = {number: self._pool(number) for number in self.members}
        tables: list[tuple[list[int], set[Row]]] = []
        nulled: set[int] = set()
        for wish in self.wishes:
            own = [self.classes[place] for place in wish.places]
            rows = _rows(self.solver.truth(wish.leaf), wish.wanted)
            if not rows:
                # Of conditions that are to be NULL, one class becomes so; and of those that ask for NULL.
                asked = wish.wanted is None or _asks_for_null(wish)
                able = [number for number in own if asked and self._is_nullable(number)]
                if not able:
                    return None
                nulled.add(able[0])
            elif len(set(own)) == 1:
                possible = {row[0] for row in rows if len(set(row)) == 1}
                lists[own[0]] = [value for value in lists[own[0]] if value in possible]
            else:
                tables.append((own, set(rows)))
        lists |= {number: [None] for number in nulled}
        return _Choice(lists, tables, self.apart).found()

    def _pool(self, number: int) -> list[Cell]:
        """The values that all columns of a class may hold."""
        keys = [self.solver.key(place) for place in self.members[number]]
        return self.solver.pools.shared(dict.fromkeys(keys))

    def _is_nullable(self, number: int) -> bool:
        return all(self.solver.key(place) in self.solver.pools.nullable for place in self.members[number])

    def _from_beyond(self) -> _Values | None:
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
        return _BeyondPools(self.solver.means, present, pools, conditions).found()

    def _over(self, heads: Mapping[int, SlotColumn], wish: Wish) -> exp.Expr:
        """A condition over the first cells of its classes."""
        return moved(wish.node, {place: heads[self.classes[place]] for place in wish.places})


def _asks_for_null(wish: Wish) -> bool:
    """Whether a condition is a test for NULL, of a column by itself, that is to find it."""
    node, wanted = wish.leaf.node, wish.wanted
    if isinstance(node, exp.Not):
        node, wanted = node.this, not wanted
    is_test = isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)
    return wanted is True and is_test and isinstance(node.this, exp.Column)


def _rows(truth: TruthTable | None, wanted: Wanted) -> Sequence[Row]:
    if truth is None:
        return ()
    return truth.unknown if wanted is None else truth.true if wanted else truth.false


def _differ(one: SlotColumn, other: SlotColumn) -> exp.Expr:
    left, right = (exp.column(name, table=f"s{slot}", quoted=True) for slot, name in (one, other))
    return exp.NEQ(this=left, expression=right)


_GRID = {2: 60, 3: 14}
"""So many candidates of each of so many cells are tried together."""


_MOST_CANDIDATES = 40_000
"""So many candidates are put to SQLite for one pair."""


@dataclass
class _Means:
    """What one pair's questions beyond the pools share."""

    scratch: Scratch
    candidates: int = _MOST_CANDIDATES
    """How many may still be tried."""

    @cached_property
    def context(self) -> object:
        """The solver's context: one for each pair, so that no pair depends on those before it."""
        from equiv.generate.models import new_context

        return new_context()


@dataclass(frozen=True)
class _BeyondPools:
    """Cells, and the conditions that are to be met.

    Attributes:
        columns: the column that each cell is of.
        pools: values of each cell to begin with.
    """

    means: _Means
    columns: Mapping[SlotColumn, Column]
    pools: Mapping[SlotColumn, Sequence[Cell]]
    conditions: Sequence[TriedCondition]

    def found(self) -> Row | None:
        """The values of the cells, in order; None if none were found."""
        if any(column.samples is not None for column in self.columns.values()):
            return None
        return self._over_ranges() or self._by_z3()

    def _over_ranges(self) -> Row | None:
        """Candidates of each cell's kind, as far as their product is small."""
        limit = 1 if len(self.columns) == 1 else _GRID.get(len(self.columns), 0)
        if not limit:
            return None
        lists: dict[SlotColumn, list[Cell]] = {}
        for place, column in self.columns.items():
            portions = candidates(column, [node for node, _ in self.conditions], self.pools[place])
            lists[place] = self._among(place, portions, limit)
        if not all(lists.values()):
            return None
        return self._checked({place: values[:limit] for place, values in lists.items()})

    def _among(self, place: SlotColumn, portions: Iterator[list[Cell]], limit: int) -> list[Cell]:
        """The first candidates that meet the conditions on one cell alone."""
        alone = [condition for condition in self.conditions if _cells(condition[0]) == {place}]
        if not alone:
            return next(portions, [])
        for portion in portions:
            if self.means.candidates <= 0:
                break
            self.means.candidates -= len(portion)
            rows = self.means.scratch.satisfying(alone, self.columns, {place: portion}, limit)
            if rows:
                return [row[0] for row in rows]
        return []

    def _by_z3(self) -> Row | None:
        from equiv.generate.models import models

        for values in models(self.columns, self.conditions, self.means.context):
            found = self._checked({place: [values[place]] for place in self.columns})
            if found is not None:
                return found
        return None

    def _checked(self, lists: Mapping[SlotColumn, Sequence[Cell]]) -> Row | None:
        """Values of the lists on which SQLite finds all conditions as they should be."""
        rows = self.means.scratch.satisfying(self.conditions, self.columns, lists, 1)
        return rows[0] if rows else None


def _cells(node: exp.Expr) -> set[SlotColumn]:
    return {(int(column.table[1:]), column.name) for column in node.find_all(exp.Column)}


_Values = dict[int, Cell]
"""The value of each class, by the number of the class."""

_STEPS = 400


@dataclass
class _Choice:
    """A choice of a value for each class.

    Attributes:
        lists: the values that each class may take.
        tables: classes, and the combinations of values that they may take.
        apart: classes that must not take the same value.
    """

    lists: Mapping[int, Sequence[Cell]]
    tables: Sequence[tuple[Sequence[int], set[Row]]]
    apart: Sequence[tuple[int, int]]
    _steps: int = field(default=_STEPS)

    def found(self) -> _Values | None:
        """Values, or None if none were found in some number of steps."""
        return self._extended(list(self.lists), {})

    def _extended(self, open_: list[int], chosen: _Values) -> _Values | None:
        if not open_:
            return chosen
        number = open_[0]
        for value in self.lists[number]:
            self._steps -= 1
            if self._steps < 0:
                return None
            trial = {**chosen, number: value}
            found = self._extended(open_[1:], trial) if self._is_allowed(trial, number) else None
            if found is not None:
                return found
        return None

    def _is_allowed(self, values: _Values, last: int) -> bool:
        """Whether nothing forbids values of which one is new."""
        for own, rows in self.tables:
            known = last in own and all(number in values for number in own)
            if known and tuple(values[number] for number in own) not in rows:
                return False
        pairs = ((a, b) for a, b in self.apart if last in (a, b) and a in values and b in values)
        return all(values[a] != values[b] for a, b in pairs)


def _classes_of(sketch: Sketch, tables: list[str], specs: Mapping[str, TableSpec]) -> dict[SlotColumn, int]:
    """The number of the class of each cell that a sketch names.

    Args:
        tables: the table of each slot.
    """
    cells = _Classes()
    for wish in sketch.wishes:
        cells.add(wish.places)
    for pair in (*sketch.sames, *sketch.apart):
        cells.add(pair)
    for one, other in sketch.sames:
        cells.merge(one, other)
    twins = [
        (one, other, specs[tables[one % COPY]])
        for one, other in combinations(sketch.atoms, 2)
        if tables[one % COPY] == tables[other % COPY]
    ]
    while any(cells.merge_rows(one, other, spec) for one, other, spec in twins):
        pass
    return cells.numbers()


class _Classes:
    """Cells in classes (union-find)."""

    def __init__(self) -> None:
        self._parent: dict[SlotColumn, SlotColumn] = {}

    def add(self, places: Iterable[SlotColumn]) -> None:
        for place in places:
            self._parent.setdefault(place, place)

    def merge(self, one: SlotColumn, other: SlotColumn) -> None:
        self._parent[self._root(one)] = self._root(other)

    def merge_rows(self, one: int, other: int, spec: TableSpec) -> bool:
        """Make two rows of a table one if they agree in a key; whether that joined any classes."""
        if not any(all(self._agree(one, other, name) for name in key) for key in spec.keys):
            return False
        names = {name for atom, name in self._parent if atom in (one, other)}
        self.add((atom, name) for atom in (one, other) for name in names)
        fresh = [name for name in sorted(names) if not self._agree(one, other, name)]
        for name in fresh:
            self.merge((one, name), (other, name))
        return bool(fresh)

    def numbers(self) -> dict[SlotColumn, int]:
        """The number of each cell's class, from 0 on."""
        found: dict[SlotColumn, int] = {}
        return {place: found.setdefault(self._root(place), len(found)) for place in self._parent}

    def _agree(self, one: int, other: int, name: str) -> bool:
        left, right = (one, name), (other, name)
        known = left in self._parent and right in self._parent
        return known and self._root(left) == self._root(right)

    def _root(self, place: SlotColumn) -> SlotColumn:
        while self._parent[place] != place:
            place = self._parent[place]
        return place
