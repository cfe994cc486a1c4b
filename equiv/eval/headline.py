"""The first lines of an evaluation: score, execution accuracy and what is undecided.

A share is the part of *all* items: one without a score, or without a measured execution accuracy, counts as
no, and is told.  Intervals are Wilson's, see :mod:`equiv.eval.metrics.shares`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from equiv.eval.metrics.measured import is_executed, is_right, text_of
from equiv.eval.metrics.shares import Count, share
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Headline, Text

SYSTEMS_SIDE_BY_SIDE = 6
GROUPS_SHOWN = 40
"""How many databases or difficulties are listed."""


@dataclass(slots=True)
class Counts:
    """Counts over some items, abstentions and infeasible questions included."""

    score: Count = field(default_factory=Count)
    ex: Count = field(default_factory=Count)
    undecided: Count = field(default_factory=Count)
    invalid: int = 0

    def add(self, record: Record) -> None:
        """Count one record."""
        self.score.add(is_right(record))
        self.ex.add(is_executed(record))
        self.undecided.add(record["verdict"] == "undecided")
        self.invalid += record["verdict"] == "invalid"

    @property
    def items(self) -> int:
        """How many were counted."""
        return self.score.total

    @property
    def score_text(self) -> str:
        """The share that is right; what has no score is not."""
        return share(self.score.ones, self.items)

    @property
    def ex_text(self) -> str:
        """The share whose results are equal; in brackets, how many could not be measured."""
        found = self.ex.of("ex")
        partly = 0 < found.unknown < found.total
        return found.text + (f" ({found.unknown} not measured)" if partly else "")


COLUMNS: tuple[tuple[str, Callable[[Counts], str]], ...] = (
    ("items", lambda tally: str(tally.items)),
    ("score, %", lambda tally: tally.score_text),
    ("EX, %", lambda tally: tally.ex_text),
    ("without score", lambda tally: str(tally.score.unknown)),
    ("undecided", lambda tally: str(tally.undecided.ones)),
    ("invalid", lambda tally: str(tally.invalid)),
)


@dataclass(slots=True)
class Standing:
    """Tallies over all records, by system, and by difficulty and database within each system."""

    total: Counts = field(default_factory=Counts)
    systems: dict[str, Counts] = field(default_factory=dict)
    groups: dict[str, dict[str, dict[str, Counts]]] = field(
        default_factory=lambda: {"difficulty": {}, "database": {}}
    )
    """By what, group and system."""
    judged: int = 0
    metrics: set[str] = field(default_factory=set)
    several_golds: int = 0
    equal_golds: int = 0

    def add(self, record: Record) -> None:
        """Count one record."""
        system = record["source"]
        names = {"difficulty": text_of(record["difficulty"]), "database": record["db_id"] or "-"}
        tallies = [self.total, self.systems.setdefault(system, Counts())]
        for by, name in names.items():
            tallies.append(self.groups[by].setdefault(name, {}).setdefault(system, Counts()))
        for tally in tallies:
            tally.add(record)
        self.judged += bool(record["judge"])
        self.metrics.update(record.get("ex", {}))
        self.several_golds += bool(record.get("golds"))
        self.equal_golds += any(gold["same_as"] is not None for gold in record.get("golds", ()))

    def blocks(self) -> list[Block]:
        """The headline, systems side by side, then each difficulty and database."""
        if not self.total.items:
            return []
        total = self.total
        parts = [f"of {counted(total.items, 'item')} (with 95 % intervals)", f"EX {self._ex()}"]
        parts.append(f"undecided {100 * total.undecided.of('').share:.1f} % ({total.undecided.ones})")
        if total.score.unknown != total.undecided.ones:
            parts.append(f"without score {total.score.unknown}")
        if not self.judged:
            parts.append("no judge: a score of 1 is a proof")
        blocks: list[Block] = [Headline(f"score {total.score_text} %", "; ".join(parts))]
        blocks += self._golds()
        if len(self.systems) > 1:
            blocks += [_side_by_side(some) for some in _lots(self.systems)]
        return blocks + [grid for by in self.groups for grid in self._by(by)]

    def below(self, percent: float) -> list[str]:
        """The systems whose score is below so many percent, with their scores."""
        return [
            f"{name} ({tally.score_text} %)"
            for name, tally in self.systems.items()
            if 100 * tally.score.ones < percent * tally.items
        ]

    def _ex(self) -> str:
        if not self.metrics or self.total.ex.unknown == self.total.items:
            return "not measured"
        return f"{self.total.ex_text} % by {', '.join(sorted(self.metrics))}"

    def _golds(self) -> list[Block]:
        if not self.several_golds:
            return []
        equal = f"; in {self.equal_golds} some of them are proved equal" if self.equal_golds else ""
        return [Text(f"Items with several gold queries, any of which is right: {self.several_golds}{equal}.")]

    def _by(self, by: str) -> list[Grid]:
        groups = self.groups[by]
        if len(groups) < 2:
            return []
        first_groups = dict(list(groups.items())[:GROUPS_SHOWN])
        more = f" (the first {len(first_groups)} of {len(groups)})" if len(first_groups) < len(groups) else ""
        if len(self.systems) == 1:
            rows = [(name, *_cells(next(iter(own.values())))) for name, own in first_groups.items()]
            return [Grid(f"by {by}{more}", (by, *(name for name, _ in COLUMNS)), tuple(rows))]
        title = f"score by {by}, percent{more}"
        return [
            Grid(title, (by, *some), tuple((name, *_scores(own, some)) for name, own in first_groups.items()))
            for some in _lots(self.systems)
        ]


def _cells(tally: Counts) -> tuple[str, ...]:
    return tuple(cell(tally) for _, cell in COLUMNS)


def _scores(own: Mapping[str, Counts], systems: Iterable[str]) -> list[str]:
    return [own[system].score_text if system in own else "-" for system in systems]


def _side_by_side(systems: Mapping[str, Counts]) -> Grid:
    rows = tuple((name, *(cell(tally) for tally in systems.values())) for name, cell in COLUMNS)
    return Grid("systems side by side", ("", *systems), rows)


def _lots(systems: Mapping[str, Counts]) -> list[dict[str, Counts]]:
    listed = list(systems.items())
    step = SYSTEMS_SIDE_BY_SIDE
    return [dict(listed[start : start + step]) for start in range(0, len(listed), step)]


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
