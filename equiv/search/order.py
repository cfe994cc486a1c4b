"""Order among symbolic rows: which rows a LIMIT takes, and at which position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Direction
from equiv.search.aggregates import SymbolicRows
from equiv.search.circuit import FALSE, TRUE, Literal
from equiv.search.counts import Counts
from equiv.search.values import Value, Values


@dataclass(frozen=True, slots=True)
class Window:
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

    def __init__(self, values: Values, counts: Counts) -> None:
        self._values = values
        self._counts = counts
        self._circuit = values.circuit

    def window(
        self, rows: SymbolicRows, visible: int, directions: Sequence[Direction], start: int, stop: int | None
    ) -> Window:
        """The rows at the positions from ``start`` up to ``stop``; their keys follow the visible columns."""
        guards = [there for there, _ in rows]
        if start == 0 and (stop is None or len(rows) <= stop):
            return Window(guards, guards, guards, TRUE)
        before, tied = self.relations(rows, visible, directions)
        taken, certain, possible = [], [], []
        for at, there in enumerate(guards):
            ahead = before[at] + tied[at][:at]
            level = before[at] + tied[at]
            taken.append(self._within(there, ahead, ahead, start, stop))
            certain.append(self._within(there, before[at], level, start, stop))
            possible.append(self._within(there, level, before[at], start, stop))
        return Window(taken, certain, possible, self._determined(rows, visible, tied, taken))

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
        self, left: Sequence[Value], right: Sequence[Value], directions: Sequence[Direction]
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
    ) -> list[Value]:
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

    def _precedes(self, left: Value, right: Value, direction: Direction) -> Literal:
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
