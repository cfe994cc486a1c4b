"""Tableaux: the rows of a frozen body, their cells elements, with what is known of each element.

An element stands for one value; NULL is the element :data:`NULL`.  Elements that are known to be equal are
one.  The chase (Johnson and Klug, 1984; for bags Chirkova and Genesereth, 2009) makes rows that agree in a
key one row, and adds the row that a foreign key asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from equiv.fragment.constraints import Constraints, Names
from equiv.fragment.queries import Block, Cell, Null, OutsideError, Sort
from equiv.fragment.regions import ContradictionError, Region, Value

NULL = -1

MOST_ROWS = 60
"""Bodies that the chase makes larger are outside."""

Row = tuple[str, dict[str, int]]


@dataclass
class Tableau:
    """Rows over elements; changed in place while it is made."""

    constraints: Constraints
    rows: dict[int, Row] = field(default_factory=dict)
    atoms: list[int] = field(default_factory=list)
    """The row of each atom of the block, in order."""
    head: list[int] = field(default_factory=list)
    """The elements of the outputs."""
    regions: dict[int, Region | None] = field(default_factory=dict)
    """What is known of each element; None: not even that it is not NULL."""
    sorts: dict[int, Sort | None] = field(default_factory=dict)
    """None is the sort of a constant."""
    constants: dict[Value, int] = field(default_factory=dict)
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

    def element(self, sort: Sort | None, region: Region | None) -> int:
        """A new element."""
        self._next += 1
        self.regions[self._next], self.sorts[self._next] = region, sort
        return self._next

    def constant(self, value: Value) -> int:
        """The element of a constant."""
        if value not in self.constants:
            self.constants[value] = self.element(None, Region(only=value))
        return self.constants[value]

    def add_row(self, table: str, given: Mapping[str, int]) -> int:
        """A new row, with new elements where none are given."""
        if len(self.rows) >= MOST_ROWS:
            raise OutsideError(f"a body of more than {MOST_ROWS} rows")
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

    def cell(self, cell: Cell) -> int:
        """The element of a cell of an atom of the block."""
        return self.rows[self.atoms[cell[0]]][1][cell[1]]

    def restrict(self, element: int, region: Region) -> None:
        """Say of an element that it is in a region, and so not NULL.

        Raises:
            ContradictionError: it cannot be.
        """
        if element == NULL:
            raise ContradictionError
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
            raise ContradictionError
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
            raise ContradictionError
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
        seen: dict[tuple[str, Names, tuple[int, ...]], int] = {}
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
    def _holds(row: Row, table: str, wanted: Mapping[str, int]) -> bool:
        return row[0] == table and all(row[1][name] == value for name, value in wanted.items())

    def columns(self) -> dict[int, list[tuple[str, str]]]:
        """The columns in which each element stands."""
        found: dict[int, list[tuple[str, str]]] = {}
        for table, cells in self.rows.values():
            for column, element in cells.items():
                found.setdefault(element, []).append((table, column))
        return found


def frozen(block: Block, constraints: Constraints) -> Tableau:
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
