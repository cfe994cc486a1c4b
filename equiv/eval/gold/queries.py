"""The gold queries of files, with the predictions of systems that the files hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.questions import QuestionId
from equiv.eval.reading.formats import PLAIN, Format, FormatOptions, detect, read_items
from equiv.eval.reading.golds import read_gold
from equiv.eval.reading.predictions import paired_item
from equiv.eval.reading.tables import is_table
from equiv.eval.reading.text_file import TextFile
from equiv.eval.store.results import read_records
from equiv.records.item import Item, JsonValue
from equiv.records.record import Record


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """One gold query with its question."""

    db_id: str
    question_id: JsonValue
    sql: str
    question: str = ""
    earlier: tuple[str, ...] = ()
    """The other gold texts of the same question that stand before it."""
    hint: str = ""

    @property
    def identity(self) -> QuestionId:
        """The key of the gold query: database, id of the question, text."""
        return self.db_id, json.dumps(self.question_id, sort_keys=True), self.sql


@dataclass(frozen=True, slots=True)
class Material:
    """The material of an audit: gold queries in file order, and predictions for them."""

    golds: tuple[GoldQuery, ...]
    items: tuple[Item, ...] = ()
    records: tuple[Record, ...] = ()
    """What ``eval`` wrote of some of the predictions, where files of it are given."""


def read_material(
    files: Sequence[Path],
    gold: Path | None = None,
    kind: Format = Format.AUTO,
    reading: FormatOptions = PLAIN,
) -> Material:
    """The gold queries of some files, each once, and the predictions that stand beside them.

    Without ``gold``, a file of gold queries alone is taken as such.  Of the results files of ``eval`` the
    records are kept.

    Raises:
        InputError: a file cannot be read, or holds no gold query.
    """
    detecting = gold is None and kind is Format.AUTO
    bare = [path for path in files if detecting and is_gold_file(path, reading.mapping)]
    others = [path for path in files if path not in bare]
    items = [item for path in bare for item in _questions_of(path, reading.mapping)]
    predicted = list(read_items(others, gold, kind, reading))
    queries = [query for item in (*items, *predicted) for query in _queries_of(item)]
    unique = list({query.identity: query for query in reversed(queries)}.values())[::-1]
    if not unique:
        raise InputError(f"{', '.join(map(str, files))}: no gold query in it")
    results = [path for path in others if _is_results_file(path)]
    return Material(tuple(_with_earlier(unique)), tuple(predicted), tuple(read_records(results)))


def _questions_of(path: Path, mapping: Mapping[str, str]) -> list[Item]:
    """The questions of a file of gold queries alone."""
    with read_gold(path, mapping) as golds:
        return [paired_item("", gold, None, []) for _, gold in golds.placed()]


def _queries_of(item: Item) -> list[GoldQuery]:
    """The gold queries of an item: none for an infeasible question, several where each is right."""
    if item.feasible is False:
        return []
    return [GoldQuery(item.db_id, item.question_id, sql, item.question, hint=item.hint) for sql in item.golds]


def is_gold_file(path: Path, mapping: Mapping[str, str] = PLAIN.mapping) -> bool:
    """Whether a file has gold queries and no predictions, its columns called as a mapping says."""
    if path.is_dir():
        return False
    if not is_table(path):
        head = TextFile(path).head
        match detect(head):
            case Format.SPIDER:
                return "\t" in next((line for line in head.splitlines() if line.strip()), "")
            case Format.ROSE | Format.JSONL:
                pass
            case _:
                return False
    try:
        with read_gold(path, mapping) as golds:
            return all("predicted_sql" not in gold.entry.fields for _, gold in golds.placed())
    except InputError:
        return False


def _is_results_file(path: Path) -> bool:
    """Whether the first line of a file is a record of ``eval``."""
    if path.is_dir() or is_table(path):
        return False
    return {"key", "verdict", "score", "judge"} <= _first_record(TextFile(path).head).keys()


def _first_record(text: str) -> dict[str, object]:
    """The JSON object on the first line, empty if there is none."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return {}
    return first if isinstance(first, dict) else {}


def _with_earlier(golds: Sequence[GoldQuery]) -> list[GoldQuery]:
    """Each gold query with those before it that have its question id or, if that is told, its question."""
    seen: dict[tuple[str, str], list[str]] = {}
    queries = []
    for gold in golds:
        _, number, _ = gold.identity
        names = [(gold.db_id, f"id {number}")]
        if words := " ".join(gold.question.lower().split()):
            names.append((gold.db_id, f"question {words}"))
        others = [sql for name in names for sql in seen.get(name, ())]
        queries.append(replace(gold, earlier=tuple(sql for sql in dict.fromkeys(others) if sql != gold.sql)))
        for name in names:
            seen.setdefault(name, []).append(gold.sql)
    return queries
