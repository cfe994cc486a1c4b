"""Classes of proven-equivalent predictions, and the contradictions within them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.eval.plan import Setting
from equiv.eval.worker import SideWorker
from equiv.graphs import classes_of
from equiv.judge.judging_terms import answer_of, class_name, contradictions
from equiv.options import Options
from equiv.schema.locate import Place

GOLD = "SELECT name FROM person WHERE age > 17"


def record(score: int | None, pred: str = "SELECT 1", gold: str = GOLD) -> dict[str, Any]:
    return {"db_id": "d", "question_id": 1, "gold_sql": gold, "predicted_sql": pred, "score": score}


def test_each_query_is_held_against_one_member_of_each_class() -> None:
    asked: list[tuple[str, str]] = []

    def same(one: str, other: str) -> bool:
        asked.append((one, other))
        return one[0] == other[0]

    assert classes_of(same, ["a1", "b1", "a2", "c1", "b2"]) == [["a1", "a2"], ["b1", "b2"], ["c1"]]
    assert asked == [("a1", "b1"), ("a1", "a2"), ("a1", "c1"), ("b1", "c1"), ("a1", "b2"), ("b1", "b2")]


def test_a_class_is_named_by_question_and_first_member() -> None:
    assert class_name(record(1)) == class_name(record(0))
    assert (
        len({class_name(record(1)), class_name(record(1, pred="SELECT 2")), class_name(record(1, gold="x"))})
        == 3
    )


def test_a_class_has_the_answer_that_all_its_members_got() -> None:
    assert answer_of([record(None), record(0), record(0)]) == record(0)
    assert answer_of([record(None)]) is None
    assert answer_of([record(0), record(1)]) is None


def test_contradictions_are_told() -> None:
    classes = [[record(1), record(1)], [record(1), record(0), record(None), record(0)], [record(0)]]
    (found,) = contradictions(classes)
    assert (len(found.passed), len(found.failed)) == (1, 2)


@pytest.fixture
def aside() -> Iterator[SideWorker]:
    ddl = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER NOT NULL)"
    place = Place("people", schema=load_ddl(ddl, "people"))
    with closing(SideWorker({"people": Setting(place, Options())})) as aside:
        yield aside


@pytest.mark.parametrize(
    ("one", "other", "gold", "expected"),
    [
        ("SELECT name FROM person WHERE NOT age <= 17", GOLD, GOLD, True),
        ("SELECT name FROM person WHERE age >= 17", GOLD, GOLD, False),
        ("not SQL", "not SQL", GOLD, True),
        ("not SQL", "not SQL either", GOLD, False),
        # The relation is that of the gold query: order counts only if it orders.
        ("SELECT name FROM person ORDER BY id", "SELECT name FROM person", GOLD, True),
        ("SELECT name FROM person ORDER BY id", "SELECT name FROM person", f"{GOLD} ORDER BY id", False),
    ],
)
def test_predictions_are_the_same_by_proof_under_the_relation_of_the_gold_query(
    aside: SideWorker, one: str, other: str, gold: str, expected: bool
) -> None:
    assert aside.proves_same("people", gold, one, other) is expected
