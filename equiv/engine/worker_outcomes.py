"""Verdicts made of the outcomes of a worker: a verdict, a timeout, a crash."""

from __future__ import annotations

from dataclasses import replace

from equiv.errors import InputError
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.verdict import FURTHER_FACTS, Attempt, Reason, Tier, Undecided, Verdict
from equiv.workers.lanes import Crashed, Timeout
from equiv.workers.process import PATIENCE


def verdict_of(outcome: Verdict | Timeout | Crashed, options: Options) -> Verdict:
    """The verdict for whatever a worker came back with."""
    match outcome:
        case Timeout() | Crashed():
            reason, detail = _why(outcome)
        case _:
            return outcome
    if reason is Reason.INTERNAL and detail.startswith("InputError: "):
        raise InputError(detail.removeprefix("InputError: "))
    # The gold query was not read here: a preset is taken as if it ordered nothing.
    relation = resolve_relation(options.relation, gold_orders=False)
    return Undecided(relation=relation, reason=reason, detail=detail)


def completed(verdict: Verdict, outcome: Verdict | Timeout | Crashed) -> Verdict:
    """A verdict with further facts, as a worker found them; or as it was, and that it was cut short."""
    if not isinstance(outcome, Timeout | Crashed):
        return outcome
    reason, detail = _why(outcome)
    spent = outcome.seconds * 1000 if isinstance(outcome, Timeout) else 0.0
    cut = Attempt(Tier.PROOF, "failed", f"{reason} {FURTHER_FACTS}: {detail}", spent)
    return replace(verdict, attempts=(*verdict.attempts, cut))


def _why(outcome: Timeout | Crashed) -> tuple[Reason, str]:
    match outcome:
        case Timeout(seconds, by_clock=False):
            return Reason.TIMEOUT, f"no verdict within {seconds:g} seconds"
        case Timeout(seconds):
            return (
                Reason.TIMEOUT,
                f"no verdict within {PATIENCE * seconds:g} seconds by the clock, of a busy machine",
            )
        case Crashed("raised", message):
            return Reason.INTERNAL, message
    return Reason.RESOURCE, outcome.message
