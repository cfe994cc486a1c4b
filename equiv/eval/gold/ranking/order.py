"""Gold queries in the order of the estimated probability that they are faulty, with the reasons.

The weights are plain JSON with six logistic regressions: ``alone`` of what text, schema, question and data
show; ``systems`` for gold queries that several systems predicted for, and ``results`` for those of which it
is known besides what the predictions return on the given data; each once more with ``judged`` where a judge
spoke. P = 1 / (1 + exp(-(intercept + sum of weight * value))).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.gold.finding import Finding, Kind
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.ranking.features import SLIPS, FaultFeatures, features_of
from equiv.files import load_json, one_line, read_text
from equiv.records.record import Record, to_json

SHIPPED = Path(__file__).with_name("weights.json")
"""The tables that ``python -m benchmarks.outcomes.gold_audit`` writes."""


@dataclass(frozen=True, slots=True)
class Regression:
    """One logistic regression."""

    intercept: float
    weights: Mapping[str, float]
    """By feature; a feature without one counts nothing."""

    def parts(self, features: FaultFeatures) -> dict[str, float]:
        """What each feature adds to the logarithm of the odds."""
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
        """As they stand in a file."""
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
    raise InputError(f"{path}: no tables of a ranking: {', '.join(names)}, each with intercept and weights")


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
    "systems.agree_downwards": "systems sort the other way",
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
    golds: Iterable[tuple[GoldQuery, tuple[Finding, ...]]],
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
    gold: GoldQuery, findings: tuple[Finding, ...], agreement: FaultFeatures, tables: Tables
) -> Ranked:
    features = {**features_of(gold, findings), **agreement}
    table = tables.of(features)
    reasons = _reasons(table.parts(features), findings)
    return Ranked(gold, round(table.probability(features), 4), reasons, features)


def _reasons(parts: Mapping[str, float], findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """What raises a probability most, in words: a finding by its detail."""
    told = {f"found.{finding.kind}": finding.detail for finding in reversed(findings)}
    told["found.slip"] = "; ".join(finding.detail for finding in findings if finding.kind in SLIPS)
    told["found.on_data"] = next((f.detail for f in findings if f.basis == "data"), "")
    outvoted = next((f.detail for f in findings if f.kind is Kind.OUTVOTED), "")
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
