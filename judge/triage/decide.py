"""Triage: the probability that a prediction is right, and whether it settles the pair.

It sees of a pair what the engine found out, nothing of what queries or question say. Its table has weights
by feature and value, and gives the probability. It is plain JSON. ``weights`` are those of a logistic
regression on the values of the features, ``slope`` and ``offset`` those of its calibration (Platt,
*Probabilistic outputs for support vector machines*, 1999): P = 1 / (1 + exp(-(slope * (intercept + sum of
weights) + offset))).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from equiv.errors import InputError
from equiv.eval.gold.ranking import is_weight, logistic
from equiv.files import load_json, read_text
from equiv.judge.options import ACCEPT, REJECT
from equiv.records.record import Record

NAMES = ("equal", "settled", "difference", "weakest", "relation", "rows")
"""The features, each with a few values."""

Features = Mapping[str, str]
"""One value for each of :data:`NAMES`."""


def features_of(record: Record, equal: bool | None) -> Features:
    """The features of a record of the engine.

    - ``equal``: whether both queries return the same on the given database;
    - ``settled``: the verdict with its tier, or with its reason;
    - ``difference``, ``weakest``: what a witness shows, and the weakest relation that it breaks;
    - ``relation``: the one asked for;
    - ``rows``: which query returns more on the witness, and which nothing.

    Args:
        record: of one pair, judged or not.
        equal: None where there is no database.
    """
    return {
        "equal": {True: "yes", False: "no", None: "unknown"}[equal],
        "settled": f"{record['verdict']} by {record['tier'] or record['reason']}",
        "difference": record["difference"] or "none",
        "weakest": record["weakest"] or "none",
        "relation": record["relation"],
        "rows": _rows(record["evidence"]),
    }


def _rows(evidence: Mapping[str, Any] | None) -> str:
    match evidence:
        case {"pred_rows": [], "gold_rows": []}:
            return "none on either side"
        case {"pred_rows": []}:
            return "none predicted"
        case {"gold_rows": []}:
            return "none of gold"
        case {"pred_rows": list(pred), "gold_rows": list(gold)}:
            return "as many" if len(pred) == len(gold) else "more" if len(pred) > len(gold) else "fewer"
    return "no witness"


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
    needs = f"{', '.join(NUMBERS)}, and weights for {', '.join(NAMES)}"
    raise InputError(f"{path}: no table of triage: it needs {needs}")


def _is_table(found: Any) -> bool:
    match found:
        case {"weights": dict(weights), "intercept": first, "slope": second, "offset": third}:
            by_value = [values for values in weights.values() if isinstance(values, dict)]
            numbers = [first, second, third, *(weight for values in by_value for weight in values.values())]
            return (
                weights.keys() == set(NAMES) and len(by_value) == len(NAMES) and all(map(is_weight, numbers))
            )
    return False


@dataclass(frozen=True, slots=True)
class Triage:
    """A table with thresholds: from ``accept`` on a pair is right, up to ``reject`` it is wrong."""

    table: TriageTable
    accept: float = ACCEPT
    reject: float = REJECT

    def __post_init__(self) -> None:
        """Hold the thresholds apart.

        Raises:
            InputError: a pair could be both.
        """
        if not self.reject < self.accept:
            thresholds = f"rejects up to {self.reject:g} and accepts from {self.accept:g} on"
            raise InputError(f"triage {thresholds}: a pair could be both")

    def probability(self, record: Record, equal: bool | None) -> float | None:
        """The estimated probability that the record's prediction is right; None if the table knows none."""
        found = self.table.probability(features_of(record, equal))
        return None if found is None else round(found, 4)

    def score(self, probability: float | None) -> Literal[0, 1] | None:
        """The score that a probability gives; None if the pair is to be judged."""
        if probability is None or self.reject < probability < self.accept:
            return None
        return 1 if probability >= self.accept else 0

    def described(self) -> Mapping[str, object]:
        """What of it may change a score."""
        return {"table": self.table.digest, "accept": self.accept, "reject": self.reject}
