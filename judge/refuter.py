"""The Refuter: is the pass that a prediction got to be withdrawn?"""

from __future__ import annotations

from .case import Answer, Case, ProverReply, Responder, Role, Standard, Variant
from .prompt import request


def ask_refuter(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    prover: ProverReply | None,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> Answer:
    """The Refuter's answer on a case; ``prover`` is None if equal results gave the pass.

    Raises:
        OutOfBudget: the allowance does not cover the call.
    """
    ask = request(
        case,
        Role.REFUTER,
        variant,
        model,
        prover=prover,
        witness_evidence=witness_evidence,
        standard=standard,
    )
    return responder.ask(ask)
