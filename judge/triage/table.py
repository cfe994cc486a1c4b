"""The table of triage: weights by feature and value, and the probability that they give.

It is plain JSON.  ``weights`` are those of a logistic regression on the values
of the features, ``slope`` and ``offset`` those of its calibration (Platt, *Probabilistic outputs for
support vector machines*, 1999): P = 1 / (1 + exp(-(slope * (intercept + sum of weights) + offset))).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.gold.ranking.order import is_weight, logistic
from equiv.files import load_json, read_text

from .features import NAMES, Features

SHIPPED = Path(__file__).with_name("rose_vec.json")
"""The table fitted on the expert labels of ROSE-VEC."""

NUMBERS = ("intercept", "slope", "offset")


@dataclass(frozen=True)
class TriageTable:
    """What :mod:`equiv.judge.triage.fit` finds."""

    intercept: float
    slope: float
    offset: float
    weights: Mapping[str, Mapping[str, float]]
    """By feature and value."""
    fitted: Mapping[str, Any] = field(default_factory=dict)
    """On what, and how well it foretells the pairs of databases that it did not see."""

    def probability(self, features: Features) -> float | None:
        """The estimated probability that a prediction is right; None if a value was never seen in fitting."""
        total = self.intercept
        for name, value in features.items():
            weight = self.weights[name].get(value)
            if weight is None:
                return None
            total += weight
        return logistic(self.slope * total + self.offset)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that a probability depends on."""
        telling = [self.intercept, self.slope, self.offset, self.weights]
        return hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> str:
        """As it stands in a file."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def load_table(path: Path = SHIPPED) -> TriageTable:
    """Read what :meth:`TriageTable.to_json` wrote.

    Raises:
        InputError: the file cannot be read, or is no such table.
    """
    found = load_json(path, read_text(path))
    if _is_table(found):
        numbers = {name: float(found[name]) for name in NUMBERS}
        fitted = found.get("fitted")
        return TriageTable(
            **numbers, weights=found["weights"], fitted=fitted if isinstance(fitted, dict) else {}
        )
    raise InputError(f"{path}: no table of triage: it needs weights for {', '.join(NAMES)}")


def _is_table(found: Any) -> bool:
    match found:
        case {"weights": dict(weights), "intercept": first, "slope": second, "offset": third}:
            by_value = [values for values in weights.values() if isinstance(values, dict)]
            numbers = [first, second, third, *(weight for values in by_value for weight in values.values())]
            return (
                weights.keys() == set(NAMES) and len(by_value) == len(NAMES) and all(map(is_weight, numbers))
            )
    return False
