"""NL2SQLBench's metrics by its equations."""

from __future__ import annotations

from math import isnan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv.eval.metrics.nl2sqlbench import (
    CLASSES,
    Answered,
    Graded,
    QuestionGrade,
    correct_at_budget,
    correct_by_recall,
    mean,
    pass_at,
    rates,
    recall_by_outcome,
    result_of,
    revision,
    selection,
    solved_by,
    spent,
)
from equiv.eval.metrics.scores import by_verdict
from equiv.eval.reading.nl2sqlbench import Module

OUTCOME = st.sampled_from(QuestionGrade)
RESULT = st.one_of(
    st.just(Graded(QuestionGrade.CORRECT)),
    st.just(Graded(QuestionGrade.INCORRECT)),
    st.builds(Graded, st.just(QuestionGrade.ERROR), st.sampled_from(CLASSES)),
)
ELEMENTS = st.frozensets(st.tuples(st.sampled_from("abcdef")))
RIGHT, WRONG = Graded(QuestionGrade.CORRECT), Graded(QuestionGrade.INCORRECT)


@given(st.lists(RESULT, min_size=1))
def test_every_query_is_correct_incorrect_or_an_error_of_one_class(results: list[Graded]) -> None:
    found = rates(results)
    assert found.correct + found.incorrect + found.error == pytest.approx(1)
    assert sum(found.classes.values()) == pytest.approx(found.error)


@given(st.lists(st.tuples(OUTCOME, OUTCOME), min_size=1))
def test_improvement_is_what_goes_right_less_what_goes_wrong(
    changes: list[tuple[QuestionGrade, QuestionGrade]],
) -> None:
    found = revision(changes)
    before = [early for early, _ in changes]
    right, wrong, failed = (before.count(outcome) for outcome in QuestionGrade)

    def of(share: float, whole: int) -> float:
        assert isnan(share) == (whole == 0)
        return share * whole if whole else 0.0

    gained = of(found.incorrect_to_correct, wrong) + of(found.error_to_correct, failed)
    lost = of(found.correct_to_incorrect, right) + of(found.correct_to_error, right)
    after = rates([Graded(late, "") for _, late in changes]).correct * len(changes)
    assert right + gained - lost == pytest.approx(after)
    if right:
        assert found.improvement == pytest.approx((gained - lost) / right)
        rate = rates([Graded(early, "") for early in before]).correct
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
    elif relevant:
        assert (found.precision, found.recall, found.f1) == (0, 0, 0)
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
    candidates: list[list[Graded]], k: int
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
        ({"verdict": "equivalent"}, Graded(QuestionGrade.CORRECT)),
        ({"verdict": "not_equivalent"}, WRONG),
        ({"verdict": "undecided"}, WRONG),
        ({"verdict": "undecided", "failure_code": "GOLD_SYNTAX"}, WRONG),
        ({"verdict": "invalid"}, Graded(QuestionGrade.ERROR, "syntax error")),
        (
            {"verdict": "invalid", "failure_code": "PRED_NO_TABLE_OR_COLUMN"},
            Graded(QuestionGrade.ERROR, CLASSES[0]),
        ),
        ({"verdict": "undecided", "failure_code": "PRED_TIMEOUT"}, Graded(QuestionGrade.ERROR, "timeout")),
        ({"verdict": "invalid", "failure_code": "PRED_EMPTY"}, Graded(QuestionGrade.ERROR, "other")),
    ],
)
def test_outcomes_come_from_records(fields: dict[str, Any], expected: Graded) -> None:
    record = result_record(**fields)
    assert result_of(record, by_verdict([record])) == expected
