"""NL2SQLBench's metrics by its equations, and its three steps from logs to tables."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

import cli
from equiv.errors import InputError
from equiv.eval.metrics.measured import by_verdict
from equiv.eval.metrics.nl2sqlbench.benchmark import (
    correct_at_budget,
    correct_by_recall,
    mean,
    pass_at,
    rates,
    recall_by_outcome,
    revision,
    selection,
    solved_by,
    spent,
)
from equiv.eval.metrics.nl2sqlbench.postprocess import CLASSES, Answered, Outcome, Result, result_of
from equiv.eval.reading.nl2sqlbench_nodes import Module, items_of, read_nodes

OUTCOME = st.sampled_from(Outcome)
RESULT = st.one_of(
    st.just(Result(Outcome.CORRECT)),
    st.just(Result(Outcome.INCORRECT)),
    st.builds(Result, st.just(Outcome.ERROR), st.sampled_from(CLASSES)),
)
ELEMENTS = st.frozensets(st.tuples(st.sampled_from("abcdef")))
RIGHT, WRONG = Result(Outcome.CORRECT), Result(Outcome.INCORRECT)


@given(st.lists(RESULT, min_size=1))
def test_every_query_is_correct_incorrect_or_an_error_of_one_class(results: list[Result]) -> None:
    found = rates(results)
    assert found.correct + found.incorrect + found.error == pytest.approx(1)
    assert sum(found.classes.values()) == pytest.approx(found.error)


@given(st.lists(st.tuples(OUTCOME, OUTCOME), min_size=1))
def test_improvement_is_what_goes_right_less_what_goes_wrong(changes: list[tuple[Outcome, Outcome]]) -> None:
    found = revision(changes)
    before = [early for early, _ in changes]
    right, wrong, failed = (before.count(outcome) for outcome in Outcome)

    def of(share: float, whole: int) -> float:
        assert isnan(share) == (whole == 0)
        return share * whole if whole else 0.0

    gained = of(found.incorrect_to_correct, wrong) + of(found.error_to_correct, failed)
    lost = of(found.correct_to_incorrect, right) + of(found.correct_to_error, right)
    after = rates([Result(late, "") for _, late in changes]).correct * len(changes)
    assert right + gained - lost == pytest.approx(after)
    if right:
        assert found.improvement == pytest.approx((gained - lost) / right)
        rate = rates([Result(early, "") for early in before]).correct
        assert found.improvement == pytest.approx((after / len(changes) - rate) / rate)
    else:
        assert isnan(found.improvement)


@given(ELEMENTS, ELEMENTS)
def test_f1_is_the_harmonic_mean_and_the_same_both_ways(relevant: Any, selected: Any) -> None:
    found, turned = selection(relevant, selected), selection(selected, relevant)
    if relevant and selected:
        assert (found.precision, found.recall) == (turned.recall, turned.precision)
        assert found.f1 == pytest.approx(turned.f1)
        # Dice: twice the common elements, of all elements of both.
        assert found.f1 == pytest.approx(2 * len(relevant & selected) / (len(relevant) + len(selected)))
    else:
        assert isnan(found.f1)


def test_a_selection_by_hand() -> None:
    relevant = frozenset({("a",), ("b",), ("c",)})
    found = selection(relevant, frozenset({("a",), ("x",)}))
    assert (found.precision, found.recall) == (1 / 2, 1 / 3)
    assert found.f1 == pytest.approx(2 / 5)
    assert mean([1.0, float("nan"), 0.0]) == 0.5
    assert isnan(mean([]))


@given(st.lists(st.lists(RESULT, min_size=1, max_size=6), min_size=1), st.integers(1, 6))
def test_pass_at_k_grows_with_k_and_starts_at_the_correct_rate(
    candidates: list[list[Result]], k: int
) -> None:
    assert pass_at(1, candidates) == rates([own[0] for own in candidates]).correct
    assert pass_at(k, candidates) <= pass_at(k + 1, candidates) <= pass_at(99, candidates)
    solved = sum(RIGHT in own for own in candidates)
    assert pass_at(99, candidates) == solved / len(candidates)


def question(
    right: bool, recall: float = 1.0, *, revised: bool | None = None, calls: int = 1, tokens: int = 100
) -> Answered:
    gold = {"t": frozenset("abc")}
    selected = {"t": frozenset("abc")} if recall == 1 else {"t": frozenset("a")}
    return Answered(
        "-",
        (RIGHT if right else WRONG,),
        None if revised is None else (RIGHT if revised else WRONG),
        selected,
        gold,
        {Module.GENERATION: (tokens, calls, 0.5)},
    )


def test_correctness_given_recall_and_recall_given_correctness() -> None:
    own = [question(True), question(True), question(False), question(True, 0.5), question(False, 0.5)]
    assert correct_by_recall(own, revised=False) == ((2 / 3, 3), (1 / 2, 2))
    # Recall of a partial selection: the table and one of three columns, 2 of 4.
    assert recall_by_outcome(own, revised=False) == ((1 + 1 + 0.5) / 3, (1 + 0.5) / 2)
    mended = [question(False, 0.5, revised=True), question(True, revised=False)]
    assert correct_by_recall(mended, revised=True) == ((0, 1), (1, 1))


def test_what_costs_more_than_the_budget_is_not_solved() -> None:
    own = [question(True, calls=1), question(True, calls=5, tokens=900), question(False)]
    assert correct_at_budget(own) == 2 / 3
    assert correct_at_budget(own, calls=4) == correct_at_budget(own, tokens=899) == 1 / 3
    assert correct_at_budget(own, calls=5, tokens=900) == 2 / 3
    assert spent(own) == pytest.approx((1100 / 3, 7 / 3, 0.5))
    assert spent(own, Module.REVISION) == (0, 0, 0)
    assert isnan(spent([])[0])


def test_questions_by_how_many_solve_them() -> None:
    told = {("d", "1"): {"a": True, "b": True}, ("d", "2"): {"a": True, "b": False}, ("d", "3"): {"a": False}}
    assert solved_by(told) == {0: 1, 1: 1, 2: 1}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"verdict": "equivalent"}, Result(Outcome.CORRECT)),
        ({"verdict": "not_equivalent"}, WRONG),
        ({"verdict": "undecided"}, WRONG),
        ({"verdict": "undecided", "failure_code": "GOLD_SYNTAX"}, WRONG),
        ({"verdict": "invalid"}, Result(Outcome.ERROR, "syntax error")),
        (
            {"verdict": "invalid", "failure_code": "PRED_NO_TABLE_OR_COLUMN"},
            Result(Outcome.ERROR, CLASSES[0]),
        ),
        ({"verdict": "undecided", "failure_code": "PRED_TIMEOUT"}, Result(Outcome.ERROR, "timeout")),
        ({"verdict": "invalid", "failure_code": "PRED_EMPTY"}, Result(Outcome.ERROR, "other")),
    ],
)
def test_outcomes_come_from_records(fields: dict[str, Any], expected: Result) -> None:
    record = result_record(**fields)
    assert result_of(record, by_verdict([record])) == expected


GOLD = "SELECT name FROM animal WHERE legs = 4"
NODES: list[dict[str, Any]] = [
    {
        "node_type": "schema_selection",
        "extracted_schema": {"Animal": ["name", "id"], "keeper": []},
        "token_cost": 1000,
        "llm_calls": 1,
    },
    {
        "node_type": "candidate_generation",
        "SQL": ["SELECT name FROM animal", "SELECT name FROM animal WHERE 4 = legs"],
        "prompt_tokens": 300,
        "completion_tokens": 100,
        "llm_calls": 2,
    },
    {
        "node_type": "query_revision",
        "PREDICTED_SQL": "SELECT name FROM animal WHERE legs IN (4)",
        "cost": 0.25,
    },
]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """One question to a system, in NL2SQLBench's form, and to another that samples."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    shared = {"question_id": 7, "db_id": "zoo", "GOLD_SQL": GOLD, "question": "Which have four legs?"}
    (one / "7_zoo.json").write_text(json.dumps([shared | node for node in NODES]))
    sampled = {"question_id": 7, "db_id": "zoo", "SQL": GOLD, "pred_sqls": ["SELEC", GOLD]}
    (other / "samples.jsonl").write_text(json.dumps(sampled) + "\n")
    (tmp_path / "zoo.sql").write_text("CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER)")
    return tmp_path


def test_logs_are_collected_into_nodes_and_pairs(logs: Path) -> None:
    nodes = list(read_nodes([logs / "one", logs / "other" / "samples.jsonl"]))
    assert [(node.system, node.module.value) for node in nodes] == [
        ("one", "schema_selection"),
        ("one", "candidate_generation"),
        ("one", "query_revision"),
        ("other", "candidate_generation"),
    ]
    assert nodes[0].schema == {"animal": frozenset({"name", "id"}), "keeper": frozenset()}
    assert [(node.tokens, node.calls, node.cost) for node in nodes[:3]] == [
        (1000, 1, 0),
        (400, 2, 0),
        (0, 0, 0.25),
    ]
    assert [item.source for item in items_of(nodes)] == ["one"] * 3 + ["other"] * 2
    assert {item.gold_sql for item in items_of(nodes)} == {GOLD}


@pytest.mark.parametrize(
    "entry", ["[1]", '[{"db_id": "zoo"}]', '[{"node_type": "dance", "question_id": 1, "db_id": "zoo"}]']
)
def test_a_log_of_another_form_is_refused(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(entry)
    with pytest.raises(InputError, match=r"log\.json: entry 0"):
        list(read_nodes([path]))


def test_from_logs_to_tables(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema, out = ("--schema", str(logs / "zoo.sql")), logs / "out.jsonl"
    folders = (str(logs / "one"), str(logs / "other"))
    assert cli.run(["eval", *folders, "--format", "nodes", *schema, "--out", str(out)]) == 0
    capsys.readouterr()
    nodes = ("--nodes", folders[0], "--nodes", folders[1], "--max-calls", "2")
    assert cli.run(["report", str(out), *schema, *nodes]) == 0
    shown = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines()]
    # Tables: animal of animal, keeper. Columns: name of name, legs; name, id were selected.
    selected = ["50.00", "100.00", "66.67", "50.00", "50.00", "50.00"]
    assert ["one", "1", *selected, "1,000.00", "1.00", "0.0000"] in rows
    rates_of = {row[0]: row[3:11] for row in rows if row[1:2] == ["all"]}
    assert rates_of["one"] == ["0.00", "100.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00"]
    assert rates_of["other"] == ["0.00", "0.00", "100.00", "0.00", "0.00", "100.00", "0.00", "0.00"]
    assert ["one", "0.00", "100.00", "100.00", "100.00", "100.00"] in rows
    # From wrong to right: nothing was right before, so that there is no CI.
    assert ["one", "1", "-", "100.00", "-", "-", "-", "0.00", "0.00", "0.2500"] in rows
    # Right in the end, but by three calls.
    assert ["one", "1", "100.00", "0.00", "1,400.00", "3.00", "0.2500"] in rows
    assert ["1 of 2", "1"] in rows
