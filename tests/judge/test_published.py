"""Published judgements replayed through the cascade give the published scores."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equiv.errors import InputError
from equiv.judge.asking import rose_output
from equiv.judge.asking.published import Published, published_runs, read_published
from equiv.judge.case import Case, Judgement, NoAnswer, ProverReply, RefuterReply, Role, Variant
from equiv.judge.prompt import request
from equiv.judge.stage import judge_case

PASS = {
    "verdict": True,
    "reason": "fits",
    "expected_answer": "x",
    "sql_description": "y",
    "evidence": {"a": 1},
}
FAIL = {"verdict": False, "reason": "a filter is missing", "expected_answer": "x", "sql_description": "y"}
UPHOLD = {"judgement": "same", "verdict": False, "ambiguity": "na", "gold_correct": True}
OVERTURN = {"judgement": "wrong", "verdict": True, "ambiguity": "ambiguous schema", "gold_correct": False}


def judgement(number: object, prover: object, refuter: object, score: float, **names: str) -> dict[str, Any]:
    """A line of a file of judgements."""
    line = {"model": "m", "metric": "ROSE", "question_id": number}
    return line | {"score": score, "prover": prover, "refuter": refuter} | names


def case(number: object, source: str = "s", pred: str = "SELECT 1", gold: str = "SELECT 2") -> Case:
    return Case(source, number, "shop", "Who?", "", "", pred, gold)


def written(path: Path, lines: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def replayed(published: Published, asked: Case, variant: Variant = Variant.ROSE) -> Judgement:
    """The cascade over the record, with equality from the record."""
    equal, source = published.results_equal(asked)
    known = replace(asked, results_equal=equal, equality_from=source)
    return judge_case(known, published, variant=variant, model=published.model)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(
        tmp_path / "judgements.jsonl",
        [
            judgement(1, PASS, UPHOLD, 1.0),
            judgement(2, FAIL, None, 0.0),
            judgement(3, None, OVERTURN, 0.0),
            judgement(4, None, None, 0.0),
            judgement(5, PASS, UPHOLD, 1.0),
            judgement(5, PASS, OVERTURN, 0.0),
            judgement("1", FAIL, None, 0.0),
            judgement(1, FAIL, None, 0.0, metric="ProverOnly"),
            judgement(1, None, None, 1.0, metric="FLEX"),
            judgement(1, None, None, 1.0, metric="EX", model="decisive"),
            judgement(4, None, None, 0.0, metric="EX", model="decisive"),
        ],
    )


def test_a_run_is_replayed_with_its_replies(file: Path) -> None:
    published = read_published(file, model="m")
    first = replayed(published, case(1))
    assert (first.score, first.score_by, first.usage.calls, first.equality_from) == (
        1,
        "refuter",
        2,
        "record",
    )
    assert first.prover == ProverReply(True, "fits", "x", "y", '{"a": 1}')
    assert first.refuter == RefuterReply(False, "same", "none", True)
    assert replayed(published, case(2)).score == 0
    third = replayed(published, case(3))
    assert (third.score, third.usage.calls, third.prover) == (0, 1, None)
    assert third.refuter == RefuterReply(True, "wrong", "schema", False)


@pytest.mark.parametrize("number", [4, 5, 6, "2", None])
def test_a_reply_that_is_missing_or_not_the_only_one_is_never_guessed(file: Path, number: object) -> None:
    published = read_published(file, model="m")
    for role in Role:
        asked = request(case(number), role, Variant.ROSE, "m")
        assert isinstance(published.ask(asked).reply, NoAnswer)
    assert replayed(published, case(number)).score is None


def test_question_ids_keep_their_type(file: Path) -> None:
    published = read_published(file, model="m")
    assert (replayed(published, case(1)).score, replayed(published, case("1")).score) == (1, 0)


def test_equality_comes_from_the_record_then_from_execution_accuracy(file: Path) -> None:
    published = read_published(file, model="m")
    known = [published.results_equal(case(number)) for number in (1, 2, 3, 4, 6)]
    assert known == [(False, "record"), (False, "record"), (True, "record"), (False, "ex_score"), (None, "")]


def test_execution_accuracy_may_be_preferred_where_it_says_equal(file: Path) -> None:
    published = read_published(file, model="m", equality="ex_score")
    known = [published.results_equal(case(number)) for number in (1, 2, 3)]
    assert known == [(True, "ex_score"), (False, "record"), (True, "record")]


def test_a_run_of_the_prover_alone_does_not_say_that_results_differ(file: Path) -> None:
    published = read_published(file, model="m", run="ProverOnly")
    assert published.results_equal(case(1)) == (True, "ex_score")
    assert replayed(published, case(1), Variant.PROVER_ONLY).score == 0


def test_only_runs_that_are_there_can_be_read(file: Path) -> None:
    assert published_runs(file) == (("m", "ROSE"), ("m", "ProverOnly"))
    with pytest.raises(InputError, match=r"'SOLVER' with replies; runs with replies: ROSE, ProverOnly"):
        read_published(file, model="m", run="SOLVER")
    with pytest.raises(InputError, match=r"no judge model 'o9'; choose one of m"):
        read_published(file, model="o9")


def test_a_run_of_scores_alone_replays_a_baseline_and_no_cascade(file: Path) -> None:
    """A judge of one call: its score says what its reply was, which a cascade of two could not know."""
    published = read_published(file, model="m", run="FLEX")
    (number, score), *_ = [
        (line["question_id"], line["score"])
        for line in map(json.loads, file.read_text().splitlines())
        if line["metric"] == "FLEX"
    ]
    for variant in (Variant.FLEX, Variant.SOLVER, Variant.SOLVER_RELAXED):
        found = replayed(published, case(number), variant)
        assert (found.score, found.score_by, found.usage.calls) == (score, "prover", 1)
    assert replayed(published, case(number), Variant.ROSE).score is None


FOLDER = {
    "eval_results.json": [
        {"question_id": 1, "score": 1.0, "prover_result": True, "refuter_result": False},
        {"question_id": 2, "score": 0.0, "prover_result": False, "refuter_result": None},
    ],
    "prover_output.json": [
        {"question_id": 1, "result": FAIL},
        {"question_id": 1, "result": PASS},
        {"question_id": 2, "result": FAIL},
    ],
    "refuter_wogt_output.json": [{"question_id": 1, "result": UPHOLD}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of the variant without gold queries, as ROSE's code leaves it."""
    path = tmp_path / "o9" / "wogt"
    path.mkdir(parents=True)
    for name, entries in FOLDER.items():
        (path / name).write_text(json.dumps(entries))
    return path


def test_folders_of_roses_code_become_judgements(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rose_output.main([str(folder)]) == 0
    file = folder.parent / "judgements.jsonl"
    file.write_text(capsys.readouterr().out)
    assert published_runs(file) == (("o9", "wogt"),)
    published = read_published(file, model="o9", run="wogt")
    assert [replayed(published, case(number), Variant.WOGT).score for number in (1, 2)] == [1, 0]


def test_a_folder_of_the_combined_variant(folder: Path) -> None:
    (folder / "prover_output.json").rename(folder / "pr_output.json")
    (folder / "refuter_wogt_output.json").unlink()
    lines = list(rose_output.judgements_in(folder))
    assert [(line["prover"]["verdict"], line["refuter"]) for line in lines] == [(True, None), (False, None)]


@pytest.mark.parametrize("text", ["{}", "[1]", '[{"score": 1}]', "["])
def test_other_folders_are_one_clear_error(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "eval_results.json").write_text(text)
    assert rose_output.main([str(folder)]) == 2
    assert "eval_results.json" in capsys.readouterr().err
    assert rose_output.main([]) == 2


def test_a_judge_model_may_go_unnamed_if_there_is_one(file: Path) -> None:
    assert read_published(file).model == "m"
    with file.open("a", encoding="utf-8") as more:
        more.write(json.dumps(judgement(1, PASS, UPHOLD, 1.0, model="n")) + "\n")
    with pytest.raises(InputError, match="several judge models; choose one of m, n"):
        read_published(file)


def test_pairs_are_found_by_method_id_and_both_texts(tmp_path: Path) -> None:
    line = {"method": "a", "question_id": 1, "gold_sql": "SELECT 2", "predicted_sql": "SELECT 1"}
    scores = {"rose_score": 1.0, "ex_score": 0.0}
    other = {"method": "b", "prover": FAIL, "refuter": None, "rose_score": 0.0}
    path = written(
        tmp_path / "pairs.jsonl",
        [line | scores | {"prover": PASS, "refuter": UPHOLD}, line | scores | other],
    )
    published = read_published(path)
    assert [replayed(published, case(1, method)).score for method in ("a", "b", "c")] == [1, 0, None]
    assert [published.score(case(1, method)) for method in ("a", "b", "c")] == [1.0, 0.0, None]
    for changed in (case(1, "a", pred="SELECT 3"), case(1, "a", gold="SELECT 3"), case(2, "a")):
        assert published.results_equal(changed) == (None, "")
        assert replayed(published, changed).score is None


@pytest.mark.parametrize("reply", [{}, {"verdict": "true"}, {"verdict": None}, "pass", [True]])
def test_a_recorded_reply_without_a_verdict_is_no_answer(tmp_path: Path, reply: object) -> None:
    path = written(tmp_path / "odd.jsonl", [judgement(1, reply, None, 1.0), judgement(2, PASS, reply, 1.0)])
    published = read_published(path)
    assert [replayed(published, case(number)).score for number in (1, 2)] == [None, None]


@pytest.mark.parametrize("text", ["", "\n", "{}\n", "[1]\n", '{"model": "m"}\n'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a file of published judgements"):
        read_published(path)


def test_a_line_of_another_form_is_named(file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write('{"question_id": 9}\n')
    with pytest.raises(InputError, match=r"judgements\.jsonl:12: not of the form"):
        read_published(file, model="m")


DATA = Path(os.environ.get("EQUIV_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))
JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
RUNS = published_runs(JUDGEMENTS) if JUDGEMENTS.exists() else ()


def vec_cases() -> list[Case]:
    return [
        case(item["question_id"], "bird", item["predicted_sql"], item["gold_sql"])
        for item in json.loads((DATA / "rose-vec" / "bird.json").read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("model", "run"), RUNS, ids=["-".join(names) for names in RUNS])
def test_every_published_run_is_reproduced(model: str, run: str) -> None:
    published = read_published(JUDGEMENTS, model=model, run=run)
    variant = Variant.PROVER_ONLY if run == "ProverOnly" else Variant.ROSE
    cases = vec_cases()
    assert len(cases) == 322
    scores = [(replayed(published, each, variant).score, published.score(each)) for each in cases]
    assert [ours for ours, _ in scores] == [theirs for _, theirs in scores]


def test_the_published_pairs_are_reproduced_at_the_published_number_of_calls() -> None:
    path = DATA / "rose-bench" / "pairs.jsonl"
    if not path.exists():
        pytest.skip("the published pairs are not at hand")
    published = read_published(path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [case(p["question_id"], p["method"], p["predicted_sql"], p["gold_sql"]) for p in lines]
    judged = [(replayed(published, each), published.score(each)) for each in cases]
    assert sum(ours.usage.calls for ours, _ in judged) == 3356
    open_ones = {theirs for ours, theirs in judged if ours.score is None}
    assert open_ones <= {0.0}, "what cannot be prepared was never judged, and scores 0"
    assert all(ours.score in (theirs, None) for ours, theirs in judged)
