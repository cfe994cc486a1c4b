"""The SQL functions behind the rewrites of :mod:`equiv.choices`."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from equiv.choices import ANY_VALUE, AT_MAXIMUM, AT_MINIMUM, EXACT, RANDOM, SHUFFLED_CONCAT
from equiv.verdict import Cell

SIMPLE_DENOMINATOR = 10_000
"""Results this close to a fraction with at most this denominator are taken for the fraction."""

_NEARBY = 1e-12


def nearest_simple(value: Cell) -> Cell:
    """A REAL without the rounding that led to it: the simple fraction nearby, or else 12 digits.

    Two computations of one rational number thus give one REAL, as exact arithmetic would.
    """
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    simple = Fraction(value).limit_denominator(SIMPLE_DENOMINATOR)
    if abs(value - simple) <= _NEARBY * max(1.0, abs(value)):
        return float(simple)
    return float(f"{value:.12g}")


def sqlite_order(value: Cell) -> tuple[int, Any]:
    """A sort key in the order of SQLite's storage classes, text by BINARY."""
    match value:
        case None:
            return (0, 0)
        case int() | float():
            return (1, value)
        case str():
            return (2, value.encode("utf-8", "surrogateescape"))
        case _:
            return (3, value)


def _any_value(rng: Random) -> type:
    class AnyValue:
        """A value of a random row."""

        def __init__(self) -> None:
            self.values: list[Cell] = []

        def step(self, value: Cell) -> None:
            self.values.append(value)

        def finalize(self) -> Cell:
            return rng.choice(self.values) if self.values else None

    return AnyValue


def _at_extreme(rng: Random, best: Callable[..., tuple[int, Any]]) -> type:
    class AtExtreme:
        """The second argument in a random row where the first is extremal; any row if all are NULL."""

        def __init__(self) -> None:
            self.rows: list[tuple[Cell, Cell]] = []

        def step(self, value: Cell, other: Cell) -> None:
            self.rows.append((value, other))

        def finalize(self) -> Cell:
            known = [row for row in self.rows if row[0] is not None] or self.rows
            if not known:
                return None
            extreme = best(sqlite_order(value) for value, _ in known)
            return rng.choice([other for value, other in known if sqlite_order(value) == extreme])

    return AtExtreme


def _shuffled_concat(rng: Random) -> type:
    class ShuffledConcat:
        """GROUP_CONCAT in random order."""

        def __init__(self) -> None:
            self.parts: list[Cell] = []
            self.separator: Cell = ","

        def step(self, value: Cell, separator: Cell = ",") -> None:
            if value is not None:
                self.parts.append(value)
            self.separator = separator

        def finalize(self) -> Cell:
            if not self.parts:
                return None
            rng.shuffle(self.parts)
            return str("" if self.separator is None else self.separator).join(map(_as_text, self.parts))

    return ShuffledConcat


def _as_text(value: Cell) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def register(connection: sqlite3.Connection, seed: int = 0) -> None:
    """Make the functions known to a connection; their choices repeat for one seed."""
    rng = Random(seed)
    connection.create_function(RANDOM, 0, rng.random)
    connection.create_function(EXACT, 1, nearest_simple, deterministic=True)
    connection.create_aggregate(ANY_VALUE, 1, _any_value(rng))
    connection.create_aggregate(AT_MINIMUM, 2, _at_extreme(rng, min))
    connection.create_aggregate(AT_MAXIMUM, 2, _at_extreme(rng, max))
    connection.create_aggregate(SHUFFLED_CONCAT, -1, _shuffled_concat(rng))
