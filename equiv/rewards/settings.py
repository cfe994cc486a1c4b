"""How rewards are given: comparison, limits, policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import Options
from equiv.rewards.policy import Policy
from equiv.spelling import suggesting_fields

SECONDS = 10.0
BATCH_SECONDS = 300.0


@suggesting_fields
@dataclass(frozen=True, slots=True)
class Settings:
    """How rewards are given; hashable and picklable.

    Attributes:
        relation: what "same result" means, as for :class:`~equiv.options.Options`.
        facts: the policy on facts: ``declared``, ``intended`` or ``observed``.
        errors: ``excused`` or ``strict``, as for :class:`~equiv.options.Options`.
        assume: further facts, such as ``not_null(t.c)``.
        rounding: what rounding counts for: ``ignore``, ``shown`` or ``strict``; '' as for
            :class:`~equiv.options.Options`.
        effort: ``quick``, ``normal``, ``thorough``, or the number of generated databases.
        seconds: after which a prediction is given up and its worker killed.
        batch_seconds: after which what is left of a batch is given up.
        workers: processes that the predictions of a batch are shared out to, for each process that asks.
        remembered: how many findings a process remembers.
        dialect: what queries and databases are written in, as for :class:`~equiv.options.Options`.
        gold_dialect: what gold queries are written in, if in another dialect; as there.
        schema_dialect: which of the two databases are of, if not the prediction's; as there.
        live_prepare: whether databases prepare what the empty ones made from their schemas refuse; as there.
        extract: take the query out of a completion: fences, tags, prose.
        policy: what each outcome is worth.

    Raises:
        InputError: a setting has no such value.
    """

    relation: str = "sql"
    facts: str = "intended"
    errors: str = "excused"
    assume: tuple[str, ...] = ()
    rounding: str = ""
    effort: str | int = "normal"
    seconds: float = SECONDS
    batch_seconds: float = BATCH_SECONDS
    workers: int = 1
    remembered: int = 65_536
    dialect: str = ""
    gold_dialect: str = ""
    schema_dialect: str = ""
    live_prepare: bool = True
    extract: bool = True
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        if self.workers < 1 or self.remembered < 0 or self.batch_seconds <= 0:
            raise InputError("workers must be at least 1, batch_seconds positive, remembered not negative")
        object.__setattr__(self, "assume", tuple(self.assume))
        dialect_named(self.options.pair_dialect)

    @property
    def options(self) -> Options:
        """How pairs are compared."""
        return Options(
            relation=self.relation,
            facts=self.facts,
            errors=self.errors,
            assume=self.assume,
            rounding=self.rounding,
            effort=self.effort,
            timeout=self.seconds,
            dialect=self.dialect,
            gold_dialect=self.gold_dialect,
            schema_dialect=self.schema_dialect,
            live_prepare=self.live_prepare,
        )


class SettingArguments(TypedDict, total=False):
    """The fields of :class:`Settings` as keyword arguments."""

    relation: str
    facts: str
    errors: str
    assume: tuple[str, ...]
    rounding: str
    effort: str | int
    seconds: float
    batch_seconds: float
    workers: int
    remembered: int
    dialect: str
    gold_dialect: str
    schema_dialect: str
    live_prepare: bool
    extract: bool
    policy: Policy
