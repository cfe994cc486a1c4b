"""What a worker came back with, as a verdict."""

from __future__ import annotations

from equiv.errors import InputError
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided, Verdict
from equiv.workers.isolate import Crashed, Timeout


def verdict_of(outcome: Verdict | Timeout | Crashed, options: Options) -> Verdict:
    """The verdict for whatever a worker came back with."""
    match outcome:
        case Timeout(seconds):
            reason, detail = Reason.TIMEOUT, f"no verdict within {seconds:g} seconds"
        case Crashed("raised", message) if message.startswith("InputError: "):
            raise InputError(message.removeprefix("InputError: "))
        case Crashed("raised", message):
            reason, detail = Reason.INTERNAL, message
        case Crashed(_, message):
            reason, detail = Reason.RESOURCE, message
        case _:
            return outcome
    # The gold query was not read here: a preset is taken as if it ordered nothing.
    relation = resolve_relation(options.relation, gold_orders=False)
    return Undecided(relation=relation, reason=reason, detail=detail)
