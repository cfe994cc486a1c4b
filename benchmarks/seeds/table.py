"""A table or figure of a paper as plain data, with what is computed here beside each of its numbers."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Standing(StrEnum):
    """How a number computed here stands to the paper's."""

    MET = "met"
    """Equal but for rounding."""
    NEAR = "near"
    OFF = "off"
    ABSENT = "not at hand"
    """What it takes to compute the number is not at hand."""


MARKS = {Standing.MET: "=", Standing.NEAR: "≈", Standing.OFF: "≠", Standing.ABSENT: "·"}


class Basis(StrEnum):
    """What numbers are computed from."""

    DATA = "data"
    """Published pairs, predictions, databases or recorded replies."""
    PAPER = "the paper's other numbers"
    """Counts or rates that the paper states elsewhere, put through the metric of this project."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One number."""

    row: str
    column: str
    paper: float | None
    """None where the text at hand does not state it."""
    ours: float | None
    """None where it cannot be computed."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers of one place in a paper."""

    place: str
    about: str
    how: str
    """How the numbers are computed here."""
    cells: tuple[Cell, ...] = ()
    rounding: float = 0.0
    """A deviation up to this is one of rounding."""
    near: float = 0.0
    """A deviation up to this is near."""
    basis: Basis = Basis.DATA
    reason: str = ""
    """Why numbers deviate."""
    more: int = 0
    """Further numbers of the place that are not at hand, and not listed."""
    missing: str = ""
    """What would be needed for the numbers that are not at hand."""
    digits: int = 1

    def standing(self, cell: Cell) -> Standing | None:
        """How a cell stands; None where the paper's number is not known."""
        if cell.paper is None:
            return None
        if cell.ours is None:
            return Standing.ABSENT
        deviation = round(abs(cell.ours - cell.paper), 9)
        if deviation <= self.rounding:
            return Standing.MET
        return Standing.NEAR if deviation <= self.near else Standing.OFF

    def counts(self) -> Counter[Standing]:
        """How many numbers stand how."""
        found = Counter(s for cell in self.cells if (s := self.standing(cell)) is not None)
        found[Standing.ABSENT] += self.more
        return found


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with its tables, which are computed as they are asked for."""

    name: str
    source: str
    tables: Callable[[], Iterable[Table]]


def printed(module: str) -> dict[str, Any]:
    """What a paper prints, and what is said of it here, from the TOML file beside its module."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def told(known: dict[str, Any], **values: object) -> dict[str, Any]:
    """What a paper's file says of a table, with values where its texts have their names in braces."""
    return {name: each.format(**values) if isinstance(each, str) else each for name, each in known.items()}


def absent(listed: dict[str, Any]) -> Iterator[Table]:
    """The places of which nothing is at hand: each with what it has, how many numbers, and what they need."""
    for place, about, more, missing in listed["tables"]:
        yield Table(place, about, listed["how"], more=more, missing=missing)


def rows_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of a block of numbers: a name without spaces, and its words."""
    for line in text.strip().splitlines():
        name, *words = line.split()
        yield name, words


def numbers(words: Iterable[str]) -> list[float]:
    """Numbers as tables print them, thousands as K."""
    return [1000 * float(word[:-1]) if word.endswith("K") else float(word) for word in words]
