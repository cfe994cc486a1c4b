"""What a record says of its prediction depends on what the script compares."""

from __future__ import annotations

from typing import Any

import pytest

from equiv.eval.suite.script import MUTATION, EvaluationScript, Layout, RivalKind, kind_of, questions_of

BIRD, SPIDER = EvaluationScript(Layout.BIRD), EvaluationScript(Layout.SPIDER)
PLAIN, ORDERED = "SELECT a FROM t", "SELECT a FROM t ORDER BY a"


def record(verdict: str, relation: str = "bag", gold: str = PLAIN, **more: Any) -> dict[str, Any]:
    evidence = {"kind": "witness", "sql": f"{verdict};"} if verdict == "not_equivalent" else None
    return {
        "source": "system",
        "question_id": 1,
        "db_id": "d",
        "gold_sql": gold,
        "predicted_sql": "SELECT 1",
        "verdict": verdict,
        "relation": relation,
        "strongest": relation,
        "weakest": relation,
        "reason": None,
        "score_by": None,
        "evidence": evidence,
        **more,
    }


@pytest.mark.parametrize(
    ("script", "given", "kind"),
    [
        (BIRD, record("equivalent", "set"), RivalKind.RIGHT),
        (BIRD, record("equivalent", "list"), RivalKind.RIGHT),
        (BIRD, record("equivalent", "bag/any"), RivalKind.OPEN),
        (BIRD, record("not_equivalent", "set"), RivalKind.WRONG),
        (BIRD, record("not_equivalent", "set/any"), RivalKind.WRONG),
        (BIRD, record("not_equivalent", "bag"), RivalKind.STRICTER),
        (BIRD, record("equivalent", "set", golds=[{}, {}]), RivalKind.OPEN),
        (BIRD, record("undecided"), RivalKind.OPEN),
        (BIRD, record("invalid"), RivalKind.INVALID),
        (SPIDER, record("equivalent", "bag"), RivalKind.RIGHT),
        (SPIDER, record("equivalent", "set"), RivalKind.OPEN),
        (SPIDER, record("equivalent", "bag", ORDERED), RivalKind.OPEN),
        (SPIDER, record("equivalent", "list/any", ORDERED), RivalKind.RIGHT),
        (SPIDER, record("not_equivalent", "bag"), RivalKind.STRICTER),
        (SPIDER, record("not_equivalent", "set/any"), RivalKind.WRONG),
        (SPIDER, record("not_equivalent", "list/any", ORDERED), RivalKind.WRONG),
    ],
)
def test_a_verdict_counts_as_far_as_the_script_compares(
    script: EvaluationScript, given: dict[str, Any], kind: RivalKind
) -> None:
    assert kind_of(given, script) is kind


def test_what_the_script_takes_out_of_a_query_cannot_refute_it() -> None:
    strips = EvaluationScript(Layout.SPIDER, keep_distinct=False)
    stands = record("not_equivalent", "set/any", gold="SELECT DISTINCT a FROM t")
    assert (kind_of(stands, SPIDER), kind_of(stands, strips)) == (RivalKind.WRONG, RivalKind.STRICTER)
    again = {**stands, "gold_sql": "SELECT  a FROM t"}
    (question,), _ = questions_of([stands], [again], strips)
    assert [rival.kind for rival in question.rivals] == [RivalKind.WRONG]
    proved = record("equivalent", "bag", gold="SELECT DISTINCT a FROM t")
    assert (kind_of(proved, SPIDER), kind_of(proved, strips)) == (RivalKind.RIGHT, RivalKind.OPEN)
    (question,), _ = questions_of([proved], [{**proved, "gold_sql": "SELECT  a FROM t"}], strips)
    assert [rival.kind for rival in question.rivals] == [RivalKind.RIGHT]


def test_what_is_checked_again_takes_the_place_of_what_was_known() -> None:
    stricter, wrong = record("not_equivalent", "bag"), record("not_equivalent", "set")
    mutant = {**wrong, "source": f"{MUTATION}other value", "predicted_sql": "SELECT 2"}
    unrefuted = {**record("undecided"), "source": f"{MUTATION}distinct", "predicted_sql": "SELECT 3"}
    elsewhere = {**wrong, "question_id": 2}
    (question,), unusable = questions_of([stricter], [wrong, mutant, unrefuted, elsewhere], BIRD)
    assert [(rival.kind, rival.name) for rival in question.rivals] == [
        (RivalKind.WRONG, "system"),
        (RivalKind.MUTANT, "other value"),
    ]
    assert question.scripts == ("not_equivalent;",)
    assert unusable == []


def test_gold_queries_that_do_not_run_and_abstentions_are_counted_apart() -> None:
    broken = record("undecided", reason="GOLD_INVALID")
    abstention = record("undecided", score_by="abstention")
    assert questions_of([broken, abstention], [], BIRD) == ([], [broken, abstention])
