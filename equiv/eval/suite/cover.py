"""The fewest sets that cover what all of them cover: minimum set cover."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations
from math import comb
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
Item = TypeVar("Item", bound=Hashable)

MAX_TRIED = 20_000
"""So many combinations are looked through for a cover that is smaller than the greedy one."""


def fewest(sets: Mapping[Name, frozenset[Item]]) -> list[Name]:
    """A smallest choice of the sets whose union is that of all, largest gain first.

    Greedy, which is within ln n + 1 of the least (Chvatal 1979, A greedy heuristic for the set-covering
    problem), then exact as far as :data:`MAX_TRIED` combinations go.
    """
    chosen = greedy(sets)
    telling = {name: own for name, own in sets.items() if own}
    everything = frozenset().union(*telling.values())
    for size in range(1, len(chosen)):
        if comb(len(telling), size) > MAX_TRIED:
            break
        for some in combinations(telling, size):
            if frozenset().union(*(telling[name] for name in some)) == everything:
                return greedy({name: telling[name] for name in some})
    return chosen


def greedy(sets: Mapping[Name, frozenset[Item]]) -> list[Name]:
    """Sets that cover what all cover, each the one that adds most to those before it, the first of equals."""
    left = set().union(*sets.values())
    chosen: list[Name] = []
    while left:
        best = max(sets, key=lambda name: len(sets[name] & left))
        chosen.append(best)
        left -= sets[best]
    return chosen
