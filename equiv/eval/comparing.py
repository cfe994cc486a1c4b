"""Two systems, or two runs, compared with each other item by item: who gains what, and whether that is real.

Items are those that both have: one database, one question id, one gold text.  The settings of a run
(facts, versions, judge) are those that its records tell.

Source of the paired test: Q. McNemar, Psychometrika 12 (1947): of the items on which two systems part,
either is right as often as the other if they are equally good, so that the number of one side is
binomial.  The p-value is exact and two-sided.  The interval of the difference is a percentile bootstrap
over items.  S. Holm, Scand. J. Statist. 6 (1979): with several comparisons p-values are adjusted, the
smallest by their number.

Systems side by side are compared two by two on the items that all of them have, with the scores of each
item kept on disk.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.metrics.agreement import Figure, resampled, with_interval
from equiv.eval.metrics.scores import Count, Portion, counted, is_right, portion_of
from equiv.eval.plan import digest_of, temporary_tables
from equiv.eval.questions import question_of
from equiv.eval.results import RecordStore
from equiv.records.record import Record, is_executed
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
            return [Text("No item has a score from every system, so the systems cannot be compared.")]
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
        columns = ("metric", "system", "against", *DIFFERENCE_COLUMNS)
        return [Grid(title, columns, rows)]

    def _paired(self, measure: str, pairs: Sequence[tuple[str, str]]) -> list[Paired]:
        counts: dict[tuple[str, str], Counter[tuple[bool, bool]]] = {pair: Counter() for pair in pairs}
        for scores in self._items(measure):
            for (one, other), own in counts.items():
                first, second = scores.get(self.systems[one]), scores.get(self.systems[other])
                if first is not None and second is not None:
                    own[first, second] += 1
        return adjusted([paired(own) for own in counts.values()])


DIFFERENCE_COLUMNS = ("items", "points more, 95 %", "only it right", "only the other right", "p", "reading")
"""The columns of :func:`difference_row` after the names."""


def difference_row(names: Sequence[str], found: Paired) -> tuple[str, ...]:
    """The row of a comparison: how much more the first system scores, and whether that is real."""
    counts = str(found.items), found.points, str(found.first), str(found.second)
    return (*names, *counts, p_text(found.p), found.verdict)


_ALWAYS_ASSUMED = frozenset({"exact_arithmetic", "no_overflow"})


@dataclass(slots=True)
class RunSettings:
    """The settings of a run, as its records state them."""

    grades: set[str] = field(default_factory=set)
    """The grades of the facts that verdicts rest on."""
    assumed: set[str] = field(default_factory=set)
    """Facts that the caller stated."""
    dropped: dict[str, set[str]] = field(default_factory=dict)
    """By database, the facts that its data violates."""
    versions: dict[str, set[str]] = field(default_factory=dict)
    dialects: set[str] = field(default_factory=set)
    """What queries are written in; older records do not say."""
    judges: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Take in a record."""
        for fact in record["facts"]:
            self.grades.add(fact["grade"])
            if fact["grade"] == "assumed" and fact["kind"] not in _ALWAYS_ASSUMED:
                self.assumed.add(_text(fact))
        self.dropped.setdefault(record["db_id"], set()).update(map(_text, record["facts_dropped"]))
        for name, version in record["versions"].items():
            self.versions.setdefault(name, set()).add(str(version))
        self.dialects |= {record.get("dialect", "")} - {""}
        if judge := record["judge"]:
            self.judges.add(f"{judge['model']}, variant {judge['variant']}")


def _text(fact: Record) -> str:
    return json.dumps(fact, sort_keys=True)


def _against(one: set[str], other: set[str]) -> str:
    return " against ".join(", ".join(sorted(names)) or "none" for names in (one, other))


def differing_settings(one: RunSettings, other: RunSettings) -> list[str]:
    """The differences between the settings of two runs, a line each."""
    found = []
    if one.grades != other.grades:
        found.append(f"the facts have different grades: {_against(one.grades, other.grades)}; see --facts")
    if one.assumed != other.assumed:
        found.append(
            f"{len(one.assumed ^ other.assumed)} assumed facts occur in only one of the runs; see --assume"
        )
    if one.dialects and other.dialects and one.dialects != other.dialects:
        found.append(f"the dialect differs: {_against(one.dialects, other.dialects)}; see --gold-dialect")
    databases = [
        name for name in one.dropped if name in other.dropped and one.dropped[name] != other.dropped[name]
    ]
    if databases:
        some = ", ".join(databases[:5]) + (" and more" if len(databases) > 5 else "")
        found.append(f"the data violates different facts, on {some}: see databases and --facts")
    found += [
        f"the version of {name} differs: {_against(one.versions[name], other.versions[name])}"
        for name in sorted(one.versions.keys() & other.versions.keys())
        if one.versions[name] != other.versions[name]
    ]
    if one.judges != other.judges:
        found.append(f"the judge differs: {_against(one.judges, other.judges)}")
    return found


QuestionKey = tuple[str, str]
"""Database and question id as JSON."""


@dataclass(frozen=True, slots=True)
class RunItem:
    """The outcome of one item in one run."""

    question_id: object
    scores: Mapping[str, bool | None]
    """By measure; None: not measured."""
    why: str
    """Verdict and reason in words."""
    predicted_sql: str
    relation: str


@dataclass(frozen=True, slots=True)
class Run:
    """The records of a results file by system and item."""

    name: str
    systems: Mapping[str, Mapping[QuestionKey, Mapping[str, RunItem]]]
    """By system, question and gold text."""
    settings: RunSettings
    repeated: int
    """Records of an item that has a later one."""


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """An item that one run has right and the other wrong."""

    db_id: str
    before: RunItem
    after: RunItem


@dataclass(frozen=True, slots=True)
class Matched:
    """Two systems, or two versions of one, on the items that both runs have."""

    names: tuple[str, str]
    items: tuple[ScoreChange, ...]
    """Every common item; most of them have not changed."""
    only: tuple[int, int]
    """Questions of one run alone."""
    other_gold: int
    """Questions that have another gold query in the other run; they are left out."""

    def known(self, measure: str) -> list[tuple[ScoreChange, bool, bool]]:
        """The items that both runs score, with both scores."""
        told = ((one, one.before.scores[measure], one.after.scores[measure]) for one in self.items)
        return [(one, a, b) for one, a, b in told if a is not None and b is not None]

    def unmeasured(self, measure: str) -> int:
        """How many items one of the runs has not scored."""
        return len(self.items) - len(self.known(measure))

    def shares(self, measure: str) -> tuple[Portion, Portion]:
        """The scores of each run on the items that both score."""
        known = self.known(measure)
        return portion_of("", (a for _, a, _ in known)), portion_of("", (b for _, _, b in known))

    def changed(self, measure: str, *, to: bool) -> list[ScoreChange]:
        """The items that were gained (or lost)."""
        return [one for one, a, b in self.known(measure) if a is not to and b is to]

    def paired(self, measure: str) -> Paired:
        """The later run as the first, so that a gain is positive."""
        return paired(Counter((after, before) for _, before, after in self.known(measure)))


@dataclass(frozen=True)
class ComparedRuns:
    """Two runs with what they have in common."""

    runs: tuple[Run, Run]
    matched: tuple[Matched, ...]
    tests: Mapping[str, tuple[Paired, ...]] = field(default_factory=dict)
    """By measure, for each of the matched; p-values adjusted where there are several."""

    def remarks(self) -> list[str]:
        """The other differences between the runs, a line each; scores may change because of these alone."""
        found = []
        if gold := sum(one.other_gold for one in self.matched):
            found.append(f"left out, since the gold query differs: {counted(gold, 'question')}")
        if relations := self._relations():
            found.append(f"the relation differs ({relations}), which alone may explain a change")
        found += differing_settings(*(run.settings for run in self.runs))
        for run in self.runs:
            if run.repeated:
                found.append(f"{run.name}: {counted(run.repeated, 'record')} superseded by a later one")
        return found

    def _relations(self) -> str:
        pairs = Counter(
            (item.before.relation, item.after.relation)
            for matched in self.matched
            for item in matched.items
            if item.before.relation != item.after.relation
        )
        return ", ".join(
            f"{a} against {b} ({counted(count, 'item')})" for (a, b), count in pairs.most_common()
        )


def compare_runs(first: Path, second: Path) -> ComparedRuns:
    """Two results files compared with each other.

    Systems are matched by name; if each file has one alone, these are, whatever they are called.

    Raises:
        InputError: a file cannot be read, the runs have no item in common, or scipy is not installed.
    """
    runs = _read(first, str(first)), _read(second, str(second))
    matched = tuple(_matched(runs, names) for names in _names(runs))
    if not any(one.items or one.other_gold for one in matched):
        raise InputError(f"{first} and {second} have no question in common")
    tests = {measure: [one.paired(measure) for one in matched] for measure in MEASURES}
    return ComparedRuns(runs, matched, {name: tuple(adjusted(found)) for name, found in tests.items()})


def _read(path: Path, name: str) -> Run:
    systems: dict[str, dict[QuestionKey, dict[str, RunItem]]] = {}
    settings, repeated = RunSettings(), 0
    with closing(RecordStore.of_files([path])) as shelf:
        for part in shelf.values():
            record = shelf.whole(part)
            settings.add(record)
            db_id, question, gold = question_of(record)
            own = systems.setdefault(record["source"], {}).setdefault((db_id, question), {})
            repeated += gold in own
            own[gold] = _outcome(record)
    if not systems:
        raise InputError(f"{path}: the file has no records")
    return Run(name, systems, settings, repeated)


def _outcome(record: Record) -> RunItem:
    scores = {"score": is_right(record), "ex": is_executed(record)}
    return RunItem(record["question_id"], scores, why_of(record), record["predicted_sql"], record["relation"])


def why_of(record: Record) -> str:
    """The verdict of a record in words, with the reason for it."""
    verdict = record["verdict"].replace("_", " ")
    why = record["failure_code"] or record["reason"] or record["difference"] or ""
    by = f"score {record['score']} by {record['score_by']}" if record["judge"] else record["tier"] or ""
    return " ".join(filter(None, (verdict, f"({why})" if why else "", f"by {by}" if by else "")))


def _names(runs: tuple[Run, Run]) -> Iterator[tuple[str, str]]:
    one, other = (list(run.systems) for run in runs)
    common = [name for name in one if name in other]
    if not common and len(one) == len(other) == 1:
        yield one[0], other[0]
        return
    if not common:
        raise InputError(f"the runs have no system in common: {', '.join(one)} against {', '.join(other)}")
    yield from ((name, name) for name in common)


def _matched(runs: tuple[Run, Run], names: tuple[str, str]) -> Matched:
    before, after = (run.systems[name] for run, name in zip(runs, names, strict=True))
    items, other_gold = [], 0
    for question in (key for key in before if key in after):
        golds = [gold for gold in before[question] if gold in after[question]]
        other_gold += not golds
        items += [ScoreChange(question[0], before[question][gold], after[question][gold]) for gold in golds]
    only = len(before.keys() - after.keys()), len(after.keys() - before.keys())
    return Matched(names, tuple(items), only, other_gold)
