"""Systems on the items that all of them have: scores of each item on disk, compared two by two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

from equiv.errors import InputError
from equiv.eval.comparing.paired import Paired, adjusted, p_text, paired
from equiv.eval.metrics.measured import is_executed, is_right
from equiv.eval.metrics.shares import Count, Portion
from equiv.eval.questions import question_of
from equiv.eval.store.temporary_tables import digest_of, temporary_tables
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text
from equiv.storage import Store

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
