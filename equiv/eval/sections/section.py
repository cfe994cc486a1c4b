"""The parts of a report: blocks, and charts, each with the table that says the same in words.

A terminal and Markdown show the tables; the HTML page draws the charts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from equiv.eval.metrics.shares import Portion
from equiv.show.page import Block, Grid, Heading, Text


@dataclass(frozen=True, slots=True)
class Cards:
    """A few figures that are to be seen first."""

    grid: Grid
    portions: tuple[Portion, ...]
    notes: tuple[str, ...] = ()
    """What belongs to the figures: the relation, what a score of 1 is."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Shares with their intervals: a row a group, a mark a series."""

    grid: Grid
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Portion, ...]], ...]


@dataclass(frozen=True, slots=True)
class Waterfall:
    """How stages, one after the other, take their part of all pairs; what is left comes last."""

    grid: Grid
    total: int
    """All pairs."""
    kinds: tuple[str, ...]
    stages: tuple[tuple[str, tuple[int, ...]], ...]
    """Each stage with how many it takes of each kind."""


@dataclass(frozen=True, slots=True)
class Heat:
    """A table of which some cells are shares, to be shaded; None: no share."""

    grid: Grid
    shades: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """Pairs worth a look, by what they are cases of."""

    grid: Grid
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """A title, and the keys of records."""


Chart = Cards | Ranges | Waterfall | Heat | Cases
SectionPart = Block | Chart


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report under a heading."""

    name: str
    """What links lead to: lower-case letters."""
    title: str
    about: str
    """How to read it, in a sentence or two; '' if that is plain."""
    parts: tuple[SectionPart, ...]


def blocks_of(sections: Iterable[ReportSection]) -> Iterator[Block]:
    """The sections as blocks, every chart as its table."""
    for section in sections:
        yield Heading(section.title)
        for part in section.parts:
            yield part.grid if isinstance(part, Chart) else part
            if isinstance(part, Cards):
                yield from map(Text, part.notes)
