"""What metrics come to, in tables: shares with intervals, and what is wrong, by group.

A share is the part of the *measured* records of a group that the metric gives 1; how many it could not
measure is told beside it.  Its interval is Wilson's (E. B. Wilson, JASA 22, 1927, formula 1), which needs
no resampling.

Facts beside a score are told in words: what is possible, where items are undecided, under which relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan, sqrt

from equiv.eval.metrics.measured import Measured, grouped, pair_of
from equiv.records.record import Record
from equiv.show.page import Grid

Against = Callable[[Sequence[Record], "Measured"], Counter[tuple[bool, bool]]]
"""How often each (truth, score) comes up."""

Z = 1.959963984540054
"""The 97.5th percentile of the normal distribution: an interval of 95 %."""


def wilson(ones: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a share."""
    if not total:
        return 0.0, 1.0
    share, spread = ones / total, Z * Z / total
    middle = share + spread / 2
    reach = Z * sqrt(share * (1 - share) / total + spread / (4 * total))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return (0.0 if ones == 0 else low), (1.0 if ones == total else high)


def share(ones: int, total: int) -> str:
    """A share in percent with its interval."""
    if not total:
        return "-"
    low, high = wilson(ones, total)
    return f"{100 * ones / total:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def percent(value: float) -> str:
    """A fraction in percent; a dash where it is not defined."""
    return "-" if isnan(value) else f"{100 * value:.2f}"


def points(value: float) -> str:
    """A difference of fractions in percentage points."""
    return "-" if isnan(value) else f"{100 * value:+.2f}"


def percent_of(part: float, whole: float) -> str:
    """A part in percent of the whole, with the sign."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


@dataclass(frozen=True, slots=True)
class Portion:
    """How many of some pairs are scored 1, and how many of the others are open."""

    name: str
    ones: int
    total: int
    """All pairs, open ones included."""
    unknown: int = 0

    @property
    def known(self) -> int:
        """How many pairs are measured: what the share is of."""
        return self.total - self.unknown

    @property
    def text(self) -> str:
        """The share in percent with its interval; a dash if all is open."""
        return share(self.ones, self.known)

    @property
    def share(self) -> float:
        """A fraction of the measured pairs; 0 of nothing is 0."""
        return self.ones / self.known if self.known else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """That of Wilson, 95 %."""
        return wilson(self.ones, self.known)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest share of all pairs, whatever the open ones are."""
        return self.ones / max(self.total, 1), (self.ones + self.unknown) / max(self.total, 1)


@dataclass(slots=True)
class Count:
    """Yes, no or open, of one record after the other: what every share is of."""

    ones: int = 0
    total: int = 0
    unknown: int = 0

    def add(self, answer: bool | None) -> None:
        """Count one record; None: it is open."""
        self.total += 1
        self.ones += answer is True
        self.unknown += answer is None

    def of(self, name: str) -> Portion:
        """What came of it so far."""
        return Portion(name, self.ones, self.total, self.unknown)


def portion(records: Iterable[Record], measured: Measured) -> Portion:
    """What a metric scores 1 of some records."""
    return portion_of(measured.name, (measured.scores.get(pair_of(record)) for record in records))


def portion_of(name: str, answers: Iterable[bool | None]) -> Portion:
    """How many of some answers are yes."""
    count = Count()
    for answer in answers:
        count.add(answer)
    return count.of(name)


def share_grid(records: Sequence[Record], measures: Sequence[Measured]) -> Grid:
    """What each metric scores 1, as a share of the pairs that it measured."""
    columns = ("metric", *PORTION_COLUMNS)
    rows = portion_rows(portion(records, measured) for measured in measures)
    return Grid(f"{len(records):,} pairs by each metric", columns, rows)


PORTION_COLUMNS = ("scored 1", "of measured", "percent, 95 %", "not measured")
"""The columns of :func:`portion_rows` after the name."""


def portion_rows(portions: Iterable[Portion]) -> tuple[tuple[str, ...], ...]:
    """Name, how many are scored 1, of how many, their share, and how many are open."""
    return tuple((p.name, str(p.ones), str(p.known), p.text, str(p.unknown)) for p in portions)


def group_grid(records: Sequence[Record], measures: Sequence[Measured], by: str) -> Grid:
    """The share of each metric in each group, with half the width of its interval."""
    rows = tuple(
        (name, str(len(own)), *(_share_of(own, measured) for measured in measures))
        for name, own in grouped(records, by).items()
    )
    title = f"scored 1, by {by}: percent of measured pairs, 95 %; in brackets those not measured"
    return Grid(title, (by, "pairs", *(measured.name for measured in measures)), rows)


def _share_of(records: Sequence[Record], measured: Measured) -> str:
    found = portion(records, measured)
    if not found.known:
        return "-"
    low, high = found.interval
    shown = f"{100 * found.share:.1f} \N{PLUS-MINUS SIGN} {50 * (high - low):.1f}"
    return f"{shown} ({found.unknown})" if found.unknown else shown


def wrong_grid(
    records: Sequence[Record], measures: Sequence[Measured], against: Against, title: str
) -> Grid | None:
    """False positives and negatives by system, as Table 4 of ESM+ (arXiv 2407.07313) has them.

    Both are percent of the pairs that have an answer and a truth.
    """
    groups = grouped(records, "system")
    if len(groups) > 1:
        groups["all"] = list(records)
    told = [m for m in measures if against(records, m)]
    if not told:
        return None
    rows = tuple(
        (name, *(_wrong(against(own, measured)) for measured in told)) for name, own in groups.items()
    )
    return Grid(title, ("system", *(f"{measured.name} FP, FN" for measured in told)), rows)


def _wrong(counts: Counter[tuple[bool, bool]]) -> str:
    total = counts.total()
    if not total:
        return "-"
    return f"{100 * counts[False, True] / total:.1f}, {100 * counts[True, False] / total:.1f}"


def missed_grid(records: Sequence[Record], steps: Sequence[Measured], against: Against, title: str) -> Grid:
    """False negatives of each step by system, as figure 7 of ESM+ has them."""
    groups = grouped(records, "system")
    rows = tuple(
        (step.name, *(_wrong(against(own, step)).rpartition(", ")[2] for own in groups.values()))
        for step in steps
    )
    return Grid(title, ("rules up to", *groups), rows)


@dataclass(frozen=True, slots=True)
class Counting:
    """A row of a table of counts: how many records say what."""

    title: str
    what: str
    """What is counted: the first column."""
    of: Callable[[Record], Iterable[object]]
    """What one record says, each thing once."""
    meanings: Callable[[str], str] | None = None
    """What each thing means, where there is a column of meanings."""
    shared: bool = False
    """Whether the share of all records is told."""
    most: int | None = None
    """How many things are listed; None: all."""

    def counts_of(self, records: Iterable[Record]) -> Counter[object]:
        """How many records say what."""
        return Counter(thing for record in records for thing in self.of(record))

    def grid_of(self, counts: Counter[object], total: int = 0) -> Grid:
        """The counts as a table, the most frequent first."""
        rows = tuple(
            (
                *(str(thing), str(count)),
                *((percent_of(count, total),) if self.shared else ()),
                *((self.meanings(str(thing)),) if self.meanings else ()),
            )
            for thing, count in counts.most_common(self.most)
        )
        columns = (self.what, "pairs", *("share",) * self.shared, *("meaning",) * bool(self.meanings))
        return Grid(self.title, columns, rows)


def said(name: str) -> Callable[[Record], Iterable[object]]:
    """What a record says in a field, if it says something."""
    return lambda record: [record[name]] if record[name] else []


def kinds_of_remarks(record: Record) -> Iterable[object]:
    """The kinds of a record's remarks, each once."""
    return {remark["kind"] for remark in record.get("remarks", ())}


DATABASES_NAMED = 6
"""How many databases with undecided items are named."""

PROOF = "no judge: a score of 1 is a proof"


def bounds_text(found: Portion) -> str:
    """The shares of all items that the open ones leave possible, in words."""
    low, high = (100 * share for share in found.bounds)
    return f"of all {found.total:,} between {low:.1f} and {high:.1f} %, as they turn out"


def databases_text(databases: Counter[str]) -> str:
    """The first databases with their counts."""
    listed = ", ".join(f"{name} {count:,}" for name, count in databases.most_common(DATABASES_NAMED))
    left = len(databases) - DATABASES_NAMED
    return listed + (f" and {left} more" if left > 0 else "")


def relations_text(relations: Counter[str]) -> str:
    """The relations that verdicts hold under, with how many items have each where there are several."""
    words = {name: _relation_text(name) for name in relations}
    if len(words) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{words[name]} ({count:,})" for name, count in relations.most_common())


def _relation_text(name: str) -> str:
    rows, _, columns = name.partition("/")
    meanings = {"list": "rows in order", "bag": "rows with duplicates", "set": "distinct rows"}
    return f"{name}, {meanings.get(rows, rows)}{', columns in any order' if columns == 'any' else ''}"


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
