"""Predictions as lines of text beside a gold file, as Spider, SParC and CoSQL have them."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator

from equiv.errors import InputError
from equiv.eval.reading.entries import db_of
from equiv.eval.reading.gold_book import Gold, GoldBook
from equiv.eval.reading.loading import Entry
from equiv.eval.reading.predictions_by_id import Files, doubts_of, paired_item, refuse_others
from equiv.eval.reading.split_operators import joined_operators
from equiv.eval.reading.text_file import TextFile, without_ends
from equiv.eval.store.temporary_tables import Spool
from equiv.records.item import Fault, FaultKind, Item
from equiv.replies.marks import blocks_in

Line = tuple[str, str]
"""Where a prediction stands, and its text."""


def read_lines(files: Files, text: TextFile, golds: GoldBook, *, extract: bool) -> Iterator[Item]:
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
    yield from _paired(files, _predictions(text, golds, extract=extract), golds)


def read_list(files: Files, values: object, golds: GoldBook) -> Iterator[Item]:
    """The items of a JSON list of queries by position; null is an empty prediction.

    Args:
        files: where the texts come from.
        values: the list.
        golds: the gold queries.

    Raises:
        InputError: it holds something else, or as many queries as there are gold queries it does not.
    """
    if not isinstance(values, list):
        raise InputError(f"{files.predictions}: not a JSON list of queries")
    for place, value in enumerate(values):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{files.predictions}: entry {place}: {value!r:.40} in a list of queries")
    yield from _paired(files, ((f"entry {place}", text or "") for place, text in enumerate(values)), golds)


def _paired(files: Files, predictions: Iterator[Line], golds: GoldBook) -> Iterator[Item]:
    """The items that predictions make with gold queries by position."""
    with Spool(predictions) as lines, Spool(_aligned(files, lines, golds)) as pairs:
        refuse_others(files, ((entry.where, db_of(entry.fields), gold.db_id) for entry, gold in pairs))
        for entry, gold in pairs:
            blank = not str(entry.fields["predicted_sql"]).strip()
            trouble = f"{files.predictions.name}: {entry.where} is blank"
            faults = [Fault(FaultKind.NO_PREDICTION, trouble)] if blank else []
            yield paired_item(files.source, gold, entry, [*faults, *doubts_of(gold, entry, 1)])


def _predictions(text: TextFile, golds: GoldBook, *, extract: bool) -> Iterator[Line]:
    """The queries in fences, if wanted and if there are as many as questions; else the lines."""
    lines: Iterable[str] = text.lines()
    if extract:
        whole = "".join(lines)
        fenced = blocks_in(whole)
        if fenced and len(fenced) == golds.questions:
            yield from ((f"query {number}", sql) for number, sql in enumerate(fenced, 1))
            return
        lines = io.StringIO(whole, newline="\n")
    yield from ((f"line {number}", line) for number, line in enumerate(without_ends(lines), 1))


def _aligned(files: Files, lines: Spool[Line], golds: GoldBook) -> Iterator[tuple[Entry, Gold]]:
    """Predictions and gold queries, wherever the gold file has a query."""
    databases = golds.databases
    if len(lines) == len(golds):
        for (where, line), gold in zip(lines, golds, strict=True):
            if gold is not None:
                yield Entry(where, _split(line, databases)), gold
            elif line.strip():
                place = f"{files.predictions}:{where.removeprefix('line ')}"
                raise InputError(f"{place}: a prediction where {files.golds} ends an interaction")
        return
    every = len(lines) == golds.questions
    if not every and golds.questions != sum(bool(line.strip()) for _, line in lines):
        counts = f"{len(lines)} lines, but {files.golds} has {golds.questions} gold queries"
        why = "lines have no ids, so which are missing cannot be told; leave a blank line for each"
        raise InputError(f"{files.predictions}: {counts}: {why}")
    chosen = (each for each in lines if every or each[1].strip())
    for (where, line), (_, gold) in zip(chosen, golds.placed(), strict=True):
        yield Entry(where, _split(line, databases)), gold


def _split(line: str, databases: Collection[str]) -> dict[str, str]:
    """A prediction, and the database that may follow it after a tab."""
    sql, tab, last = line.rpartition("\t")
    if not tab or last.strip() not in databases or not last.strip():
        return {"predicted_sql": joined_operators(line)}
    return {"predicted_sql": joined_operators(sql), "db_id": last.strip()}
