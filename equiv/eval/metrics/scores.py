"""The scores of a metric on some records, and what they come to: shares with intervals, and what is wrong.

They are compared with labels, or against what is proved.  A share is the part of the *measured* records of
a group that the metric gives 1; how many it could not measure is told beside it.  Its interval is Wilson's
(E. B. Wilson, JASA 22, 1927, formula 1), which needs no resampling.  Facts beside a score are told in
words: what is possible, where items are undecided, under which relation.

Scores of other metrics and judges are read in to be compared like our own, in three forms. *Judgements*:
JSON lines ``{model, metric, question_id, score}``. *Pairs*: JSON lines or a list with fields that end in
``_score`` (``ex_score``, ``rose_score``), beside ``method``, ``question_id`` and both texts. *Results*:
the list ``{question_id, predicted_sql, gold_sql, score}`` that ROSE (arXiv 2604.12988) writes as
``<model>/<metric>/eval_results.json``. What an entry says of its pair must fit: a score that fits several
different pairs, or that is recorded twice and differs, is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import json_lines, load_json, read_text
from equiv.graphs import grouped_by
from equiv.records.record import Record
from equiv.show.page import Grid
from equiv.verdict import Difference, Explained, RemarkKind

PairId = tuple[str, str, str, str, str]
"""What distinguishes pairs however they were checked: source, question id, database and both texts."""


def pair_of(record: Record) -> PairId:
    """The pair that a record is about; a file may hold it with and without a judge."""
    number = json.dumps(record["question_id"], sort_keys=True)
    return record["source"], number, record["db_id"], record["predicted_sql"], record["gold_sql"]


def golds_of(record: Record) -> tuple[str, ...]:
    """All gold queries of a record."""
    return tuple(gold["sql"] for gold in record["golds"]) or (record["gold_sql"],)


def pairs_in(records: Iterable[Record]) -> list[Record]:
    """One record a pair, the last one."""
    return list({pair_of(record): record for record in records}.values())


def compared(records: Iterable[Record]) -> list[Record]:
    """The records that are about two queries: no abstention, no infeasible question."""
    return [record for record in records if record["score_by"] != "abstention"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric's answers by pair; a pair that is missing has none."""

    name: str
    scores: Mapping[PairId, bool]


def by_verdict(records: Iterable[Record]) -> Measured:
    """``equiv``: 1 if proved equivalent, 0 if refuted or invalid, nothing if undecided."""
    known = {"equivalent": True, "not_equivalent": False, "invalid": False}
    return Measured("equiv", {pair_of(r): known[r["verdict"]] for r in records if r["verdict"] in known})


def is_right(record: Record) -> bool | None:
    """Whether a record is scored 1, whoever gave the score; None if it has none."""
    return None if record["score"] is None else record["score"] == 1


def by_score(records: Iterable[Record]) -> Measured:
    """The scores that the records hold, abstentions included."""
    told = ((pair_of(record), is_right(record)) for record in records)
    return Measured("score", {pair: right for pair, right in told if right is not None})


def by_execution(records: Iterable[Record]) -> list[Measured]:
    """The execution accuracies that an evaluation measured and wrote into its records."""
    found: dict[str, dict[PairId, bool]] = {}
    for record in records:
        for name, score in record.get("ex", {}).items():
            scores = found.setdefault(name, {})
            if score is not None:
                scores[pair_of(record)] = score
    return [Measured(name, scores) for name, scores in found.items()]


def by_judge(records: Iterable[Record]) -> list[Measured]:
    """The scores of each judge by which some of the records were judged."""
    found: dict[str, dict[PairId, bool]] = {}
    for record in records:
        if record["judge"]:
            scores = found.setdefault(name_of_judge(record), {})
            if record["score"] is not None:
                scores[pair_of(record)] = record["score"] == 1
    return [Measured(name, scores) for name, scores in found.items()]


def name_of_judge(record: Record) -> str:
    """How a judged record was judged."""
    judge = record["judge"]
    run = f", run {judge['run']}" if judge["run"] else ""
    savings = ", ".join(judge["savings"]) or "none"
    standard = judge.get("standard", "ours")
    by = "" if standard == "ours" else f", standard {standard}"
    return f"{judge['model'] or 'unnamed model'}{run}, variant {judge['variant']}{by}, savings {savings}"


def against_labels(records: Sequence[Record], measured: Measured) -> Counter[tuple[bool, bool]]:
    """How many (label, score) pairs there are, of the records that have both."""
    return Counter(
        (record["label"], measured.scores[pair_of(record)])
        for record in records
        if isinstance(record["label"], bool) and pair_of(record) in measured.scores
    )


def against_verdicts(records: Sequence[Record], measured: Measured) -> Counter[tuple[bool, bool]]:
    """As :func:`against_labels`, with what is proved for the label: undecided pairs are left out."""
    truths = by_verdict(records).scores
    return Counter((truth, measured.scores[p]) for p, truth in truths.items() if p in measured.scores)


GROUPS: dict[str, Callable[[Record], str]] = {
    "system": lambda record: record["source"],
    "difficulty": lambda record: text_of(record["difficulty"]),
    "database": lambda record: text_of(record["db_id"]),
    "difference": lambda record: text_of(record["difference"]),
}
"""What records may be grouped by."""


def text_of(value: object) -> str:
    """A field as the name of a group."""
    if value is None or value == "":
        return "-"
    return value if isinstance(value, str) else json.dumps(value)


def grouped(records: Iterable[Record], by: str) -> dict[str, list[Record]]:
    """Records by group, in order of appearance."""
    return grouped_by(GROUPS[by], records)


SUFFIX = "_score"
FIELDS = {
    "method": "source",
    "source": "source",
    "db_id": "db_id",
    "predicted_sql": "predicted_sql",
    "gold_sql": "gold_sql",
    "question_id": "question_id",
}
"""What an entry may say of its pair, and the field of a record that it must equal."""

FieldValues = tuple[tuple[str, str], ...]
"""Fields of a record with their values as JSON."""


def read_scores(files: Iterable[Path], records: Sequence[Record]) -> list[Measured]:
    """The recorded metrics of some files, as far as they are about the records.

    Raises:
        InputError: a file cannot be read, or has none of the forms.
    """
    index = _Index(records)
    found: dict[str, dict[PairId, bool | None]] = {}
    for path in files:
        for name, place, score in _entries(path):
            scores = found.setdefault(name, {})
            for pair in index.at(place):
                scores[pair] = score if scores.get(pair, score) == score else None
    return [
        Measured(name, {pair: score for pair, score in scores.items() if score is not None})
        for name, scores in found.items()
    ]


class _Index:
    """Records by what entries say of them."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._by_fields: dict[tuple[str, ...], dict[FieldValues, set[PairId]]] = {}

    def at(self, place: FieldValues) -> set[PairId]:
        """The pairs of a place; none where what it leaves open lets it fit different texts."""
        names = tuple(name for name, _ in place)
        if names not in self._by_fields:
            found: dict[FieldValues, set[PairId]] = {}
            for record in self._records:
                found.setdefault(_place(record, names), set()).add(pair_of(record))
            self._by_fields[names] = found
        pairs = self._by_fields[names].get(place, set())
        return pairs if len({(pred, gold) for *_, pred, gold in pairs}) == 1 else set()


def _place(values: Mapping[str, Any], names: Iterable[str]) -> FieldValues:
    return tuple((name, json.dumps(values[name], sort_keys=True)) for name in names)


def _entries(path: Path) -> Iterator[tuple[str, FieldValues, bool | None]]:
    text = read_text(path)
    listed = text.lstrip()[:1] == "["
    entries = load_json(path, text) if listed else (entry for _, entry in json_lines(path, text))
    for number, entry in enumerate(entries, 1):
        scores = _scores(entry, path) if isinstance(entry, dict) and "question_id" in entry else {}
        if not scores:
            needs = f"an entry needs a question_id, and a score or keys that end in {SUFFIX}"
            raise InputError(f"{path}: entry {number}: no recorded score of a question: {needs}")
        own = {field: entry[name] for name, field in FIELDS.items() if name in entry}
        place = _place(own, sorted(own))
        yield from ((name, place, score) for name, score in scores.items())


def _scores(entry: Mapping[str, Any], path: Path) -> dict[str, bool | None]:
    """The scores of an entry by the names of their metrics."""
    named = {key.removesuffix(SUFFIX): value for key, value in entry.items() if key.endswith(SUFFIX)}
    if named:
        return {f"recorded {name}": _score(value) for name, value in named.items()}
    if "score" not in entry:
        return {}
    known = (entry.get("metric"), entry.get("model")) if "metric" in entry else _folders(path)
    return {f"recorded {', '.join(str(part) for part in known if part)}": _score(entry["score"])}


def _folders(path: Path) -> tuple[str, str]:
    """Metric and model as ROSE's folders say them."""
    whole = path.resolve()
    return whole.parent.name, whole.parent.parent.name


def _score(value: object) -> bool | None:
    return value == 1 if isinstance(value, bool | int | float) else None


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
        """The counts so far."""
        return Portion(name, self.ones, self.total, self.unknown)


def portion(records: Iterable[Record], measured: Measured) -> Portion:
    """The portion of some records that a metric scores 1."""
    return portion_of(measured.name, (measured.scores.get(pair_of(record)) for record in records))


def portion_of(name: str, answers: Iterable[bool | None]) -> Portion:
    """How many of some answers are yes."""
    count = Count()
    for answer in answers:
        count.add(answer)
    return count.of(name)


def share_grid(records: Sequence[Record], measures: Sequence[Measured]) -> Grid:
    """A table of the share that each metric scores 1, of the pairs that it measured."""
    columns = ("metric", *PORTION_COLUMNS)
    rows = portion_rows(portion(records, measured) for measured in measures)
    return Grid(f"{len(records):,} pairs by each metric", columns, rows)


PORTION_COLUMNS = ("scored 1", "of measured", "percent, 95 %", "not measured")
"""The columns of :func:`portion_rows` after the name."""


def portion_rows(portions: Iterable[Portion]) -> tuple[tuple[str, ...], ...]:
    """Name, how many are scored 1, of how many, their share, and how many are open."""
    return tuple((p.name, str(p.ones), str(p.known), p.text, str(p.unknown)) for p in portions)


def group_grid(records: Sequence[Record], measures: Sequence[Measured], by: str) -> Grid:
    """A table of each metric's share in each group, with an interval where the pairs are of one system."""
    # Systems answer the same questions, so their pairs together are no independent sample.
    is_sample = by == "system" or len(grouped(records, "system")) < 2
    rows = tuple(
        (name, str(len(own)), *(_share_of(own, measured, is_sample) for measured in measures))
        for name, own in grouped(records, by).items()
    )
    width = ", 95 %" if is_sample else " of all systems"
    title = f"scored 1, by {by}: percent of measured pairs{width}; in brackets those not measured"
    return Grid(title, (by, "pairs", *(measured.name for measured in measures)), rows)


def _share_of(records: Sequence[Record], measured: Measured, is_sample: bool) -> str:
    found = portion(records, measured)
    if not found.known:
        return "-"
    shown = found.text if is_sample else f"{100 * found.share:.1f}"
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
    """A function that lists the value of a record's field, if it has one."""
    return lambda record: [record[name]] if record[name] else []


def meaning_in(words: Iterable[Explained]) -> Callable[[str], str]:
    """Gives what a word says; '' where it is none of these."""
    texts = {each.value: each.says for each in words}
    return lambda name: texts.get(name, "")


SHOWN = (
    Counting("differences shown", "difference", said("difference"), meaning_in(Difference), shared=True),
    Counting(
        "remarks: notes on pairs, on which no verdict rests",
        "remark",
        lambda record: {remark["kind"] for remark in record.get("remarks", ())},
        meaning_in(RemarkKind),
        shared=True,
    ),
)
"""What is told of witnesses and beside verdicts, at the end of a run and in a report."""


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


def items_of_systems(items: Sequence[int]) -> str:
    """How many systems there are, and of how many items each."""
    most = "" if len(set(items)) == 1 else "at most "
    return f"{len(items)} systems, {most}{counted(max(items), 'item')} each"
