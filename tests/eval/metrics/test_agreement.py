"""Figures of agreement, their intervals and their changes."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.eval.metrics.agreement import (
    FIGURES,
    agreement,
    agreement_blocks,
    figures_of,
)
from equiv.show.page import Grid

CONFUSION = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


def outcomes(tp: int, tn: int, fp: int, fn: int) -> list[tuple[bool, bool]]:
    return [(True, True)] * tp + [(False, False)] * tn + [(False, True)] * fp + [(True, False)] * fn


@pytest.mark.long
@given(CONFUSION)
def test_figures_are_those_of_scikit_learn(confusion: tuple[int, int, int, int]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, scores = zip(*outcomes(*confusion), strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of figures that are not defined on these pairs
        expected = {
            "kappa": metrics.cohen_kappa_score(labels, scores),
            "accuracy": metrics.accuracy_score(labels, scores),
            "MCC": metrics.matthews_corrcoef(labels, scores),
            "F1": metrics.f1_score(labels, scores, zero_division=math.nan),
        }
    assert figures_of(outcomes(*confusion)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_an_agreement_counts_and_bounds() -> None:
    found = agreement(outcomes(190, 103, 3, 26))
    assert (found.pairs, found.true_positive, found.false_positive, found.false_negative) == (322, 190, 3, 26)
    assert str(found.figures["kappa"]).startswith("80.68 [")
    for figure in found.figures.values():
        assert figure.low < figure.value < figure.high


def test_counts_and_single_outcomes_are_one_sample() -> None:
    single = outcomes(9, 4, 2, 1)
    counted = {(True, True): 9, (False, False): 4, (False, True): 2, (True, False): 1}
    assert agreement(single) == agreement(counted)


def test_grids_show_figures_and_confusion() -> None:
    figures, confusion = agreement_blocks({"all": outcomes(190, 103, 3, 26), "none": []})
    assert isinstance(figures, Grid)
    assert isinstance(confusion, Grid)
    assert figures.columns == ("metric", "labelled pairs", *FIGURES)
    assert [row[:2] for row in figures.rows] == [("all", "322"), ("none", "0")]
    assert figures.rows[1][2:] == ("-",) * len(FIGURES)
    assert confusion.rows == (
        ("all", "190", "103", "3", "26", "0.93", "8.07"),
        ("none", "0", "0", "0", "0", "-", "-"),
    )


def test_no_pair_has_no_figure() -> None:
    assert {str(agreement([]).figures[name]) for name in FIGURES} == {"-"}
