"""Prediction files whose gold queries stand in a file of their own: BIRD's and Spider's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import json_lines, load_json, read_text
from equiv.records.item import Item, JsonValue

BIRD_SEPARATOR = "\t----- bird -----\t"


@dataclass(frozen=True, slots=True)
class Gold:
    """One gold query with what its file says of the question."""

    sql: str
    db_id: str
    question_id: JsonValue
    question: str = ""
    hint: str = ""
    difficulty: JsonValue = None
    interaction: JsonValue = None

    def item(self, source: str, predicted_sql: str) -> Item:
        """This question's pair with a prediction."""
        return Item(
            source=source,
            question_id=self.question_id,
            db_id=self.db_id,
            predicted_sql=predicted_sql,
            gold_sql=self.sql,
            question=self.question,
            hint=self.hint,
            difficulty=self.difficulty,
            interaction=self.interaction,
        )


def read_bird(path: Path, source: str, predictions: Any, gold_path: Path) -> Iterator[Item]:
    """The pairs of a BIRD prediction dict, each joined to its gold query by key.

    A key is a question id of the gold file or, where the ids do not fit (a
    subset such as mini-dev keeps the ids of the whole), a 0-based position.
    """
    if not isinstance(predictions, dict):
        raise InputError(f"{path}: not a JSON dict of predictions")
    golds = [gold for gold in read_gold(gold_path) if gold is not None]
    parsed = {key: _prediction(value) for key, value in predictions.items()}
    by_id = {str(gold.question_id): gold for gold in golds}
    by_position = {str(position): gold for position, gold in enumerate(golds)}
    ids_fit = _mismatch(parsed, by_id) is None
    chosen = by_id if ids_fit and len(by_id) == len(golds) else by_position
    if problem := _mismatch(parsed, chosen):
        raise InputError(f"{path}: {problem} ({gold_path})")
    for key, (sql, _) in parsed.items():
        yield chosen[key].item(source, sql)


def _prediction(value: object) -> tuple[str, str]:
    """Query and database of one entry; the number 0 and the like are no answer."""
    if not isinstance(value, str):
        return "", ""
    sql, separator, db_id = value.rpartition(BIRD_SEPARATOR)
    return (sql, db_id.strip()) if separator else (value, "")


def _mismatch(predictions: dict[str, tuple[str, str]], golds: dict[str, Gold]) -> str | None:
    """Why predictions and gold queries cannot belong together, or None."""
    for key, (_, db_id) in predictions.items():
        gold = golds.get(key)
        if gold is None:
            return f"no gold query for key {key!r}"
        if db_id and db_id != gold.db_id:
            return f"key {key!r} is on {db_id!r}, its gold query on {gold.db_id!r}"
    return None


def read_gold(path: Path) -> list[Gold | None]:
    """The gold queries of a file: a dev.json or dev.jsonl, or lines ``SQL<tab>db_id``.

    A blank line among such lines, the end of an interaction, reads as None.
    """
    text = read_text(path)
    match text.lstrip()[:1]:
        case "[":
            return [_gold_record(f"{path}: entry {n}", n, r) for n, r in enumerate(load_json(path, text))]
        case "{":
            lines = enumerate(json_lines(path, text))
            return [_gold_record(f"{path}:{number}", n, record) for n, (number, record) in lines]
    return _gold_lines(path, text)


def _gold_record(where: str, position: int, record: Any) -> Gold:
    if not isinstance(record, dict):
        raise InputError(f"{where}: not a record with fields")
    sql = next((record[name] for name in ("SQL", "query", "gold_sql") if name in record), None)
    if not isinstance(sql, str) or not isinstance(record.get("db_id"), str):
        raise InputError(f"{where}: no gold query ('SQL' or 'query') or no 'db_id'")
    return Gold(
        sql,
        record["db_id"],
        record.get("question_id", position),
        str(record.get("question") or ""),
        str(record.get("evidence") or ""),
        record.get("difficulty"),
        record.get("interaction", record.get("interaction_id")),
    )


def _lines(text: str) -> list[str]:
    r"""The lines of a text; only ``\n`` and ``\r\n`` end one, since SQL may hold the other separators."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _gold_lines(path: Path, text: str) -> list[Gold | None]:
    """One gold query a line; None for a blank line, which ends an interaction."""
    found: list[Gold | None] = []
    lines = _lines(text)
    talks = any(not line.strip() for line in lines)
    position = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            found.append(None)
            continue
        sql, tab, db_id = line.rpartition("\t")
        if not tab or not sql.strip() or not db_id.strip():
            raise InputError(f"{path}:{number}: not a gold query, a tab and a db_id")
        interaction = sum(gold is None for gold in found) if talks else None
        found.append(Gold(sql, db_id.strip(), position, interaction=interaction))
        position += 1
    if not position:
        raise InputError(f"{path}: no gold query in it")
    return found


def read_spider(path: Path, source: str, text: str, gold_path: Path) -> Iterator[Item]:
    """The pairs of a Spider, SParC or CoSQL prediction file, one query a line.

    The format has no keys, so lines are paired by position, and only if the
    counts leave no doubt.  Where the gold file has a blank line (the end of
    an interaction) so has the prediction file, or it has none of them at all;
    a blank line where the gold file has a query is an empty prediction.
    """
    predictions = _lines(text)
    golds = read_gold(gold_path)
    databases = {gold.db_id for gold in golds if gold is not None}
    for number, line, gold in _aligned(path, predictions, golds, gold_path):
        sql = _without_db_id(line, gold.db_id, databases, f"{path}:{number}")
        yield gold.item(source, sql)


def _aligned(
    path: Path, predictions: list[str], golds: list[Gold | None], gold_path: Path
) -> Iterator[tuple[int, str, Gold]]:
    """Line number, prediction and gold query, wherever the gold file has a query."""
    numbered = list(enumerate(predictions, 1))
    queries = [gold for gold in golds if gold is not None]
    if len(predictions) == len(golds):
        for (number, line), gold in zip(numbered, golds, strict=True):
            if gold is not None:
                yield number, line, gold
            elif line.strip():
                raise InputError(f"{path}:{number}: a prediction where {gold_path} ends an interaction")
        return
    if len(numbered) != len(queries):
        numbered = [(number, line) for number, line in numbered if line.strip()]
    if len(numbered) != len(queries):
        raise InputError(f"{path}: {len(predictions)} lines, but {gold_path} has {len(queries)} gold queries")
    for (number, line), gold in zip(numbered, queries, strict=True):
        yield number, line, gold


def _without_db_id(line: str, db_id: str, databases: set[str], where: str) -> str:
    """A prediction less the ``<tab>db_id`` that may follow it."""
    sql, tab, last = line.rpartition("\t")
    if not tab or last.strip() not in databases:
        return line
    if last.strip() != db_id:
        raise InputError(f"{where}: a prediction on {last.strip()!r}, its gold query is on {db_id!r}")
    return sql
