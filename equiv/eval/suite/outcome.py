"""The outcome of a suite: rivals that its databases kill, and agreement with the engine's verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from equiv.eval.suite.bench import Mark
from equiv.eval.suite.part import Kept, SuitePart
from equiv.eval.suite.questions import RivalKind
from equiv.eval.suite.script import Script

REFUTED = (RivalKind.WRONG, RivalKind.STRICTER, RivalKind.MUTANT, RivalKind.INVALID)


@dataclass(frozen=True, slots=True)
class MadeSuite:
    """A suite, and what it was made of."""

    script: Script
    parts: tuple[SuitePart, ...]
    unusable: int
    """Records without a database, or without a gold query that runs."""
    mutants: Mapping[str, int]
    """The mutants that were tried, by verdict."""

    def of(self, *kinds: RivalKind) -> list[tuple[SuitePart, Mark]]:
        """The rivals of some kinds."""
        return [
            (part, (place, at))
            for part in self.parts
            for place, question in enumerate(part.questions)
            for kind in kinds
            for at in question.of(kind)
        ]

    def share(self, *kinds: RivalKind, databases: int | None = None) -> tuple[int, int]:
        """How many rivals of some kinds the first databases of each part kill, and of how many."""
        rivals = self.of(*kinds)
        kills = {part.db_id: _kills(part.kept[:databases]) for part in self.parts}
        return sum(mark in kills[part.db_id] for part, mark in rivals), len(rivals)

    @property
    def runs(self) -> int:
        """The most databases that one ``db_id`` has."""
        return max(len(part.kept) for part in self.parts)

    @property
    def survivors(self) -> list[tuple[SuitePart, Mark]]:
        """Refuted and invalid predictions and mutants that no database kills."""
        return [(part, mark) for part, mark in self.of(*REFUTED) if mark not in part.kills]


def _kills(kept: tuple[Kept, ...]) -> frozenset[Mark]:
    return frozenset[Mark]().union(*(each.kills for each in kept))
