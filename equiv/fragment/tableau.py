"""Tableaux: the rows of a frozen body, their cells elements; and the cases of a body.

An element stands for one value; NULL is the element :data:`NULL`.  Elements that are known to be equal are
one.  The chase (Johnson and Klug, 1984; for bags Chirkova and Genesereth, 2009) makes rows that agree in a
key one row, and adds the row that a foreign key asks for.

A case says of each element that a condition reads whether it is NULL, and where it lies.  In a case each
condition of the pair is true or is not, whatever the values are.  So over its cases a query with comparisons
with constants is a union of conjunctive queries without any.  (Klug, JACM 1988, splits by all orders of the
variables; comparisons with constants alone need less.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from equiv.algebra.terms import And, Compare, Constant, Expression, Field, IsNull, IsTrue, Not, Or, walk
from equiv.fragment.constraints import ColumnNames, FragmentConstraints
from equiv.fragment.queries import (
    AtomCell,
    ColumnSort,
    ConjunctiveQuery,
    Cuts,
    EmptyRegionError,
    Null,
    OutsideError,
    Region,
    RegionValue,
    value_of,
)

NULL = -1

MOST_ROWS = 60
"""Bodies that the chase makes larger are outside."""

TableauRow = tuple[str, dict[str, int]]


@dataclass
class Tableau:
    """Rows over elements; changed in place while it is made."""

    constraints: FragmentConstraints
    rows: dict[int, TableauRow] = field(default_factory=dict)
    atoms: list[int] = field(default_factory=list)
    """The row of each atom of the block, in order."""
    head: list[int] = field(default_factory=list)
    """The elements of the outputs."""
    regions: dict[int, Region | None] = field(default_factory=dict)
    """What is known of each element; None: not even that it is not NULL."""
    sorts: dict[int, ColumnSort | None] = field(default_factory=dict)
    """None is the sort of a constant."""
    constants: dict[RegionValue, int] = field(default_factory=dict)
    _next: int = 0

    def copy(self) -> Tableau:
        """A tableau that changes apart from this one."""
        rows = {number: (table, dict(cells)) for number, (table, cells) in self.rows.items()}
        return Tableau(
            self.constraints,
            rows,
            list(self.atoms),
            list(self.head),
            dict(self.regions),
            dict(self.sorts),
            dict(self.constants),
            self._next,
        )

    def element(self, sort: ColumnSort | None, region: Region | None) -> int:
        """A new element."""
        self._next += 1
        self.regions[self._next], self.sorts[self._next] = region, sort
        return self._next

    def constant(self, value: RegionValue) -> int:
        """The element of a constant."""
        if value not in self.constants:
            self.constants[value] = self.element(None, Region(only=value))
        return self.constants[value]

    def add_row(self, table: str, given: Mapping[str, int]) -> int:
        """A new row, with new elements where none are given."""
        if len(self.rows) >= MOST_ROWS:
            raise OutsideError(f"more than {MOST_ROWS} rows, those that foreign keys add included")
        rules = self.constraints.rules[table]
        cells = {}
        for column, sort in rules.sorts.items():
            if column in given:
                cells[column] = given[column]
            else:
                cells[column] = self.element(sort, Region() if column in rules.not_null else None)
        self._next += 1
        self.rows[self._next] = (table, cells)
        for column in rules.not_null & given.keys():
            self.restrict(cells[column], Region())
        return self._next

    def cell(self, cell: AtomCell) -> int:
        """The element of a cell of an atom of the block."""
        return self.rows[self.atoms[cell[0]]][1][cell[1]]

    def restrict(self, element: int, region: Region) -> None:
        """Say of an element that it is in a region, and so not NULL.

        Raises:
            ContradictionError: it cannot be.
        """
        if element == NULL:
            raise EmptyRegionError
        known = self.regions[element]
        found = region if known is None else known.meet(region)
        self.regions[element] = found
        if found.only is not None:
            # One constant may stand in columns of two sorts.
            self.sorts[element] = None
            if self.constants.setdefault(found.only, element) != element:
                self._replace(element, self.constants[found.only])

    def set_null(self, element: int) -> None:
        """Say of an element that it is NULL."""
        if element == NULL:
            return
        if self.regions[element] is not None:
            raise EmptyRegionError
        self._replace(element, NULL)

    def equate(self, one: int, other: int) -> None:
        """Say of two elements that they are equal, or both NULL."""
        if one == other:
            return
        if NULL in (one, other):
            self.set_null(one if other == NULL else other)
            return
        mine, theirs = self.regions[one], self.regions[other]
        sorts = {self.sorts[one], self.sorts[other]} - {None}
        if len(sorts) > 1:
            raise EmptyRegionError
        if mine is not None and mine.only is not None:
            one, other, mine, theirs = other, one, theirs, mine
        if theirs is None or theirs.only is None:
            self.sorts[other] = next(iter(sorts), None)
        self._replace(one, other)
        self.regions[other] = theirs
        if mine is not None:
            self.restrict(other, mine)

    def _replace(self, old: int, new: int) -> None:
        for _, cells in self.rows.values():
            for column, element in cells.items():
                if element == old:
                    cells[column] = new
        self.head = [new if element == old else element for element in self.head]
        del self.regions[old], self.sorts[old]

    def chase(self) -> None:
        """Make rows that agree in a key one, and add the rows that foreign keys ask for.

        Raises:
            ContradictionError: rows agree in a key that cannot be one.
            OutsideError: there are too many.
        """
        while self._merge_twins() or self._add_parent():
            pass

    def _merge_twins(self) -> bool:
        seen: dict[tuple[str, ColumnNames, tuple[int, ...]], int] = {}
        for number, (table, cells) in self.rows.items():
            for key in self.constraints.rules[table].keys:
                values = tuple(cells[name] for name in key)
                if any(self.maybe_null(value) for value in values):
                    continue
                first = seen.setdefault((table, key, values), number)
                if first != number:
                    self.merge(first, number)
                    return True
        return False

    def maybe_null(self, element: int) -> bool:
        """Whether an element is not known to be a value."""
        return element == NULL or self.regions[element] is None

    def merge(self, first: int, second: int) -> None:
        """Make two rows of a table one."""
        for column in self.rows[first][1]:
            self.equate(self.rows[first][1][column], self.rows[second][1][column])
        del self.rows[second]
        self.atoms = [first if row == second else row for row in self.atoms]

    def _add_parent(self) -> bool:
        for table, cells in list(self.rows.values()):
            for reference in self.constraints.rules[table].references:
                values = [cells[name] for name in reference.columns]
                if any(self.maybe_null(value) for value in values):
                    continue
                wanted = dict(zip(reference.parent_columns, values, strict=True))
                if not any(self._holds(row, reference.parent, wanted) for row in self.rows.values()):
                    self.add_row(reference.parent, wanted)
                    return True
        return False

    @staticmethod
    def _holds(row: TableauRow, table: str, wanted: Mapping[str, int]) -> bool:
        return row[0] == table and all(row[1][name] == value for name, value in wanted.items())

    def columns(self) -> dict[int, list[tuple[str, str]]]:
        """The columns in which each element stands."""
        found: dict[int, list[tuple[str, str]]] = {}
        for table, cells in self.rows.values():
            for column, element in cells.items():
                found.setdefault(element, []).append((table, column))
        return found


def frozen(block: ConjunctiveQuery, constraints: FragmentConstraints) -> Tableau:
    """The body of a block with its variables frozen: one row for each atom; not chased yet.

    Raises:
        ContradictionError: no row combination meets its conditions.
    """
    tableau = Tableau(constraints)
    for table in block.atoms:
        tableau.atoms.append(tableau.add_row(table, {}))
    for cell in block.nulls:
        tableau.set_null(tableau.cell(cell))
    for one, other in block.sames:
        for cell in (one, other):
            tableau.restrict(tableau.cell(cell), Region())
        tableau.equate(tableau.cell(one), tableau.cell(other))
    for cell, value in block.fixed:
        tableau.restrict(tableau.cell(cell), Region(only=value))
    for output in block.outputs:
        match output:
            case tuple():
                tableau.head.append(tableau.cell(output))
            case Null():
                tableau.head.append(NULL)
            case value:
                tableau.head.append(tableau.constant(value))
    return tableau


CaseTruth = bool | None


def cases_of(block: ConjunctiveQuery, constraints: FragmentConstraints) -> list[Tableau]:
    """The cases of a block in which its conditions hold, each chased."""
    try:
        start = frozen(block, constraints)
    except EmptyRegionError:
        return []
    return list(split(start, block.tests))


def split(start: Tableau, tests: Sequence[Expression] = ()) -> Iterator[Tableau]:
    """The cases of a tableau, each chased; nothing is left open in one that a condition reads.

    Args:
        start: the tableau.
        tests: conditions on the atoms of its block, which hold in the cases.
    """
    pending = [start]
    while pending:
        tableau = pending.pop()
        try:
            tableau.chase()
        except EmptyRegionError:
            continue
        if any(_is_settled(test, tableau) and not holds(test, tableau) for test in tests):
            continue
        ways = _ways(tableau)
        if ways is None:
            yield tableau
            continue
        for way in reversed(ways):
            other = tableau.copy()
            try:
                way(other)
            except EmptyRegionError:
                continue
            pending.append(other)


CaseChange = Callable[[Tableau], None]


def _is_settled(test: Expression, tableau: Tableau) -> bool:
    """Whether a condition is true or is not, whatever values the elements that it reads have."""
    for tested in (node for node in walk(test) if isinstance(node, Field)):
        table, cells = tableau.rows[tableau.atoms[tested.row.number]]
        read = [tableau.constraints.cuts[table, str(tested.column)]]
        if _ways_of(cells[str(tested.column)], read, tableau) is not None:
            return False
    return True


def _ways(tableau: Tableau) -> list[CaseChange] | None:
    """The ways to settle the first element that is open; None if there is none."""
    cuts = tableau.constraints.cuts
    for element, places in tableau.columns().items():
        read = [cuts[place] for place in places if place in cuts]
        ways = _ways_of(element, read, tableau)
        if ways is not None:
            return ways
    return None


def _ways_of(element: int, read: Sequence[Cuts], tableau: Tableau) -> list[CaseChange] | None:
    """The ways to settle an element as far as conditions on some columns go; None if it is settled."""
    if element == NULL:
        return None
    region = tableau.regions[element]
    if region is None:
        if any(each.nulls for each in read):
            return [lambda tableau: tableau.set_null(element), _restricting(element, Region())]
        region = Region()
    for bound in sorted({bound for each in read for bound in each.bounds}):
        if region.splits_at(bound):
            return [_restricting(element, Region(high=bound - 1)), _restricting(element, Region(low=bound))]
    for point in sorted({point for each in read for point in each.points}, key=repr):
        if region.may_be(point):
            only, other = Region(only=point), Region(without=frozenset((point,)))
            return [_restricting(element, only), _restricting(element, other)]
    return None


def _restricting(element: int, region: Region) -> CaseChange:
    return lambda tableau: tableau.restrict(element, region)


def holds(test: Expression, case: Tableau) -> bool:
    """Whether a condition is true in a case."""
    return truth(test, case, case.atoms) is True


def truth(test: Expression, case: Tableau, atoms: Sequence[int]) -> CaseTruth:
    """The truth value of a condition in a case, its atoms being rows of it; None is NULL."""
    match test:
        case And(parts):
            values = [truth(part, case, atoms) for part in parts]
            return False if False in values else None if None in values else True
        case Or(parts):
            values = [truth(part, case, atoms) for part in parts]
            return True if True in values else None if None in values else False
        case Not(part):
            value = truth(part, case, atoms)
            return None if value is None else not value
        case IsTrue(part):
            return truth(part, case, atoms) is True
        case IsNull(Constant(kind)):
            return kind == "null"
        case IsNull(Field() as field):
            return _element(field, case, atoms) == NULL
        case Constant(kind):
            return None if kind == "null" else value_of(test) != 0
        case Compare(operator, Constant() as left, Constant() as right):
            return _compared(operator, _plain(left), _plain(right))
        case Compare(operator, Field() as field, Constant() as constant):
            return _against(operator, _element(field, case, atoms), constant, case, is_left=True)
        case Compare(operator, Constant() as constant, Field() as field):
            return _against(operator, _element(field, case, atoms), constant, case, is_left=False)
    raise OutsideError("a condition")


def _element(field: Field, case: Tableau, atoms: Sequence[int]) -> int:
    return case.rows[atoms[field.row.number]][1][str(field.column)]


def _plain(constant: Constant) -> RegionValue | None:
    return None if constant.kind == "null" else value_of(constant)


def _compared(operator: str, left: RegionValue | None, right: RegionValue | None) -> CaseTruth:
    if operator == "IS":
        return left == right
    if left is None or right is None:
        return None
    if operator == "=":
        return left == right
    less = left < right  # type: ignore[operator]
    return less if operator == "<" else less or left == right


def _against(operator: str, element: int, constant: Constant, case: Tableau, *, is_left: bool) -> CaseTruth:
    """The comparison of an element with a constant: its region says on which side it is."""
    value = _plain(constant)
    region = None if element == NULL else case.regions[element]
    if operator == "IS" and (value is None or element == NULL):
        return value is None and element == NULL
    if element == NULL or value is None:
        return None
    assert region is not None
    some: RegionValue
    if region.only is not None:
        some = region.only
    elif operator in ("=", "IS"):
        return False
    elif region.low is not None:
        some = region.low
    else:
        assert region.high is not None
        some = region.high
    return _compared(operator, some, value) if is_left else _compared(operator, value, some)
