"""What a metric says of some records, and against what it is held: labels, or what is proved.

Scores of other metrics and judges are read in to be compared like our own, in three forms. *Judgements*:
JSON lines ``{model, metric, question_id, score}``. *Pairs*: JSON lines or a list with fields that end in
``_score`` (``ex_score``, ``rose_score``), beside ``method``, ``question_id`` and both texts. *Results*: the
list ``{question_id, predicted_sql, gold_sql, score}`` that ROSE (arXiv 2604.12988) writes as
``<model>/<metric>/eval_results.json``. What an entry says of its pair must fit: a score that fits several
different pairs, or that is recorded twice and differs, is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import json_lines, load_json, read_text
from equiv.records.record import Record

PairId = tuple[str, str, str, str, str]
"""What tells pairs apart however they were checked: source, question id, database and both texts."""


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
    """Those that are about two queries: no abstention, no infeasible question."""
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


def is_executed(record: Record) -> bool | None:
    """Whether results are equal by the execution accuracy that a record holds; None if none was measured."""
    known = [score for score in record.get("ex", {}).values() if score is not None]
    return any(known) if known else None


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
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(GROUPS[by](record), []).append(record)
    return found


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
    for number, entry in enumerate(entries):
        scores = _scores(entry, path) if isinstance(entry, dict) and "question_id" in entry else {}
        if not scores:
            raise InputError(f"{path}: entry {number}: no recorded score of a question")
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
