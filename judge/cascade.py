"""The cascade: who is asked about a case, in which order, and what follows for its score."""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.judge.case import (
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
    Variant,
)
from equiv.judge.prompt import request
from equiv.verdict import Reason


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
        """Ask the Prover whether the prediction answers the question; it never sees the gold query.

        If it passes and the variant has a Refuter, that is asked next.  The variants ``pr`` and ``pr-wogt``
        put the whole judgement into this one call; ``pr`` shows the gold query by its definition.
        """
        sofar, reply = self._ask(Role.PROVER, sofar)
        match reply:
            case ProverReply(verdict=verdict):
                sofar = replace(sofar, prover=reply)
                if verdict and self.variant in {Variant.ROSE, Variant.WOGT}:
                    return self.refute(sofar)
                return replace(sofar, score=1 if verdict else 0, score_by="prover")
        return _unanswered(sofar, "Prover", reply)

    def refute(self, sofar: Judgement) -> Judgement:
        """Ask the Refuter whether the pass is to be withdrawn: its word is the last.

        Where equal results gave the pass, it is shown no reply of the Prover.
        """
        sofar, reply = self._ask(Role.REFUTER, sofar)
        match reply:
            case RefuterReply(overturn=overturn):
                return replace(sofar, refuter=reply, score=0 if overturn else 1, score_by="refuter")
        return _unanswered(sofar, "Refuter", reply)

    def _ask(self, role: Role, sofar: Judgement) -> tuple[Judgement, Reply | None]:
        """The judgement with what a call cost, and the reply; None where the allowance does not cover it."""
        ask = request(
            self.case,
            role,
            self.variant,
            self.model,
            prover=sofar.prover,
            witness_evidence=self.witness_evidence,
            standard=self.standard,
        )
        try:
            answer = self.responder.ask(ask)
        except OutOfBudget as error:
            return replace(sofar, reason=Reason.BUDGET, detail=str(error)), None
        return replace(sofar, usage=sofar.usage + answer.usage), answer.reply


def _unanswered(sofar: Judgement, who: str, reply: Reply | None) -> Judgement:
    """The judgement left open, for want of a usable reply if it is not open already."""
    if reply is None:
        return sofar
    why = reply.detail if isinstance(reply, NoAnswer) else "a reply of the other role"
    return replace(sofar, reason=Reason.NO_ANSWER, detail=f"{who}: {why}")
