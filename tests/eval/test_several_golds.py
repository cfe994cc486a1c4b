"""Several gold queries for one question: any will do, and nothing is claimed that was not shown."""

from __future__ import annotations

from typing import Any

import pytest
from kit.result_records import result_record

from equiv.eval.evaluation import SeveralGolds, put_together
from equiv.eval.plan import Job, JobState
from equiv.eval.questions import question_id, question_of
from equiv.records.record import Item, Record

GOLDS = ("SELECT 1", "SELECT 2", "SELECT 3")


def part(verdict: str, reason: str = "NO_PROOF", **fields: Any) -> Record:
    record = result_record(verdict, **fields)
    return record | {"reason": reason} if verdict == "undecided" else record


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        (["not_equivalent", "equivalent"], "equivalent"),
        (["undecided", "equivalent"], "equivalent"),
        (["not_equivalent", "not_equivalent"], "not_equivalent"),
        (["not_equivalent", "undecided"], "undecided"),
        (["undecided", "not_equivalent", "undecided"], "undecided"),
        (["undecided", "invalid"], "invalid"),
    ],
)
def test_the_verdict_on_all_golds(verdicts: list[str], whole: str) -> None:
    parts = [part(verdict, gold_sql=gold) for verdict, gold in zip(verdicts, GOLDS, strict=False)]
    found = put_together(parts, "key", set())
    assert (found["verdict"], found["key"]) == (whole, "key")
    assert found["gold_sql"] == parts[verdicts.index(whole)]["gold_sql"]
    assert [gold["verdict"] for gold in found["golds"]] == verdicts
    assert (found["score"] == 1) == ("equivalent" in verdicts)


def test_what_is_tried_again_counts_before_what_cannot_be() -> None:
    parts = [part("undecided", reason) for reason in ("GOLD_INVALID", "NO_PROOF", "TIMEOUT")]
    assert put_together(parts, "key", set())["reason"] == "TIMEOUT"
    assert put_together(parts[:2], "key", set())["reason"] == "NO_PROOF"


def test_parts_come_in_any_order_and_settled_items_are_left_out() -> None:
    items = [Item("m", n, "zoo", f"SELECT {n}", GOLDS[0], alternatives=GOLDS[1:]) for n in (1, 2)]
    plain = Item("m", 3, "zoo", "SELECT 3", GOLDS[0])
    jobs = [Job(item, f"job {n}") for n, item in enumerate([*items, plain])]
    several = SeveralGolds(jobs, lambda _: None)
    due = list(several.jobs())
    assert len(due) == 3 + 3 + 3 + 1, "golds are compared once for both items"
    done: list[Record | None] = [
        result_record("equivalent" if job.item.gold_sql == GOLDS[2] else "undecided")
        | {"key": job.key, "gold_sql": job.item.gold_sql}
        for job in reversed(due)
    ]
    found = [record for record in several.together([None, *done]) if record is not None]
    assert sorted(record["key"] for record in found) == ["job 0", "job 1", "job 2"]
    again = SeveralGolds(jobs, {record["key"]: record for record in found}.get)
    assert list(again.together([])) == []
    parts = {f"job {n}:{g}" for n in (0, 1) for g in range(3)}
    assert {job.key for job in again.jobs() if again.standing(job.key) is JobState.SETTLED} == parts
    assert again.standing("job 2") is None


def test_a_judge_finds_the_question_of_an_item_whichever_gold_decided() -> None:
    item = Item("m", 1, "zoo", "SELECT 1", GOLDS[0], alternatives=GOLDS[1:])
    for decides in range(3):
        verdicts = ["equivalent" if number == decides else "undecided" for number in range(3)]
        parts = [part(v, question_id=1, gold_sql=gold) for v, gold in zip(verdicts, GOLDS, strict=True)]
        record = put_together(parts, "key", set())
        assert record["gold_sql"] == GOLDS[decides]
        assert question_of(record) == question_id(item)
