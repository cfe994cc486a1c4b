"""Two runs held against each other, item by item: what the second gained and lost, and whether that is real.

Items are those that both runs have: one database, one question id, one gold text. The settings of a run
(facts, versions, judge) are those that its records tell.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.comparing.paired import Paired, adjusted, paired
from equiv.eval.metrics.measured import is_executed, is_right
from equiv.eval.metrics.shares import Portion, counted, portion_of
from equiv.eval.questions import question_of
from equiv.eval.store.record_store import RecordStore
from equiv.records.record import Record

_ALWAYS_ASSUMED = frozenset({"exact_arithmetic", "no_overflow"})


@dataclass(slots=True)
class RunSettings:
    """What the records of a run say of its settings."""

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
    """What differs between the settings of two runs, a line each."""
    found = []
    if one.grades != other.grades:
        found.append(f"the facts differ in their grades: {_against(one.grades, other.grades)}; see --facts")
    if one.assumed != other.assumed:
        found.append(
            f"{len(one.assumed ^ other.assumed)} assumed facts are those of one run alone; see --assume"
        )
    if one.dialects and other.dialects and one.dialects != other.dialects:
        found.append(f"the dialect differs: {_against(one.dialects, other.dialects)}; see --gold-dialect")
    databases = [
        name for name in one.dropped if name in other.dropped and one.dropped[name] != other.dropped[name]
    ]
    if databases:
        some = ", ".join(databases[:5]) + (" and more" if len(databases) > 5 else "")
        found.append(f"the data violates other facts, on {some}: another database, or another --facts")
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

MEASURES = ("score", "ex")


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
        """What each run scores on the items that both score."""
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
        """What else is different between the runs, a line each; a change may come from that alone."""
        found = []
        if gold := sum(one.other_gold for one in self.matched):
            found.append(f"left out, with another gold query in the other run: {counted(gold, 'question')}")
        if relations := self._relations():
            found.append(f"the relation differs: {relations}; a change may come from that alone")
        found += differing_settings(*(run.settings for run in self.runs))
        for run in self.runs:
            if run.repeated:
                found.append(
                    f"{run.name}: {counted(run.repeated, 'record')} of an item with a later one, which counts"
                )
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
    """Two results files held against each other.

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
        raise InputError(f"{path}: no record in it")
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
        raise InputError(f"no system in common: {', '.join(one)} against {', '.join(other)}")
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
