"""The cascade: who is asked about a case, in which order, and what follows for its score."""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.verdict import Reason

from .case import (
    Answer,
    Case,
    Judgement,
    NoAnswer,
    OutOfBudget,
    ProverReply,
    RefuterReply,
    Reply,
    Responder,
    Role,
    Standard,
    Usage,
    Variant,
)
from .prompt import request


def judge_case(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
    accept_equal: bool = False,
) -> Judgement:
    """The judgement of a case: score 1 if the last word upholds the prediction.

    A prediction that cannot be run scores 0 without a call.  With
    ``accept_equal`` equal results score 1 without one, whatever the variant.
    No usable reply, or an allowance that runs out, leaves the score open.
    """
    settled = Judgement(score=None, score_by="", equality_from=case.equality_from)
    if case.failure:
        return replace(settled, score=0, score_by="parse", detail=case.failure)
    if accept_equal and case.results_equal:
        return replace(settled, score=1, score_by="execution")
    court = _Court(case, responder, variant, model, witness_evidence, standard)
    if variant is Variant.ROSE and case.results_equal:
        return court.refute(settled)
    return court.prove(settled)


@dataclass(frozen=True, slots=True)
class _Court:
    """One case before one responder."""

    case: Case
    responder: Responder
    variant: Variant
    model: str
    witness_evidence: bool
    standard: Standard

    def prove(self, sofar: Judgement) -> Judgement:
        """Ask the Prover, and go on to the Refuter if it passes and the variant has one."""
        try:
            answer = _ask_prover(
                self.case,
                self.responder,
                variant=self.variant,
                model=self.model,
                witness_evidence=self.witness_evidence,
                standard=self.standard,
            )
        except OutOfBudget as error:
            return _open(sofar, Reason.BUDGET, str(error))
        sofar = _paid(sofar, answer.usage)
        match answer.reply:
            case ProverReply(verdict=verdict) as reply:
                sofar = replace(sofar, prover=reply)
                if verdict and self.variant in {Variant.ROSE, Variant.WOGT}:
                    return self.refute(sofar)
                return replace(sofar, score=1 if verdict else 0, score_by="prover")
            case other:
                return _unanswered(sofar, "Prover", other)

    def refute(self, sofar: Judgement) -> Judgement:
        """Ask the Refuter, whose word is the last."""
        try:
            answer = _ask_refuter(
                self.case,
                self.responder,
                variant=self.variant,
                model=self.model,
                prover=sofar.prover,
                witness_evidence=self.witness_evidence,
                standard=self.standard,
            )
        except OutOfBudget as error:
            return _open(sofar, Reason.BUDGET, str(error))
        sofar = _paid(sofar, answer.usage)
        match answer.reply:
            case RefuterReply(overturn=overturn) as reply:
                return replace(sofar, refuter=reply, score=0 if overturn else 1, score_by="refuter")
            case other:
                return _unanswered(sofar, "Refuter", other)


def _paid(sofar: Judgement, usage: Usage) -> Judgement:
    return replace(sofar, usage=sofar.usage + usage)


def _open(sofar: Judgement, reason: Reason, detail: str) -> Judgement:
    return replace(sofar, reason=reason, detail=detail)


def _unanswered(sofar: Judgement, who: str, reply: Reply) -> Judgement:
    why = reply.detail if isinstance(reply, NoAnswer) else "a reply of the other role"
    return _open(sofar, Reason.NO_ANSWER, f"{who}: {why}")


def _ask_prover(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> Answer:
    """What the Prover answers: does the prediction answer the question?  It never sees the gold query.

    The variants ``pr`` and ``pr-wogt`` put the whole judgement into this one call; ``pr`` shows the gold
    query by its definition.

    Raises:
        OutOfBudget: the allowance does not cover the call.
    """
    ask = request(case, Role.PROVER, variant, model, witness_evidence=witness_evidence, standard=standard)
    return responder.ask(ask)


def _ask_refuter(
    case: Case,
    responder: Responder,
    *,
    variant: Variant,
    model: str,
    prover: ProverReply | None,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> Answer:
    """What the Refuter answers: is the pass to be withdrawn?

    ``prover`` is None if equal results gave the pass.

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
