"""Recorded scores of other metrics and judges, read in to be compared like our own.

Three forms are read.  *Judgements*: JSON lines ``{model, metric, question_id, score}``.  *Pairs*:
JSON lines or a list with fields that end in ``_score`` (``ex_score``, ``rose_score``), beside
``method``, ``question_id`` and both texts.  *Results*: the list ``{question_id, predicted_sql, gold_sql,
score}`` that ROSE (arXiv 2604.12988) writes as ``<model>/<metric>/eval_results.json``.  What an entry
says of its pair must fit: a score that fits several different pairs, or that is recorded twice
and differs, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.metrics.measured import Measured, PairId, pair_of
from equiv.files import json_lines, load_json, read_text
from equiv.records.record import Record

SUFFIX = "_score"
FIELDS = {
    "method": "source",
    "source": "source",
    "db_id": "db_id",
    "predicted_sql": "predicted_sql",
    "gold_sql": "gold_sql",
    "question_id": "question_id",
}
"""What an entry may say of its pair, and the field of a record that it must equal."""

Place = tuple[tuple[str, str], ...]
"""Fields of a record with their values as JSON."""


def read_scores(files: Iterable[Path], records: Sequence[Record]) -> list[Measured]:
    """The recorded metrics of some files, as far as they are about the records.

    Raises:
        InputError: a file cannot be read, or has none of the forms.
    """
    index = _Index(records)
    found: dict[str, dict[PairId, bool | None]] = {}
    for path in files:
        for name, place, score in _entries(path):
            scores = found.setdefault(name, {})
            for pair in index.at(place):
                scores[pair] = score if scores.get(pair, score) == score else None
    return [
        Measured(name, {pair: score for pair, score in scores.items() if score is not None})
        for name, scores in found.items()
    ]


class _Index:
    """Records by what entries say of them."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._by_fields: dict[tuple[str, ...], dict[Place, set[PairId]]] = {}

    def at(self, place: Place) -> set[PairId]:
        """The pairs of a place; none where what it leaves open lets it fit different texts."""
        names = tuple(name for name, _ in place)
        if names not in self._by_fields:
            found: dict[Place, set[PairId]] = {}
            for record in self._records:
                found.setdefault(_place(record, names), set()).add(pair_of(record))
            self._by_fields[names] = found
        pairs = self._by_fields[names].get(place, set())
        return pairs if len({(pred, gold) for *_, pred, gold in pairs}) == 1 else set()


def _place(values: Mapping[str, Any], names: Iterable[str]) -> Place:
    return tuple((name, json.dumps(values[name], sort_keys=True)) for name in names)


def _entries(path: Path) -> Iterator[tuple[str, Place, bool | None]]:
    text = read_text(path)
    listed = text.lstrip()[:1] == "["
    entries = load_json(path, text) if listed else (entry for _, entry in json_lines(path, text))
    for number, entry in enumerate(entries):
        scores = _scores(entry, path) if isinstance(entry, dict) and "question_id" in entry else {}
        if not scores:
            raise InputError(f"{path}: entry {number}: no recorded score of a question")
        own = {field: entry[name] for name, field in FIELDS.items() if name in entry}
        place = _place(own, sorted(own))
        yield from ((name, place, score) for name, score in scores.items())


def _scores(entry: Mapping[str, Any], path: Path) -> dict[str, bool | None]:
    """The scores of an entry by the names of their metrics."""
    named = {key.removesuffix(SUFFIX): value for key, value in entry.items() if key.endswith(SUFFIX)}
    if named:
        return {f"recorded {name}": _score(value) for name, value in named.items()}
    if "score" not in entry:
        return {}
    known = (entry.get("metric"), entry.get("model")) if "metric" in entry else _folders(path)
    return {f"recorded {', '.join(str(part) for part in known if part)}": _score(entry["score"])}


def _folders(path: Path) -> tuple[str, str]:
    """Metric and model as ROSE's folders say them."""
    whole = path.resolve()
    return whole.parent.name, whole.parent.parent.name


def _score(value: object) -> bool | None:
    return value == 1 if isinstance(value, bool | int | float) else None
