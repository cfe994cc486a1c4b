"""The outcomes of a tier on a pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from equiv.answers.pair import Pair
from equiv.facts import Fact
from equiv.relation import Relation
from equiv.verdict import Derivation, Difference, Execution, FailureCode, Proof, Reason, Remark, Tier, Witness

if TYPE_CHECKING:
    from equiv.dialects.protocol import Dialect, Session


@dataclass(frozen=True, slots=True)
class Proved:
    """The queries are equivalent, by this derivation or proof, which rests on these facts."""

    evidence: Derivation | Proof
    facts: tuple[Fact, ...] = ()
    strongest: Relation | None = None
    """The strictest relation that it holds under; None: that of the pair."""
    on_both_sides: frozenset[Fact] = frozenset()
    """Facts by which both queries were rewritten alike, and nothing else: likely, neither has to be."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The queries are not equivalent: this database distinguishes them."""

    evidence: Witness | Execution
    difference: Difference
    weakest: Relation | None = None
    """The loosest relation that the database was seen to break; None: that of the pair."""
    by_rounding: bool = False
    """Whether the queries would not differ if arithmetic were exact."""
    under: tuple[tuple[str, str], ...] = ()
    """The settings that nobody states and that the database was tried under, if not those of the reader."""


@dataclass(frozen=True, slots=True)
class Open:
    """The tier cannot tell; ``reason`` is its part of the answer if no later tier can either."""

    reason: Reason = Reason.NO_PROOF
    detail: str = ""
    evidence: Witness | None = None
    failure_code: FailureCode | None = None
    bounded: int | None = None
    """No counter-example was there among databases of at most so many rows a table."""
    remarks: tuple[Remark, ...] = ()
    rounding: Witness | Execution | None = None
    """A database on which SQLite's own results differ, by rounding alone."""
    parts: tuple[str, str] | None = None
    """The parts in which the normal forms of the two queries differ, as SQL."""
    databases: int = 0
    """How many databases did not distinguish the queries."""
    pauses: bool = False
    """Whether the tier has more databases, to be tried if nobody proves the queries equivalent meanwhile."""
    answered: bool = False
    """Whether both queries answered on the given database, in which a table that they read has rows."""


_TELLING = (
    Reason.CONFLICT,
    Reason.NONDETERMINISTIC,
    Reason.UNREPLAYED,
    Reason.INTERNAL,
    Reason.UNSUPPORTED,
    Reason.TIMEOUT,
    Reason.RESOURCE,
)
"""Which reason an undecided pair gets if its tiers give several, most telling first; else NO_PROOF."""


def most_telling(found: Sequence[Open]) -> Open:
    """The most telling of several outcomes that settle nothing; the first one of its reason."""
    reasons = {outcome.reason: outcome for outcome in reversed(found)}
    return next((reasons[reason] for reason in _TELLING if reason in reasons), Open())


TierOutcome = Proved | Refuted | Open


BACKSTOP_EFFORT = 40
"""How many databases try to break a proof before it is believed."""
NATIVE_BACKSTOP = 16
"""The same where the engine of the dialect alone runs the queries, at ten times what the core costs."""


class Settler(Protocol):
    """A tier: one function from a pair to an outcome."""

    @property
    def tier(self) -> Tier: ...

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Try to settle a pair; ``effort`` is a number of databases, and repeats exactly."""
        ...


@dataclass(eq=False)
class Deferred:
    """A tier that is made, and its modules imported, when a pair first reaches it."""

    tier: Tier
    make: Callable[[], Settler]

    @cached_property
    def made(self) -> Settler:
        """The tier itself."""
        return self.make()

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of the tier on a pair."""
        return self.made.settle(pair, effort)


@runtime_checkable
class Maker(Settler, Protocol):
    """A proving tier that can say cheaply whether a proof is there without some of the facts."""

    def make_again(self, pair: Pair, effort: int) -> TierOutcome:
        """As :meth:`settle`, but the evidence need not be shown, nor tried on databases."""
        ...

    def show_again(self, pair: Pair, effort: int) -> TierOutcome:
        """As :meth:`settle`, by what settles most pairs that can be settled, under the pair's relation."""
        ...


@runtime_checkable
class Opener(Settler, Protocol):
    """A tier that runs pairs on a populated database."""

    def open(self, dialect: Dialect) -> Session:
        """The database, opened once; across dialects all its rows are copied to the other engine."""
        ...

    def close(self) -> None:
        """Close it, if it was opened."""
        ...


@runtime_checkable
class ProofTester(Settler, Protocol):
    """A tier that tests proofs."""

    def attack(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether a proof of the pair stands some tests; if it does, it does not matter why."""
        ...


@runtime_checkable
class Looker(ProofTester, Protocol):
    """A tier that can distinguish some pairs at first sight."""

    def first_look(self, pair: Pair, effort: int) -> Refuted | None:
        """The refutation by a few databases, if any; all others go on from there."""
        ...

    def begin(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle`, which pauses after a share of the databases, if it does."""
        ...

    def attack_rounding(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether a proof that rests on exact arithmetic stands databases of numbers that round."""
        ...

    def attack_settings(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether other values of settings that nobody states distinguish the queries."""
        ...
