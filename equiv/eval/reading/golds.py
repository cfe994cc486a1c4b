"""Files of gold queries: dev.json and its kind, JSON objects by id, tables, and lines ``SQL<tab>db_id``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.abstention import abstains
from equiv.eval.reading.entries import db_of
from equiv.eval.reading.loading import (
    Entry,
    entries_of_lines,
    entries_of_list,
    entries_of_object,
    load,
    mapped,
)
from equiv.eval.reading.tables import entries_of_table, is_parquet, is_table
from equiv.files import read_text

NAMES = ("gold_sql", "gold", "query", "sql")
"""Fields that may hold a gold query, best first; Spider's ``sql`` is a parse beside the ``query``."""

RECORD_FIELDS = frozenset({"predicted_sql", "gold_sql", "db_id", "question_id", "query", "pred_sqls"})
"""One of these among the keys of a JSON object: it is a record, and no dict of queries."""


@dataclass(frozen=True, slots=True)
class Gold:
    """One question of a gold file."""

    entry: Entry
    """Its fields; ``gold_sql`` holds the query, or the list of queries that are right."""
    positions: tuple[int, ...]
    """Where it stands in the file, from 0."""

    @property
    def id(self) -> str:
        """Its id as text, the position where it has none."""
        return self.entry.id or str(self.positions[0])

    @property
    def db_id(self) -> str:
        """The name of its database, or ''."""
        return db_of(self.entry.fields)


def read_gold(path: Path, mapping: Mapping[str, str]) -> list[Gold | None]:
    """The questions of a file, in order; several entries of one question are one.

    A blank line among lines of queries, the end of an interaction, reads as None.

    Raises:
        InputError: the file cannot be read, or has none of the forms.
    """
    if is_table(path):
        return _questions(path, entries_of_table(path, parquet=is_parquet(path)), mapping)
    text = read_text(path)
    head = text.lstrip()
    if head.startswith("["):
        return _questions(path, entries_of_list(path, load(path, text)), mapping)
    if not head.startswith("{"):
        return list(_gold_lines(path, text))
    if is_record_line(head):
        return _questions(path, entries_of_lines(path, text), mapping)
    value = load(path, text)
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        return _questions(path, entries_of_list(path, value), mapping)
    return _questions(path, entries_of_object(path, value, "gold_sql"), mapping)


def is_record_line(text: str) -> bool:
    """Whether the first line is a JSON object with the fields of a record."""
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and not RECORD_FIELDS.isdisjoint(name.strip().lower() for name in first)


def _questions(path: Path, entries: Iterable[Entry], mapping: Mapping[str, str]) -> list[Gold | None]:
    golds = [Gold(_with_query(entry), (n,)) for n, entry in enumerate(mapped(entries, mapping))]
    if not any("gold_sql" in gold.entry.fields for gold in golds):
        raise InputError(f"{path}: no entry has a gold query ({', '.join(NAMES)}; see --map)")
    return list(_merged(_with_feasibility(golds)))


def _with_query(entry: Entry) -> Entry:
    """The entry with its query, or queries, as ``gold_sql``."""
    at_hand = [entry.fields[name] for name in NAMES if name in entry.fields]
    texts = [value for value in at_hand if isinstance(value, str) or _is_list_of_text(value)]
    fields = {name: value for name, value in entry.fields.items() if name not in NAMES}
    if "question_id" not in fields and "id" in fields:
        fields["question_id"] = fields["id"]
    if at_hand:
        fields["gold_sql"] = (texts or at_hand)[0]
    return replace(entry, fields=fields)


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(text, str) for text in value)


def _with_feasibility(golds: Sequence[Gold]) -> list[Gold]:
    """In a file with TrustSQL's ``null`` for questions without an answer, each question with what it is."""
    infeasible = [_is_null(gold.entry.fields.get("gold_sql")) for gold in golds]
    if not any(infeasible):
        return list(golds)
    return [
        replace(gold, entry=replace(gold.entry, fields={"feasible": not none, **gold.entry.fields}))
        for gold, none in zip(golds, infeasible, strict=True)
    ]


def _is_null(value: object) -> bool:
    return isinstance(value, str) and abstains(value)


def _merged(golds: Iterable[Gold]) -> list[Gold]:
    """One question for all entries of one id, database and question text: each of their queries is right."""
    found: dict[object, Gold] = {}
    for gold in golds:
        fields = gold.entry.fields
        question = fields.get("question")
        named = (gold.entry.id, gold.db_id, question if isinstance(question, str) else "")
        key: object = named if gold.entry.id is not None else gold.positions
        if not gold.entry.trouble and key in found:
            earlier = found[key]
            queries = [*_queries(earlier.entry.fields), *_queries(fields)]
            entry = replace(earlier.entry, fields={**earlier.entry.fields, "gold_sql": queries})
            found[key] = Gold(entry, (*earlier.positions, *gold.positions))
        else:
            found[key] = gold
    return list(found.values())


def _queries(fields: Mapping[str, Any]) -> list[Any]:
    value = fields.get("gold_sql")
    return value if isinstance(value, list) else [value]


def lines_of_text(text: str) -> list[str]:
    r"""The lines of a text; only ``\n`` and ``\r\n`` end one, since SQL may hold the other separators."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _gold_lines(path: Path, text: str) -> list[Gold | None]:
    """One gold query a line; None for a blank line, which ends an interaction."""
    found: list[Gold | None] = []
    lines = lines_of_text(text)
    talks = any(not line.strip() for line in lines)
    position, bad = 0, []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            found.append(None)
            continue
        sql, tab, db_id = line.rpartition("\t")
        if not tab or not sql.strip() or not db_id.strip():
            bad.append(number)
        fields: dict[str, Any] = {"gold_sql": sql if tab else line, "db_id": db_id.strip() if tab else ""}
        if talks:
            fields["interaction"] = sum(gold is None for gold in found)
        found.append(Gold(Entry(f"line {number}", fields), (position,)))
        position += 1
    if not position:
        raise InputError(f"{path}: no gold query in it")
    if len(bad) == position:
        raise InputError(f"{path}:{bad[0]}: not a gold query, a tab and a db_id")
    return found
