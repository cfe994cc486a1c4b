"""Who is asked in which case, and what the answers make of the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from equiv.judge.case import (
    BASELINES,
    Answer,
    Ask,
    Case,
    Judgement,
    NoAnswer,
    OutOfBudget,
    ProverReply,
    RefuterReply,
    Reply,
    Role,
    Usage,
    Variant,
)
from equiv.judge.stage import judge_case
from equiv.verdict import Reason

PASS = ProverReply(verdict=True, reason="fits")
FAIL = ProverReply(verdict=False, reason="a filter is missing")
UPHOLD = RefuterReply(overturn=False, reason="no violation", ambiguity="none", gold_correct=True)
OVERTURN = RefuterReply(overturn=True, reason="wrong column", ambiguity="none", gold_correct=True)
PRICE = Usage(calls=1, prompt_tokens=100, completion_tokens=10, cached_tokens=5)

CASE = Case("method", 1, "shop", "Who?", "", "", "SELECT 1", "SELECT 2")
EQUAL = replace(CASE, results_equal=True, equality_from="execution")
UNEQUAL = replace(CASE, results_equal=False, equality_from="execution")


@dataclass
class Scripted:
    """Answers each role with the reply that the script has; a role without one is out of budget."""

    script: Mapping[Role, Reply]
    asked: list[Ask] = field(default_factory=list)

    def ask(self, ask: Ask) -> Answer:
        if ask.role not in self.script:
            raise OutOfBudget("2 calls are allowed")
        self.asked.append(ask)
        return Answer(self.script[ask.role], PRICE)


def judged(
    case: Case, prover: Reply | None, refuter: Reply | None, variant: Variant = Variant.ROSE, **options: Any
) -> tuple[Judgement, list[Role]]:
    """The judgement, and the roles that were asked."""
    script = {Role.PROVER: prover, Role.REFUTER: refuter}
    responder = Scripted({role: reply for role, reply in script.items() if reply is not None})
    judgement = judge_case(case, responder, variant=variant, model="m", **options)
    assert judgement.usage.calls == len(responder.asked)
    return judgement, [ask.role for ask in responder.asked]


P, R = Role.PROVER, Role.REFUTER


@pytest.mark.parametrize(
    ("case", "prover", "refuter", "roles", "score"),
    [
        (EQUAL, FAIL, UPHOLD, [R], 1),
        (EQUAL, PASS, OVERTURN, [R], 0),
        (UNEQUAL, FAIL, UPHOLD, [P], 0),
        (UNEQUAL, PASS, UPHOLD, [P, R], 1),
        (UNEQUAL, PASS, OVERTURN, [P, R], 0),
        (CASE, FAIL, UPHOLD, [P], 0),
        (CASE, PASS, OVERTURN, [P, R], 0),
    ],
)
def test_rose_asks_the_refuter_alone_if_results_are_equal_else_the_prover_first(
    case: Case, prover: Reply, refuter: Reply, roles: list[Role], score: int
) -> None:
    judgement, asked = judged(case, prover, refuter)
    assert asked == roles
    assert (judgement.score, judgement.score_by, judgement.reason) == (score, roles[-1], None)
    assert judgement.equality_from == case.equality_from
    assert judgement.prover == (prover if P in roles else None)
    assert judgement.refuter == (refuter if R in roles else None)


@pytest.mark.parametrize("variant", [Variant.PROVER_ONLY, Variant.PR, Variant.PR_WOGT, *sorted(BASELINES)])
@pytest.mark.parametrize("case", [EQUAL, UNEQUAL, CASE])
@pytest.mark.parametrize(("prover", "score"), [(PASS, 1), (FAIL, 0)])
def test_a_variant_of_one_call_asks_one_role_about_every_pair(
    variant: Variant, case: Case, prover: Reply, score: int
) -> None:
    judgement, asked = judged(case, prover, OVERTURN, variant)
    assert (asked, judgement.score, judgement.score_by) == ([P], score, "prover")


@pytest.mark.parametrize("case", [EQUAL, UNEQUAL, CASE])
@pytest.mark.parametrize(
    ("prover", "refuter", "roles", "score"),
    [(FAIL, UPHOLD, [P], 0), (PASS, UPHOLD, [P, R], 1), (PASS, OVERTURN, [P, R], 0)],
)
def test_wogt_knows_no_shortcut(
    case: Case, prover: Reply, refuter: Reply, roles: list[Role], score: int
) -> None:
    judgement, asked = judged(case, prover, refuter, Variant.WOGT)
    assert (asked, judgement.score) == (roles, score)


@pytest.mark.parametrize("variant", Variant)
def test_a_prediction_that_cannot_be_run_scores_0_without_a_call(variant: Variant) -> None:
    judgement, asked = judged(
        replace(EQUAL, failure="no such column: x"), PASS, UPHOLD, variant, accept_equal=True
    )
    assert (asked, judgement.score, judgement.score_by) == ([], 0, "parse")
    assert judgement.detail == "no such column: x"


def test_equal_results_are_accepted_without_a_call_only_if_asked_for() -> None:
    judgement, asked = judged(EQUAL, FAIL, OVERTURN, accept_equal=True)
    assert (asked, judgement.score, judgement.score_by) == ([], 1, "execution")
    for case in (UNEQUAL, CASE):
        assert judged(case, FAIL, OVERTURN, accept_equal=True)[1] == [P]


def test_the_refuter_hears_the_provers_reason_and_sees_the_gold_query() -> None:
    responder = Scripted({P: PASS, R: UPHOLD})
    judge_case(replace(UNEQUAL, gold_sql="SELECT 22"), responder, variant=Variant.ROSE, model="m")
    prover, refuter = ("\n".join(message.content for message in ask.messages) for ask in responder.asked)
    assert "SELECT 22" not in prover
    assert "SELECT 22" in refuter
    assert PASS.reason in refuter


@pytest.mark.parametrize("shown", [True, False])
def test_the_witness_goes_to_the_refuter_by_its_switch(shown: bool) -> None:
    responder = Scripted({P: PASS, R: UPHOLD})
    case = replace(UNEQUAL, witness="INSERT INTO t VALUES (17)")
    judge_case(case, responder, variant=Variant.ROSE, model="m", witness_evidence=shown)
    found = [any("VALUES (17)" in message.content for message in ask.messages) for ask in responder.asked]
    assert found == [False, shown]


def test_an_unusable_reply_leaves_the_score_open() -> None:
    judgement, asked = judged(UNEQUAL, NoAnswer("refused"), UPHOLD)
    assert (asked, judgement.score, judgement.score_by) == ([P], None, "")
    assert (judgement.reason, judgement.detail) == (Reason.NO_ANSWER, "Prover: refused")
    judgement, asked = judged(UNEQUAL, PASS, NoAnswer("not JSON"))
    assert (asked, judgement.score, judgement.prover) == ([P, R], None, PASS)
    assert (judgement.reason, judgement.detail) == (Reason.NO_ANSWER, "Refuter: not JSON")


def test_a_reply_of_the_other_role_is_no_answer() -> None:
    assert judged(UNEQUAL, UPHOLD, UPHOLD)[0].reason is Reason.NO_ANSWER
    assert judged(EQUAL, PASS, PASS)[0].reason is Reason.NO_ANSWER


def test_a_budget_that_runs_out_leaves_the_score_open_and_keeps_what_was_paid_for() -> None:
    judgement, asked = judged(UNEQUAL, None, None)
    assert (asked, judgement.score, judgement.reason) == ([], None, Reason.BUDGET)
    judgement, asked = judged(UNEQUAL, PASS, None)
    assert (asked, judgement.score, judgement.reason) == ([P], None, Reason.BUDGET)
    assert (judgement.prover, judgement.usage) == (PASS, PRICE)


def test_the_cost_is_that_of_all_calls() -> None:
    assert judged(UNEQUAL, PASS, UPHOLD)[0].usage == PRICE + PRICE
