"""Regions of values: what conditions with constants say of one element of a database."""

from __future__ import annotations

from dataclasses import dataclass

Value = int | str


class ContradictionError(Exception):
    """Nothing can be as conditions and facts ask together."""


@dataclass(frozen=True, slots=True)
class Region:
    """Values other than NULL: integers between bounds, or any values but some."""

    low: int | None = None
    """The least integer; None: no bound below."""
    high: int | None = None
    without: frozenset[Value] = frozenset()
    only: Value | None = None
    """The value, where there is one alone."""

    def meet(self, other: Region) -> Region:
        """The intersection.

        Raises:
            ContradictionError: it is empty.
        """
        low = max((b for b in (self.low, other.low) if b is not None), default=None)
        high = min((b for b in (self.high, other.high) if b is not None), default=None)
        only = self.only if self.only is not None else other.only
        if other.only is not None and other.only != only:
            raise ContradictionError
        return _settled(Region(low, high, self.without | other.without, only))

    def splits_at(self, bound: int) -> bool:
        """Whether it has integers below a bound, and others."""
        if self.only is not None:
            return False
        return (self.low is None or self.low < bound) and (self.high is None or self.high >= bound)

    def may_be(self, value: Value) -> bool:
        """Whether it has a value, and another one too."""
        if self.only is not None or value in self.without:
            return False
        return not isinstance(value, int) or _within(value, self.low, self.high)


def _settled(region: Region) -> Region:
    """A region in the one form that it has; so two are equal if they have the same values.

    Raises:
        ContradictionError: it is empty.
    """
    low, high, only = region.low, region.high, region.only
    while low is not None and low in region.without and (high is None or low <= high):
        low += 1
    while high is not None and high in region.without and (low is None or low <= high):
        high -= 1
    if low is not None and high is not None and low > high:
        raise ContradictionError
    if only is None and low is not None and low == high:
        only = low
    if only is None:
        kept = frozenset(v for v in region.without if not isinstance(v, int) or _within(v, low, high))
        return Region(low, high, kept)
    if only in region.without or (isinstance(only, int) and not _within(only, low, high)):
        raise ContradictionError
    return Region(only=only)


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)
