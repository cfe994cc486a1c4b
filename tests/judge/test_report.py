"""The report on judged records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.judge.report import contradictions_in, gold_faults_in, read_judged, report_of
from equiv.show.page import Block, Grid, Text


def record(key: str, **fields: Any) -> dict[str, Any]:
    judge = {
        "model": fields.pop("model", "o3"),
        "run": None,
        "variant": "rose",
        "savings": ["proof"],
        "equality": None,
        "class": fields.pop("class_name", None),
    }
    bare = result_record("not_equivalent", source=key, db_id="zoo", question_id=1) | {
        "key": key,
        "label": True,
        "score": 1,
        "score_by": "refuter",
        "judge": judge,
        "prover_result": None,
        "refuter_result": {"overturn": False, "reason": "", "ambiguity": "none", "gold_correct": True},
        "llm": {"calls": 2, "prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0},
    }
    return bare | fields


def grids(blocks: list[Block]) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {block.title: block.rows for block in blocks if isinstance(block, Grid)}


def test_a_report_has_scores_costs_agreement_and_confusion() -> None:
    faulty = {"overturn": True, "reason": "wrong join", "ambiguity": "question", "gold_correct": False}
    records = [
        *(record(f"yes {n}") for n in range(6)),
        *(record(f"no {n}", label=False, score=0) for n in range(3)),
        record("wrong", score=0, refuter_result=faulty),
        record("proof", score_by="rules", refuter_result=None, llm={**record("x")["llm"], "calls": 0}),
        record("open", score=None, score_by=None, reason="BUDGET", refuter_result=None),
        record("unlabelled", label=None),
    ]
    blocks = report_of(records)
    found = grids(blocks)
    assert found["scores by who gave them"] == (
        ("-", "null", "BUDGET", "1"),
        ("refuter", "0", "", "4"),
        ("refuter", "1", "", "7"),
        ("rules", "1", "", "1"),
    )
    assert found["usage"] == (("calls", "24"), ("pairs without a call by proof", "1"))
    (agreement,) = [rows for title, rows in found.items() if title.startswith("agreement")]
    assert [row[:2] for row in agreement] == [
        ("ambiguity: none", "9"),
        ("ambiguity: question", "1"),
        ("gold query correct", "9"),
        ("gold query faulty", "1"),
    ]
    assert agreement[2][3] == "100.00 [100.00, 100.00]"
    texts = [block.text for block in blocks if isinstance(block, Text)]
    assert texts == [
        "o3, variant rose, savings proof: 13 pairs",
        "Pairs whose gold query the Refuter calls faulty: 1 of 11 (9.1 %).",
    ]


def test_each_judge_has_its_own_part() -> None:
    blocks = report_of([record("a"), record("b", model="r1"), record("c", class_name="x")])
    texts = [block.text.partition(",")[0] for block in blocks if isinstance(block, Text)]
    assert [text for text in texts if text in {"o3", "r1"}] == ["o3", "r1"]


def test_contradictions_are_listed_not_hidden() -> None:
    records = [
        record("a", class_name="x"),
        record("b", class_name="x", score=0),
        record("c", class_name="y"),
        record("d", class_name="x", model="r1", score=0),
    ]
    (found,) = contradictions_in(records)
    assert [r["key"] for r in (*found.passed, *found.failed)] == ["a", "b"]
    title = "1 classes of proven-equivalent predictions with contradictory scores"
    assert grids(report_of(records))[title] == (("zoo", "1", "1", "1", "SELECT 2"),)


def test_faults_of_gold_queries_are_gathered() -> None:
    fault = {"overturn": False, "reason": "it counts twice", "ambiguity": "none", "gold_correct": False}
    records = [record("a"), record("b", question_id=2, refuter_result=fault)]
    assert gold_faults_in(records) == {("zoo", "2", "SELECT 1"): "it counts twice"}


def test_of_records_with_one_key_the_last_counts_and_unjudged_ones_do_not(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    records = [record("a", score=None), record("b", judge=None), record("a", score=0)]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert [(one["key"], one["score"]) for one in read_judged([path])] == [("a", 0)]
    assert report_of([]) == []


@pytest.mark.parametrize("line", ['{"key": 1}', "[]"])
def test_another_file_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InputError, match="not a record"):
        read_judged([path])
