"""What came of a suite: what its databases kill, and how much of the engine's judgement they keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from equiv.eval.suite.bench import Mark
from equiv.eval.suite.questions import Kind
from equiv.eval.suite.script import Script
from equiv.eval.suite.shelf import Kept, Shelf

REFUTED = (Kind.WRONG, Kind.STRICTER, Kind.MUTANT, Kind.INVALID)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A suite, and what it was made of."""

    script: Script
    shelves: tuple[Shelf, ...]
    unusable: int
    """Records without a database, or without a gold query that runs."""
    mutants: Mapping[str, int]
    """The mutants that were tried, by verdict."""

    def of(self, *kinds: Kind) -> list[tuple[Shelf, Mark]]:
        """The rivals of some kinds."""
        return [
            (shelf, (place, at))
            for shelf in self.shelves
            for place, question in enumerate(shelf.questions)
            for kind in kinds
            for at in question.of(kind)
        ]

    def share(self, *kinds: Kind, databases: int | None = None) -> tuple[int, int]:
        """How many rivals of some kinds the first databases of each shelf kill, and of how many."""
        rivals = self.of(*kinds)
        kills = {shelf.db_id: _kills(shelf.kept[:databases]) for shelf in self.shelves}
        return sum(mark in kills[shelf.db_id] for shelf, mark in rivals), len(rivals)

    @property
    def runs(self) -> int:
        """The most databases that one ``db_id`` has."""
        return max(len(shelf.kept) for shelf in self.shelves)

    @property
    def survivors(self) -> list[tuple[Shelf, Mark]]:
        """Refuted and invalid predictions and mutants that no database kills."""
        return [(shelf, mark) for shelf, mark in self.of(*REFUTED) if mark not in shelf.kills]


def _kills(kept: tuple[Kept, ...]) -> frozenset[Mark]:
    return frozenset[Mark]().union(*(each.kills for each in kept))
