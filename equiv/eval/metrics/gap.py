"""The gap between two metrics on the same pairs, by system, difficulty, database and difference.

Source: ROSE (arXiv 2604.12988, figures 3 to 5): the difference between the shares that ROSE and EX score 1,
and the discordant pairs, which only one of them does.  The interval is that of a paired difference of
proportions: with b and c discordant pairs of n, (b - c) / n and the standard error
sqrt(b + c - (b - c)^2 / n) / n.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from equiv.errors import InputError
from equiv.eval.metrics.measured import GROUPS, Measured, grouped, pair_of
from equiv.eval.metrics.shares import Z
from equiv.records.record import Record
from equiv.show.page import Grid


def gap(one: int, other: int, total: int) -> tuple[float, float, float]:
    """The gap and its interval, where so many pairs are right by the first or the second metric alone."""
    middle = (one - other) / total
    reach = Z * sqrt(max(one + other - (one - other) ** 2 / total, 0.0)) / total
    return middle, max(middle - reach, -1.0), min(middle + reach, 1.0)


def gap_grids(records: Sequence[Record], first: Measured, second: Measured) -> list[Grid]:
    """A table for each way to group the pairs that both metrics measured."""
    known = [r for r in records if pair_of(r) in first.scores and pair_of(r) in second.scores]
    if not known:
        return []
    grids = [_all(known, first, second)]
    for by in GROUPS:
        groups = grouped(known, by)
        if len(groups) > 1:
            title = f"the gap by {by}: percent"
            grids.append(Grid(title, _columns(by, first, second), _rows(groups, first, second)))
    return grids


def _all(records: Sequence[Record], first: Measured, second: Measured) -> Grid:
    title = f"the gap between {first.name} and {second.name}: percent"
    return Grid(title, _columns("pairs of both", first, second), _rows({"all": records}, first, second))


def _columns(by: str, first: Measured, second: Measured) -> tuple[str, ...]:
    return by, "pairs", first.name, second.name, "gap, 95 %", f"only {first.name}", f"only {second.name}"


def _rows(
    groups: dict[str, list[Record]] | dict[str, Sequence[Record]], first: Measured, second: Measured
) -> tuple[tuple[str, ...], ...]:
    return tuple((name, *_cells(own, first, second)) for name, own in groups.items())


def _cells(records: Sequence[Record], first: Measured, second: Measured) -> tuple[str, ...]:
    told = [(first.scores[pair_of(r)], second.scores[pair_of(r)]) for r in records]
    total = len(told)
    one, other = told.count((True, False)), told.count((False, True))
    shares = (sum(score[place] for score in told) / total for place in (0, 1))
    middle, low, high = gap(one, other, total)
    return (
        *(str(total), *(f"{100 * share:.1f}" for share in shares)),
        f"{100 * middle:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]",
        *(str(one), str(other)),
    )


def metrics_named(text: str, measures: Sequence[Measured]) -> tuple[Measured, Measured]:
    """The two metrics that ``--gap`` names, separated by ``:``.

    Raises:
        InputError: there are not two such metrics.
    """
    known = {measured.name: measured for measured in measures}
    names = [name.strip() for name in text.split(":")]
    if len(names) != 2 or not known.keys() >= set(names):
        raise InputError(f"--gap takes two metrics as ONE:OTHER, not {text!r}; there are {'; '.join(known)}")
    return known[names[0]], known[names[1]]
