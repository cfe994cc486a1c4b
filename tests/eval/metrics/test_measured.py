"""Shares by group, their intervals, and outcomes against labels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv.eval.metrics.registry import Measurement, MetricContext, measure
from equiv.eval.metrics.scores import (
    Measured,
    against_labels,
    by_judge,
    by_verdict,
    group_grid,
    pair_of,
    pairs_in,
    share_grid,
    wilson,
)
from equiv.eval.report import mistakes, report_of
from equiv.show.page import Grid, Text

NONE = Measurement(())


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


def test_a_share_is_one_of_what_was_measured_and_what_was_not_is_told() -> None:
    records = [
        result_record("equivalent", question_id=1, difficulty="simple"),
        result_record("not_equivalent", question_id=2, difficulty="simple"),
        result_record("undecided", question_id=3, difficulty="hard"),
        result_record("invalid", question_id=4, difficulty="hard"),
        result_record("undecided", question_id=5),
    ]
    measured = by_verdict(records)
    assert share_grid(records, [measured]).rows == (("equiv", "1", "3", "33.3 [6.1, 79.2]", "2"),)
    grid = group_grid(records, [measured], "difficulty")
    assert grid.columns == ("difficulty", "pairs", "equiv")
    assert grid.rows == (
        ("simple", "2", "50.0 [9.5, 90.5]"),
        ("hard", "2", "0.0 [0.0, 79.3] (1)"),
        ("-", "1", "-"),
    )
    # Two systems answer one question: their pairs together are no sample, and have no interval.
    both = [*records, result_record("equivalent", question_id=1, difficulty="simple", source="other")]
    pooled = group_grid(both, [by_verdict(both)], "difficulty")
    assert (pooled.rows[0], "95 %" in pooled.title) == (("simple", "3", "66.7"), False)


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
    titles = [block.title for block in report_of(records, NONE) if isinstance(block, Grid)]
    one = [block.title for block in report_of(records[:2], NONE) if isinstance(block, Grid)]
    assert one[0] == "2 pairs by each metric", "of two systems no interval is told over their pairs together"
    assert titles == [
        "scored 1, by system: percent of measured pairs, 95 %; in brackets those not measured",
        "agreement with the labels, percent with 95 % intervals",
        "confusion: a score of 1 is positive",
        "against the labels: percent of pairs",
    ]
    assert report_of([], NONE) == [Text("No record.")]


def test_each_part_of_a_wide_table_says_which_it_is() -> None:
    records = [result_record("equivalent", question_id=number, label=number == 1) for number in (1, 2)]
    measures = [replace(by_verdict(records), name=f"metric {number}") for number in range(6)]
    titles = [grid.title for grid in mistakes(records, measures) if isinstance(grid, Grid)]
    assert titles[:2] == [
        "against the labels: percent of pairs; metric 0 to metric 4",
        "against the labels: percent of pairs; metric 5",
    ]


@pytest.mark.parametrize("label", [True, False])
def test_without_labels_there_is_no_agreement(label: bool) -> None:
    unlabelled = report_of([result_record()], NONE)
    labelled = report_of([result_record(label=label)], NONE)
    assert len(labelled) == len(unlabelled) + 3


def test_the_best_of_several_golds_counts_and_none_at_all_is_open() -> None:
    golds = [{"sql": "SELECT 1"}, {"sql": "SELECT 2"}]
    records = [
        result_record(question_id=1, golds=golds),
        result_record(question_id=2),
        result_record("invalid", question_id=3, predicted_sql="", gold_sql=""),
    ]
    (em,) = measure(records, MetricContext()).measures
    assert [em.scores.get(pair_of(record)) for record in records] == [True, False, None]
