"""The Prover: does the prediction answer the question?  It never sees the gold query.

The variants ``pr`` and ``pr-wogt`` put the whole judgement into this one call;
``pr`` shows the gold query by its definition.
"""

from __future__ import annotations

from .case import Answer, Case, Responder, Role, Standard, Variant
from .prompt import request


def ask_prover(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> Answer:
    """The Prover's answer on a case.

    Raises:
        OutOfBudget: the allowance does not cover the call.
    """
    ask = request(case, Role.PROVER, variant, model, witness_evidence=witness_evidence, standard=standard)
    return responder.ask(ask)
