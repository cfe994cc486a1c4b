"""Reading prediction files: which format a file has, and its items one by one.

Formats: ``rose`` (a JSON list of records), ``bird`` (a JSON dict of predictions by id, TrustSQL's too),
``spider`` (text lines), ``jsonl`` (one record a line), ``csv`` and ``parquet`` (one record a row), ``nodes``.
Predictions without gold queries are joined to those of another file by :mod:`equiv.eval.reading.paired`.

What is wrong with one item is a fault that it carries (:class:`equiv.records.item.Fault`); what is wrong
with a whole file is an :class:`~equiv.errors.InputError` that names the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.reading.entries import item_of, source_of_all, unreadable
from equiv.eval.reading.extract import query_in
from equiv.eval.reading.golds import Gold, is_record_line, read_gold
from equiv.eval.reading.loading import (
    Entry,
    entries_of_lines,
    entries_of_list,
    entries_of_object,
    load,
    mapped,
)
from equiv.eval.reading.nodes import items_of_logs
from equiv.eval.reading.paired import Files, joined
from equiv.eval.reading.tables import entries_of_table, is_parquet, is_table
from equiv.eval.reading.text_lines import read_lines
from equiv.files import read_text
from equiv.records.item import Fault, FaultKind, Item


class Format(StrEnum):
    """What ``--format`` takes."""

    AUTO = "auto"
    ROSE = "rose"
    BIRD = "bird"
    SPIDER = "spider"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    NODES = "nodes"
    """What the modules of a system gave; see :mod:`equiv.eval.reading.nodes`."""


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        InputError: there is none.
    """
    try:
        return Format(name)
    except ValueError:
        raise InputError(f"unknown format {name!r}; choose one of {', '.join(Format)}") from None


NEEDS_GOLD = frozenset({Format.BIRD, Format.SPIDER})
"""Formats whose gold queries stand in a file of their own."""

LINES = frozenset({".jsonl", ".ndjson"})
"""What the names of files of JSON lines end in."""

TABLES = frozenset({Format.CSV, Format.PARQUET})


@dataclass(frozen=True, slots=True)
class Reading:
    """How entries are read."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    """Fields by column; see :func:`equiv.eval.reading.tables.mapping_of`."""
    extract: bool = False
    """Whether predictions are replies that hold a query, maybe fenced."""


PLAIN = Reading()


def read_items(
    files: Sequence[Path],
    gold: Path | None = None,
    kind: Format = Format.AUTO,
    reading: Reading = PLAIN,
    most: int | None = None,
) -> Iterator[Item]:
    """The items of some prediction files, file after file.

    They come in the order of the file, or of the gold file if there is one; ``most`` of each file.

    Raises:
        InputError: a file cannot be read as its format, or ``gold`` is
            missing where it is needed.
    """
    if kind is Format.NODES:
        yield from islice(_finished(items_of_logs(files), reading), most)
        return
    golds = read_gold(gold, reading.mapping) if gold is not None else []
    for path, source in zip(files, source_names(files), strict=True):
        is_text = not (path.is_dir() or is_table(path) or kind in TABLES)
        text = read_text(path) if is_text else ""
        chosen = _kind_of(path, text) if kind is Format.AUTO else kind
        if chosen is Format.NODES:
            yield from islice(_finished(items_of_logs([path]), reading), most)
            continue
        if chosen in NEEDS_GOLD and gold is None:
            raise InputError(f"{path}: a {chosen} prediction file; give its gold queries with --gold")
        files_at_hand = Files(path, gold, source)
        if chosen is Format.SPIDER:
            own: Iterable[Item] = read_lines(files_at_hand, text, golds, extract=reading.extract)
        else:
            own = _items(files_at_hand, mapped(_entries(path, text, chosen), reading.mapping), golds)
        yield from islice(_with_repeats(list(_finished(own, reading))), most)


def _items(files: Files, entries: Sequence[Entry], golds: Sequence[Gold | None]) -> Iterable[Item]:
    path = files.predictions
    if not entries:
        raise InputError(f"{path}: no pair in it")
    if all(entry.trouble for entry in entries):
        raise InputError(f"{path}: {entries[0].trouble}")
    return joined(files, entries, golds) if files.golds is not None else _records(path, files.source, entries)


def _entries(path: Path, text: str, kind: Format) -> list[Entry]:
    match kind:
        case Format.CSV | Format.PARQUET:
            return entries_of_table(path, parquet=kind is Format.PARQUET)
        case Format.ROSE:
            return entries_of_list(path, load(path, text))
        case Format.JSONL:
            return entries_of_lines(path, text)
    return entries_of_object(path, load(path, text), "predicted_sql")


def _kind_of(path: Path, text: str) -> Format:
    if path.is_dir():
        return Format.NODES
    if is_table(path):
        return Format.PARQUET if is_parquet(path) else Format.CSV
    found = detect(text)
    return Format.JSONL if found is Format.BIRD and path.suffix.lower() in LINES else found


def detect(text: str) -> Format:
    """The format that a prediction file's text has, by its first characters and lines."""
    head = text.lstrip()
    if not head.startswith(("[", "{")):
        return Format.SPIDER
    if any(name in head[:2_000] for name in ('"node_type"', '"pred_sqls"')):
        return Format.NODES
    if head.startswith("["):
        return Format.ROSE
    return Format.JSONL if is_record_line(head) else Format.BIRD


def source_names(files: Sequence[Path]) -> list[str]:
    """A name for each file: its stem, with the folder where stems coincide.

    Raises:
        InputError: a file is given twice, or two cannot be told apart so.
    """
    stems = Counter(path.stem for path in files)
    names = [
        path.stem if stems[path.stem] == 1 else f"{path.resolve().parent.name}/{path.stem}" for path in files
    ]
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"{count} files are called {name}; their records could not be told apart")
    return names


def _records(path: Path, source: str, entries: Sequence[Entry]) -> Iterator[Item]:
    """The items of entries that bring their gold queries along."""
    records = [entry for entry in entries if not entry.trouble]
    _require(path, records)
    numbered = any(entry.id is not None for entry in records)
    nobody = source_of_all(records, source)
    for position, entry in enumerate(entries):
        if entry.trouble:
            yield unreadable(nobody, entry.where, entry.trouble)
        elif entry.id is not None or not numbered:
            yield item_of(entry.fields, source, position)
        else:
            fault = Fault(FaultKind.NO_ID, f"{entry.where} has no question id")
            yield item_of(entry.fields, source, entry.where, [fault])


def _require(path: Path, entries: Sequence[Entry]) -> None:
    """Refuse a file none of whose records has a field that records need: it is of another kind."""
    needed = ["predicted_sql"]
    if not any("feasible" in entry.fields for entry in entries):
        needed.append("gold_sql")
    for name in needed:
        if not any(name in entry.fields for entry in entries):
            also = " (or give --gold)" if name == "gold_sql" else ""
            raise InputError(
                f"{path}: {entries[0].where}: no field {name!r}, nor in any other; see --map{also}"
            )


def _finished(items: Iterable[Item], reading: Reading) -> Iterator[Item]:
    """The items with the queries that their replies hold."""
    for item in items:
        yield replace(item, predicted_sql=query_in(item.predicted_sql)) if reading.extract else item


def _with_repeats(items: Sequence[Item]) -> list[Item]:
    """The items, those with a fault for it that give one question several different predictions."""
    answers: dict[tuple[str, str, tuple[str, str]], set[str]] = {}
    for item in items:
        answers.setdefault(_question(item), set()).add(item.predicted_sql)
    return [
        item if (several := len(answers[_question(item)])) == 1 else _repeated(item, several)
        for item in items
    ]


def _question(item: Item) -> tuple[str, str, tuple[str, str]]:
    return item.source, json.dumps(item.question_id), item.target


def _repeated(item: Item, several: int) -> Item:
    text = f"the id stands with {several} different predictions; each is counted"
    return replace(item, faults=(*item.faults, Fault(FaultKind.REPEATED_ID, text)))
