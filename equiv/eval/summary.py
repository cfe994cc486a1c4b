"""The summary of an evaluation: verdicts by tier, reasons, failures, scores and time.

Its first lines are score, execution accuracy and what is undecided, a fact a line. A share is the part of
the items that were *measured*: those without a score, or without a measured execution accuracy, are told
beside it, with the shares of all items that they leave possible. Systems are compared on the items that all
of them have. Intervals are Wilson's, see :mod:`equiv.eval.metrics.scores`. Faults that items had when they
were read are counted too.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from equiv.errors import InputError
from equiv.eval.comparing import SideBySide
from equiv.eval.metrics import scores as s
from equiv.eval.metrics.agreement import agreement_blocks
from equiv.records.record import FaultKind, Item, Record, is_executed
from equiv.show.page import Block, Grid, Headline, Text
from equiv.verdict import VERDICTS

SYSTEMS_SIDE_BY_SIDE = 6
GROUPS_SHOWN = 40
"""How many databases or difficulties are listed."""


@dataclass(slots=True)
class ItemCounts:
    """Counts over some items, abstentions and infeasible questions included."""

    score: s.Count = field(default_factory=s.Count)
    ex: s.Count = field(default_factory=s.Count)
    undecided: s.Count = field(default_factory=s.Count)
    invalid: int = 0

    def add(self, record: Record) -> None:
        """Count one record."""
        self.score.add(s.is_right(record))
        self.ex.add(is_executed(record))
        self.undecided.add(record["verdict"] == "undecided")
        self.invalid += record["verdict"] == "invalid"

    @property
    def items(self) -> int:
        """How many were counted."""
        return self.score.total


def _cell(found: s.Portion) -> str:
    """A share, and of how many items it is if that is not all."""
    return f"{found.text} (of {found.known})" if found.unknown and found.known else found.text


COLUMNS: tuple[tuple[str, Callable[[ItemCounts], str]], ...] = (
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

    total: ItemCounts = field(default_factory=ItemCounts)
    systems: dict[str, ItemCounts] = field(default_factory=dict)
    groups: dict[str, dict[str, dict[str, ItemCounts]]] = field(
        default_factory=lambda: {"difficulty": {}, "database": {}}
    )
    """By what, group and system."""
    side_by_side: SideBySide = field(default_factory=SideBySide)
    both: dict[str, s.Count] = field(default_factory=lambda: {"score": s.Count(), "EX": s.Count()})
    """Of the items that have a score and a measured execution accuracy."""
    relations: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    metrics: set[str] = field(default_factory=set)
    several_golds: int = 0
    equal_golds: int = 0

    def add(self, record: Record) -> None:
        """Count one record."""
        system = record["source"]
        names = {"difficulty": s.text_of(record["difficulty"]), "database": record["db_id"] or "-"}
        tallies = [self.total, self.systems.setdefault(system, ItemCounts())]
        for by, name in names.items():
            tallies.append(self.groups[by].setdefault(name, {}).setdefault(system, ItemCounts()))
        for tally in tallies:
            tally.add(record)
        self.side_by_side.add(record)
        right, executed = s.is_right(record), is_executed(record)
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
        # Systems answer the same questions: no interval is told over their items together.
        several = len(self.systems) > 1
        blocks: list[Block] = [self._headline_of_several(), _by_system(self.systems)] if several else []
        blocks += [] if several else [self._headline()]
        blocks += [*map(Text, self._facts() if not several else self._facts_of_all()), *self._golds()]
        if several:
            blocks += self.side_by_side.blocks(self._execution)
        return blocks + [grid for by in self.groups for grid in self._by(by)]

    def below(self, percent: float) -> list[str]:
        """The systems whose score is below so many percent of *all* items, with their scores."""
        return [
            f"{name} ({100 * tally.score.ones / tally.items:.1f} % of all {s.counted(tally.items, 'item')})"
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

    def _headline_of_several(self) -> Headline:
        title = s.items_of_systems([tally.items for tally in self.systems.values()])
        return Headline(title, f"{self.total.items:,} pairs (95 % intervals over the items of a system)")

    def _facts(self) -> Iterator[str]:
        """What there is to be known of the score, each in a line of its own."""
        score, execution = self.total.score.of("score"), self.total.ex.of("EX")
        if score.unknown:
            yield f"without score: {s.counted(score.unknown, 'item')}; {s.bounds_text(score)}"
        if not self.metrics or not execution.known:
            yield "EX: not measured"
        else:
            measured = f"{execution.ones:,} equal of {execution.known:,} measured, by {self._execution}"
            yield f"EX {execution.text} %: {measured}"
            if execution.unknown:
                yield f"EX not measured: {s.counted(execution.unknown, 'item')}; {s.bounds_text(execution)}"
            yield from self._on_both()
        yield from self._facts_of_all()

    def _facts_of_all(self) -> Iterator[str]:
        """What there is to be known of all items, whosever they are."""
        if len(self.systems) > 1:
            yield f"EX: measured by {self._execution}" if self.metrics else "EX: not measured"
        yield self._undecided()
        yield f"relation: {s.relations_text(self.relations)}"
        yield s.PROOF if not self.judged else f"judged: {s.counted(self.judged, 'item')}"

    def _on_both(self) -> Iterator[str]:
        """Score and execution accuracy on the items that have both, unless these are those of either."""
        score, execution = (count.of(name) for name, count in self.both.items())
        if score.total and {score.total} != {self.total.score.of("").known, self.total.ex.of("").known}:
            shares = f"score {100 * score.share:.1f} %, EX {100 * execution.share:.1f} %"
            yield f"on the {s.counted(score.total, 'item')} that have both: {shares}"

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
        return f"undecided: {total:,} ({share:.1f} %), by database: {s.databases_text(+databases)}"

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

    def _open_by(self, by: str, groups: Mapping[str, Mapping[str, ItemCounts]]) -> list[Grid]:
        """How many items of each group are undecided, system by system."""
        unsure = {
            name: own for name, own in groups.items() if any(one.undecided.ones for one in own.values())
        }
        return [
            Grid(
                f"undecided by {by}",
                (by, *some),
                tuple(
                    (name, *(str(own[each].undecided.ones) if each in own else "-" for each in some))
                    for name, own in unsure.items()
                ),
            )
            for some in _lots(self.systems)
            if unsure
        ]


def _cells(tally: ItemCounts) -> tuple[str, ...]:
    return tuple(cell(tally) for _, cell in COLUMNS)


def _scores(own: Mapping[str, ItemCounts], systems: Iterable[str]) -> list[str]:
    return [_cell(own[system].score.of("score")) if system in own else "-" for system in systems]


def _by_system(systems: Mapping[str, ItemCounts]) -> Grid:
    rows = tuple((name, *_cells(tally)) for name, tally in systems.items())
    return Grid("systems side by side", ("system", *(name for name, _ in COLUMNS)), rows)


def _lots(systems: Mapping[str, ItemCounts]) -> list[dict[str, ItemCounts]]:
    listed = list(systems.items())
    step = SYSTEMS_SIDE_BY_SIDE
    return [dict(listed[start : start + step]) for start in range(0, len(listed), step)]


IDS_SHOWN = 8


def faults_grid(items: Iterable[Item]) -> list[Block]:
    """The table of faults that items had when read, by kind: how many, and which; empty without faults."""
    sources: dict[FaultKind, dict[str, None]] = {}
    counts: dict[FaultKind, int] = {}
    count = faulty = 0
    for item in items:
        count += 1
        faulty += bool(item.faults)
        for kind in dict.fromkeys(fault.kind for fault in item.faults):
            name = item.db_id or "none" if kind is FaultKind.NO_DATABASE else s.text_of(item.question_id)
            sources.setdefault(kind, {})[name] = None
            counts[kind] = counts.get(kind, 0) + 1
    if not sources:
        return []
    rows = tuple(
        (kind, str(counts[kind]), kind.says, _listed(list(sources[kind])))
        for kind in FaultKind
        if kind in sources
    )
    title = f"faults of the input: {faulty} of {s.counted(count, 'item')}, all of them recorded and counted"
    return [Grid(title, ("fault", "items", "what it means", "which (ids, or databases)"), rows)]


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - IDS_SHOWN} more" if len(names) > IDS_SHOWN else ""
    return ", ".join(name[:40] for name in names[:IDS_SHOWN]) + rest


CONDITIONS_SHOWN = 15
"""How many facts that would make misses equivalent are listed."""

_ON_DATA = {True: "kept", False: "violated", None: "-"}


COUNTINGS = (
    s.Counting("open by reason", "reason", s.said("reason")),
    s.Counting(
        "open, but no counter-example within",
        "rows a table",
        lambda r: [r["bounded"]["rows"]] if r["bounded"] else [],
    ),
    s.Counting("failure codes", "code", s.said("failure_code")),
    s.Counting(
        "equivalent by rules, put to the algebra alone",
        "outcome",
        lambda r: {None: [], True: ["proved again"], False: ["not proved again"]}[r.get("confirmed")],
    ),
    *s.SHOWN,
)
"""What records say beside verdict, tier and score, in the order of the tables."""


@dataclass
class Summary:
    """Counts over records; :meth:`add` takes one in, :meth:`blocks` shows them."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records by verdict and tier ('' where none settled the pair)."""
    counts: tuple[Counter[object], ...] = field(default_factory=lambda: tuple(Counter() for _ in COUNTINGS))
    """Of each of :data:`COUNTINGS`."""
    conditions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records that name facts under which the pair would be equivalent, by fact and what data says of it."""
    conditional: int = 0
    """How many records name some."""
    observed: int = 0
    """How many of them the policy ``observed`` would prove."""
    scores: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records by ``score_by`` and score."""
    labelled: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """Labelled records with a score, by label and score."""
    milliseconds: array[float] = field(default_factory=lambda: array("d"))
    """Of each record: eight bytes are kept of it."""
    executing: float = 0.0
    """Milliseconds of them that went into execution accuracy."""
    standing: Standing = field(default_factory=Standing)
    """What the first lines say."""

    def add(self, record: Record) -> None:
        """Count one record."""
        self.standing.add(record)
        self.verdicts[record["verdict"], record["tier"] or ""] += 1
        for counting, counts in zip(COUNTINGS, self.counts, strict=True):
            counts.update(counting.of(record))
        self.add_conditions(record)
        score = "null" if record["score"] is None else str(record["score"])
        self.scores[record["score_by"] or "", score] += 1
        if isinstance(record["label"], bool) and record["score"] is not None:
            self.labelled[record["label"], record["score"] == 1] += 1
        self.milliseconds.append(sum(record["ms"].values()))
        self.executing += record["ms"].get("EX", 0.0)

    def add_conditions(self, record: Record) -> None:
        """Count the facts under which a record's pair would be equivalent, if it names some."""
        found = record["equivalent_if"]
        self.conditional += bool(found)
        self.observed += any(one.get("observed") for one in found)
        self.conditions.update((one["fact"], _ON_DATA[one["satisfied"]]) for one in found)

    @property
    def pairs(self) -> int:
        """How many records were counted."""
        return len(self.milliseconds)

    def blocks(self, items: Iterable[Item] = ()) -> list[Block]:
        """The tables to show of a run; ``items``: what was read, for what was wrong with it."""
        grids = [
            self._by_tier(),
            self._by_score(),
            *(each.grid_of(counts, self.pairs) for each, counts in zip(COUNTINGS, self.counts, strict=True)),
            self._conditions(),
        ]
        first = [*self.standing.blocks(), *faults_grid(items)]
        return [*first, *(grid for grid in grids if grid.rows), *self._agreement()]

    def _agreement(self) -> list[Block]:
        """How scores agree with labels, if there are some and numpy is installed."""
        if not self.labelled:
            return []
        try:
            return agreement_blocks({"score": self.labelled})
        except InputError as missing:
            return [Text(str(missing))]

    def _by_tier(self) -> Grid:
        order = {name: position for position, name in enumerate(VERDICTS)}
        found = sorted(self.verdicts.items(), key=lambda entry: (order[entry[0][0]], entry[0][1]))
        rows = [
            (verdict, tier or "-", str(count), s.percent_of(count, self.pairs))
            for (verdict, tier), count in found
        ]
        total = ("all", "", str(self.pairs), s.percent_of(self.pairs, self.pairs))
        return Grid("verdicts by tier", ("verdict", "tier", "pairs", "share"), (*rows, total))

    def _by_score(self) -> Grid:
        rows = tuple(
            (by or "-", score, str(count), s.percent_of(count, self.pairs))
            for (by, score), count in sorted(self.scores.items())
        )
        return Grid("scores by who gave them", ("score_by", "score", "pairs", "share"), rows)

    def _conditions(self) -> Grid:
        title = f"misses that further facts would make equivalent: {self.conditional:,}"
        if self.observed:
            title += f"; --facts observed proves {self.observed:,} of them"
        found = self.conditions.most_common(CONDITIONS_SHOWN)
        if len(found) < len(self.conditions):
            title += f" (the first {len(found)} of {len(self.conditions):,} facts)"
        rows = tuple((fact, said, str(count)) for (fact, said), count in found)
        return Grid(title, ("fact", "on your data", "pairs"), rows)

    def time(self, checked: int, seconds: float, processor: float) -> str:
        """The time of a pair, and of a run that checked so many itself, by the clock and by the processor."""
        if not self.milliseconds:
            return "No pair."
        median, high = percentile(self.milliseconds, 0.5), percentile(self.milliseconds, 0.95)
        shown = f"Time per pair: median {median:.1f} ms, 95th percentile {high:.1f} ms."
        if self.executing:
            shown += (
                f" EX took {self.executing / 1000:.1f} s of {sum(self.milliseconds) / 1000:.1f} s in all."
            )
        if checked:
            pace = f"{checked / max(seconds, 1e-9):.1f} pairs/s"
            shown += (
                f" This run: {checked} pairs in {seconds:.1f} s, {pace}, {processor:.1f} s of processor time."
            )
        return shown


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least that share of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = -(-len(ordered) * share // 1)
    return ordered[max(int(rank), 1) - 1]
