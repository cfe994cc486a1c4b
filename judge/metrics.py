"""Agreement of scores with labels: kappa, accuracy, MCC and F1, with bootstrap intervals.

The figures are scikit-learn's.  Labels and scores are binary, so that a sample
is its confusion counts, and a resample with replacement is a draw of such
counts from the multinomial distribution; on draws the same figures come from
closed formulas over whole arrays.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equiv.errors import InputError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Counts = NDArray[numpy.float64]

FIGURES = ("kappa", "accuracy", "MCC", "F1")
RESAMPLES = 10_000
SEED = 0
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Figure:
    """A fraction with its percentile bootstrap interval; NaN where it is not defined."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """In percent."""
        if math.isnan(self.value):
            return "-"
        if math.isnan(self.low):
            return f"{100 * self.value:.2f}"
        return f"{100 * self.value:.2f} [{100 * self.low:.2f}, {100 * self.high:.2f}]"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the scores of some labelled pairs agree with the labels."""

    true_positive: int
    true_negative: int
    false_positive: int
    """Scored 1, labelled false."""
    false_negative: int
    """Scored 0, labelled true."""
    figures: dict[str, Figure]
    """By the names of :data:`FIGURES`."""

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.true_positive + self.true_negative + self.false_positive + self.false_negative


def agreement(outcomes: Iterable[tuple[bool, bool]]) -> Agreement:
    """The agreement of (label, score) pairs, with 95 % intervals."""
    pairs = list(outcomes)
    values = figures_of(pairs)
    drawn = _figures_drawn(*_draws(pairs, [(True, True), (False, False), (False, True), (True, False)]))
    counts = Counter(pairs)
    figures = {name: _with_interval(values[name], drawn[name]) for name in FIGURES}
    return Agreement(
        counts[True, True], counts[False, False], counts[False, True], counts[True, False], figures
    )


def change(outcomes: Iterable[tuple[bool, bool, bool]]) -> dict[str, Figure]:
    """For (label, score before, score after): the figures after less those before, resampled together."""
    triples = list(outcomes)
    before = figures_of((label, score) for label, score, _ in triples)
    after = figures_of((label, score) for label, _, score in triples)
    # The cells in the order that makes the four pairs of (label, before) and of (label, after) sums of two.
    cells = [
        (one, first, second) for one in (True, False) for first in (True, False) for second in (True, False)
    ]
    ttt, ttf, tft, tff, ftt, ftf, fft, fff = _draws(triples, cells)
    drawn_before = _figures_drawn(ttt + ttf, fft + fff, ftt + ftf, tft + tff)
    drawn_after = _figures_drawn(ttt + tft, ftf + fff, ftt + fft, ttf + tff)
    return {
        name: _with_interval(after[name] - before[name], drawn_after[name] - drawn_before[name])
        for name in FIGURES
    }


def figures_of(outcomes: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """The figures of (label, score) pairs, by scikit-learn; NaN where they are not defined.

    Raises:
        InputError: scikit-learn is not installed.
    """
    try:
        from sklearn import metrics
    except ModuleNotFoundError:
        raise InputError("the report needs scikit-learn: pip install -e '.[eval]'") from None
    pairs = list(outcomes)
    if not pairs:
        return dict.fromkeys(FIGURES, math.nan)
    labels, scores = [label for label, _ in pairs], [score for _, score in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of figures that are not defined on these pairs
        return {
            "kappa": float(metrics.cohen_kappa_score(labels, scores)),
            "accuracy": float(metrics.accuracy_score(labels, scores)),
            "MCC": float(metrics.matthews_corrcoef(labels, scores)),
            "F1": float(metrics.f1_score(labels, scores, zero_division=math.nan)),
        }


def _draws(outcomes: Sequence[tuple[bool, ...]], cells: Sequence[tuple[bool, ...]]) -> list[Counts]:
    """For each cell its count in every resample."""
    import numpy

    found = Counter(outcomes)
    counts = numpy.array([found[cell] for cell in cells], dtype=float)
    shares = counts / max(counts.sum(), 1)
    return list(
        numpy.random.default_rng(SEED).multinomial(len(outcomes), shares, size=RESAMPLES).T.astype(float)
    )


def _figures_drawn(tp: Counts, tn: Counts, fp: Counts, fn: Counts) -> dict[str, Counts]:
    """The figures of many samples at once, by their confusion counts."""
    import numpy

    n = tp + tn + fp + fn
    with numpy.errstate(divide="ignore", invalid="ignore"):
        observed = (tp + tn) / n
        expected = ((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp)) / n**2
        spread = numpy.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return {
            "kappa": (observed - expected) / (1 - expected),
            "accuracy": observed,
            "MCC": (tp * tn - fp * fn) / spread,
            "F1": 2 * tp / (2 * tp + fp + fn),
        }


def _with_interval(value: float, drawn: Counts) -> Figure:
    import numpy

    defined = drawn[~numpy.isnan(drawn)]
    if not defined.size:
        return Figure(value, math.nan, math.nan)
    tail = (1 - CONFIDENCE) / 2
    low, high = numpy.quantile(defined, [tail, 1 - tail])
    return Figure(value, float(low), float(high))
