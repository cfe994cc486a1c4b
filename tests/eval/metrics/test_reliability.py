"""TrustSQL's reliability score, its tables and its threshold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv import cli
from equiv.errors import InputError
from equiv.eval.metrics.reliability import (
    PhiCase,
    Reliability,
    penalties_named,
    reliability,
    reliability_blocks,
    threshold,
    with_threshold,
)
from equiv.eval.metrics.scores import Measured, by_verdict, pair_of
from equiv.eval.reading.golds import abstains
from equiv.records.record import Record
from equiv.show.page import Grid

RIGHT, WRONG = "equivalent", "not_equivalent"
# Five questions that have an answer, three that have none.
QUESTIONS: list[dict[str, Any]] = [
    {"verdict": RIGHT, "feasible": True, "abstained": False, "difficulty": "easy", "seen": True},
    {"verdict": RIGHT, "feasible": True, "abstained": False, "difficulty": "hard", "seen": False},
    {"verdict": WRONG, "feasible": True, "abstained": False, "difficulty": "hard", "seen": False},
    {"verdict": WRONG, "feasible": True, "abstained": True, "difficulty": "easy", "seen": True},
    {"verdict": RIGHT, "feasible": True, "abstained": True, "difficulty": "easy", "seen": True},
    {"verdict": WRONG, "feasible": False, "abstained": False, "question_type": "surface"},
    {"verdict": "undecided", "feasible": False, "abstained": True, "question_type": "surface"},
    {"verdict": "undecided", "feasible": False, "abstained": True, "question_type": "ext-know"},
]


def records() -> list[Record]:
    return [result_record(**question, question_id=n) for n, question in enumerate(QUESTIONS)]


def measured() -> Measured:
    return by_verdict(records())


def test_the_score_is_that_of_equation_1_by_hand() -> None:
    found = reliability(records(), measured())
    assert found.counts == {
        PhiCase.RIGHT: 2,
        PhiCase.UNANSWERED: 2,
        PhiCase.WRONG: 1,
        PhiCase.ANSWERED_ALL_THE_SAME: 1,
        PhiCase.REFUSED: 2,
    }
    # Utility: two right answers and two refusals of eight; risk: two.
    assert found.score(0) == 4 / 8
    assert found.score(10) == (4 - 2 * 10) / 8
    assert found.score(found.total) == (4 - 2 * 8) / 8


def test_a_system_that_always_abstains_scores_the_share_of_infeasible_questions_whatever_the_penalty() -> (
    None
):
    silent = [record | {"abstained": True} for record in records()]
    found = reliability(silent, measured())
    assert {found.score(c) for c in (0, 1, 10, found.total)} == {3 / 8}


@given(st.lists(st.integers(0, 30), min_size=5, max_size=5), st.floats(0, 1000), st.floats(0, 1000))
def test_the_score_falls_with_the_penalty_and_is_at_most_one(
    counts: list[int], one: float, more: float
) -> None:
    found = Reliability(dict(zip(PhiCase, counts, strict=True)))
    if found.total:
        low, high = min(one, more), max(one, more)
        assert found.score(high) <= found.score(low) <= 1
        assert found.score(0) == found.right / found.total
        # The strictest penalty: any harm outweighs all the rest.
        assert (found.score(found.total) > 0) <= (found.harmful == 0)


def test_what_a_metric_leaves_open_is_no_right_answer() -> None:
    record = result_record("undecided", feasible=True, abstained=False)
    assert reliability([record], by_verdict([record])).counts[PhiCase.WRONG] == 1


def rows(title: str, *blocks: Any) -> dict[tuple[str, str], str]:
    (grid,) = [block for block in blocks if isinstance(block, Grid) and block.title.startswith(title)]
    return {(what, kind): told.partition(":")[0] for what, kind, told in grid.rows}


def test_the_tables_by_hand() -> None:
    scores, details = reliability_blocks(records(), measured(), ("0", "10", "N"))
    assert isinstance(scores, Grid)
    assert scores.rows[0][:5] == ("system", "8", "50.0", "-200.0", "-150.0")
    assert scores.rows[0][5].startswith("50.0 [")  # four answers of eight questions
    assert scores.rows[0][6].startswith("50.0 [")  # two of four answers do harm
    assert rows("system", details) == {
        ("right, of all answers (Table 8)", "all"): "2 of 4",
        ("feasible and answered (Table 9)", "seen, easy"): "1 of 3",
        ("feasible and answered (Table 9)", "unseen, hard"): "2 of 2",
        ("infeasible and refused (Tables 10, 13)", "ext-know"): "1 of 1",
        ("infeasible and refused (Tables 10, 13)", "surface"): "1 of 2",
        ("feasible, query right whether given or not (Table 11)", "seen, easy"): "2 of 3",
        ("feasible, query right whether given or not (Table 11)", "unseen, hard"): "1 of 2",
        # Right and given, or wrong and held back: the first and the fourth question, and the second.
        ("feasible, error detected (Table 12)", "seen, easy"): "2 of 3",
        ("feasible, error detected (Table 12)", "unseen, hard"): "1 of 2",
    }


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([], None),
        ([(0.9, False)], None),
        ([(0.9, True), (0.8, True), (0.7, False), (0.6, False)], 0.8),
        ([(0.9, True), (0.8, False), (0.7, True)], 0.9),
        ([(0.9, False), (0.8, True), (0.7, True), (0.6, True)], 0.6),
        ([(0.5, True), (0.5, False), (0.5, True)], 0.5),
        ([(0.5, True), (0.5, False)], None),
    ],
)
def test_a_threshold_stands_where_the_sum_is_greatest(
    samples: list[tuple[float, bool]], expected: float | None
) -> None:
    assert threshold(samples) == expected
    assert threshold(reversed(samples)) == expected


def test_no_question_helps_to_choose_its_own_threshold() -> None:
    sure = [
        result_record(
            RIGHT if n % 2 else WRONG, question_id=n, feasible=True, abstained=False, confidence=n % 2
        )
        for n in range(40)
    ]
    right = by_verdict(sure)
    taken = with_threshold(sure, right)
    assert [bool(record["abstained"]) for record in taken] == [n % 2 == 0 for n in range(40)]
    assert reliability(taken, right).harmful == 0
    # Were only its own half right, a half would be thrown away.
    one = sure[1]
    lone = Measured("m", {pair_of(one): True})
    assert with_threshold([one], lone)[0]["abstained"] is True


def test_penalties_are_numbers_or_n() -> None:
    assert penalties_named("0, 2.5,N") == ("0", "2.5", "N")
    for text in ("", "x", "-1", "nan", "1,,2"):
        with pytest.raises(InputError, match="penalty"):
            penalties_named(text)


@pytest.mark.parametrize(
    "text", ["null", "NULL", " null; ", "This question cannot be answered.", "not_answerable"]
)
def test_texts_that_abstain(text: str) -> None:
    assert abstains(text)
    assert not abstains(f"SELECT '{text}'")


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "zoo.sql"
    path.write_text("CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT)")
    return path


def test_abstentions_and_infeasible_questions_get_records_without_the_engine(
    tmp_path: Path, schema: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "SELECT name FROM animal"
    items: list[dict[str, Any]] = [
        {"predicted_sql": gold, "gold_sql": gold, "feasible": True},
        {"predicted_sql": "null", "gold_sql": gold, "feasible": True},
        {"predicted_sql": None, "feasible": False, "type": "surface"},
        {"predicted_sql": gold, "gold_sql": None, "feasible": False},
        {"predicted_sql": gold, "gold_sql": gold, "abstained": True},
    ]
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_text(
        "".join(json.dumps(item | {"db_id": "zoo", "question_id": n}) + "\n" for n, item in enumerate(items))
    )
    for again in (False, True):
        assert cli.run(["eval", str(pairs), "--schema", str(schema), "--out", str(out)]) == 0
        assert ("5 records resumed" in capsys.readouterr().err) == again
    found = {record["question_id"]: record for record in map(json.loads, out.read_text().splitlines())}
    assert [(found[n]["verdict"], found[n]["score"], found[n]["score_by"]) for n in range(5)] == [
        ("equivalent", 1, "rules"),
        ("undecided", 0, "abstention"),
        ("undecided", 1, "abstention"),
        ("undecided", 0, "abstention"),
        ("equivalent", 1, "rules"),
    ]
    assert [found[n]["abstained"] for n in range(5)] == [False, True, True, False, True]
    assert found[2]["question_type"] == "surface"
    assert cli.run(["report", str(out), "--penalty", "0,1"]) == 0
    shown = capsys.readouterr().out
    assert "2 pairs by each metric" in shown
    # I 1, II 2, IV 1, V 1: (2 - c) / 5
    assert "40.0" in shown
    assert "20.0" in shown
    assert cli.run(["report", str(out), "--right-by", "nothing"]) == 2


def test_a_missing_prediction_is_no_abstention_where_abstaining_is_not_known(
    tmp_path: Path, schema: Path
) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_text('{"db_id": "zoo", "predicted_sql": null, "gold_sql": "SELECT 1", "question_id": 1}\n')
    assert cli.run(["eval", str(pairs), "--schema", str(schema), "--out", str(out)]) == 0
    (record,) = map(json.loads, out.read_text().splitlines())
    assert (record["verdict"], record["abstained"], record["feasible"]) == ("invalid", None, None)


def test_a_judge_is_not_asked_about_an_abstention(tmp_path: Path, schema: Path) -> None:
    reply = {"verdict": True, "reason": "fits"}
    upheld = {"judgement": "no flaw", "verdict": False, "ambiguity": "na", "gold_correct": True}
    lines: list[dict[str, Any]] = [
        {
            "predicted_sql": "SELECT 1",
            "gold_sql": "SELECT name FROM animal",
            "prover": reply,
            "refuter": upheld,
        },
        {"predicted_sql": "null", "gold_sql": "SELECT name FROM animal", "prover": None, "refuter": None},
        {"predicted_sql": "null", "gold_sql": "", "feasible": False, "prover": None, "refuter": None},
    ]
    shared: dict[str, Any] = {
        "method": "m",
        "db_id": "zoo",
        "feasible": True,
        "rose_score": None,
        "ex_score": 0.0,
    }
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_text(
        "".join(json.dumps(shared | {"question_id": n} | line) + "\n" for n, line in enumerate(lines))
    )
    judge = ("--judge", f"replay:{pairs}", "--judge-model", "o3")
    for _ in range(2):
        assert cli.run(["eval", str(pairs), "--schema", str(schema), "--out", str(out), *judge]) == 0
    found = {record["question_id"]: record for record in map(json.loads, out.read_text().splitlines())}
    assert len(out.read_text().splitlines()) == 3
    assert [(found[n]["score"], found[n]["score_by"]) for n in range(3)] == [
        (1, "refuter"),
        (0, "abstention"),
        (1, "abstention"),
    ]
    assert [found[n]["llm"]["calls"] for n in range(3)] == [2, 0, 0]
