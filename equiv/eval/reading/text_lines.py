"""Predictions as lines of text beside a gold file, as Spider, SParC and CoSQL have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from equiv.errors import InputError
from equiv.eval.reading.extract import blocks_in
from equiv.eval.reading.golds import Gold, lines_of_text
from equiv.eval.reading.loading import Entry
from equiv.eval.reading.paired import Files, doubts_of, paired_item, refuse_others
from equiv.records.item import Fault, FaultKind, Item


def read_lines(files: Files, text: str, golds: Sequence[Gold | None], *, extract: bool) -> Iterator[Item]:
    """The items of a Spider, SParC or CoSQL prediction file, one query a line.

    The format has no keys, so lines are paired by position, and only if the
    counts leave no doubt.  Where the gold file has a blank line (the end of
    an interaction) so has the prediction file, or it has none of them at all;
    a blank line where the gold file has a query is an empty prediction.

    Args:
        files: where the texts come from.
        text: the predictions.
        golds: the gold queries.
        extract: where there is a fence for each question, each is a prediction.

    Raises:
        InputError: the counts do not fit, or most lines are about other databases.
    """
    queries = [gold for gold in golds if gold is not None]
    fenced = blocks_in(text) if extract else []
    if fenced and len(fenced) == len(queries):
        lines = [
            (f"query {n}", sql, gold) for n, (sql, gold) in enumerate(zip(fenced, queries, strict=True), 1)
        ]
    else:
        lines = list(_aligned(files, lines_of_text(text), golds))
    databases = {gold.db_id for gold in queries}
    entries = [Entry(where, _split(line, databases)) for where, line, _ in lines]
    pairs = [(entry, gold) for entry, (_, _, gold) in zip(entries, lines, strict=True)]
    refuse_others(files, pairs)
    for entry, gold in pairs:
        blank = not str(entry.fields["predicted_sql"]).strip()
        text = f"{files.predictions.name}: {entry.where} is blank"
        faults = [Fault(FaultKind.NO_PREDICTION, text)] if blank else []
        yield paired_item(files.source, gold, entry, [*faults, *doubts_of(gold, entry, 1)])


def _aligned(
    files: Files, predictions: list[str], golds: Sequence[Gold | None]
) -> Iterator[tuple[str, str, Gold]]:
    """Where it stands, prediction and gold query, wherever the gold file has a query."""
    numbered = [(f"line {number}", line) for number, line in enumerate(predictions, 1)]
    queries = [gold for gold in golds if gold is not None]
    if len(predictions) == len(golds):
        for (where, line), gold in zip(numbered, golds, strict=True):
            if gold is not None:
                yield where, line, gold
            elif line.strip():
                place = f"{files.predictions}:{where.removeprefix('line ')}"
                raise InputError(f"{place}: a prediction where {files.golds} ends an interaction")
        return
    if len(numbered) != len(queries):
        numbered = [(where, line) for where, line in numbered if line.strip()]
    if len(numbered) != len(queries):
        counts = f"{len(predictions)} lines, but {files.golds} has {len(queries)} gold queries"
        why = "lines have no ids, so which are missing cannot be told; leave a blank line for each"
        raise InputError(f"{files.predictions}: {counts}: {why}")
    for (where, line), gold in zip(numbered, queries, strict=True):
        yield where, line, gold


def _split(line: str, databases: set[str]) -> dict[str, str]:
    """A prediction, and the database that may follow it after a tab."""
    sql, tab, last = line.rpartition("\t")
    if not tab or last.strip() not in databases or not last.strip():
        return {"predicted_sql": line}
    return {"predicted_sql": sql, "db_id": last.strip()}
