"""Classes of equal cells of a sketch, closed under keys: the chase with equalities.

Rows that the facts ask for besides (of a parent, say) are made when the sketch becomes a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from equiv.core.reading.goals import Place
from equiv.generate.canonical.sketches import COPY, Sketch
from equiv.generate.rows.specs import TableSpec


def classes_of(sketch: Sketch, tables: list[str], specs: Mapping[str, TableSpec]) -> dict[Place, int]:
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
        self._parent: dict[Place, Place] = {}

    def add(self, places: Iterable[Place]) -> None:
        for place in places:
            self._parent.setdefault(place, place)

    def merge(self, one: Place, other: Place) -> None:
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

    def numbers(self) -> dict[Place, int]:
        """The number of each cell's class, from 0 on."""
        found: dict[Place, int] = {}
        return {place: found.setdefault(self._root(place), len(found)) for place in self._parent}

    def _agree(self, one: int, other: int, name: str) -> bool:
        left, right = (one, name), (other, name)
        known = left in self._parent and right in self._parent
        return known and self._root(left) == self._root(right)

    def _root(self, place: Place) -> Place:
        while self._parent[place] != place:
            place = self._parent[place]
        return place
