"""The difference of two systems on the items that both have: a paired test and an interval.

Source: Q. McNemar, Psychometrika 12 (1947): of the items on which two systems part, either is right as often
as the other if they are equally good, so that the number of one side is binomial.  The p-value is exact and
two-sided.  The interval of the difference is a percentile bootstrap over items.  S. Holm, Scand. J.
Statist. 6 (1979): with several comparisons p-values are adjusted, the smallest by their number.

Systems side by side are compared two by two on the items that all of them have, with the scores of each item
kept on disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby

from equiv.errors import InputError
from equiv.eval.metrics.agreement import Figure, resampled, with_interval
from equiv.eval.metrics.measured import is_executed, is_right
from equiv.eval.metrics.shares import Count, Portion
from equiv.eval.questions import question_of
from equiv.eval.store.temporary_tables import digest_of, temporary_tables
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text
from equiv.storage import Store

LEVEL = 0.05
"""The p-value below which a difference is called real."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two systems on their common items."""

    both: int
    """Items that both have right."""
    first: int
    """Items that the first alone has right."""
    second: int
    neither: int
    difference: Figure
    """The share of the first less that of the second."""
    p: float
    """Of McNemar's exact test; adjusted if it is one of several."""

    @property
    def items(self) -> int:
        """How many items both have."""
        return self.both + self.first + self.second + self.neither

    @property
    def is_real(self) -> bool:
        """Whether chance alone would seldom make so large a difference."""
        return self.p < LEVEL

    @property
    def points(self) -> str:
        """How many percentage points more the first has, with the interval."""
        value, low, high = (
            100 * one for one in (self.difference.value, self.difference.low, self.difference.high)
        )
        return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"

    @property
    def verdict(self) -> str:
        """The test's answer in words."""
        if not self.first + self.second:
            return "no difference"
        return "a real difference" if self.is_real else "may be chance"


def paired(outcomes: Iterable[tuple[bool, bool]] | Counter[tuple[bool, bool]]) -> Paired:
    """The comparison of two systems by their scores of the same items.

    Args:
        outcomes: the score of the first and of the second, item by item, or how often each comes up.

    Raises:
        InputError: scipy is not installed.
    """
    counts = Counter(outcomes)
    both, first, second, neither = (counts[kind] for kind in _KINDS)
    items = max(counts.total(), 1)
    _, drawn_first, drawn_second, _ = resampled(counts, _KINDS)
    difference = with_interval((first - second) / items, (drawn_first - drawn_second) / items)
    return Paired(both, first, second, neither, difference, mcnemar(first, second))


_KINDS = [(True, True), (True, False), (False, True), (False, False)]


def mcnemar(first: int, second: int) -> float:
    """The exact two-sided p-value where so many items are right by the first or by the second alone.

    Raises:
        InputError: scipy is not installed.
    """
    try:
        from scipy.special import bdtr  # scipy.stats takes a second to load
    except ModuleNotFoundError:
        raise InputError("a paired test needs scipy: pip install -e '.[eval]'") from None
    # At a probability of one half both tails are alike.
    return min(1.0, 2 * float(bdtr(min(first, second), first + second, 0.5)))


def adjusted(comparisons: Sequence[Paired]) -> list[Paired]:
    """The comparisons with their p-values adjusted by Holm, in their order."""
    order = sorted(range(len(comparisons)), key=lambda place: comparisons[place].p)
    found = list(comparisons)
    reached = 0.0
    for rank, place in enumerate(order):
        reached = max(reached, min(1.0, (len(order) - rank) * comparisons[place].p))
        found[place] = replace(comparisons[place], p=reached)
    return found


def p_text(p: float) -> str:
    """A p-value as it is written."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


_TABLES = """
CREATE TABLE outcome (
    question BLOB, system INTEGER, score INTEGER, ex INTEGER, PRIMARY KEY (question, system)
) WITHOUT ROWID
"""

MEASURES = ("score", "ex")

MOST_COMPARED = 8
"""So many systems, the first, are compared two by two."""


@dataclass(slots=True)
class SideBySide:
    """The scores of every item by system; nothing of it stays in memory."""

    systems: dict[str, int] = field(default_factory=dict)
    _tables: Store = field(default_factory=lambda: temporary_tables(_TABLES))

    def add(self, record: Record) -> None:
        """Take in one record; of two of a system on one question the later counts."""
        number = self.systems.setdefault(record["source"], len(self.systems))
        row = digest_of(question_of(record)), number, is_right(record), is_executed(record)
        self._tables.execute("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?)", row)

    def blocks(self, execution: str) -> list[Block]:
        """The shares of each system on the items that all have, and the differences of any two.

        Args:
            execution: what execution accuracy is called.
        """
        if len(self.systems) < 2:
            return []
        names = {"score": "score", "ex": f"EX by {execution}"}
        common, differ = {}, False
        for measure in MEASURES:
            portions, left_out = self._common(measure)
            differ = differ or left_out > 0
            if portions[0].total:
                common[measure] = portions
        if not common:
            return [Text("No item has a score of every system, so that they cannot be compared.")]
        rows = tuple(
            (names[measure], str(portions[0].total), *(portion.text for portion in portions))
            for measure, portions in common.items()
        )
        shares = Grid("on the items that every system has, percent", ("", "items", *self.systems), rows)
        return [*([shares] if differ else ()), *self._differences({one: names[one] for one in common})]

    def _common(self, measure: str) -> tuple[list[Portion], int]:
        """The share of each system on the items that every system has, and how many others there are."""
        counts = [Count() for _ in self.systems]
        left_out = 0
        for scores in self._items(measure):
            left_out += len(scores) < len(counts)
            if len(scores) == len(counts):
                for number, score in scores.items():
                    counts[number].add(score)
        return [count.of(name) for name, count in zip(self.systems, counts, strict=True)], left_out

    def _items(self, measure: str) -> Iterator[dict[int, bool]]:
        """The scores of one item after the other, by the number of the system."""
        assert measure in MEASURES
        rows = self._tables.execute(
            f"SELECT question, system, {measure} FROM outcome WHERE {measure} IS NOT NULL ORDER BY question"
        )
        for _, found in groupby(rows, key=lambda row: row[0]):
            yield {system: bool(score) for _, system, score in found}

    def _differences(self, measures: dict[str, str]) -> list[Block]:
        pairs = list(combinations(list(self.systems)[:MOST_COMPARED], 2))
        try:
            found = {measure: self._paired(measure, pairs) for measure in measures}
        except InputError as missing:
            return [Text(str(missing))]
        rows = tuple(
            difference_row((measures[measure], *pair), comparison)
            for measure, comparisons in found.items()
            for pair, comparison in zip(pairs, comparisons, strict=True)
            if comparison.items
        )
        few = f", of the first {MOST_COMPARED} systems" if len(self.systems) > MOST_COMPARED else ""
        corrected = f", corrected by Holm for {len(pairs)} pairs of systems" if len(pairs) > 1 else ""
        title = f"differences on the items that both have (McNemar's exact test{corrected}){few}"
        columns = ("", "system", "against", *DIFFERENCE_COLUMNS)
        return [Grid(title, columns, rows)]

    def _paired(self, measure: str, pairs: Sequence[tuple[str, str]]) -> list[Paired]:
        counts: dict[tuple[str, str], Counter[tuple[bool, bool]]] = {pair: Counter() for pair in pairs}
        for scores in self._items(measure):
            for (one, other), own in counts.items():
                first, second = scores.get(self.systems[one]), scores.get(self.systems[other])
                if first is not None and second is not None:
                    own[first, second] += 1
        return adjusted([paired(own) for own in counts.values()])


DIFFERENCE_COLUMNS = ("items", "points more, 95 %", "only the first", "only the second", "p", "")
"""The columns of :func:`difference_row` after the names."""


def difference_row(names: Sequence[str], found: Paired) -> tuple[str, ...]:
    """The row of a comparison: how much more the first system scores, and whether that is real."""
    counts = str(found.items), found.points, str(found.first), str(found.second)
    return (*names, *counts, p_text(found.p), found.verdict)
