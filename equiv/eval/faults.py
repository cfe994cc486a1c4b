"""The summary of faults that items had when they were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from equiv.eval.headline_text import counted
from equiv.eval.metrics.measured import text_of
from equiv.records.item import FaultKind, Item
from equiv.show.page import Block, Grid

IDS_SHOWN = 8

MEANINGS = {
    FaultKind.UNREADABLE: "the entry is no record",
    FaultKind.NO_PREDICTION: "no prediction for the question: counted as wrong",
    FaultKind.PREDICTION_NOT_TEXT: "no text in place of the prediction: counted as wrong",
    FaultKind.NO_GOLD: "no gold query for the prediction: undecided",
    FaultKind.GOLD_NOT_TEXT: "no text in place of a gold query: undecided if it is the only one",
    FaultKind.NO_DATABASE: "no database or schema: undecided",
    FaultKind.OTHER_DATABASE: "the prediction is for another database than its gold query",
    FaultKind.REPEATED_ID: "one id with several predictions: each is counted",
    FaultKind.NO_ID: "no question id",
    FaultKind.AMBIGUOUS_ID: "several questions with the id: held against each",
}


def faults_grid(items: Iterable[Item]) -> list[Block]:
    """The table of faults that items had when read, by kind: how many, and which; empty without faults."""
    sources: dict[FaultKind, dict[str, None]] = {}
    counts: dict[FaultKind, int] = {}
    count = faulty = 0
    for item in items:
        count += 1
        faulty += bool(item.faults)
        for kind in dict.fromkeys(fault.kind for fault in item.faults):
            name = item.db_id or "none" if kind is FaultKind.NO_DATABASE else text_of(item.question_id)
            sources.setdefault(kind, {})[name] = None
            counts[kind] = counts.get(kind, 0) + 1
    if not sources:
        return []
    rows = tuple(
        (kind, str(counts[kind]), MEANINGS[kind], _listed(list(sources[kind])))
        for kind in FaultKind
        if kind in sources
    )
    title = f"faults of the input: {faulty} of {counted(count, 'item')}, all of them recorded and counted"
    return [Grid(title, ("fault", "items", "what it means", "which (ids, or databases)"), rows)]


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - IDS_SHOWN} more" if len(names) > IDS_SHOWN else ""
    return ", ".join(name[:40] for name in names[:IDS_SHOWN]) + rest
