"""Values beyond the pools for cells that conditions tie together; SQLite has the last word on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from equiv.cells import Cell, Row
from equiv.core.model import Column
from equiv.core.reading.goals import Place
from equiv.generate.canonical.ranges import candidates
from equiv.generate.scratch import Condition, Scratch

_GRID = {2: 60, 3: 14}
"""So many candidates of each of so many cells are tried together."""


MOST_CANDIDATES = 40_000
"""So many candidates are put to SQLite for one pair."""


@dataclass
class Means:
    """What one pair's questions beyond the pools share."""

    scratch: Scratch
    candidates: int = MOST_CANDIDATES
    """How many may still be tried."""

    @cached_property
    def context(self) -> object:
        """The solver's context: one for each pair, so that no pair depends on those before it."""
        from equiv.generate.canonical.models import new_context

        return new_context()


@dataclass(frozen=True)
class BeyondPools:
    """Cells, and the conditions that are to be met.

    Attributes:
        columns: the column that each cell is of.
        pools: values of each cell to begin with.
    """

    means: Means
    columns: Mapping[Place, Column]
    pools: Mapping[Place, Sequence[Cell]]
    conditions: Sequence[Condition]

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
        lists: dict[Place, list[Cell]] = {}
        for place, column in self.columns.items():
            portions = candidates(column, [node for node, _ in self.conditions], self.pools[place])
            lists[place] = self._among(place, portions, limit)
        if not all(lists.values()):
            return None
        return self._checked({place: values[:limit] for place, values in lists.items()})

    def _among(self, place: Place, portions: Iterator[list[Cell]], limit: int) -> list[Cell]:
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
        from equiv.generate.canonical.models import models

        for values in models(self.columns, self.conditions, self.means.context):
            found = self._checked({place: [values[place]] for place in self.columns})
            if found is not None:
                return found
        return None

    def _checked(self, lists: Mapping[Place, Sequence[Cell]]) -> Row | None:
        """Values of the lists on which SQLite finds all conditions as they should be."""
        rows = self.means.scratch.satisfying(self.conditions, self.columns, lists, 1)
        return rows[0] if rows else None


def _cells(node: exp.Expr) -> set[Place]:
    return {(int(column.table[1:]), column.name) for column in node.find_all(exp.Column)}
