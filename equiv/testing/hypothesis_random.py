"""A random.Random that draws from hypothesis, so that examples made with it shrink and replay."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

_STEPS = 100
"""Few: of ranges above 127, hypothesis draws small numbers more often than others."""


class Drawn(Random):
    """A :class:`random.Random` whose numbers hypothesis draws; they shrink to the first of several options.

    A number between 0 and 1 shrinks to the top: makers ask ``random() < probability`` for what is seldom.
    """

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        below_top: int = self._draw(st.integers(0, _STEPS - 1))
        return (_STEPS - 1 - below_top) / _STEPS

    def getrandbits(self, k: int, /) -> int:
        number: int = self._draw(st.integers(0, 2**k - 1))
        return number

    def _randbelow(self, n: int) -> int:
        number: int = self._draw(st.integers(0, n - 1))
        return number
