"""The difference of two systems on the items that both have: a paired test and an interval.

Source: Q. McNemar, Psychometrika 12 (1947): of the items on which two systems part, either is right as often
as the other if they are equally good, so that the number of one side is binomial.  The p-value is exact and
two-sided.  The interval of the difference is a percentile bootstrap over items.  S. Holm, Scand. J.
Statist. 6 (1979): with several comparisons p-values are adjusted, the smallest by their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from equiv.errors import InputError
from equiv.eval.metrics.agreement import Figure, resampled, with_interval

LEVEL = 0.05
"""The p-value below which a difference is called real."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two systems on their common items."""

    both: int
    """Items that both have right."""
    first: int
    """Items that the first alone has right."""
    second: int
    neither: int
    difference: Figure
    """The share of the first less that of the second."""
    p: float
    """Of McNemar's exact test; adjusted if it is one of several."""

    @property
    def items(self) -> int:
        """How many items both have."""
        return self.both + self.first + self.second + self.neither

    @property
    def is_real(self) -> bool:
        """Whether chance alone would seldom make so large a difference."""
        return self.p < LEVEL

    @property
    def points(self) -> str:
        """How many percentage points more the first has, with the interval."""
        value, low, high = (
            100 * one for one in (self.difference.value, self.difference.low, self.difference.high)
        )
        return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"

    @property
    def verdict(self) -> str:
        """The test's answer in words."""
        if not self.first + self.second:
            return "no difference"
        return "a real difference" if self.is_real else "may be chance"


def paired(outcomes: Iterable[tuple[bool, bool]] | Counter[tuple[bool, bool]]) -> Paired:
    """The comparison of two systems by their scores of the same items.

    Args:
        outcomes: the score of the first and of the second, item by item, or how often each comes up.

    Raises:
        InputError: scipy is not installed.
    """
    counts = Counter(outcomes)
    both, first, second, neither = (counts[kind] for kind in _KINDS)
    items = max(counts.total(), 1)
    _, drawn_first, drawn_second, _ = resampled(counts, _KINDS)
    difference = with_interval((first - second) / items, (drawn_first - drawn_second) / items)
    return Paired(both, first, second, neither, difference, mcnemar(first, second))


_KINDS = [(True, True), (True, False), (False, True), (False, False)]


def mcnemar(first: int, second: int) -> float:
    """The exact two-sided p-value where so many items are right by the first or by the second alone.

    Raises:
        InputError: scipy is not installed.
    """
    try:
        from scipy.special import bdtr  # scipy.stats takes a second to load
    except ModuleNotFoundError:
        raise InputError("a paired test needs scipy: pip install -e '.[eval]'") from None
    # At a probability of one half both tails are alike.
    return min(1.0, 2 * float(bdtr(min(first, second), first + second, 0.5)))


def adjusted(comparisons: Sequence[Paired]) -> list[Paired]:
    """The comparisons with their p-values adjusted by Holm, in their order."""
    order = sorted(range(len(comparisons)), key=lambda place: comparisons[place].p)
    found = list(comparisons)
    reached = 0.0
    for rank, place in enumerate(order):
        reached = max(reached, min(1.0, (len(order) - rank) * comparisons[place].p))
        found[place] = replace(comparisons[place], p=reached)
    return found


def p_text(p: float) -> str:
    """A p-value as it is written."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
