"""The circuit for "the possible answers of two queries over symbolic tables are disjoint"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from equiv.algebra import terms
from equiv.algebra.terms import Answer
from equiv.relation import Columns, Relation, Rows
from equiv.search.circuit import FALSE, Literal
from equiv.search.counts import Counts
from equiv.search.evaluate import Evaluator, Row
from equiv.search.order import Ranking, Window
from equiv.search.values import Value, Values

MAX_PERMUTATIONS = 24
"""How many permutations of columns a difference is asked to hold under; replay looks at the others."""

_Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One query's rows, cut by its LIMIT."""

    answer: Answer
    rows: list[tuple[Literal, _Row]]
    """With their keys, before the cut."""
    visible: list[_Row]
    window: Window

    @property
    def is_cut(self) -> bool:
        return self.window.there is not self.window.certain


class Difference:
    """Compares two answers under a relation."""

    def __init__(self, values: Values, tables: Mapping[str, Sequence[Row]], relation: Relation) -> None:
        self._values = values
        self._circuit = values.circuit
        self._counts = Counts(values.circuit)
        self._ranking = Ranking(values, self._counts)
        self._evaluators = [Evaluator(values, tables, backwards) for backwards in (False, True)]
        self._relation = relation

    def literal(self, pred: Answer, gold: Answer) -> Literal:
        """Whether the answers differ, also where free choices fall on the last of tied rows, not the first.

        Among three tied rows that is not every choice: replay looks at the others.
        """
        lefts, rights = (self._sides(answer) for answer in (pred, gold))
        return self._circuit.all([self._differ(left, right) for left in lefts for right in rights])

    @property
    def rules(self) -> list[Literal]:
        """The constraints under which no free choice below the top level decides."""
        return [literal for evaluator in self._evaluators for literal in evaluator.rules]

    def _sides(self, answer: Answer) -> list[_Side]:
        ways = self._evaluators if terms.sites(answer) else self._evaluators[:1]
        return [self._side(answer, evaluator) for evaluator in ways]

    def _differ(self, left: _Side, right: _Side) -> Literal:
        if self._relation.columns is Columns.ORDERED:
            return self._apart(left, right)
        orders = islice(permutations(range(right.answer.visible)), MAX_PERMUTATIONS)
        return self._circuit.all([self._apart(left, _turned(right, order)) for order in orders])

    def _side(self, answer: Answer, evaluator: Evaluator) -> _Side:
        found = evaluator.bag(answer.bag, {})
        rows = [(there, row) for there, row in found if there != FALSE]
        stop = None if answer.limit is None else answer.offset + answer.limit
        window = self._ranking.window(rows, answer.visible, answer.directions, answer.offset, stop)
        return _Side(answer, rows, [row[: answer.visible] for _, row in rows], window)

    def _apart(self, left: _Side, right: _Side) -> Literal:
        circuit = self._circuit
        both = circuit.both(left.window.determined, right.window.determined)
        parts = [circuit.both(both, self._unequal(left, left.window.there, right, right.window.there))]
        if left.is_cut or right.is_cut:
            parts.append(self._unequal(left, left.window.certain, right, right.window.possible))
            parts.append(self._unequal(right, right.window.certain, left, left.window.possible))
        if self._relation.rows is not Rows.SET:
            more = self._counts.more
            parts.append(more(left.window.there, right.window.there))
            parts.append(more(right.window.there, left.window.there))
        elif not (left.is_cut or right.is_cut):
            parts.append(self._unequal(right, right.window.there, left, left.window.there))
        else:
            parts.append(
                circuit.both(both, self._unequal(right, right.window.there, left, left.window.there))
            )
        if self._relation.rows is Rows.LIST:
            parts.append(self._misplaced(left, right))
        return circuit.any(parts)

    def _unequal(
        self, left: _Side, taken: Sequence[Literal], right: _Side, matched: Sequence[Literal]
    ) -> Literal:
        """Whether the left side has a row more often than the right one; for sets, one that it lacks."""
        circuit = self._circuit
        mine, yours = self._grouped(left, taken), self._grouped(right, matched)
        literals = []
        for row in mine:
            there = circuit.any(mine[row])
            theirs = list(self._copies(row, yours))
            if self._relation.rows is Rows.SET:
                literals.append(circuit.both(there, -circuit.any(theirs)))
            else:
                more = self._counts.more(list(self._copies(row, mine)), theirs)
                literals.append(circuit.both(there, more))
        return circuit.any(literals)

    def _grouped(self, side: _Side, taken: Sequence[Literal]) -> dict[_Row, list[Literal]]:
        """The literals of rows by what they hold: rows with the very same values are compared once."""
        found: dict[_Row, list[Literal]] = {}
        for row, there in zip(side.visible, taken, strict=True):
            if there != FALSE:
                found.setdefault(row, []).append(there)
        return found

    def _copies(self, row: _Row, rows: dict[_Row, list[Literal]]) -> Iterator[Literal]:
        for other, guards in rows.items():
            self._circuit.spend()
            same = self._values.alike(row, other)
            if same != FALSE:
                yield from (self._circuit.both(there, same) for there in guards)

    def _misplaced(self, left: _Side, right: _Side) -> Literal:
        """Whether some position holds different rows, neither of which may stand elsewhere."""
        circuit = self._circuit
        mine, yours = self._placed(left), self._placed(right)
        found = []
        for position in set(mine) & set(yours):
            for there, row in mine[position]:
                for other_there, other in yours[position]:
                    both = circuit.both(there, other_there)
                    found.append(circuit.both(both, -self._values.alike(row, other)))
        return circuit.any(found)

    def _placed(self, side: _Side) -> dict[int, list[tuple[Literal, _Row]]]:
        answer = side.answer
        positions = self._ranking.positions(side.rows, answer.visible, answer.directions)
        found: dict[int, list[tuple[Literal, _Row]]] = {}
        for (there, _), row, (exact, fixed) in zip(side.rows, side.visible, positions, strict=True):
            for position, literal in enumerate(exact):
                at = position - answer.offset
                here = self._circuit.all([there, fixed, literal])
                if here != FALSE and at >= 0 and (answer.limit is None or at < answer.limit):
                    found.setdefault(at, []).append((here, row))
        return found


def _turned(side: _Side, order: Sequence[int]) -> _Side:
    return _Side(
        side.answer, side.rows, [tuple(row[at] for at in order) for row in side.visible], side.window
    )
