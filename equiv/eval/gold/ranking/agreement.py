"""How far systems agree with a gold query, how far against it, and in what their queries differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from equiv.core.lexer import tokens
from equiv.eval.gold.ranking.shape import ASPECTS, shape_of
from equiv.eval.gold.signs.words import numbers_of
from equiv.eval.gold.systems import REFUTED, Predicted
from equiv.records.record import Record

PROVEN = "equivalent"
DIFFERENCES = {
    "columns": "columns",
    "duplicates": "duplicates",
    "null": "null",
    "empty": "empty",
    "order": "order",
    "tie": "order",
    "values": "values",
    "rows_missing": "rows",
    "rows_extra": "rows",
}


def strengths_of(records: Iterable[Record]) -> dict[str, float]:
    """How often each system is proven right, over all gold queries: whose word weighs more."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for record in records:
        asked[record["source"]] += 1
        right[record["source"]] += record["verdict"] == PROVEN
    return {source: right[source] / asked[source] for source in asked}


def agreement_of(predicted: Predicted, strengths: Mapping[str, float]) -> dict[str, float]:
    """The features of what systems predicted for one gold query; empty with fewer than two systems."""
    if len(predicted.systems) < 2:
        return {}
    found = {**_verdicts(predicted, strengths), **_differences(predicted), **_shapes(predicted)}
    return {f"systems.{name}": round(value, 4) for name, value in sorted(found.items()) if value}


def _verdicts(predicted: Predicted, strengths: Mapping[str, float]) -> dict[str, float]:
    records = predicted.records
    total = len(records)
    verdicts = Counter(record["verdict"] for record in records)
    largest = max((len(own) for own in predicted.classes), default=0)
    weight = sum(strengths[record["source"]] for record in records) or 1.0
    proven = sum(strengths[record["source"]] for record in records if record["verdict"] == PROVEN)
    refuted = sum(strengths[record["source"]] for record in records if record["verdict"] == REFUTED)
    return {
        "refuted": verdicts[REFUTED] / total,
        "proven": verdicts[PROVEN] / total,
        "none_proven": float(not verdicts[PROVEN]),
        "invalid": verdicts["invalid"] / total,
        "largest_class": largest / total,
        "against": max(largest - verdicts[PROVEN], 0) / total,
        "strong_proven": proven / weight,
        "strong_refuted": refuted / weight,
    }


def _differences(predicted: Predicted) -> dict[str, float]:
    """Of the predictions, how many are refuted by each kind of difference."""
    found: Counter[str] = Counter()
    for record in predicted.records:
        if record["verdict"] == REFUTED:
            found[f"differ_{DIFFERENCES.get(record['difference'], 'otherwise')}"] += 1
    return {name: count / len(predicted.records) for name, count in found.items()}


def _shapes(predicted: Predicted) -> dict[str, float]:
    """How many systems agree on a shape that the gold query has not, by aspect; and which way they differ."""
    gold = predicted.gold.sql
    own = shape_of(gold)
    texts = [record["predicted_sql"] for record in predicted.records if record["verdict"] != "invalid"]
    found = {}
    for aspect in ASPECTS:
        values = Counter(getattr(shape_of(sql), aspect) for sql in texts)
        del values[getattr(own, aspect)]
        found[f"agree_{aspect}"] = max(values.values(), default=0) / len(predicted.records)
    more = {word: [_count(sql, word) - _count(gold, word) for sql in texts] for word in ("DISTINCT", "JOIN")}
    numbers = sum(numbers_of(sql) != numbers_of(gold) for sql in texts)
    valid = len(texts) or 1
    return {
        **found,
        "adds_distinct": sum(count > 0 for count in more["DISTINCT"]) / valid,
        "lacks_distinct": sum(count < 0 for count in more["DISTINCT"]) / valid,
        "more_joins": sum(count > 0 for count in more["JOIN"]) / valid,
        "fewer_joins": sum(count < 0 for count in more["JOIN"]) / valid,
        "other_numbers": numbers / valid,
    }


def _count(sql: str, word: str) -> int:
    return sum(token.word == word for token in tokens(sql))
