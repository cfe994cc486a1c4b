"""Charts as geometry: positions in percent of their width, which the template draws as SVG."""

from __future__ import annotations

from dataclasses import dataclass

from equiv.eval.metrics.shares import Portion
from equiv.eval.sections.section import Heat, Ranges, Waterfall

STYLES = {
    "equivalent": "good",
    "not_equivalent": "bad",
    "undecided": "open",
    "invalid": "void",
    "1": "good",
    "0": "bad",
}
"""The class of a kind of pairs in the style sheet; what is not known is ``open``."""

SHADES = 10
"""How many shades a cell of a heat map may have beside the lightest."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A share with its interval on a scale from 0 to 100."""

    series: int
    low: float
    at: float
    high: float
    height: float
    """Where it stands between top and bottom, 0 to 100."""


@dataclass(frozen=True, slots=True)
class RangeRow:
    """One group with a mark for each series that says something of it."""

    label: str
    marks: tuple[Mark, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a bar."""

    style: str
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a waterfall."""

    label: str
    segments: tuple[Segment, ...]
    taken: int
    share: float


def range_rows(chart: Ranges) -> list[RangeRow]:
    """The rows of a chart of shares."""
    return [RangeRow(label, _marks(portions), _shown(portions)) for label, portions in chart.rows]


def mark_of(portion: Portion, series: int = 0, height: float = 50.0) -> Mark:
    """The mark of one share."""
    low, high = portion.interval
    return Mark(series, _percent(low), _percent(portion.share), _percent(high), height)


def _marks(portions: tuple[Portion, ...]) -> tuple[Mark, ...]:
    return tuple(
        mark_of(portion, series, 100 * (series + 0.5) / len(portions))
        for series, portion in enumerate(portions)
        if portion.known
    )


def _shown(portions: tuple[Portion, ...]) -> str:
    if not any(portion.known for portion in portions):
        return "not measured"
    shares = (f"{100 * p.share:.1f}" if p.known else "-" for p in portions)
    return " \N{MIDDLE DOT} ".join(shares)


def stages_of(chart: Waterfall) -> list[Stage]:
    """The stages of a waterfall, each beginning where the one before ends, and what is left."""
    stages = []
    start, total = 0, chart.total
    open_pairs = total - sum(sum(taken) for _, taken in chart.stages)
    for label, taken in (*chart.stages, *((("left open", (open_pairs,)),) if open_pairs else ())):
        kinds = chart.kinds if len(taken) == len(chart.kinds) else ("undecided",)
        segments = []
        place = start
        for kind, count in zip(kinds, taken, strict=True):
            if count:
                style = STYLES.get(kind, "open")
                segments.append(Segment(style, _percent(place / total), _percent(count / total)))
            place += count
        start = place
        stages.append(Stage(label, tuple(segments), sum(taken), sum(taken) / total))
    return stages


def shade_rows(chart: Heat) -> list[list[tuple[str, int | None]]]:
    """The cells of a heat map with their shades, 0 to :data:`SHADES`, spread over what occurs."""
    known = [share for row in chart.shades for share in row if share is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    reach = (high - low) or 1.0
    return [
        [
            (cell, None if share is None else round(SHADES * (share - low) / reach))
            for cell, share in zip(cells, shares, strict=True)
        ]
        for cells, shares in zip(chart.grid.rows, chart.shades, strict=True)
    ]


def _percent(share: float) -> float:
    return round(100 * share, 2)
