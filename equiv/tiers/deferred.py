"""A tier that is made when a pair first reaches it, so that what it needs is imported only then."""

from __future__ import annotations

from collections.abc import Callable

from equiv.answers.pair import Pair
from equiv.tiers.outcome import Outcome, Settler
from equiv.verdict import Tier


class Deferred:
    """Stands for the tier that ``make`` gives."""

    def __init__(self, tier: Tier, make: Callable[[], Settler]) -> None:
        self.tier = tier
        self._make = make
        self._made: Settler | None = None

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """What the tier says of a pair."""
        if self._made is None:
            self._made = self._make()
        return self._made.settle(pair, effort)
