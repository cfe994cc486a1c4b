"""Agreement of a metric with labels, and the gap between two metrics, with intervals.

Source: ROSE (arXiv 2604.12988), "ROSE calculates the following metrics": Cohen's kappa, accuracy,
Matthews' correlation coefficient, F1 (of *right*) and the confusion matrix, as scikit-learn's
``cohen_kappa_score``, ``accuracy_score``, ``matthews_corrcoef`` and ``f1_score`` are, which takes a second to
import.  ESM+ (arXiv 2407.07313, section 5.3 and Table 4) gives false positives and false negatives as shares
of all pairs.  Labels and scores are binary, so that a sample is its confusion counts, and a resample with
replacement is a draw of such counts from the multinomial distribution.

The gap (ROSE, figures 3 to 5) is the difference between the shares that ROSE and EX score 1, by system,
difficulty, database and difference, beside the discordant pairs, which only one of them does.  The
interval is that of a paired difference of proportions: with b and c discordant pairs of n, (b - c) / n
and the standard error sqrt(b + c - (b - c)^2 / n) / n.  The figures show where the metrics part by what
the Refuter says of question and gold query, by class of method and over time (section 6.2): the gap of a
system is the share that the first metric scores 1 less that of the second; figure 5 averages it over the
systems of a class.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from equiv.errors import InputError
from equiv.eval.metrics.scores import GROUPS, Measured, Z, grouped, pair_of, percent, points
from equiv.files import read_text
from equiv.records.record import Record
from equiv.show.page import Block, Grid

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Counts = NDArray[numpy.float64]

CountedKind = TypeVar("CountedKind", bound=tuple[bool, ...])

FIGURES = ("kappa", "accuracy", "MCC", "F1")
CELLS = ((True, True), (False, False), (False, True), (True, False))
"""(label, score) of the true positives, true negatives, false positives and false negatives."""
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
    drawn = _figures_drawn(*resampled(counts, CELLS))
    figures = {name: with_interval(values[name], drawn[name]) for name in FIGURES}
    tp, tn, fp, fn = (counts[cell] for cell in CELLS)
    return Agreement(tp, tn, fp, fn, figures)


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
    """The figures of (label, score) pairs; NaN where they are not defined.

    Raises:
        InputError: numpy is not installed.
    """
    try:
        import numpy
    except ModuleNotFoundError:
        raise InputError("agreement with labels needs numpy: pip install -e '.[eval]'") from None
    counts = Counter(outcomes)
    found = _figures_drawn(*(numpy.array([float(counts[cell])]) for cell in CELLS))
    figures = {name: float(values[0]) for name, values in found.items()}
    # Where all pairs have one label or one score there is no correlation, which scikit-learn calls 0.
    return {**figures, "MCC": 0.0} if counts.total() and math.isnan(figures["MCC"]) else figures


def resampled(found: Counter[CountedKind], cells: Sequence[CountedKind]) -> list[Counts]:
    """For each cell its count in every resample."""
    import numpy

    counts = numpy.array([found[cell] for cell in cells], dtype=float)
    total = int(counts.sum())
    shares = counts / max(total, 1)
    return list(numpy.random.default_rng(SEED).multinomial(total, shares, size=RESAMPLES).T.astype(float))


def _figures_drawn(tp: Counts, tn: Counts, fp: Counts, fn: Counts) -> dict[str, Counts]:
    """The figures of many samples at once, by their confusion counts; NaN where they are not defined."""
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


KINDS: Mapping[str, Callable[[Mapping[str, object]], bool]] = {
    "gold query wrong": lambda reply: reply.get("gold_correct") is False,
    "question ambiguous": lambda reply: reply.get("ambiguity") == "question",
    "either": lambda reply: reply.get("gold_correct") is False or reply.get("ambiguity") == "question",
}
"""What a Refuter's reply says of a pair: GoldX, AmbQ and their union."""


@dataclass(frozen=True, slots=True)
class MetricsParted:
    """The disagreements of two metrics on pairs of one kind."""

    pairs: int
    discordant: int
    of_all: int
    """The disagreements on pairs of any kind."""

    @property
    def rate(self) -> float:
        """The share of these pairs on which the metrics disagree (Table 4)."""
        return self.discordant / self.pairs if self.pairs else nan

    @property
    def share(self) -> float:
        """The share of all disagreements that these pairs make up (figure 4)."""
        return self.discordant / self.of_all if self.of_all else nan


def parted_by_kind(records: Sequence[Record], first: Measured, second: Measured) -> dict[str, MetricsParted]:
    """The disagreements by :data:`KINDS`; ``all`` are those of every pair that both metrics measured."""
    known = _of_both(records, first, second)
    apart = {pair for r in known if first.scores[pair := pair_of(r)] != second.scores[pair]}
    found = {"all": MetricsParted(len(known), len(apart), len(apart))}
    for name, holds in KINDS.items():
        own = [pair_of(r) for r in known if r["refuter_result"] and holds(r["refuter_result"])]
        found[name] = MetricsParted(len(own), sum(pair in apart for pair in own), len(apart))
    return found


def kind_grid(records: Sequence[Record], first: Measured, second: Measured) -> Grid | None:
    """Figure 4 and Table 4, a system a row; None without replies of a Refuter."""
    if not any(record["refuter_result"] for record in records):
        return None
    systems = grouped(records, "system")
    groups = {"all": records, **systems} if len(systems) > 1 else systems
    rows = []
    for name, own in groups.items():
        found = parted_by_kind(own, first, second)
        cells = [str(found["all"].pairs), str(found["all"].discordant), percent(found["all"].rate)]
        for kind in KINDS:
            cells += [percent(found[kind].share), f"{percent(found[kind].rate)} of {found[kind].pairs}"]
        rows.append((name, *cells))
    kinds = [column for kind in KINDS for column in (f"{kind}: of all", f"{kind}: disagree")]
    title = f"disagreements of {first.name} and {second.name} (ROSE, figure 4): percent"
    return Grid(title, ("system", "pairs", "disagree", "rate", *kinds), tuple(rows))


@dataclass(frozen=True, slots=True)
class System:
    """A system's class, and its date."""

    kind: str
    """Prompting or fine-tuned, say."""
    date: str
    """ISO notation, so that dates sort as texts do: ``2024-09``."""


def read_systems(path: Path) -> dict[str, System]:
    """The systems of a CSV file with the columns ``system``, ``class`` and ``date``.

    Raises:
        InputError: it cannot be read, or lacks a column.
    """
    rows = csv.DictReader(read_text(path).splitlines(), strict=True)
    try:
        found = {
            str(row["system"]): System(str(row["class"] or "").strip(), str(row["date"] or "").strip())
            for row in rows
        }
    except (KeyError, csv.Error) as error:
        raise InputError(f"{path}: not a table of systems with system, class and date: {error}") from None
    if not found:
        raise InputError(f"{path}: the file has no systems")
    return found


def system_gap(records: Sequence[Record], first: Measured, second: Measured) -> float:
    """The gap of two metrics over the pairs that both measured; NaN without any."""
    pairs = [pair_of(record) for record in _of_both(records, first, second)]
    return sum(first.scores[p] - second.scores[p] for p in pairs) / len(pairs) if pairs else nan


def class_grid(
    records: Sequence[Record], first: Measured, second: Measured, systems: Mapping[str, System]
) -> Grid:
    """Figure 5: the mean gap of the systems of a class, over all pairs and by difficulty."""
    own = grouped([r for r in records if r["source"] in systems], "system")
    kinds = Counter(systems[name].kind for name in own)
    levels = list(grouped([r for found in own.values() for r in found], "difficulty"))
    rows = []
    for kind, count in kinds.items():
        members = [found for name, found in own.items() if systems[name].kind == kind]
        cells = [_mean_gap(members, first, second, level) for level in ("", *levels)]
        rows.append((kind, str(count), *map(points, cells)))
    title = f"mean gap of {first.name} and {second.name} by class (ROSE, figure 5): percentage points"
    return Grid(title, ("class", "systems", "all", *levels), tuple(rows))


def _mean_gap(members: Sequence[Sequence[Record]], first: Measured, second: Measured, level: str) -> float:
    chosen = [grouped(own, "difficulty").get(level, []) if level else own for own in members]
    known = [gap for own in chosen if not isnan(gap := system_gap(own, first, second))]
    return sum(known) / len(known) if known else nan


def time_grid(
    records: Sequence[Record], first: Measured, second: Measured, systems: Mapping[str, System]
) -> Grid:
    """Figure 3: the gap of each system, by its date."""
    own = grouped([r for r in records if r["source"] in systems], "system")
    ordered = sorted(own, key=lambda name: (systems[name].date, name))
    rows = [
        (systems[name].date, name, systems[name].kind, points(system_gap(own[name], first, second)))
        for name in ordered
    ]
    title = f"gap of {first.name} and {second.name} over time (ROSE, figure 3): percentage points"
    return Grid(title, ("date", "system", "class", "gap"), tuple(rows))


def gap(one: int, other: int, total: int) -> tuple[float, float, float]:
    """The gap and its interval, where so many pairs are right by the first or the second metric alone."""
    middle = (one - other) / total
    reach = Z * sqrt(max(one + other - (one - other) ** 2 / total, 0.0)) / total
    return middle, max(middle - reach, -1.0), min(middle + reach, 1.0)


def gap_grids(records: Sequence[Record], first: Measured, second: Measured) -> list[Grid]:
    """A table for each way to group the pairs that both metrics measured, all together first."""
    known = _of_both(records, first, second)
    groups = {"": {"all": known}} | {by: grouped(known, by) for by in GROUPS}
    titles = {by: f"the gap by {by}: percent" for by in GROUPS}
    titles[""] = f"the gap between {first.name} and {second.name}: percent"
    figures = ("gap, 95 %", f"only {first.name}", f"only {second.name}")
    return [
        Grid(
            titles[by],
            (by or "pairs of both", "pairs", first.name, second.name, *figures),
            tuple((name, *_cells(one, first, second)) for name, one in own.items()),
        )
        for by, own in groups.items()
        if known and (not by or len(own) > 1)
    ]


def _of_both(records: Sequence[Record], first: Measured, second: Measured) -> list[Record]:
    """The records of pairs that both metrics measured."""
    return [r for r in records if pair_of(r) in first.scores and pair_of(r) in second.scores]


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
