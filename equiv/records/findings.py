"""Findings of the checks of a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from equiv.facts import Fact
from equiv.verdict import Obligation


class Result(Enum):
    """The result of one check of a certificate."""

    HOLDS = "holds"
    REFUTED = "refuted"
    OPEN = "open"
    TRUSTED = "trusted"
    """Nothing in the certificate can show it: who uses the certificate must know it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what it says, in a line."""

    result: Result
    line: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "line", " ".join(self.line.split()))


@dataclass(frozen=True, slots=True)
class Shown:
    """The facts and obligations of a proof that was made anew."""

    facts: tuple[Fact, ...]
    obligations: tuple[Obligation, ...]


def with_claims(obligations: tuple[Obligation, ...]) -> str:
    """How many claims a proof needs, as the end of a sentence."""
    number = len(obligations)
    return "without a claim for a solver" if not number else f"with {number} claim{'s' * (number > 1)}"
