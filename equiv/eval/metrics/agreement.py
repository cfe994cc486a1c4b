"""Agreement of a metric with labels: kappa, accuracy, MCC and F1, with bootstrap intervals.

Source: ROSE (arXiv 2604.12988), "ROSE calculates the following metrics": Cohen's kappa, accuracy,
Matthews' correlation coefficient, F1 (of *right*) and the confusion matrix, by scikit-learn's
``cohen_kappa_score``, ``accuracy_score``, ``matthews_corrcoef`` and ``f1_score``.  ESM+
(arXiv 2407.07313, section 5.3 and Table 4) gives false positives and false negatives as shares of
all pairs.

Labels and scores are binary, so that a sample is its confusion counts, and a
resample with replacement is a draw of such counts from the multinomial
distribution; on draws the same figures come from closed formulas over whole
arrays.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from equiv.errors import InputError
from equiv.show.page import Block, Grid

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Counts = NDArray[numpy.float64]

CountedKind = TypeVar("CountedKind", bound=tuple[bool, ...])

FIGURES = ("kappa", "accuracy", "MCC", "F1")
RESAMPLES = 10_000
SEED = 0
CONFIDENCE = 0.95

LabelledScores = Iterable[tuple[bool, bool]] | Mapping[tuple[bool, bool], int]
"""(label, score) pairs one by one, or how many there are of each kind."""


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


def agreement(outcomes: LabelledScores) -> Agreement:
    """The agreement of (label, score) pairs, with 95 % intervals."""
    counts = Counter(outcomes)
    values = figures_of(counts)
    drawn = _figures_drawn(*resampled(counts, [(True, True), (False, False), (False, True), (True, False)]))
    figures = {name: with_interval(values[name], drawn[name]) for name in FIGURES}
    return Agreement(
        counts[True, True], counts[False, False], counts[False, True], counts[True, False], figures
    )


def agreement_blocks(samples: Mapping[str, LabelledScores], of: str = "metric") -> list[Block]:
    """For each sample its figures, and its confusion counts with the shares of the wrong ones."""
    found = {name: agreement(outcomes) for name, outcomes in samples.items()}
    figures = tuple(
        (name, str(one.pairs), *(str(one.figures[figure]) for figure in FIGURES))
        for name, one in found.items()
    )
    counts = tuple((name, *_confusion(one)) for name, one in found.items())
    return [
        Grid(
            "agreement with the labels, percent with 95 % intervals",
            (of, "labelled pairs", *FIGURES),
            figures,
        ),
        Grid("confusion: a score of 1 is positive", (of, "TP", "TN", "FP", "FN", "FP %", "FN %"), counts),
    ]


def _confusion(found: Agreement) -> tuple[str, ...]:
    wrong = found.false_positive, found.false_negative
    counts = found.true_positive, found.true_negative, *wrong
    return (
        *map(str, counts),
        *(f"{100 * count / found.pairs:.2f}" if found.pairs else "-" for count in wrong),
    )


def change(outcomes: Iterable[tuple[bool, bool, bool]]) -> dict[str, Figure]:
    """For (label, score before, score after): the figures after less those before, resampled together."""
    triples = Counter(outcomes)
    earlier, later = Counter[tuple[bool, bool]](), Counter[tuple[bool, bool]]()
    for (label, first, second), count in triples.items():
        earlier[label, first] += count
        later[label, second] += count
    before, after = figures_of(earlier), figures_of(later)
    # The cells in the order that makes the four pairs of (label, before) and of (label, after) sums of two.
    cells = [
        (one, first, second) for one in (True, False) for first in (True, False) for second in (True, False)
    ]
    ttt, ttf, tft, tff, ftt, ftf, fft, fff = resampled(triples, cells)
    drawn_before = _figures_drawn(ttt + ttf, fft + fff, ftt + ftf, tft + tff)
    drawn_after = _figures_drawn(ttt + tft, ftf + fff, ftt + fft, ttf + tff)
    return {
        name: with_interval(after[name] - before[name], drawn_after[name] - drawn_before[name])
        for name in FIGURES
    }


def figures_of(outcomes: LabelledScores) -> dict[str, float]:
    """The figures of (label, score) pairs, by scikit-learn; NaN where they are not defined.

    Raises:
        InputError: scikit-learn is not installed.
    """
    try:
        from sklearn import metrics
    except ModuleNotFoundError:
        raise InputError("agreement with labels needs scikit-learn: pip install -e '.[eval]'") from None
    counts = {pair: count for pair, count in Counter(outcomes).items() if count}
    if not counts:
        return dict.fromkeys(FIGURES, math.nan)
    labels, scores = [label for label, _ in counts], [score for _, score in counts]
    weights = list(counts.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of figures that are not defined on these pairs
        return {
            "kappa": float(metrics.cohen_kappa_score(labels, scores, sample_weight=weights)),
            "accuracy": float(metrics.accuracy_score(labels, scores, sample_weight=weights)),
            "MCC": float(metrics.matthews_corrcoef(labels, scores, sample_weight=weights)),
            "F1": float(metrics.f1_score(labels, scores, sample_weight=weights, zero_division=math.nan)),
        }


def resampled(found: Counter[CountedKind], cells: Sequence[CountedKind]) -> list[Counts]:
    """For each cell its count in every resample."""
    import numpy

    counts = numpy.array([found[cell] for cell in cells], dtype=float)
    total = int(counts.sum())
    shares = counts / max(total, 1)
    return list(numpy.random.default_rng(SEED).multinomial(total, shares, size=RESAMPLES).T.astype(float))


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


def with_interval(value: float, drawn: Counts) -> Figure:
    """A value with the interval that its values on resamples span; undefined ones (NaN) are left out."""
    import numpy

    defined = drawn[~numpy.isnan(drawn)]
    if not defined.size:
        return Figure(value, math.nan, math.nan)
    tail = (1 - CONFIDENCE) / 2
    low, high = numpy.quantile(defined, [tail, 1 - tail])
    return Figure(value, float(low), float(high))
