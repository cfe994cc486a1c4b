"""Whatever reads the texts of strangers takes linear time, on texts that are written to upset it."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest
from kit.hostile_text import PATTERNS, READERS

LENGTH = 100_000
FEW, MANY = 5_000, 20_000
LINEAR, NOISE = 10, 0.2
"""Four times the length takes at most so many times as long, and so many seconds: squared, it is sixteen."""

BY_SIZE = sorted(READERS.keys() - {"completion", "CHECK"})
"""A CHECK is read as a fact is."""


def seconds(reader: Callable[[str], object], text: str) -> float:
    start = process_time()
    reader(text)
    return process_time() - start


def is_linear(reader: Callable[[str], object], pattern: Callable[[int], str]) -> bool:
    """Whether one of three tries keeps to the bound: what else runs may slow down one of them."""
    few, many = pattern(FEW), pattern(MANY)
    return any(seconds(reader, many) <= LINEAR * seconds(reader, few) + NOISE for _ in range(3))


@pytest.mark.long
@pytest.mark.parametrize("name", PATTERNS)
def test_the_query_of_a_long_completion_is_found_at_once(name: str) -> None:
    spent = min(seconds(READERS["completion"], PATTERNS[name](LENGTH)) for _ in range(2))
    assert spent < 2


# Every pattern, read twice in two sizes, takes some seconds.
@pytest.mark.long
@pytest.mark.parametrize("reader", BY_SIZE)
def test_a_reader_is_linear(reader: str) -> None:
    late = {name for name, pattern in PATTERNS.items() if not is_linear(READERS[reader], pattern)}
    assert not late
