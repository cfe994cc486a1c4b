"""Gold queries in the order of the estimated probability that they are faulty, with the reasons.

The weights are plain JSON with six logistic regressions: ``alone`` of what text, schema, question and
data show; ``systems`` for gold queries that several systems predicted for, and ``results`` for those of
which it is known besides what the predictions return on the given data; each once more with ``judged``
where a judge spoke. P = 1 / (1 + exp(-(intercept + sum of weight * value))).

The values are numbers from 0 to 1, by name: of the findings in a gold query, of the words of question and
query, and of what was predicted for it: how many systems are proven right or refuted, how strong these
are, on what shape of query (tables, constants, operators, told from its tokens) they agree against it,
how many return the same on the given data, and what a judge replied.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from equiv.core.functions.table import AGGREGATES
from equiv.core.functions.traits import CallForm
from equiv.core.lexer import Token, TokenKind, tokens, unquoted
from equiv.errors import InputError
from equiv.eval.gold.catalogue import REFUTED, Predicted, replies_on_gold
from equiv.eval.gold.conditions import numbers_of, superlatives_of
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.files import load_json, one_line, read_text
from equiv.records.record import Record, to_json

_AGGREGATES = frozenset(row.name for row in AGGREGATES.values() if row.form is CallForm.AGGREGATE)
_OPERATORS = {"<>": "!=", "==": "="}
_ENDS = frozenset(["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT"])


@dataclass(frozen=True, slots=True)
class QueryShape:
    """The features of a query, independent of its aliases and the order of its clauses."""

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
            sql[t.start + 1 : t.end - 1].lower()
            for t in found
            if t.kind is TokenKind.STRING and "%Y" not in t.word
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
        *(GoldFault.EMPTY, GoldFault.TIE, GoldFault.NULL_FIRST, GoldFault.TEXT_NUMBERS, GoldFault.DUPLICATES),
        GoldFault.AVERAGES_ZEROS,
    }
)
"""Kinds that data show: one feature together, since few labelled queries have data."""
SLIPS = frozenset(
    {
        GoldFault.PRECEDENCE,
        GoldFault.EXCLUDED_BY_VALUE,
        GoldFault.OTHER_COMPARISON,
        GoldFault.OTHER_BOUND,
        GoldFault.REPEATED_CONDITION,
        GoldFault.COUNTS_ELSE,
        GoldFault.IDLE_ORDER,
        GoldFault.NEGATED_ROW,
        GoldFault.UNORDERED_LIMIT,
        GoldFault.DIRECTION,
    }
)
"""Kinds that are rare and hardly ever meant: one feature together."""
BROKEN = frozenset((GoldFault.DOES_NOT_RUN, GoldFault.QUOTED_NAME))
"""Kinds that are a fault whatever else is known; no labelled query showed one."""
ELSEWHERE = frozenset(
    {
        *(GoldFault.UNSOLVED, GoldFault.OUTVOTED, GoldFault.CONTRADICTED, GoldFault.UNSUPPORTED),
        *(
            GoldFault.REPEATS_ROWS,
            GoldFault.STRANGE_CONSTANT,
            GoldFault.MISSING_DISTINCT,
            GoldFault.NONDETERMINISTIC,
        ),
        *(GoldFault.SELF_EQUALITY, GoldFault.ONE_SIDED_JOIN, GoldFault.UNJOINED_TABLE),
    }
)
"""Kinds that are not features.

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


def features_of(gold: GoldQuery, findings: Iterable[GoldFinding]) -> dict[str, float]:
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


SHIPPED = Path(__file__).with_name("weights.json")
"""The tables that ``python -m benchmarks.outcomes.gold_audit`` writes."""


@dataclass(frozen=True, slots=True)
class Regression:
    """One logistic regression."""

    intercept: float
    weights: Mapping[str, float]
    """By feature; a feature without one counts nothing."""

    def parts(self, features: FaultFeatures) -> dict[str, float]:
        """The summand of each feature in the logarithm of the odds."""
        return {
            name: value * self.weights[name] for name, value in features.items() if self.weights.get(name)
        }

    def probability(self, features: FaultFeatures) -> float:
        """The estimated probability that a gold query with these features is faulty."""
        return logistic(self.intercept + sum(self.parts(features).values()))


@dataclass(frozen=True, slots=True)
class Tables:
    """The regressions by what is known of a gold query."""

    alone: Regression
    systems: Regression
    judged: Regression
    systems_judged: Regression
    results: Regression
    results_judged: Regression

    def of(self, features: FaultFeatures) -> Regression:
        """The regression for a gold query with these features."""
        asked = {name.partition(".")[0] for name in features}
        judged = "judge" in asked
        if "results" in asked:
            return self.results_judged if judged else self.results
        if "systems" in asked:
            return self.systems_judged if judged else self.systems
        return self.judged if judged else self.alone

    def to_json(self) -> str:
        """The tables as a file holds them."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


@cache
def load_tables(path: Path = SHIPPED) -> Tables:
    """Read what :meth:`Tables.to_json` wrote.

    Raises:
        InputError: the file cannot be read, or holds no such tables.
    """
    found = load_json(path, read_text(path))
    names = [field.name for field in fields(Tables)]
    if isinstance(found, dict) and found.keys() == set(names) and all(map(_is_regression, found.values())):
        return Tables(**{name: Regression(**found[name]) for name in names})
    needs = f"{', '.join(names)}, each with intercept and weights"
    raise InputError(f"{path}: no tables of a ranking: it needs {needs}")


def _is_regression(found: Any) -> bool:
    match found:
        case {"intercept": intercept, "weights": dict(weights)} if len(found) == 2:
            return all(map(is_weight, (intercept, *weights.values())))
    return False


def logistic(odds: float) -> float:
    """The probability of a logarithm of odds, without overflow on either side."""
    part = math.exp(-abs(odds))
    return 1 / (1 + part) if odds >= 0 else part / (1 + part)


def is_weight(value: object) -> bool:
    """Whether a JSON value may be a weight of a regression: a number of a sane size."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1000


REASONS = 3
"""How many reasons are told."""

WORDS = {
    "systems.none_proven": "no system is proven right",
    "systems.refuted": "systems are refuted",
    "systems.strong_refuted": "the better systems are refuted",
    "systems.against": "more systems agree against it than with it",
    "systems.largest_class": "systems agree on another query",
    "systems.differ_columns": "systems return other columns",
    "systems.adds_distinct": "systems use DISTINCT, it does not",
    "systems.lacks_distinct": "it uses DISTINCT, systems do not",
    "systems.agree_columns": "systems agree on another number of columns",
    "systems.agree_operators": "systems agree on other comparisons",
    "systems.agree_downwards": "systems sort in the opposite direction",
    "systems.agree_outer": "systems agree on an outer join",
    "systems.agree_tables": "systems agree on other tables",
    "systems.agree_texts": "systems agree on other constants",
    "systems.fewer_joins": "systems join fewer tables",
    "systems.more_joins": "systems join more tables",
    "systems.other_numbers": "systems use other numbers",
    "results.none_right": "no system returns the same on the data",
    "results.refuted_right": "systems that return the same on the data are refuted",
    "asks.yes_no": "a question for yes or no",
    "asks.superlative": "a question for an extreme",
    "asks.average": "a question for an average",
    "asks.percentage": "a question for a share",
    "asks.difference": "a question for a comparison",
}
"""Features that are told in words of their own; findings tell themselves, others are not told."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A gold query with the estimated probability that it is faulty."""

    gold: GoldQuery
    probability: float
    reasons: tuple[str, ...]
    """What raises the probability most, in words."""
    features: FaultFeatures

    def to_record(self) -> Record:
        """As plain JSON values."""
        return {
            "db_id": self.gold.db_id,
            "question_id": self.gold.question_id,
            "question": self.gold.question,
            "gold_sql": self.gold.sql,
            "probability": self.probability,
            "reasons": list(self.reasons),
            "features": dict(sorted(self.features.items())),
        }


def ranked(
    golds: Iterable[tuple[GoldQuery, tuple[GoldFinding, ...]]],
    agreements: Mapping[object, FaultFeatures],
    tables: Tables,
) -> list[Ranked]:
    """Gold queries, the likeliest to be faulty first.

    Args:
        golds: each with what was found in it.
        agreements: what systems and judges say, by identity; without, findings alone are weighed.
        tables: the weights.
    """
    order = [_ranked(gold, findings, agreements.get(gold.identity, {}), tables) for gold, findings in golds]
    return sorted(order, key=lambda one: -one.probability)


def write_ranking(path: Path, ranking: Iterable[Ranked]) -> None:
    """Write a ranking as JSONL, in its order.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        path.write_text("".join(f"{to_json(one.to_record())}\n" for one in ranking), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {one_line(error)}") from None


def _ranked(
    gold: GoldQuery, findings: tuple[GoldFinding, ...], agreement: FaultFeatures, tables: Tables
) -> Ranked:
    features = {**features_of(gold, findings), **agreement}
    table = tables.of(features)
    broken = [finding.detail for finding in findings if finding.kind in BROKEN]
    reasons = tuple(dict.fromkeys((*broken, *_reasons(table.parts(features), findings))))[:REASONS]
    return Ranked(gold, 1.0 if broken else round(table.probability(features), 4), reasons, features)


def _reasons(parts: Mapping[str, float], findings: tuple[GoldFinding, ...]) -> tuple[str, ...]:
    """What raises a probability most, in words: a finding by its detail."""
    told = {f"found.{finding.kind}": finding.detail for finding in reversed(findings)}
    told["found.slip"] = "; ".join(finding.detail for finding in findings if finding.kind in SLIPS)
    told["found.on_data"] = next((f.detail for f in findings if f.basis == "data"), "")
    outvoted = next((f.detail for f in findings if f.kind is GoldFault.OUTVOTED), "")
    told["judge.faulty"] = told["judge.once_faulty"] = told.get(
        "found.contradicted", "a judge calls it faulty"
    )
    words = {
        **WORDS,
        **told,
        **({"systems.against": outvoted, "systems.largest_class": outvoted} if outvoted else {}),
    }
    raising = sorted((name for name, part in parts.items() if part > 0), key=lambda name: -parts[name])
    reasons = dict.fromkeys(words[name] for name in raising if words.get(name))
    return tuple(reasons)[:REASONS]
