"""Whatever reads the texts of strangers takes linear time, on texts that are written to upset it."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from benchmarks.hostile_text import PATTERNS, READERS

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


@pytest.mark.parametrize("name", PATTERNS)
def test_the_query_of_a_long_completion_is_found_at_once(name: str) -> None:
    spent = min(seconds(READERS["completion"], PATTERNS[name](LENGTH)) for _ in range(2))
    assert spent < 2


# Every pattern, read twice in two sizes, takes some seconds.
@pytest.mark.parametrize("reader", BY_SIZE)
def test_a_reader_is_linear(reader: str) -> None:
    late = {}
    for name, pattern in PATTERNS.items():
        few, many = pattern(FEW), pattern(MANY)
        for _ in range(3):
            spent = seconds(READERS[reader], few), seconds(READERS[reader], many)
            if spent[1] <= LINEAR * spent[0] + NOISE:
                break
        else:
            late[name] = spent
    assert not late
