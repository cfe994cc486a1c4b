"""What a tier may say of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from equiv.pair import Pair
from equiv.schema.facts import Fact
from equiv.verdict import Derivation, Difference, Execution, FailureCode, Reason, Tier, Witness


@dataclass(frozen=True, slots=True)
class Proved:
    """The queries are equivalent, by this derivation, which rests on these facts."""

    evidence: Derivation
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuted:
    """The queries are not equivalent: this database tells them apart."""

    evidence: Witness | Execution
    difference: Difference


@dataclass(frozen=True, slots=True)
class Open:
    """The tier cannot tell; ``reason`` is its part of the answer if no later tier can either."""

    reason: Reason = Reason.NO_PROOF
    detail: str = ""
    evidence: Witness | None = None
    failure_code: FailureCode | None = None


Outcome = Proved | Refuted | Open


class Settler(Protocol):
    """A tier: one function from a pair to an outcome."""

    @property
    def tier(self) -> Tier: ...

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Try to settle a pair; ``effort`` is a number of databases, and repeats exactly."""
        ...
