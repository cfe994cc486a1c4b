"""Reading prediction files: which format a file has, and its items one by one.

Formats: ``rose`` (a JSON list of records), ``bird`` (a JSON dict of
predictions, gold apart), ``spider`` (text lines, gold apart), ``jsonl`` (one
record a line).  Those with gold apart are read by :mod:`equiv.eval.paired`.  Whatever cannot be read is an
:class:`~equiv.errors.InputError` that names the file and the line or entry.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.entries import item_of
from equiv.eval.metrics.nl2sqlbench.collect import items_of, read_nodes
from equiv.eval.paired import read_bird, read_spider
from equiv.files import json_lines, load_json, read_text
from equiv.records.item import Item


class Format(StrEnum):
    """What ``--format`` takes."""

    AUTO = "auto"
    ROSE = "rose"
    BIRD = "bird"
    SPIDER = "spider"
    JSONL = "jsonl"
    NODES = "nodes"
    """What the modules of a system gave; see :mod:`equiv.eval.metrics.nl2sqlbench.collect`."""


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


def read_items(files: Sequence[Path], gold: Path | None = None, kind: Format = Format.AUTO) -> Iterator[Item]:
    """The items of some prediction files, file after file, in file order.

    Raises:
        InputError: a file cannot be read as its format, or ``gold`` is
            missing where it is needed.
    """
    if kind is Format.NODES:
        yield from items_of(read_nodes(files))
        return
    for path, source in zip(files, source_names(files), strict=True):
        text = read_text(path)
        chosen = detect(text) if kind is Format.AUTO else kind
        if chosen in NEEDS_GOLD and gold is None:
            raise InputError(f"{path}: a {chosen} prediction file; give its gold queries with --gold")
        match chosen:
            case Format.ROSE:
                yield from _records(path, source, enumerate(_json_list(path, text)), "entry")
            case Format.JSONL:
                yield from _records(path, source, json_lines(path, text), "line")
            case Format.BIRD:
                assert gold is not None
                yield from read_bird(path, source, load_json(path, text), gold)
            case _:
                assert gold is not None
                yield from read_spider(path, source, text, gold)


def detect(text: str) -> Format:
    """The format that a prediction file's text has, by its first characters and lines."""
    head = text.lstrip()
    if head.startswith("["):
        return Format.ROSE
    if not head.startswith("{"):
        return Format.SPIDER
    first_line = head.partition("\n")[0]
    try:
        first = json.loads(first_line)
    except (ValueError, RecursionError):
        return Format.BIRD
    return Format.JSONL if any(name.lower() in RECORD_FIELDS for name in first) else Format.BIRD


RECORD_FIELDS = frozenset({"predicted_sql", "gold_sql", "db_id", "question_id"})


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


def _json_list(path: Path, text: str) -> list[Any]:
    found = load_json(path, text)
    if not isinstance(found, list):
        raise InputError(f"{path}: not a JSON list of records")
    return found


def _records(path: Path, source: str, records: Iterable[tuple[int, Any]], unit: str) -> Iterator[Item]:
    for position, (number, record) in enumerate(records):
        where = f"{path}:{number}" if unit == "line" else f"{path}: {unit} {number}"
        if not isinstance(record, dict):
            raise InputError(f"{where}: not a record with fields")
        yield item_of({name.lower(): value for name, value in record.items()}, source, position, where)
