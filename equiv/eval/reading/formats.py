"""Reading prediction files: which format a file has, and its items one by one.

Formats: ``rose`` (a JSON list of records), ``list`` (a JSON list of queries by position), ``bird`` (a JSON
dict of predictions by id, TrustSQL's too), ``spider`` (text lines), ``jsonl`` (one record a line), ``csv``
and ``parquet`` (one record a row), ``nodes``.
Predictions without gold queries are joined to those of another file
(:mod:`equiv.eval.reading.predictions`).

What is wrong with one item is a fault that it carries (:class:`equiv.records.record.Fault`); what is wrong
with a whole file is an :class:`~equiv.errors.InputError` that names the file.

Of a prediction that is several samples the one is taken that they agree on (TrustSQL, arXiv 2403.15879,
section 4.1.2: of five samples, an answer counts only if all are one). A question to which one system gives
several different predictions is told as a fault.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from equiv.errors import InputError, listed
from equiv.eval.arguments import Format
from equiv.eval.plan import Spool, digest_of, packed, temporary_tables, unpacked
from equiv.eval.reading.golds import (
    NAMES,
    GoldBook,
    abstains,
    is_record_line,
    item_of,
    read_gold,
    source_of,
    source_of_all,
    unreadable,
)
from equiv.eval.reading.loading import (
    BIRD_SEPARATOR,
    Entry,
    TextFile,
    entries_of_lines,
    entries_of_list,
    entries_of_object,
    entries_of_table,
    if_any,
    is_parquet,
    is_table,
    load,
    mapped,
)
from equiv.eval.reading.nl2sqlbench import items_of_logs
from equiv.eval.reading.predictions import Files, joined, read_lines, read_list
from equiv.records.record import Fault, FaultKind, Item
from equiv.replies.extract import query_in

_TABLES = """
CREATE TABLE item (place INTEGER PRIMARY KEY, question BLOB, prediction BLOB, item BLOB);
CREATE INDEX by_question ON item (question, prediction);
CREATE TABLE repeated (question BLOB PRIMARY KEY, several INTEGER) WITHOUT ROWID;
"""
_REPEATED = """
INSERT INTO repeated SELECT question, count(DISTINCT prediction) AS several FROM item
GROUP BY question HAVING several > 1
"""


def with_repeats(items: Iterable[Item]) -> Iterator[Item]:
    """The items; where one system predicts several different queries for a question, they carry a fault."""
    with closing(temporary_tables(_TABLES)) as tables:
        asked = ((item, (item.source, json.dumps(item.question_id), item.target)) for item in items)
        rows = ((digest_of(one), digest_of(item.predicted_sql), packed(item)) for item, one in asked)
        tables.executemany("INSERT INTO item (question, prediction, item) VALUES (?, ?, ?)", rows)
        tables.execute(_REPEATED)
        query = "SELECT item, several FROM item LEFT JOIN repeated USING (question) ORDER BY place"
        for found, several in tables.execute(query):
            item: Item = unpacked(found)
            yield item if several is None else _repeated(item, several)


def _repeated(item: Item, several: int) -> Item:
    text = f"the id occurs with {several} different predictions; each is counted"
    return replace(item, faults=(*item.faults, Fault(FaultKind.REPEATED_ID, text)))


def voted(entries: Iterable[Entry], least: float | None) -> Iterator[Entry]:
    """The entries, with the query that a share of the samples agrees on in place of a list of them.

    Where no query has that share, the system abstains.

    Args:
        entries: with ``predicted_sql``, maybe a list of texts.
        least: the share, from above 0 to 1; None takes no votes.
    """
    for entry in entries:
        samples = entry.fields.get("predicted_sql")
        if least is None or not isinstance(samples, list) or not samples:
            yield entry
            continue
        texts = [sample if isinstance(sample, str) else "" for sample in samples]
        chosen = winner(texts, least)
        fields = {**entry.fields, "predicted_sql": chosen or "", "abstained": not chosen or abstains(chosen)}
        yield replace(entry, fields=fields)


def winner(samples: list[str], least: float) -> str:
    """The first sample of the most frequent query that so large a share agrees on; '' if there is none.

    Queries agree if they differ in white space and a final semicolon at most.
    """
    counts = Counter(normal(sample) for sample in samples)
    best, votes = counts.most_common(1)[0]
    if votes < least * len(samples) - 1e-9 or not best:
        return ""
    return next(sample for sample in samples if normal(sample) == best)


def normal(sample: str) -> str:
    """A sample in normal form: single blanks, and no semicolon at the end."""
    return " ".join(sample.split()).rstrip("; ")


NEEDS_GOLD = frozenset({Format.BIRD, Format.SPIDER, Format.LIST})
"""Formats whose gold queries stand in a file of their own."""

LINES = frozenset({".jsonl", ".ndjson"})
"""The suffixes of files of JSON lines."""

TABLES = frozenset({Format.CSV, Format.PARQUET})

_TEXTS = re.compile(r'\[\s*+(?:"|null\s*+,)')
"""The beginning of a JSON list of texts."""

NEEDED = frozenset({"predicted_sql", "gold_sql", "feasible"})
"""Fields that tell records from other things."""


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How entries are read."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    """Fields by column; see :func:`equiv.eval.reading.loading.mapping_of`."""
    extract: bool = False
    """Whether predictions are replies that hold a query, maybe fenced."""
    encoding: str = ""
    """The encoding of texts; '' distinguishes UTF-8 and UTF-16."""
    vote: float | None = None
    """The share of its samples that must agree on a prediction; see :mod:`equiv.eval.reading.formats`."""


PLAIN = FormatOptions()


def read_items(
    files: Sequence[Path],
    gold: Path | None = None,
    kind: Format = Format.AUTO,
    reading: FormatOptions = PLAIN,
    most: int | None = None,
    *,
    met: Iterable[str] = (),
) -> Iterator[Item]:
    """The items of some prediction files, file after file.

    They come in the order of the file, or of the gold file if there is one; ``most`` of each file, and of
    all logs of modules together, which come last; ``met`` are columns of the mapping that other files have.

    Raises:
        InputError: a file cannot be read as its format, ``gold`` is missing where it is needed, or no record
            has a column of the mapping.
    """
    with ExitStack() as opened:
        met = set(met)
        golds = (
            None
            if gold is None
            else opened.enter_context(read_gold(gold, reading.mapping, met, reading.encoding))
        )
        logs: list[Path] = []
        lacking: dict[str, list[Path]] = {}
        for path, source in _with_sources(files, kind):
            text = _text_of(path, kind, reading.encoding)
            chosen = _kind_of(path, text.head if text else "") if kind is Format.AUTO else kind
            if chosen is Format.NODES:
                logs.append(path)
            else:
                at_hand = Files(path, gold, source)
                try:
                    yield from islice(_items_of(at_hand, text, golds, chosen, reading, met=met), most)
                except _LacksFieldError as lack:
                    lacking.setdefault(str(lack), []).append(path)
        unmet = [] if most is not None else sorted(reading.mapping.keys() - met)
        if unmet and not lacking:
            raise InputError(f"--map: no record has a field {listed(unmet)}")
        if lacking:
            told = (f"{', '.join(map(str, paths))}: {what}" for what, paths in lacking.items())
            raise InputError("; ".join(told))
        if logs:
            yield from islice(_finished(items_of_logs(logs, golds), reading), most)


def _with_sources(files: Sequence[Path], kind: Format) -> Iterator[tuple[Path, str]]:
    """The files with the names of systems; logs of modules are named by their folders."""
    names = [""] * len(files) if kind is Format.NODES else source_names(files)
    return zip(files, names, strict=True)


def _text_of(path: Path, kind: Format, encoding: str) -> TextFile | None:
    """The text of a file, opened once since it may be a pipe; None for a folder, a log or a table."""
    no_text = path.is_dir() or kind in TABLES or kind is Format.NODES
    return None if no_text or (kind is Format.AUTO and is_table(path)) else TextFile(path, encoding)


def _items_of(
    files: Files,
    text: TextFile | None,
    golds: GoldBook | None,
    chosen: Format,
    reading: FormatOptions,
    *,
    met: set[str],
) -> Iterator[Item]:
    path = files.predictions
    if chosen in NEEDS_GOLD and golds is None:
        raise InputError(f"{path}: a {chosen} prediction file; give its gold queries with --gold")
    if chosen is Format.SPIDER and golds is not None and text is not None:
        own = read_lines(files, text, golds, extract=reading.extract)
    elif chosen is Format.LIST and golds is not None and text is not None:
        own = read_list(files, load(path, text.whole()), golds)
    else:
        called = mapped(_entries(path, text, chosen, reading.encoding), reading.mapping, met)
        entries = _not_none(path, voted(map(_named, called), reading.vote))
        if golds is None:
            own = _records(files.source, entries)
        else:
            own = joined(files, _with_predictions(files.source, entries), golds)
    yield from with_repeats(_finished(own, reading))


def _named(entry: Entry) -> Entry:
    """The entry with prediction and gold query under our names, where one other known name alone has them."""
    own = dict(entry.fields)
    for field_name in NAMES.keys() - own.keys():
        found = [entry.fields[name] for name in NAMES[field_name] if name in entry.fields]
        if len(found) == 1 and isinstance(found[0], str | list | None):
            own[field_name] = found[0]
    return replace(entry, fields=own)


def _not_none(path: Path, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries; an error if there is none."""
    empty = True
    for entry in entries:
        empty = False
        yield entry
    if empty:
        raise InputError(f"{path}: the file has no pairs")


def _entries(path: Path, text: TextFile | None, kind: Format, encoding: str) -> Iterator[Entry]:
    if text is None:
        return if_any(path, entries_of_table(path, parquet=kind is Format.PARQUET, encoding=encoding))
    match kind:
        case Format.ROSE:
            return entries_of_list(path, load(path, text.whole()))
        case Format.JSONL:
            return entries_of_lines(path, text.lines())
    return if_any(path, entries_of_object(path, load(path, text.whole()), "predicted_sql"))


def _kind_of(path: Path, head: str) -> Format:
    if path.is_dir():
        return Format.NODES
    if is_table(path):
        return Format.PARQUET if is_parquet(path) else Format.CSV
    found = detect(head)
    return Format.JSONL if found is Format.BIRD and path.suffix.lower() in LINES else found


def detect(text: str) -> Format:
    """The format that a prediction file's text has, by its first characters and lines."""
    head = text.lstrip()
    if not head.startswith(("[", "{")):
        return Format.SPIDER
    if any(name in head[:2_000] for name in ('"node_type"', '"pred_sqls"')):
        return Format.NODES
    if _TEXTS.match(head):
        return Format.LIST
    if head.startswith("["):
        return Format.ROSE
    return Format.JSONL if is_record_line(head) else Format.BIRD


def relation_of_format(path: Path, kind: Format, encoding: str = "") -> str:
    """The relation by which the script compares whose format a file has; '' if the format is nobody's."""
    if not path.is_file() or kind in TABLES or (kind is Format.AUTO and is_table(path)):
        return ""
    head = TextFile(path, encoding).head
    chosen = _kind_of(path, head) if kind is Format.AUTO else kind
    if chosen is Format.BIRD:
        return "bird" if BIRD_SEPARATOR.strip() in head else ""
    return "spider" if chosen is Format.SPIDER else ""


def source_names(files: Sequence[Path]) -> list[str]:
    """A name for each file: its stem, with the folder where stems coincide.

    Raises:
        InputError: a file is given twice, or two cannot be distinguished so.
    """
    stems = Counter(path.stem for path in files)
    names = [
        path.stem if stems[path.stem] == 1 else f"{path.resolve().parent.name}/{path.stem}" for path in files
    ]
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"{count} files are called {name}; their records could not be distinguished")
    return names


def _with_predictions(source: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries; an error at their end if they are of another kind than predictions."""
    notes = _Notes(source)
    yield from notes.of(entries)
    if notes.first and "abstained" not in notes.shown:
        notes.require("predicted_sql")


def _records(source: str, entries: Iterable[Entry]) -> Iterator[Item]:
    """The items of entries that bring their gold queries along."""
    notes = _Notes(source)
    with Spool(notes.of(entries)) as spool:
        notes.require(*(["predicted_sql"] if "feasible" in notes.names else _SHORT))
        nobody = source_of_all(notes.systems, source)
        for position, entry in enumerate(spool):
            if entry.trouble:
                yield unreadable(nobody, entry.where, entry.trouble)
            elif entry.id is not None or not notes.numbered:
                yield item_of(entry.fields, source, position)
            else:
                fault = Fault(FaultKind.NO_ID, f"{entry.where} has no question id")
                yield item_of(entry.fields, source, entry.where, [fault])


def _paths(fields: Mapping[str, object]) -> Iterator[str]:
    for name, value in fields.items():
        yield from (f"{name}.{inner}" for inner in value) if isinstance(value, Mapping) else (name,)


class _LacksFieldError(Exception):
    """No record of a file has a field that records need; several files are told together."""


_SHORT = {"predicted_sql": "pred", "gold_sql": "gold"}
"""What ``--map`` calls a field in short."""


@dataclass(slots=True)
class _Notes:
    """What must be known of all records of a file before the first is an item."""

    source: str
    first: str = ""
    """Where the first record stands."""
    names: set[str] = field(default_factory=set)
    """Of the fields that records need, those that some record has."""
    shown: tuple[str, ...] = ()
    """The fields of the first record, as ``--map`` takes them."""
    systems: set[str] = field(default_factory=set)
    numbered: bool = False
    """Whether any of them has an id."""

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries, noted as they pass."""
        for entry in entries:
            if not entry.trouble:
                if not self.first:
                    self.first, self.shown = entry.where, tuple(_paths(entry.fields))
                # An object is no query, but may hold one.
                self.names |= {
                    name
                    for name in NEEDED & entry.fields.keys()
                    if not isinstance(entry.fields[name], Mapping)
                }
                self.systems.add(source_of(entry.fields, self.source))
                self.numbered = self.numbered or entry.id is not None
            yield entry

    def require(self, *needed: str) -> None:
        """Refuse a file none of whose records has a field that records need: it is of another kind."""
        for name in needed:
            if name not in self.names:
                shown = f"The fields of {self.first} are {listed(self.shown)}"
                remedy = "name the right one:"
                if name == "gold_sql":
                    remedy = "give the gold queries with --gold FILE, or, if one of these holds them,"
                said = f"no entry has a field {name!r}. {shown}; {remedy} --map FIELD={_SHORT[name]}"
                raise _LacksFieldError(said)


def _finished(items: Iterable[Item], reading: FormatOptions) -> Iterator[Item]:
    """The items with the queries that their replies hold."""
    for item in items:
        yield replace(item, predicted_sql=query_in(item.predicted_sql)) if reading.extract else item
