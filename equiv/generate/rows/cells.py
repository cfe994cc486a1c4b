"""Chooses the value of a cell where nothing else decides: new keys, palettes, walks through a pool, NULLs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, repeat
from random import Random

from equiv.cells import Cell
from equiv.generate.rows.specs import TableSpec

_ORDERED_WALK = 0.8
"""How often at least a column that orders rows takes no value twice."""

_STEPS = (5, 7, 11, 13)
"""Primes: a step that does not divide the size of a pool visits all of it."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one database is filled where nothing else decides."""

    nulls: float = 0.0
    """The share of NULLs in nullable cells."""
    walks: float = 0.5
    """The share of columns whose values do not repeat while the pool lasts."""
    palette: int = 3
    """How many different values the other columns hold at most."""
    fresh_keys: float = 0.7
    """How often a free key takes a value of its own rather than one of the pool."""
    respelt: float = 0.0
    """The share of values that are spelt in several ways where that is allowed."""


@dataclass(slots=True)
class _Palette:
    """The values that a column takes in one database."""

    values: list[Cell]
    step: int
    """If not 0, the column walks through its values by so many at a time."""
    at: int = -1
    """The current position; -1 before the first step."""


@dataclass
class Cells:
    """The choices made for one database."""

    specs: Mapping[str, TableSpec]
    rng: Random
    style: Style
    _palettes: dict[tuple[str, str], _Palette] = field(default_factory=dict)
    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _ways: dict[tuple[str, str, Cell], Iterator[Cell]] = field(default_factory=dict)
    """The spellings of a value still to come, without end."""

    def fresh(self, table: str, name: str) -> Cell:
        """A value that a key column has not been given before, or None if there are no more."""
        count = self._counts.get((table, name), 0)
        self._counts[table, name] = count + 1
        return self.specs[table].fresh[name](count)

    def pick(self, table: str, name: str) -> Cell:
        """A value of the column's palette, or NULL."""
        rng = self.rng
        if self.style.nulls and name in self.specs[table].nullable and rng.random() < self.style.nulls:
            return None
        palette = self._palettes.get((table, name))
        if palette is None:
            palette = self._palettes[table, name] = self._palette(self.specs[table], name)
        values = palette.values
        if not values:
            return None
        if not palette.step:
            return values[int(rng.random() * len(values))]
        at = palette.at
        at = int(rng.random() * len(values)) if at < 0 else (at + palette.step) % len(values)
        palette.at = at
        return values[at]

    def respelt(self, spec: TableSpec, name: str, value: Cell) -> Cell:
        """A value as it is, or in one of its other spellings.

        A value is spelt either in one way throughout or in a new way each time, as long as there are any: so
        groups by spelling and groups by value have their largest elsewhere.
        """
        if value is None or not self.style.respelt:
            return value
        key = (spec.name, name, value)
        ways = self._ways.get(key)
        if ways is None:
            varies = self.rng.random() < self.style.respelt
            ways = self._ways[key] = cycle((*spec.spellings[name](value), value)) if varies else repeat(value)
        return next(ways)

    def _palette(self, spec: TableSpec, name: str) -> _Palette:
        """The values of a column, and whether it walks through them without repeating."""
        random, pool = self.rng.random, spec.pools.get(name, [])
        if random() < (max(self.style.walks, _ORDERED_WALK) if name in spec.ordered else self.style.walks):
            first = int(random() * len(_STEPS))
            steps = (_STEPS[(first + turn) % len(_STEPS)] for turn in range(len(_STEPS)))
            return _Palette(pool, next((step for step in steps if len(pool) % step), 1))
        size = 1 + int(random() * self.style.palette) if pool else 0
        return _Palette([pool[int(random() * len(pool))] for _ in range(size)], 0)
