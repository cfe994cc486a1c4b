"""The first examples of a hypothesis strategy, the same for the same seed."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy


def examples_of(strategy: SearchStrategy[str], number: int, start: int) -> list[str]:
    """So many texts that a strategy draws; equal ones are there once."""
    texts: dict[str, None] = {}

    @seed(start)
    @settings(
        max_examples=number,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(text: str) -> None:
        texts[text] = None

    draw()
    return list(texts)
