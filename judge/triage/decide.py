"""Whether the probability of a pair settles it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from equiv.errors import InputError
from equiv.records.record import Record

from .features import features_of
from .table import TriageTable
from .thresholds import ACCEPT, REJECT


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
