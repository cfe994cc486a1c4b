"""The summary of an evaluation: verdicts by tier, reasons, failures, scores and time."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from equiv.errors import InputError
from equiv.eval.faults import faults_grid
from equiv.eval.headline import Standing
from equiv.eval.metrics.agreement import agreement_blocks
from equiv.records.item import Item
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text

Value = TypeVar("Value")

CONDITIONS_SHOWN = 15
"""How many facts that would make misses equivalent are listed."""

_ON_DATA = {True: "kept", False: "violated", None: "-"}

VERDICTS = ("equivalent", "not_equivalent", "undecided", "invalid")


@dataclass
class Summary:
    """Counts over records; :meth:`add` takes one in, :meth:`blocks` shows them."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records by verdict and tier ('' where none settled the pair)."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Records whose verdict or score is open, by reason."""
    failures: Counter[str] = field(default_factory=Counter)
    """Records by failure code."""
    differences: Counter[str] = field(default_factory=Counter)
    """Refutations by what they show."""
    bounded: Counter[int] = field(default_factory=Counter)
    """Undecided records by the number of rows a table that was searched in vain."""
    confirmed: Counter[str] = field(default_factory=Counter)
    """Verdicts of the rules that were put to the algebra alone, by what it said."""
    conditions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records that name facts under which the pair would be equivalent, by fact and what data says of it."""
    conditional: int = 0
    """How many records name some."""
    observed: int = 0
    """How many of them the policy ``observed`` would prove."""
    remarks: Counter[str] = field(default_factory=Counter)
    """Records that carry a remark, by its kind."""
    scores: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records by ``score_by`` and score."""
    labelled: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """Labelled records with a score, by label and score."""
    milliseconds: array[float] = field(default_factory=lambda: array("d"))
    """Of each record: eight bytes are kept of it."""
    standing: Standing = field(default_factory=Standing)
    """What the first lines say."""

    def add(self, record: Record) -> None:
        """Count one record."""
        self.standing.add(record)
        self.verdicts[record["verdict"], record["tier"] or ""] += 1
        if record["reason"]:
            self.reasons[record["reason"]] += 1
        if record["failure_code"]:
            self.failures[record["failure_code"]] += 1
        if record["difference"]:
            self.differences[record["difference"]] += 1
        if record["bounded"]:
            self.bounded[record["bounded"]["rows"]] += 1
        if record.get("confirmed") is not None:
            self.confirmed["proved again" if record["confirmed"] else "not proved again"] += 1
        self.add_conditions(record)
        self.remarks.update({remark["kind"] for remark in record.get("remarks", ())})
        score = "null" if record["score"] is None else str(record["score"])
        self.scores[record["score_by"] or "", score] += 1
        if isinstance(record["label"], bool) and record["score"] is not None:
            self.labelled[record["label"], record["score"] == 1] += 1
        self.milliseconds.append(sum(record["ms"].values()))

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

    def blocks(self, checked: int, seconds: float, items: Iterable[Item] = ()) -> list[Block]:
        """The tables to show, after a run that checked so many pairs itself in so many seconds.

        Args:
            checked: how many.
            seconds: how long that took.
            items: what was read, for what was wrong with it.
        """
        grids = [
            self._by_tier(),
            self._by_score(),
            _counts("open by reason", "reason", self.reasons),
            _counts("open, but no counter-example within", "rows a table", self.bounded),
            _counts("failure codes", "code", self.failures),
            _counts("differences shown", "difference", self.differences),
            _counts("equivalent by rules, put to the algebra alone", "outcome", self.confirmed),
            _counts("remarks", "about", self.remarks),
            self._conditions(),
        ]
        texts = [Text(self._time(checked, seconds))]
        first = [*self.standing.blocks(), *faults_grid(items)]
        return [*first, *(grid for grid in grids if grid.rows), *self._agreement(), *texts]

    def _agreement(self) -> list[Block]:
        """How scores agree with labels, if there are some and scikit-learn is installed."""
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
            (verdict, tier or "-", str(count), _share(count, self.pairs)) for (verdict, tier), count in found
        ]
        total = ("all", "", str(self.pairs), _share(self.pairs, self.pairs))
        return Grid("verdicts by tier", ("verdict", "tier", "pairs", "share"), (*rows, total))

    def _by_score(self) -> Grid:
        rows = tuple(
            (by or "-", score, str(count), _share(count, self.pairs))
            for (by, score), count in sorted(self.scores.items())
        )
        return Grid("scores by who gave them", ("score_by", "score", "pairs", "share"), rows)

    def _conditions(self) -> Grid:
        title = f"misses that further facts would make equivalent: {self.conditional:,}"
        if self.observed:
            title += f"; {self.observed:,} of them are proved by --facts observed"
        found = self.conditions.most_common(CONDITIONS_SHOWN)
        if len(found) < len(self.conditions):
            title += f" (the first {len(found)} of {len(self.conditions):,} facts)"
        rows = tuple((fact, said, str(count)) for (fact, said), count in found)
        return Grid(title, ("fact", "on your data", "pairs"), rows)

    def _time(self, checked: int, seconds: float) -> str:
        if not self.milliseconds:
            return "No pair."
        median, high = percentile(self.milliseconds, 0.5), percentile(self.milliseconds, 0.95)
        shown = f"Time per pair: median {median:.1f} ms, 95th percentile {high:.1f} ms."
        if checked:
            shown += (
                f" This run: {checked} pairs in {seconds:.1f} s, {checked / max(seconds, 1e-9):.1f} pairs/s."
            )
        return shown


def _counts(title: str, what: str, counts: Counter[Value]) -> Grid:
    rows = tuple((str(name), str(count)) for name, count in counts.most_common())
    return Grid(title, (what, "pairs"), rows)


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least that share of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = -(-len(ordered) * share // 1)
    return ordered[max(int(rank), 1) - 1]
