"""Predictions whose gold queries stand in a file of their own, joined by id.

Every question of the gold file gets an item, with or without a prediction, and so does every prediction
without a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.reading.entries import db_of, item_of, source_of, source_of_all, unreadable
from equiv.eval.reading.golds import Gold
from equiv.eval.reading.loading import Entry
from equiv.records.item import Fault, FaultKind, Item

Lookup = Mapping[str, Sequence[Gold]]
"""The questions that a key may mean."""


OF_A_PREDICTION = frozenset({"predicted_sql", "method", "source", "label", "confidence", "abstained"})
"""What a gold file does not say of a question, even where it holds predictions of its own."""


@dataclass(frozen=True, slots=True)
class Files:
    """A prediction file and its gold file."""

    predictions: Path
    golds: Path | None
    source: str
    """What the system is called that the entries do not name."""


def joined(files: Files, entries: Sequence[Entry], golds: Sequence[Gold | None]) -> Iterator[Item]:
    """The items of predictions, each joined to its question by id, system by system.

    An id is a question id of the gold file or, where more predictions fit so (a subset such as mini-dev
    keeps the ids of the whole), a 0-based position.

    Raises:
        InputError: nothing fits, or what fits is about other databases.
    """
    questions = [gold for gold in golds if gold is not None]
    entries = _with_ids(files, entries, questions)
    nobody = source_of_all([entry for entry in entries if not entry.trouble], files.source)
    systems: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.trouble:
            yield unreadable(nobody, entry.where, entry.trouble)
        else:
            systems.setdefault(source_of(entry.fields, files.source), []).append(entry)
    for source, own in systems.items():
        yield from _joined(files, source, own, questions)


def _with_ids(files: Files, entries: Sequence[Entry], questions: Sequence[Gold]) -> Sequence[Entry]:
    """The entries, by position if none has an id and there are as many as questions."""
    if any(entry.id is not None for entry in entries):
        return entries
    if len(entries) != sum(len(gold.positions) for gold in questions):
        counts = f"{len(entries)} predictions without ids, but {files.golds} has {len(questions)} questions"
        raise InputError(f"{files.predictions}: {counts}: which belong together cannot be told")
    return [Entry(e.where, {**e.fields, "question_id": n}, e.trouble) for n, e in enumerate(entries)]


def _joined(files: Files, source: str, entries: Sequence[Entry], questions: Sequence[Gold]) -> Iterator[Item]:
    lookup = _lookup(files, entries, questions)
    found: dict[int, list[Entry]] = {}
    extra = []
    for entry in entries:
        meant = lookup.get(entry.id or "", ())
        for gold in meant:
            found.setdefault(gold.positions[0], []).append(entry)
        if not meant:
            extra.append(entry)
    for gold in questions:
        own = found.get(gold.positions[0], ())
        if not own:
            yield paired_item(source, gold, None, [_missing(files.predictions)])
        for entry in own:
            several = len(lookup[entry.id or ""])
            yield paired_item(source, gold, entry, doubts_of(gold, entry, several))
    for entry in extra:
        fault = Fault(FaultKind.NO_GOLD, f"{files.golds} has no question {entry.id or entry.where}")
        fields = {**entry.fields, "gold_sql": ""}
        yield item_of(fields, source, entry.where, [fault])


def _lookup(files: Files, entries: Sequence[Entry], questions: Sequence[Gold]) -> Lookup:
    """By id or by position, whichever more predictions fit; by id if it is all the same."""
    by_id: dict[str, list[Gold]] = {}
    by_position: dict[str, list[Gold]] = {}
    for gold in questions:
        by_id.setdefault(gold.id, []).append(gold)
        for position in gold.positions:
            by_position[str(position)] = [gold]
    chosen = max((by_id, by_position), key=lambda lookup: sum(_fits(entry, lookup) for entry in entries))
    met = [(entry, chosen[entry.id][0]) for entry in entries if entry.id in chosen]
    if not met:
        raise InputError(f"{files.predictions}: no gold query for {entries[0].where} ({files.golds})")
    refuse_others(files, met)
    return chosen


def refuse_others(files: Files, pairs: Sequence[tuple[Entry, Gold]]) -> None:
    """Refuse predictions most of which name other databases: they are for other questions."""
    stated = [(entry, gold) for entry, gold in pairs if db_of(entry.fields)]
    clashing = [(entry, gold) for entry, gold in stated if not _same_database(entry, gold)]
    if 2 * len(clashing) > len(stated):
        entry, gold = clashing[0]
        what = f"a prediction on {db_of(entry.fields)!r}, its gold query is on {gold.db_id!r}"
        raise InputError(f"{files.predictions}: {entry.where}: {what} ({files.golds})")


def _fits(entry: Entry, lookup: Lookup) -> bool:
    return any(_same_database(entry, gold) for gold in lookup.get(entry.id or "", ()))


def _same_database(entry: Entry, gold: Gold) -> bool:
    return not gold.db_id or db_of(entry.fields) in ("", gold.db_id)


def doubts_of(gold: Gold, entry: Entry, several: int) -> list[Fault]:
    """What makes it doubtful that a prediction belongs to a question, which is one of several of its id."""
    faults = []
    if not _same_database(entry, gold):
        text = f"the prediction is for {db_of(entry.fields)!r}, the gold query for {gold.db_id!r}"
        faults.append(Fault(FaultKind.OTHER_DATABASE, text))
    if several > 1:
        text = f"the gold file has {several} questions with the id {entry.id}"
        faults.append(Fault(FaultKind.AMBIGUOUS_ID, text))
    return faults


def _missing(path: Path) -> Fault:
    return Fault(FaultKind.NO_PREDICTION, f"{path.name} has no prediction for this question")


def paired_item(source: str, gold: Gold, entry: Entry | None, faults: list[Fault]) -> Item:
    """A question with its prediction; what the gold file says of the question goes first."""
    if gold.entry.trouble:
        faults = [*faults, Fault(FaultKind.UNREADABLE, f"in the gold file, {gold.entry.trouble}")]
    stated = {
        name: value
        for name, value in gold.entry.fields.items()
        if value is not None and name not in OF_A_PREDICTION
    }
    given = entry.fields if entry else {"abstained": False} if "feasible" in stated else {}
    fields = {**given, **stated}
    fields.pop("gold_sql", None)
    if "gold_sql" in gold.entry.fields:
        fields["gold_sql"] = gold.entry.fields["gold_sql"]
    fields["question_id"] = stated.get("question_id", gold.positions[0])
    return item_of(fields, source, gold.positions[0], faults)
