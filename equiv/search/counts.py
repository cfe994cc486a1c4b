"""Cardinality circuits: literals for "exactly n" and "at least n" of some literals hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from equiv.search.circuit import FALSE, TRUE, Circuit, Literal


class Counts:
    """Counts literals of one circuit; equal questions share their answer."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._known: dict[tuple[Literal, ...], list[Literal]] = {}

    def exactly(self, literals: Iterable[Literal]) -> list[Literal]:
        """Literals by number: at index n, whether exactly n of the literals hold."""
        at_least = self.at_least(literals)
        ends = [*at_least[1:], FALSE]
        return [self._circuit.both(low, -high) for low, high in zip(at_least, ends, strict=True)]

    def at_least(self, literals: Iterable[Literal], most: int | None = None) -> list[Literal]:
        """Literals by number: at index n, whether at least n hold; n goes up to ``most``."""
        inputs = list(literals)
        certain = sum(literal == TRUE for literal in inputs)
        open_ = tuple(sorted(literal for literal in inputs if abs(literal) != TRUE))
        room = len(open_) if most is None else max(0, min(len(open_), most - certain))
        counts = self._known.get((*open_, room))
        if counts is None:
            counts = self._known[(*open_, room)] = self._count(open_, room)
        counted = [TRUE] * certain + counts
        return counted if most is None else counted[: most + 1]

    def reach(self, literals: Sequence[Literal], number: int) -> Literal:
        """Whether at least ``number`` of the literals hold."""
        if number <= 0:
            return TRUE
        counted = self.at_least(literals, number)
        return counted[number] if number < len(counted) else FALSE

    def more(self, left: Iterable[Literal], right: Iterable[Literal]) -> Literal:
        """Whether more of the left literals hold than of the right ones."""
        mine, yours = Counter(left), Counter(right)
        mine, yours = mine - yours, yours - mine
        high, low = self.at_least(mine.elements()), self.at_least(yours.elements())
        circuit = self._circuit
        below = [low[n] if n < len(low) else FALSE for n in range(len(high))]
        return circuit.any([circuit.both(high[n], -below[n]) for n in range(1, len(high))])

    def _count(self, literals: Sequence[Literal], room: int) -> list[Literal]:
        circuit = self._circuit
        found = [TRUE] + [FALSE] * room
        for literal in literals:
            for n in range(room, 0, -1):
                found[n] = circuit.either(found[n], circuit.both(found[n - 1], literal))
        return found
