"""Verifies the rules: each instance of each rule is proved by the algebra alone, or tried on databases.

Rules and algebra are independent of each other: no rule takes part in a proof.  An instance is proved from
the facts that the rule's guards name and from no other of its schema (those about arithmetic excepted,
which are assumed by default), so that the proof holds on every schema that promises as much.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from equiv.relation import Rows
from equiv.rewrite.rule import Rule
from equiv.schema.notation import format_fact
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.prove_alone import prove_alone
from equiv.verdict import Reason

from .golden import UnmetError, require_guard
from .instances import Instance, cases_of, instances

DATABASES = 60
"""On how many databases an instance is tried that is not proved."""


class Status(StrEnum):
    """What is known of a rule or of one instance (closed list), the worst last."""

    PROVED = "proved"
    """The algebra alone proves it: for a rule, every instance."""
    TESTED = "tested"
    """Not proved; no generated database found a difference."""
    OPEN = "open"
    """Neither proved nor tried on databases."""
    REFUTED = "refuted"
    """A database that keeps the facts which the guards name shows a difference."""


@dataclass(frozen=True, slots=True)
class Unproved:
    """An instance that is not proved, and why."""

    status: str
    place: str
    pattern: str
    before: str
    after: str
    facts: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What is known of a rule."""

    name: str
    status: str
    instances: int
    proved: int
    patterns: tuple[str, ...]
    """The schema patterns on which its guards let it fire."""
    guards: dict[str, str]
    """Each guard, and the golden case in which, without it, a database shows a difference; '' if in none."""
    unproved: tuple[Unproved, ...]


def verify(rule: Rule, patterns: Collection[str] | None = None, *, guards: bool = True) -> Verified:
    """What is known of a rule.

    Args:
        rule: the rule.
        patterns: the names of the schema patterns to look at; None: all.
        guards: whether it is looked for what each guard is needed for.
    """
    found = list(instances(rule, patterns))
    unproved = tuple(each for each in map(_unproved, found) if each is not None)
    ranks = list(Status)
    worst = max((Status(each.status) for each in unproved), key=ranks.index, default=Status.PROVED)
    return Verified(
        name=rule.name,
        status=str(worst if found else Status.OPEN),
        instances=len(found),
        proved=len(found) - len(unproved),
        patterns=tuple(dict.fromkeys(each.pattern for each in found)),
        guards={need.__name__: _shown_by(rule, need.__name__) for need in rule.needs} if guards else {},
        unproved=unproved,
    )


def _unproved(instance: Instance) -> Unproved | None:
    try:
        pair = instance.pair
    except UnmetError as error:
        return _said(instance, Status.OPEN, str(error))
    outcome = prove_alone(pair)
    if isinstance(outcome, Proved):
        return None
    why = f"{outcome.reason} {outcome.detail}".strip()
    tried = GenerateTier(pair.schema, pair.facts).settle(pair, DATABASES)
    if isinstance(tried, Refuted):
        return _said(instance, Status.REFUTED, f"{tried.difference}: {tried.evidence}")
    if isinstance(tried, Proved) or tried.reason is not Reason.NO_PROOF:
        return _said(instance, Status.OPEN, f"{why}; databases: {tried}")
    return _said(instance, Status.TESTED, why)


def _said(instance: Instance, status: Status, why: str) -> Unproved:
    step = instance.step
    return Unproved(
        str(status),
        instance.place,
        instance.pattern,
        step.before,
        step.after,
        tuple(map(format_fact, step.facts)),
        " ".join(why.split()),
    )


def _shown_by(rule: Rule, guard: str) -> str:
    """The golden case that shows what a guard is needed for, or ''."""
    for case in cases_of(rule.module):
        if rule.name in case.options.get("refuse", ()) and case.option("needs") == guard:
            try:
                assert case.world is not None
                require_guard(case, case.world, rule.name, guard, Rows(case.option("rows", "list")))
            except UnmetError:
                continue
            return case.name
    return ""
