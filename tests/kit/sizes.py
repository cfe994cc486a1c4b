"""How much of a sweep a test takes: some of it in ``make test``, the whole in ``make test-long``.

A sweep goes on for as long as it is let: more random queries, more databases, more pairs.  What a test checks
is the same in both sizes.  ``EQUIV_FUZZ_TIMES`` multiplies the size of a random search, ``EQUIV_FUZZ_SEED``
says where it starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import pytest

SEED = int(os.environ.get("EQUIV_FUZZ_SEED", "0"))
TIMES = int(os.environ.get("EQUIV_FUZZ_TIMES", "1"))


def seeds(count: int) -> range:
    """So many seeds of a random search, or as many times more as are asked for."""
    return range(SEED + 1, SEED + 1 + count * TIMES)


def sized(name: str, few: object, many: object) -> pytest.MarkDecorator:
    """Run a test with a small size, and as a sweep with a large one.

    Args:
        name: the test's argument.
        few: its value in ``make test``.
        many: its value in ``make test-long``.
    """
    sizes = (pytest.param(few, id="few"), pytest.param(many, id="many", marks=pytest.mark.long))
    return pytest.mark.parametrize(name, sizes)


def swept(names: str, kept: Iterable[object], others: Iterable[object]) -> pytest.MarkDecorator:
    """Run a test with some arguments, and as a sweep with others.

    Args:
        names: the test's arguments.
        kept: their values in ``make test``.
        others: those that only ``make test-long`` takes.
    """
    values = [each if isinstance(each, tuple) else (each,) for each in others]
    long = [pytest.param(*each, marks=pytest.mark.long) for each in values]
    return pytest.mark.parametrize(names, [*kept, *long])


def sampled(names: str, values: Sequence[object], every: int = 6) -> pytest.MarkDecorator:
    """Run a test with one of so many arguments, and as a sweep with the others."""
    others = [each for place, each in enumerate(values) if place % every]
    return swept(names, values[::every], others)
