"""The base of the makers of random texts: toss a coin, pick one."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass
class Chances:
    """Chooses at random."""

    random: Random

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.random.random() < probability

    def pick(self, *options: str) -> str:
        """A random one of several texts."""
        return self.random.choice(options)
