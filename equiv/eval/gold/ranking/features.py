"""Numbers from 0 to 1 that a probability of a fault rests on, by name.

They are of the findings in a gold query, of the words of question and query, and of what was predicted for
it: how many systems are proven right or refuted, how strong these are, on what shape of query (tables,
constants, operators, told from its tokens) they agree against it, how many return the same on the given
data, and what a judge replied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise

from equiv.core.lexer import Token, TokenKind, tokens, unquoted
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.signs.wording import numbers_of, superlatives_of
from equiv.eval.gold.systems import REFUTED, Predicted, replies_on_gold
from equiv.records.record import Record

_AGGREGATES = frozenset(["COUNT", "SUM", "AVG", "MIN", "MAX", "TOTAL", "GROUP_CONCAT"])
_OPERATORS = {"<>": "!=", "==": "="}
_ENDS = frozenset(["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT"])


@dataclass(frozen=True, slots=True)
class QueryShape:
    """What a query has, whatever its aliases and its order of clauses."""

    tables: frozenset[str]
    columns: int
    """How many columns the outermost SELECT lists."""
    texts: frozenset[str]
    """Its string constants, in lower case."""
    numbers: frozenset[float]
    operators: frozenset[str]
    """Inequalities; BETWEEN counts as two."""
    aggregates: frozenset[str]
    distinct: bool
    limited: bool
    downwards: bool
    """Whether anything is sorted by DESC."""
    grouped: bool
    outer: bool
    """Whether anything is joined by an outer join."""


ASPECTS = tuple(field.name for field in fields(QueryShape))


@lru_cache(maxsize=4096)
def shape_of(sql: str) -> QueryShape:
    """The shape of a query; of anything else, too."""
    found = [token for token in tokens(sql) if token.kind is not TokenKind.END]
    words = [token.word for token in found]
    known = set(words)
    return QueryShape(
        tables=frozenset(_tables(sql, found)),
        columns=_columns(words),
        texts=frozenset(
            sql[t.start + 1 : t.end - 1].lower() for t in found if _is_text(t) and "%Y" not in t.word
        ),
        numbers=frozenset(_numbers(found)),
        operators=frozenset(_operators(words)),
        aggregates=frozenset(
            word for word, following in pairwise(words) if word in _AGGREGATES and following == "("
        ),
        distinct="DISTINCT" in known,
        limited="LIMIT" in known,
        downwards="DESC" in known,
        grouped="GROUP" in known,
        outer=bool(known & {"LEFT", "RIGHT", "FULL"}),
    )


def _is_text(token: Token) -> bool:
    return token.kind is TokenKind.STRING


def _tables(sql: str, found: Sequence[Token]) -> Iterator[str]:
    for before, token in pairwise(found):
        if before.word in {"FROM", "JOIN"} and token.kind in {TokenKind.NAME, TokenKind.QUOTED}:
            text = sql[token.start : token.end]
            yield (unquoted(text) if token.kind is TokenKind.QUOTED else text).lower()


def _columns(words: Sequence[str]) -> int:
    """Commas of the first SELECT list, and one; a query in WITH counts by its own list."""
    start = next((n for n, word in enumerate(words) if word == "SELECT"), None)
    if start is None:
        return 0
    depth, columns = 0, 1
    for word in words[start + 1 :]:
        depth += (word == "(") - (word == ")")
        if depth < 0 or (depth == 0 and word in _ENDS):
            break
        columns += depth == 0 and word == ","
    return columns


def _numbers(found: Sequence[Token]) -> Iterator[float]:
    for token in found:
        if token.kind is TokenKind.NUMBER:
            try:
                yield float(token.word)
            except ValueError:
                continue


def _operators(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        operator = _OPERATORS.get(word, word)
        if operator == "BETWEEN":
            yield from (">=", "<=")
        elif operator in {"<", ">", "<=", ">=", "!="}:
            yield operator


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


def results_of(
    records: Sequence[Record], same: Sequence[bool | None], strengths: Mapping[str, float]
) -> dict[str, float]:
    """The features of results on data; empty if fewer than two predictions have one.

    Args:
        records: the predictions for one gold query.
        same: of each, whether it returns the same set of rows; None where that is not known.
        strengths: how often each system is proven right.
    """
    known = [(record, equal) for record, equal in zip(records, same, strict=True) if equal is not None]
    if len(known) < 2:
        return {}
    right = [record for record, equal in known if equal]
    weight = sum(strengths[record["source"]] for record, _ in known) or 1.0
    found = {
        "right": len(right) / len(known),
        "none_right": float(not right),
        "strong_right": sum(strengths[record["source"]] for record in right) / weight,
        "refuted_right": sum(record["verdict"] == REFUTED for record in right) / len(known),
    }
    return {f"results.{name}": round(value, 4) for name, value in found.items() if value}


def word_of_judge(records: Sequence[Record]) -> dict[str, float]:
    """The features of a judge's replies on one gold query; empty if none says whether it is correct."""
    told = [reply["gold_correct"] for reply in replies_on_gold(records)]
    if not told:
        return {}
    sound = sum(told) / len(told)
    found = {"judge.sound": sound, "judge.faulty": 1 - sound, "judge.once_faulty": float(sound < 1)}
    return {name: round(value, 4) for name, value in found.items() if value}


FaultFeatures = Mapping[str, float]
"""Numbers from 0 to 1 by name; what is not named is 0."""

ON_DATA = frozenset(
    {
        *(Kind.EMPTY, Kind.TIE, Kind.NULL_FIRST, Kind.TEXT_NUMBERS, Kind.DUPLICATES),
        Kind.AVERAGES_ZEROS,
    }
)
"""Kinds that data show: one feature together, since few labelled queries have data."""
SLIPS = frozenset(
    {
        Kind.PRECEDENCE,
        Kind.EXCLUDED_BY_VALUE,
        Kind.OTHER_COMPARISON,
        Kind.OTHER_BOUND,
        Kind.REPEATED_CONDITION,
        Kind.COUNTS_ELSE,
        Kind.IDLE_ORDER,
        Kind.NEGATED_ROW,
        Kind.UNORDERED_LIMIT,
        Kind.DIRECTION,
    }
)
"""Kinds that are rare and hardly ever meant: one feature together."""
ELSEWHERE = frozenset(
    {
        *(Kind.UNSOLVED, Kind.OUTVOTED, Kind.CONTRADICTED, Kind.UNSUPPORTED),
        *(Kind.REPEATS_ROWS, Kind.STRANGE_CONSTANT, Kind.MISSING_DISTINCT, Kind.NONDETERMINISTIC),
        *(Kind.SELF_EQUALITY, Kind.ONE_SIDED_JOIN, Kind.UNJOINED_TABLE),
    }
)
"""Kinds that are no features.

Those of systems count by their numbers, some tell nothing of a fault, and some no labelled query showed.
"""

_ASKED = {
    "asks.percentage": re.compile(r"percent|ratio|proportion|rate\b", re.IGNORECASE),
    "asks.average": re.compile(r"average|\bmean\b", re.IGNORECASE),
    "asks.yes_no": re.compile(
        r"^(?:is|are|was|were|did|does|do|has|have)\b|, (?:was|is|did|does)\b", re.IGNORECASE
    ),
    "asks.difference": re.compile(r"difference|compar|more than|how much", re.IGNORECASE),
}


def features_of(gold: GoldQuery, findings: Iterable[Finding]) -> dict[str, float]:
    """The features of a gold query without systems."""
    found: dict[str, float] = {}
    for finding in findings:
        if finding.basis is Basis.DATA and finding.kind in ON_DATA:
            found["found.on_data"] = 1.0
        elif finding.kind in SLIPS:
            found["found.slip"] = 1.0
        elif finding.kind not in ELSEWHERE:
            found[f"found.{finding.kind}"] = 1.0
    found |= {name: 1.0 for name, form in _ASKED.items() if form.search(gold.question)}
    if superlatives_of(gold.question):
        found["asks.superlative"] = 1.0
    words = re.findall(r"\w+", gold.sql.upper())
    found["text.joins"] = min(words.count("JOIN"), 4) / 4
    found["text.nested"] = min(words.count("SELECT") - 1, 3) / 3
    found["text.limit"] = float("LIMIT" in words)
    return {name: value for name, value in found.items() if value}
