"""The first lines of an evaluation: score, execution accuracy and what is undecided, a fact a line.

A share is the part of the items that were *measured*: those without a score, or without a measured execution
accuracy, are told beside it, with the shares of all items that they leave possible.  Systems are compared on
the items that all of them have.  Intervals are Wilson's, see :mod:`equiv.eval.metrics.shares`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from equiv.eval.comparing.side_by_side import SideBySide
from equiv.eval.headline_text import PROOF, bounds_text, counted, databases_text, relations_text
from equiv.eval.metrics.measured import is_executed, is_right, text_of
from equiv.eval.metrics.shares import Count, Portion
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


def _cell(found: Portion) -> str:
    """A share, and of how many items it is if that is not all."""
    return f"{found.text} (of {found.known})" if found.unknown and found.known else found.text


COLUMNS: tuple[tuple[str, Callable[[Counts], str]], ...] = (
    ("items", lambda tally: str(tally.items)),
    ("score, %", lambda tally: _cell(tally.score.of("score"))),
    ("EX, %", lambda tally: _cell(tally.ex.of("ex"))),
    ("without score", lambda tally: str(tally.score.unknown)),
    ("EX not measured", lambda tally: str(tally.ex.unknown)),
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
    side_by_side: SideBySide = field(default_factory=SideBySide)
    both: dict[str, Count] = field(default_factory=lambda: {"score": Count(), "EX": Count()})
    """Of the items that have a score and a measured execution accuracy."""
    relations: Counter[str] = field(default_factory=Counter)
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
        self.side_by_side.add(record)
        right, executed = is_right(record), is_executed(record)
        if right is not None and executed is not None:
            self.both["score"].add(right)
            self.both["EX"].add(executed)
        self.relations[record["relation"]] += 1
        self.judged += bool(record["judge"])
        self.metrics.update(record.get("ex", {}))
        self.several_golds += bool(record.get("golds"))
        self.equal_golds += any(gold["same_as"] is not None for gold in record.get("golds", ()))

    def blocks(self) -> list[Block]:
        """The headline, a fact a line; systems side by side, then each difficulty and database."""
        if not self.total.items:
            return []
        blocks: list[Block] = [self._headline(), *map(Text, self._facts()), *self._golds()]
        if len(self.systems) > 1:
            blocks += [_side_by_side(some) for some in _lots(self.systems)]
            blocks += self.side_by_side.blocks(self._execution)
        return blocks + [grid for by in self.groups for grid in self._by(by)]

    def below(self, percent: float) -> list[str]:
        """The systems whose score is below so many percent of *all* items, with their scores."""
        return [
            f"{name} ({100 * tally.score.ones / tally.items:.1f} % of all {counted(tally.items, 'item')})"
            for name, tally in self.systems.items()
            if 100 * tally.score.ones < percent * tally.items
        ]

    @property
    def _execution(self) -> str:
        return ", ".join(sorted(self.metrics))

    def _headline(self) -> Headline:
        score = self.total.score.of("score")
        title = f"score {score.text} %" if score.known else "score -"
        return Headline(title, f"{score.ones:,} right of {score.known:,} scored (with 95 % intervals)")

    def _facts(self) -> Iterator[str]:
        """What there is to be known of the score, each in a line of its own."""
        score, execution = self.total.score.of("score"), self.total.ex.of("EX")
        if score.unknown:
            yield f"without score: {counted(score.unknown, 'item')}; {bounds_text(score)}"
        if not self.metrics or not execution.known:
            yield "EX: not measured"
        else:
            measured = f"{execution.ones:,} equal of {execution.known:,} measured, by {self._execution}"
            yield f"EX {execution.text} %: {measured}"
            if execution.unknown:
                yield f"EX not measured: {counted(execution.unknown, 'item')}; {bounds_text(execution)}"
            yield from self._on_both()
        yield self._undecided()
        yield f"relation: {relations_text(self.relations)}"
        yield PROOF if not self.judged else f"judged: {counted(self.judged, 'item')}"

    def _on_both(self) -> Iterator[str]:
        """Score and execution accuracy on the items that have both, unless these are those of either."""
        score, execution = (count.of(name) for name, count in self.both.items())
        if score.total and {score.total} != {self.total.score.of("").known, self.total.ex.of("").known}:
            shares = f"score {100 * score.share:.1f} %, EX {100 * execution.share:.1f} %"
            yield f"on the {counted(score.total, 'item')} that have both: {shares}"

    def _undecided(self) -> str:
        total = self.total.undecided.ones
        if not total:
            return "undecided: none"
        databases = Counter(
            {
                name: sum(tally.undecided.ones for tally in own.values())
                for name, own in self.groups["database"].items()
            }
        )
        share = 100 * total / self.total.items
        return f"undecided: {total:,} ({share:.1f} %), by database: {databases_text(+databases)}"

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
        title = f"score by {by}, percent of those scored{more}"
        return [
            Grid(title, (by, *some), tuple((name, *_scores(own, some)) for name, own in first_groups.items()))
            for some in _lots(self.systems)
        ] + self._open_by(by, first_groups)

    def _open_by(self, by: str, groups: Mapping[str, Mapping[str, Counts]]) -> list[Grid]:
        """How many items of each group are undecided, system by system."""
        rows = [
            (name, *(str(own[system].undecided.ones) if system in own else "-" for system in self.systems))
            for name, own in groups.items()
            if any(tally.undecided.ones for tally in own.values())
        ]
        columns = [list(some) for some in _lots(self.systems)]
        return [
            Grid(
                f"undecided by {by}",
                (by, *some),
                tuple((row[0], *row[1 + start : 1 + start + len(some)]) for row in rows),
            )
            for start, some in zip(range(0, len(self.systems), SYSTEMS_SIDE_BY_SIDE), columns, strict=True)
            if rows
        ]


def _cells(tally: Counts) -> tuple[str, ...]:
    return tuple(cell(tally) for _, cell in COLUMNS)


def _scores(own: Mapping[str, Counts], systems: Iterable[str]) -> list[str]:
    return [_cell(own[system].score.of("score")) if system in own else "-" for system in systems]


def _side_by_side(systems: Mapping[str, Counts]) -> Grid:
    rows = tuple((name, *(cell(tally) for tally in systems.values())) for name, cell in COLUMNS)
    return Grid("systems side by side", ("", *systems), rows)


def _lots(systems: Mapping[str, Counts]) -> list[dict[str, Counts]]:
    listed = list(systems.items())
    step = SYSTEMS_SIDE_BY_SIDE
    return [dict(listed[start : start + step]) for start in range(0, len(listed), step)]
