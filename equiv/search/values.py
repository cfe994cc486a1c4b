"""Symbolic values: for each cell that a value may be, the literal under which it is.

The literals of a value's cells exclude one another and one of them always holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from equiv.cells import Cell
from equiv.search.cells import Cells
from equiv.search.circuit import FALSE, TRUE, Circuit, Literal, TooLargeError

MAX_CASES = 700
"""How many cells a value may range over."""

MAX_PRODUCT = 4000
"""How many combinations of argument cells a function is computed on."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A symbolic value: the number of each possible cell, with the literal under which it is the value."""

    cases: dict[int, Literal]


class Values:
    """Makes and compares symbolic values over one circuit."""

    def __init__(self, circuit: Circuit, cells: Cells) -> None:
        self.circuit = circuit
        self.cells = cells
        self._constants: dict[int, Value] = {}
        self._equal: dict[tuple[Value, Value], Literal] = {}
        self._less: dict[tuple[Value, Value], Literal] = {}
        self._sorted: dict[Value, list[tuple[tuple[int, object], Literal]]] = {}

    def constant(self, number: int) -> Value:
        """The value that is one cell."""
        if number not in self._constants:
            self._constants[number] = Value({number: TRUE})
        return self._constants[number]

    def free(self, numbers: Sequence[int], rules: list[Literal]) -> Value:
        """A value that may be any of some cells; "exactly one of them" is added to the rules."""
        if len(numbers) == 1:
            return self.constant(numbers[0])
        circuit = self.circuit
        literals = [circuit.variable() for _ in numbers]
        rules.append(circuit.any(literals))
        rules += [-circuit.both(a, b) for at, a in enumerate(literals) for b in literals[:at]]
        return Value(dict(zip(numbers, literals, strict=True)))

    def gather(self, cases: Iterable[tuple[int, Literal]]) -> Value:
        """The value of exclusive and exhaustive cases; a cell may occur several times.

        Raises:
            TooLargeError: it may be too many cells.
        """
        literals: dict[int, list[Literal]] = {}
        for number, literal in cases:
            if literal != FALSE:
                literals.setdefault(number, []).append(literal)
        if len(literals) > MAX_CASES:
            raise TooLargeError("a value of too many cases")
        circuit = self.circuit
        return Value({n: ls[0] if len(ls) == 1 else circuit.any(ls) for n, ls in literals.items()})

    def choice(self, branches: Iterable[tuple[Literal, Value]], default: Value) -> Value:
        """The value of the first branch whose literal holds, or else the default."""
        circuit, open_ = self.circuit, TRUE
        cases: list[tuple[int, Literal]] = []
        for condition, value in branches:
            taken = circuit.both(open_, condition)
            if taken != FALSE:
                cases += [(number, circuit.both(taken, lit)) for number, lit in value.cases.items()]
            open_ = circuit.both(open_, -condition)
        if open_ != FALSE:
            cases += [(number, circuit.both(open_, lit)) for number, lit in default.cases.items()]
        return self.gather(cases)

    def apply(self, function: str, arguments: Sequence[Value]) -> Value:
        """A function of SQLite on values, computed on every combination of their cells."""
        return self._over(arguments, lambda numbers: self.cells.call(function, numbers))

    def computed(self, compute: Callable[[tuple[Cell, ...]], Cell], arguments: Sequence[Value]) -> Value:
        """A function of cells, as SQLite takes and returns them, on values."""
        cells = self.cells
        return self._over(arguments, lambda numbers: cells.of(compute(tuple(map(cells.cell, numbers)))))

    def _over(self, arguments: Sequence[Value], call: Callable[[tuple[int, ...]], int]) -> Value:
        """A function on every combination of the arguments' cells."""
        size = 1
        for argument in arguments:
            size *= len(argument.cases)
        if size > MAX_PRODUCT:
            raise TooLargeError("a function of too many combinations")
        self.circuit.spend(size)
        cases = []
        for combination in product(*(argument.cases.items() for argument in arguments)):
            holds = self.circuit.all([literal for _, literal in combination])
            if holds != FALSE:
                cases.append((call(tuple([number for number, _ in combination])), holds))
        return self.gather(cases)

    def null(self, value: Value) -> Literal:
        """Whether a value is NULL."""
        return value.cases.get(self.cells.null, FALSE)

    def equal(self, left: Value, right: Value) -> Literal:
        """Whether two values are equal and not NULL."""
        key = (left, right)
        found = self._equal.get(key)
        if found is None:
            both = [(a, b) for cell, a, b in self._shared(left, right) if cell != self.cells.null]
            found = self.circuit.any([self.circuit.both(a, b) for a, b in both])
            self._equal[key] = self._equal[right, left] = found
        return found

    def is_(self, left: Value, right: Value) -> Literal:
        """Whether two values are equal, NULL being equal to NULL."""
        if left is right:
            return TRUE
        nulls = self.circuit.both(self.null(left), self.null(right))
        return self.circuit.either(nulls, self.equal(left, right))

    def less(self, left: Value, right: Value) -> Literal:
        """Whether one value sorts before another, neither being NULL."""
        key = (left, right)
        found = self._less.get(key)
        if found is None:
            found = self._less[key] = self._compare(left, right)
        return found

    def alike(self, left: Sequence[Value], right: Sequence[Value]) -> Literal:
        """Whether two rows are the same, NULL being equal to NULL."""
        return self.circuit.all([self.is_(a, b) for a, b in zip(left, right, strict=True)])

    def sorted_cases(self, value: Value) -> list[tuple[tuple[int, object], Literal]]:
        """The cases of a value without NULL, in SQLite's sort order.

        Returns:
            (sort key of the cell, literal under which the value is that cell), sorted.
        """
        known = self._sorted.get(value)
        if known is None:
            order, null = self.cells.order, self.cells.null
            found = [(order[n], lit) for n, lit in value.cases.items() if n != null]
            known = self._sorted[value] = sorted(found, key=lambda case: case[0])
        return known

    def _shared(self, left: Value, right: Value) -> list[tuple[int, Literal, Literal]]:
        alike = self.cells.alike
        mine: dict[int, Literal] = {}
        for number, literal in left.cases.items():
            mine[alike[number]] = self.circuit.either(mine.get(alike[number], FALSE), literal)
        return [(alike[n], mine[alike[n]], literal) for n, literal in right.cases.items() if alike[n] in mine]

    def _compare(self, left: Value, right: Value) -> Literal:
        circuit, below, found = self.circuit, FALSE, []
        lower = self.sorted_cases(left)
        at = 0
        for key, literal in self.sorted_cases(right):
            while at < len(lower) and lower[at][0] < key:
                below = circuit.either(below, lower[at][1])
                at += 1
            found.append(circuit.both(below, literal))
        return circuit.any(found)
