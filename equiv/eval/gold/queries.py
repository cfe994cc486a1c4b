"""The gold queries of some files, and what systems predicted where these files say so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.formats import Format, detect, read_items
from equiv.eval.paired import read_gold
from equiv.eval.questions import QuestionId
from equiv.eval.results import read_records
from equiv.files import json_lines, load_json, read_text
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

    @property
    def identity(self) -> QuestionId:
        """What tells it from other gold queries."""
        return self.db_id, json.dumps(self.question_id, sort_keys=True), self.sql


@dataclass(frozen=True, slots=True)
class Material:
    """What is audited: gold queries in file order, and the predictions at hand for them."""

    golds: tuple[GoldQuery, ...]
    items: tuple[Item, ...] = ()
    records: tuple[Record, ...] = ()
    """What ``eval`` wrote of some of the predictions, where files of it are given."""


def read_material(files: Sequence[Path], gold: Path | None = None, kind: Format = Format.AUTO) -> Material:
    """The gold queries of some files, each once, and the predictions that stand beside them.

    Without ``gold``, a file of gold queries alone is taken as such: lines
    ``SQL<tab>db_id``, a dev.json or dev.jsonl.  Of the results files of ``eval`` the records are kept.

    Raises:
        InputError: a file cannot be read, or holds no gold query.
    """
    bare = [path for path in files if gold is None and kind is Format.AUTO and is_gold_file(path)]
    others = [path for path in files if path not in bare]
    items = [item for item in read_items(others, gold, kind) if item.feasible is not False]
    golds = [g for path in bare for g in read_gold(path) if g is not None]
    queries = [GoldQuery(g.db_id, g.question_id, g.sql, g.question) for g in golds]
    queries += [GoldQuery(i.db_id, i.question_id, i.gold_sql, i.question) for i in items]
    unique = list({query.identity: query for query in reversed(queries)}.values())[::-1]
    if not unique:
        raise InputError(f"{', '.join(map(str, files))}: no gold query in it")
    results = [path for path in others if _is_results_file(path)]
    return Material(tuple(_with_earlier(unique)), tuple(items), tuple(read_records(results)))


def is_gold_file(path: Path) -> bool:
    """Whether a file has gold queries and no predictions."""
    text = read_text(path)
    match detect(text):
        case Format.SPIDER:
            first = next((line for line in text.splitlines() if line.strip()), "")
            return "\t" in first
        case Format.ROSE:
            records = load_json(path, text)
        case _ if "db_id" in _first_record(text):
            records = [record for _, record in json_lines(path, text)]
        case _:
            return False
    return _are_golds(records)


def _is_results_file(path: Path) -> bool:
    """Whether the first line of a file is a record of ``eval``."""
    return {"key", "verdict", "score", "judge"} <= _first_record(read_text(path)).keys()


def _first_record(text: str) -> dict[str, object]:
    """The JSON object on the first line, empty if there is none."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return {}
    return first if isinstance(first, dict) else {}


def _are_golds(records: object) -> bool:
    if not isinstance(records, list) or not records:
        return False
    return all(isinstance(r, dict) and "predicted_sql" not in map(str.lower, r) for r in records)


def _with_earlier(golds: Sequence[GoldQuery]) -> list[GoldQuery]:
    """Each gold query with those before it that have its question id or, if that is told, its question."""
    seen: dict[tuple[str, str], list[str]] = {}
    found = []
    for gold in golds:
        _, number, _ = gold.identity
        names = [(gold.db_id, f"id {number}")]
        if words := " ".join(gold.question.lower().split()):
            names.append((gold.db_id, f"question {words}"))
        others = [sql for name in names for sql in seen.get(name, ())]
        found.append(replace(gold, earlier=tuple(sql for sql in dict.fromkeys(others) if sql != gold.sql)))
        for name in names:
            seen.setdefault(name, []).append(gold.sql)
    return found
