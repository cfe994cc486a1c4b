"""What predictions of several systems, and a judge, say of a gold query."""

from __future__ import annotations

import pytest
from kit.predicted import Told, predicted
from kit.result_records import result_record

from equiv.eval.gold.catalogue import Predicted, contradicted, outvoted, unsolved
from equiv.eval.gold.finding import GoldFault
from equiv.records.record import Record

UNSOLVED = [
    (predicted("not_equivalent", "invalid"), True),
    (predicted("not_equivalent", "equivalent"), False),
    (predicted("not_equivalent", "undecided"), False),
    (predicted("not_equivalent"), False),
    (predicted("not_equivalent", "not_equivalent", told=Told(right=("P1",))), False),
]


@pytest.mark.parametrize(("asked", "found"), UNSOLVED)
def test_a_question_is_unsolved_if_nobody_may_be_right(asked: Predicted, found: bool) -> None:
    assert [finding.kind for finding in unsolved(asked)] == [GoldFault.UNSOLVED] * found


SAME = frozenset({"P0", "P2"})
OUTVOTED = [
    (predicted("not_equivalent", "equivalent", "not_equivalent", told=Told(same=SAME)), ["s0", "s2"]),
    (predicted("not_equivalent Q", "not_equivalent R", "not_equivalent Q"), ["s0", "s2"]),
    (predicted("not_equivalent", "equivalent", "not_equivalent"), None),
    (predicted("equivalent Q", "equivalent Q"), None),
    (predicted("invalid Q", "invalid Q"), None),
    (predicted("not_equivalent Q", "not_equivalent Q", agreeing=3), None),
    (predicted("not_equivalent Q", "not_equivalent Q", told=Told(right=("Q",))), None),
    (
        predicted(*["not_equivalent Q"] * 3, *["not_equivalent R"] * 2, told=Told(right=("Q",))),
        ["s3", "s4"],
    ),
]


@pytest.mark.parametrize(("asked", "systems"), OUTVOTED)
def test_systems_outvote_by_one_proven_class_that_is_refuted(
    asked: Predicted, systems: list[str] | None
) -> None:
    assert [list(finding.systems) for finding in outvoted(asked)] == ([systems] if systems else [])


def test_a_judge_contradicts_by_saying_that_the_gold_query_is_not_correct() -> None:
    def reply(gold_correct: bool | None) -> Record:
        said = {"overturn": True, "reason": "it\ncounts twice", "ambiguity": "", "gold_correct": gold_correct}
        return result_record(judge="m", refuter_result=said)

    silent = result_record(judge="m")
    assert list(contradicted([silent, reply(None), reply(True)])) == []
    (finding,) = contradicted([reply(True), reply(False), silent])
    assert finding.detail == "1 of 2 replies call it faulty: it counts twice"
