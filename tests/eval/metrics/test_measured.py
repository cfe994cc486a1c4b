"""Shares by group, their intervals, and outcomes against labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_records import result_record

from equiv.blocks import Grid, Text
from equiv.eval.metrics.measured import (
    Measured,
    against_labels,
    by_judge,
    by_verdict,
    pair_of,
    pairs_in,
    share_grid,
    wilson,
)
from equiv.eval.report import report_of


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share(counts: tuple[int, int]) -> None:
    ones, total = counts
    low, high = wilson(ones, total)
    assert 0 <= low <= ones / total <= high <= 1
    assert low < high


def test_an_interval_is_that_of_wilson() -> None:
    low, high = wilson(1, 10)  # Newcombe 1998 and others: 0.0179 to 0.4042
    assert (round(low, 4), round(high, 4)) == (0.0179, 0.4042)
    assert wilson(0, 0) == (0, 1)


def test_what_is_open_counts_as_no_and_is_told() -> None:
    records = [
        result_record("equivalent", question_id=1, difficulty="simple"),
        result_record("not_equivalent", question_id=2, difficulty="simple"),
        result_record("undecided", question_id=3, difficulty="hard"),
        result_record("invalid", question_id=4),
    ]
    grid = share_grid(records, [by_verdict(records)], "difficulty")
    assert grid.columns == ("difficulty", "pairs", "equiv")
    shown = [(row[0], row[1], row[2].partition(" ")[0], row[2].partition(", ")[2]) for row in grid.rows]
    assert [(name, pairs, share) for name, pairs, share, _ in shown] == [
        ("simple", "2", "50.0"),
        ("hard", "1", "0.0"),
        ("-", "1", "0.0"),
        ("all", "4", "25.0"),
    ]
    assert grid.rows[1][2].endswith("1 open")
    assert "open" not in grid.rows[0][2]


def test_a_pair_with_and_without_a_judge_is_one_pair() -> None:
    bare, judged = result_record("undecided"), result_record("undecided", judge="o3", score=1, label=True)
    assert bare["key"] != judged["key"]
    assert pair_of(bare) == pair_of(judged)
    assert pairs_in([bare, judged]) == [judged]
    (scores,) = by_judge([bare, judged])
    assert scores == Measured("o3, variant rose, savings none", {pair_of(bare): True})
    assert against_labels([judged], scores) == {(True, True): 1}


def test_a_judge_that_gives_no_score_is_open() -> None:
    (scores,) = by_judge([result_record("undecided", judge="o3", score=None, label=True)])
    assert scores.scores == {}


def test_labels_that_are_no_truth_values_are_left_out() -> None:
    records = [
        result_record(question_id=n, label=label) for n, label in enumerate([True, False, None, "maybe"])
    ]
    assert against_labels(records, by_verdict(records)) == {(True, True): 1, (False, True): 1}


def test_the_report_groups_where_there_are_groups() -> None:
    records = [
        result_record("equivalent", source=source, question_id=number, label=number == 1)
        for source in ("one", "two")
        for number in (1, 2)
    ]
    titles = [block.title for block in report_of(records) if isinstance(block, Grid)]
    assert titles == [
        "scored 1: percent of all pairs with 95 % intervals",
        "scored 1, by system: percent of all pairs with 95 % intervals",
        "agreement with the labels, percent with 95 % intervals",
        "confusion: a score of 1 is positive",
    ]
    assert report_of([]) == [Text("No record.")]


@pytest.mark.parametrize("label", [True, False])
def test_without_labels_there_is_no_agreement(label: bool) -> None:
    unlabelled = report_of([result_record()])
    labelled = report_of([result_record(label=label)])
    assert len(labelled) == len(unlabelled) + 2
