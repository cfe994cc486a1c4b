"""Predictions whose gold queries stand in a file of their own, joined by id.

Every question of the gold file gets an item, with or without a prediction, and so does every prediction
without a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.reading.entries import db_of, item_of, source_of_all, unreadable
from equiv.eval.reading.gold_book import Gold, GoldBook
from equiv.eval.reading.loading import Entry
from equiv.eval.reading.predictions import Lookup, Match, Predictions, is_same_database
from equiv.records.item import Fault, FaultKind, Item

OF_A_PREDICTION = frozenset({"predicted_sql", "method", "source", "label", "confidence", "abstained"})
"""What a gold file does not say of a question, even where it holds predictions of its own."""


@dataclass(frozen=True, slots=True)
class Files:
    """A prediction file and its gold file."""

    predictions: Path
    golds: Path | None
    source: str
    """What the system is called that the entries do not name."""


def joined(files: Files, entries: Iterable[Entry], golds: GoldBook) -> Iterator[Item]:
    """The items of predictions, each joined to its question by id, system by system.

    An id is a question id of the gold file or, where more predictions fit so (a subset such as mini-dev
    keeps the ids of the whole), a 0-based position.

    Raises:
        InputError: nothing fits, or what fits is about other databases.
    """
    with Predictions(entries, files.source) as predictions:
        if not predictions.have_ids:
            _number(files, predictions, golds)
        nobody = source_of_all(predictions.systems, files.source)
        for entry in predictions.unreadable():
            yield unreadable(nobody, entry.where, entry.trouble)
        for source in predictions.systems:
            yield from _joined(files, source, predictions, golds)


def _number(files: Files, predictions: Predictions, golds: GoldBook) -> None:
    """Have predictions without ids go by position, if there are as many as questions."""
    if len(predictions) != golds.positions:
        counts = (
            f"{len(predictions)} predictions without ids, but {files.golds} has {golds.questions} questions"
        )
        raise InputError(f"{files.predictions}: {counts}: which belong together cannot be told")
    predictions.go_by_position()


def _joined(files: Files, source: str, predictions: Predictions, golds: GoldBook) -> Iterator[Item]:
    lookup = _lookup(predictions, source, golds)
    refuse_others(files, predictions.match(source, lookup))
    if not predictions.any_matched():
        where = next(predictions.marks(source)).where
        raise InputError(f"{files.predictions}: no gold query for {where} ({files.golds})")
    for place, gold in golds.placed():
        missing = True
        for entry, several in predictions.for_gold(place):
            missing = False
            yield paired_item(source, gold, entry, doubts_of(gold, entry, several))
        if missing:
            yield paired_item(source, gold, None, [_missing(files.predictions)])
    for entry in predictions.for_none():
        fault = Fault(FaultKind.NO_GOLD, f"{files.golds} has no question {entry.id or entry.where}")
        fields = {**entry.fields, "gold_sql": ""}
        yield item_of(fields, source, entry.where, [fault])


def _lookup(predictions: Predictions, source: str, golds: GoldBook) -> Lookup:
    """By id or by position, whichever more predictions fit; by id if it is all the same."""

    def fitting(lookup: Lookup) -> int:
        return sum(
            any(is_same_database(mark.database, name) for _, name in lookup(mark.id))
            for mark in predictions.marks(source)
        )

    return max((golds.of_id, golds.at_position), key=fitting)


def refuse_others(files: Files, matches: Iterable[Match]) -> None:
    """Refuse predictions most of which name other databases: they are for other questions."""
    stated = clashing = 0
    first: Match | None = None
    for where, own, name in matches:
        stated += bool(own)
        if own and not is_same_database(own, name):
            clashing += 1
            first = first or (where, own, name)
    if first is not None and 2 * clashing > stated:
        where, own, name = first
        what = f"a prediction on {own!r}, its gold query is on {name!r}"
        raise InputError(f"{files.predictions}: {where}: {what} ({files.golds})")


def doubts_of(gold: Gold, entry: Entry, several: int) -> list[Fault]:
    """The reasons to doubt that a prediction belongs to a question, where several questions have its id."""
    faults = []
    if not is_same_database(db_of(entry.fields), gold.db_id):
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
    gold_fields = entry.fields if entry else {"abstained": False} if "feasible" in stated else {}
    fields = {**gold_fields, **stated}
    fields.pop("gold_sql", None)
    if "gold_sql" in gold.entry.fields:
        fields["gold_sql"] = gold.entry.fields["gold_sql"]
    fields["question_id"] = stated.get("question_id", gold.positions[0])
    return item_of(fields, source, gold.positions[0], faults)
