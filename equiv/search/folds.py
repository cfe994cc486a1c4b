"""Folds over symbolic rows: aggregates over the cells that arguments may be, and places in an order.

An order says which rows a LIMIT takes, and at which position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from equiv.algebra.terms import Direction
from equiv.core.query import UnsupportedError
from equiv.search.circuit import FALSE, TRUE, Counts, Literal, TooLargeError
from equiv.search.values import MAX_CASES, Exact, NumberedCells, Symbolic, SymbolicValues

SymbolicRows = Sequence[tuple[Literal, tuple[Symbolic, ...]]]
"""Under which literal a row is there, and the row."""

_Sum = tuple[Exact, bool, int]
"""The total so far (None: no summand yet), whether a REAL is among the summands, and their number."""

_State = TypeVar("_State")


def aggregate(function: str, rows: SymbolicRows, values: SymbolicValues, counts: Counts) -> Symbolic:
    """An aggregate, by its name in the algebra, of which the first column of the rows is the argument.

    Raises:
        TooLargeError: the result may be too many cells.
        UnsupportedError: a GROUP_CONCAT whose separators vary.
        UnsupportedError: the function is not modelled.
    """
    # Aggregates skip NULL arguments; COUNT(*) has a literal as its argument.
    counted_rows = [(values.circuit.both(there, -values.null(row[0])), row) for there, row in rows]
    counted_rows = [(there, row) for there, row in counted_rows if there != FALSE]
    match function:
        case "COUNT":
            exact = counts.exactly([there for there, _ in counted_rows])
            return values.gather((values.cells.number(n), literal) for n, literal in enumerate(exact))
        case "MIN" | "MAX":
            return _extreme(counted_rows, values, last=function == "MAX")
        case "SUM" | "TOTAL" | "AVG" | "LINEAR":
            return _sum(function, counted_rows, values)
        case "GROUP_CONCAT":
            return _concatenation(counted_rows, values)
    raise UnsupportedError("AggFunc", f"{function} over symbolic rows")


def _extreme(rows: SymbolicRows, values: SymbolicValues, *, last: bool) -> Symbolic:
    circuit, order = values.circuit, values.cells.order
    present: dict[int, list[Literal]] = {}
    for there, row in rows:
        for number, literal in row[0].cases.items():
            if number != values.cells.null:
                present.setdefault(number, []).append(circuit.both(there, literal))
    open_, cases = TRUE, []
    for number in sorted(present, key=lambda n: order[n], reverse=last):
        here = circuit.any(present[number])
        cases.append((number, circuit.both(open_, here)))
        open_ = circuit.both(open_, -here)
    return values.gather([*cases, (values.cells.null, open_)])


def _sum(function: str, rows: SymbolicRows, values: SymbolicValues) -> Symbolic:
    counted = function == "AVG"
    summands = _Summands(values.cells)

    def step(state: _Sum, number: int) -> _Sum:
        total = summands.add(state[0], number)
        return total, isinstance(total, Fraction), state[2] + counted

    start: _Sum = (None, False, 0)
    states = _fold(rows, values, start, step)
    cases = ((_result(function, total, n), literal) for (total, _, n), literal in states.items())
    return values.gather((values.cells.number(value), literal) for value, literal in cases)


class _Summands:
    """The numbers that SUM takes cells for."""

    def __init__(self, cells: NumberedCells) -> None:
        self._cells = cells
        self._known: dict[int, int | Fraction] = {}

    def add(self, total: Exact, number: int) -> Exact:
        if number not in self._known:
            self._known[number] = self._summand(number)
        summand = self._known[number]
        if total is None:
            return summand
        assert isinstance(total, int | Fraction)
        whole = isinstance(total, int) and isinstance(summand, int)
        return total + summand if whole else Fraction(total) + summand

    def _summand(self, number: int) -> int | Fraction:
        value = self._cells.value(number)
        if isinstance(value, str | bytes):
            value = self._cells.value(self._cells.call("SUM", (number,)))
        assert isinstance(value, int | Fraction)
        return value


def _result(function: str, total: Exact, count: int) -> Exact:
    if total is None:
        # Over no rows SUM and AVG are NULL, TOTAL is 0.0.
        return Fraction(0) if function == "TOTAL" else 0 if function == "LINEAR" else None
    assert isinstance(total, int | Fraction)
    match function:
        case "AVG":
            return Fraction(total) / count
        case "TOTAL":
            return Fraction(total)
    return total


def _concatenation(rows: SymbolicRows, values: SymbolicValues) -> Symbolic:
    """The concatenation in *one* order, that of the cells, so that equal bags give equal texts."""
    cells = values.cells

    def step(state: tuple[int, ...], number: int) -> tuple[int, ...]:
        return tuple(sorted((*state, number)))

    separators = {row[1] for _, row in rows if len(row) > 1}
    if any(len(separator.cases) > 1 for separator in separators) or len(separators) > 1:
        raise UnsupportedError("GroupConcat", "several separators")
    between = [cells.cell(number) for separator in separators for number in separator.cases]
    glue = str(between[0] or "") if between else ","
    start: tuple[int, ...] = ()
    states = _fold(rows, values, start, step)

    def joined(parts: tuple[int, ...]) -> Exact:
        texts = (cells.value(cells.call("AS TEXT", (part,))) for part in parts)
        return glue.join(map(str, texts)) if parts else None

    return values.gather((cells.number(joined(state)), literal) for state, literal in states.items())


def _fold(
    rows: SymbolicRows, values: SymbolicValues, start: _State, step: Callable[[_State, int], _State]
) -> dict[_State, Literal]:
    """The states that the rows may lead to, each with its literal."""
    circuit, null = values.circuit, values.cells.null
    states: dict[_State, Literal] = {start: TRUE}
    for there, row in rows:
        moves: dict[_State, list[Literal]] = {}
        cases = [(n, circuit.both(there, lit)) for n, lit in row[0].cases.items() if n != null]
        for state, reached in states.items():
            moves.setdefault(state, []).append(circuit.both(reached, -there))
            for number, literal in cases:
                taken = circuit.both(reached, literal)
                if taken != FALSE:
                    moves.setdefault(step(state, number), []).append(taken)
        states = _joined(moves.items(), values)
    return states


def _joined(moves: Iterable[tuple[_State, list[Literal]]], values: SymbolicValues) -> dict[_State, Literal]:
    found = {state: values.circuit.any(literals) for state, literals in moves}
    states = {state: literal for state, literal in found.items() if literal != FALSE}
    if len(states) > MAX_CASES:
        raise TooLargeError("an aggregate with too many cases")
    return states


@dataclass(frozen=True, slots=True)
class CutRows:
    """The rows that OFFSET and LIMIT take, as literals: one entry a row in each list."""

    there: list[Literal]
    """Whether the row is taken, ties broken by place."""
    certain: list[Literal]
    """Whether it is taken however ties fall."""
    possible: list[Literal]
    """Whether it is taken if ties fall well."""
    determined: Literal
    """Whether the taken rows are the same bag however ties fall."""


class Ranking:
    """Compares rows by their keys, which stand last in them."""

    def __init__(self, values: SymbolicValues, counts: Counts) -> None:
        self._values = values
        self._counts = counts
        self._circuit = values.circuit

    def window(
        self, rows: SymbolicRows, visible: int, directions: Sequence[Direction], start: int, stop: int | None
    ) -> CutRows:
        """The rows at the positions from ``start`` up to ``stop``; their keys follow the visible columns."""
        guards = [there for there, _ in rows]
        if start == 0 and (stop is None or len(rows) <= stop):
            return CutRows(guards, guards, guards, TRUE)
        before, tied = self.relations(rows, visible, directions)
        taken, certain, possible = [], [], []
        for at, there in enumerate(guards):
            ahead = before[at] + tied[at][:at]
            level = before[at] + tied[at]
            taken.append(self._within(there, ahead, ahead, start, stop))
            certain.append(self._within(there, before[at], level, start, stop))
            possible.append(self._within(there, level, before[at], start, stop))
        return CutRows(taken, certain, possible, self._determined(rows, visible, tied, taken))

    def relations(
        self, rows: SymbolicRows, visible: int, directions: Sequence[Direction]
    ) -> tuple[list[list[Literal]], list[list[Literal]]]:
        """Literals by pairs of rows.

        Returns:
            ``before[i][j]``: row j is there and sorts before row i; ``tied[i][j]``: it is there and ties.
        """
        keys = [row[visible:] for _, row in rows]
        size = range(len(rows))
        before: list[list[Literal]] = [[FALSE] * len(rows) for _ in size]
        tied: list[list[Literal]] = [[FALSE] * len(rows) for _ in size]
        for i in size:
            for j in range(i):
                self._circuit.spend()
                first, second, level = self.compare(keys[i], keys[j], directions)
                there_i, there_j = rows[i][0], rows[j][0]
                before[j][i] = self._circuit.both(there_i, first)
                before[i][j] = self._circuit.both(there_j, second)
                tied[i][j] = self._circuit.both(there_j, level)
                tied[j][i] = self._circuit.both(there_i, level)
        return before, tied

    def compare(
        self, left: Sequence[Symbolic], right: Sequence[Symbolic], directions: Sequence[Direction]
    ) -> tuple[Literal, Literal, Literal]:
        """Whether the left keys come first, the right ones do, and whether they are level."""
        circuit = self._circuit
        first, second, level = FALSE, FALSE, TRUE
        for a, b, direction in zip(left, right, directions, strict=True):
            if level == FALSE:
                break
            first = circuit.either(first, circuit.both(level, self._precedes(a, b, direction)))
            second = circuit.either(second, circuit.both(level, self._precedes(b, a, direction)))
            level = circuit.both(level, self._values.is_(a, b))
        return first, second, level

    def numbered(
        self,
        rows: SymbolicRows,
        visible: int,
        partition: int,
        directions: Sequence[Direction],
        rules: list[Literal],
    ) -> list[Symbolic]:
        """The ROW_NUMBER of each row in its partition; that ties do not matter is added to the rules."""
        circuit, cells = self._circuit, self._values.cells
        parts = [row[visible : visible + partition] for _, row in rows]
        start = visible + partition
        before, tied = self.relations(rows, start, directions)
        numbers = []
        for i, (there, row) in enumerate(rows):
            ahead = []
            for j in range(len(rows)):
                if i == j:
                    continue
                near = self._values.alike(parts[i], parts[j])
                if j < i:
                    same = self._values.alike(row[:visible], rows[j][1][:visible])
                    rules.append(-circuit.all([there, near, tied[i][j], -same]))
                earlier = circuit.either(before[i][j], tied[i][j]) if j < i else before[i][j]
                ahead.append(circuit.both(near, earlier))
            exact = enumerate(self._counts.exactly(ahead), 1)
            numbers.append(self._values.gather((cells.number(n), literal) for n, literal in exact))
        return numbers

    def positions(
        self, rows: SymbolicRows, visible: int, directions: Sequence[Direction]
    ) -> list[tuple[list[Literal], Literal]]:
        """Literals of the positions of each row.

        Returns:
            for each row, the literals "its position is 0", 1, …; and "no tie can move the row".
        """
        before, tied = self.relations(rows, visible, directions)
        positions = []
        for i, (_, row) in enumerate(rows):
            others = [
                self._circuit.both(tied[i][j], -self._values.alike(row[:visible], other[:visible]))
                for j, (_, other) in enumerate(rows)
                if tied[i][j] != FALSE
            ]
            exact = self._counts.exactly(before[i] + tied[i][:i])
            positions.append((exact, -self._circuit.any(others)))
        return positions

    def _precedes(self, left: Symbolic, right: Symbolic, direction: Direction) -> Literal:
        values, circuit = self._values, self._circuit
        less = values.less(right, left) if direction.descending else values.less(left, right)
        null, other = values.null(left), values.null(right)
        lone = circuit.both(null, -other) if direction.nulls_first else circuit.both(other, -null)
        return circuit.either(less, lone)

    def _within(
        self, there: Literal, low: list[Literal], high: list[Literal], start: int, stop: int | None
    ) -> Literal:
        """Whether a row is there, ``start`` of one list hold, and fewer than ``stop`` of the other."""
        begun = self._counts.reach(low, start)
        ended = FALSE if stop is None else self._counts.reach(high, stop)
        return self._circuit.all([there, begun, -ended])

    def _determined(
        self, rows: SymbolicRows, visible: int, tied: list[list[Literal]], taken: list[Literal]
    ) -> Literal:
        circuit = self._circuit
        parts = []
        for i, (there, row) in enumerate(rows):
            for j in range(i):
                if tied[i][j] == FALSE or taken[i] == taken[j]:
                    continue
                same = self._values.alike(row[:visible], rows[j][1][:visible])
                level = circuit.all([there, tied[i][j], -same])
                parts.append(circuit.either(-level, circuit.same(taken[i], taken[j])))
        return circuit.all(parts)
