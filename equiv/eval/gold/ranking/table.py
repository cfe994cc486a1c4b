"""The tables of a ranking: weights by feature, and the probability that they give.

Plain JSON with six logistic regressions: ``alone`` of what text, schema, question and data show; ``systems``
for gold queries that several systems predicted for, and ``results`` for those of which it is known besides
what the predictions return on the given data; each once more with ``judged`` where a judge spoke.
P = 1 / (1 + exp(-(intercept + sum of weight * value))).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.gold.ranking.features import Features
from equiv.files import load_json, read_text

SHIPPED = Path(__file__).with_name("weights.json")
"""The tables that ``python -m benchmarks.outcomes.gold_audit`` writes."""


@dataclass(frozen=True, slots=True)
class Regression:
    """One logistic regression."""

    intercept: float
    weights: Mapping[str, float]
    """By feature; a feature without one counts nothing."""

    def parts(self, features: Features) -> dict[str, float]:
        """What each feature adds to the logarithm of the odds."""
        return {
            name: value * self.weights[name] for name, value in features.items() if self.weights.get(name)
        }

    def probability(self, features: Features) -> float:
        """The estimated probability that a gold query with these features is faulty."""
        total = self.intercept + sum(self.parts(features).values())
        part = math.exp(-abs(total))
        return 1 / (1 + part) if total >= 0 else part / (1 + part)


@dataclass(frozen=True, slots=True)
class Tables:
    """The regressions by what is known of a gold query."""

    alone: Regression
    systems: Regression
    judged: Regression
    systems_judged: Regression
    results: Regression
    results_judged: Regression

    def of(self, features: Features) -> Regression:
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
            return all(map(_is_number, (intercept, *weights.values())))
    return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1000
