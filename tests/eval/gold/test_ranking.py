"""The probability that a gold query is faulty: from what it is, and in which order it is told."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.predicted import Told, predicted
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.eval.gold.conditions import superlatives_of
from equiv.eval.gold.finding import SIGNS, Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.gold.ranking import (
    ELSEWHERE,
    SHIPPED,
    SLIPS,
    Regression,
    Tables,
    agreement_of,
    features_of,
    load_tables,
    ranked,
    results_of,
    shape_of,
    strengths_of,
    word_of_judge,
)

PLAIN = GoldQuery("zoo", 1, "SELECT COUNT(a) FROM t", "How many?")
COUNTS = GoldFinding(GoldFault.COUNTS_REPEATS, Basis.TEXT, "counts a as often as it repeats")
SLIP = GoldFinding(GoldFault.PRECEDENCE, Basis.TEXT, "AND beside OR")
EMPTY = GoldFinding(GoldFault.EMPTY, Basis.DATA, "no row")


def test_findings_are_features_and_slips_and_data_are_pooled() -> None:
    assert features_of(PLAIN, [COUNTS, SLIP, EMPTY]) == {
        "found.counts_repeats": 1.0,
        "found.slip": 1.0,
        "found.on_data": 1.0,
    }
    outvoted = GoldFinding(GoldFault.OUTVOTED, Basis.SYSTEMS, "two agree")
    assert features_of(PLAIN, [outvoted]) == {}


def test_slips_are_signs_and_no_feature_stands_twice() -> None:
    assert SLIPS <= SIGNS
    assert not SLIPS & ELSEWHERE


def test_systems_are_weighed_by_how_often_they_are_right() -> None:
    asked = predicted("equivalent", "not_equivalent", "not_equivalent", "invalid")
    strengths = {"s0": 0.5, "s1": 0.25, "s2": 0.25, "s3": 0.0}
    found = agreement_of(asked, strengths)
    assert (found["systems.proven"], found["systems.refuted"], found["systems.invalid"]) == (0.25, 0.5, 0.25)
    assert (found["systems.strong_proven"], found["systems.strong_refuted"]) == (0.5, 0.5)
    assert "systems.none_proven" not in found
    assert agreement_of(predicted("equivalent"), {"s0": 1.0}) == {}
    assert strengths_of(asked.records) == {"s0": 1.0, "s1": 0.0, "s2": 0.0, "s3": 0.0}


def test_systems_without_a_single_proof_have_no_weight_and_still_count() -> None:
    asked = predicted("not_equivalent", "not_equivalent")
    found = agreement_of(asked, strengths_of(asked.records))
    assert found["systems.none_proven"] == 1.0
    assert "systems.strong_refuted" not in found


def test_results_on_the_data_count_where_at_least_two_are_known() -> None:
    asked = predicted("equivalent", "not_equivalent", "not_equivalent", "invalid")
    strengths = {"s0": 0.5, "s1": 0.25, "s2": 0.25, "s3": 0.0}
    assert results_of(asked.records, [True, True, False, False], strengths) == {
        "results.right": 0.5,
        "results.strong_right": 0.75,
        "results.refuted_right": 0.25,
    }
    assert results_of(asked.records, [None, False, False, None], strengths) == {"results.none_right": 1.0}
    assert results_of(asked.records, [True, None, None, None], strengths) == {}
    unproven = predicted("not_equivalent", "not_equivalent")
    found = results_of(unproven.records, [True, False], strengths_of(unproven.records))
    assert found == {"results.right": 0.5, "results.refuted_right": 0.5}


def test_predictions_are_run_on_the_data_once_the_audit_asks() -> None:
    asked = predicted("not_equivalent A", "not_equivalent B", told=Told(right=("B",)))
    assert asked.same_rows == [False, True]


def test_at_least_and_last_name_are_no_superlatives() -> None:
    assert superlatives_of("List at least five, with their last names") == frozenset()
    assert superlatives_of("At most 3 of the least heavy, the last") == {"least", "last"}


def test_a_shape_ignores_aliases_and_knows_what_is_read() -> None:
    one = shape_of(
        'SELECT DISTINCT a, COUNT(b, c) FROM "T" AS x LEFT JOIN u ON x.a = u.a WHERE d BETWEEN 1 AND 2.5'
    )
    assert (one.columns, one.distinct, one.outer) == (2, True, True)
    assert one.tables == {"t", "u"}
    assert one.numbers == {1.0, 2.5}
    assert one.operators == {">=", "<="}
    assert one.aggregates == {"COUNT"}
    assert shape_of("SELECT a FROM t WHERE b = 'It''s' AND c <> 3").texts == {"it''s"}
    assert shape_of("SELECT a FROM t x") == shape_of("SELECT a FROM T AS y")


@given(st.text(max_size=60))
def test_any_text_has_a_shape(text: str) -> None:
    shape_of(text)


def test_the_likeliest_fault_comes_first_with_its_reasons() -> None:
    tables = Tables(
        alone=Regression(-1.0, {"found.counts_repeats": 0.5, "found.slip": 1.0, "asks.percentage": 3.0}),
        systems=Regression(-2.0, {"systems.none_proven": 3.0, "systems.proven": -4.0}),
        judged=Regression(0.0, {"judge.faulty": 2.0}),
        systems_judged=Regression(0.0, {"judge.faulty": 4.0}),
        results=Regression(0.0, {}),
        results_judged=Regression(0.0, {}),
    )
    other = GoldQuery("zoo", 2, "SELECT 1", "What percentage?")
    third = GoldQuery("zoo", 3, "SELECT 2")
    order = ranked(
        [(third, (COUNTS,)), (PLAIN, (COUNTS, SLIP)), (other, ())],
        {third.identity: {"systems.none_proven": 1.0}},
        tables,
    )
    assert [one.gold.question_id for one in order] == [2, 3, 1]
    assert [one.probability for one in order] == [0.8808, 0.7311, 0.6225]
    assert order[2].reasons == ("AND beside OR", "counts a as often as it repeats")
    assert order[1].reasons == ("no system is proven right",)
    assert json.loads(json.dumps(order[0].to_record()))["probability"] == 0.8808


@given(st.dictionaries(st.text(max_size=3), st.floats(-900, 900)), st.floats(-900, 900))
def test_a_probability_is_one(weights: dict[str, float], intercept: float) -> None:
    found = Regression(intercept, weights).probability(dict.fromkeys(weights, 1.0))
    assert 0 <= found <= 1
    assert not math.isnan(found)


REGRESSION: dict[str, object] = {"intercept": 0, "weights": {}}
WHOLE = dict.fromkeys(
    ("alone", "systems", "judged", "systems_judged", "results", "results_judged"), REGRESSION
)
NO_TABLES: list[object] = [
    [],
    {"alone": REGRESSION},
    {**WHOLE, "systems_judged": {"intercept": True}},
    {**WHOLE, "systems_judged": {**REGRESSION, "x": 1}},
]


@pytest.mark.parametrize("found", NO_TABLES)
def test_what_is_no_table_is_refused(found: object, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(found))
    with pytest.raises(InputError, match="no tables of a ranking"):
        load_tables(path)


def test_the_shipped_weights_are_numbers_of_known_features() -> None:
    tables = load_tables(SHIPPED)
    assert load_tables() == Tables(
        **{n: Regression(**own) for n, own in json.loads(tables.to_json()).items()}
    )
    names = {name for own in (tables.alone, tables.systems, tables.results_judged) for name in own.weights}
    assert {name.partition(".")[0] for name in names} == {
        *("found", "asks", "text", "systems", "results", "judge")
    }
    kinds = {name.removeprefix("found.") for name in names if name.startswith("found.")}
    assert kinds <= {*cast("set[str]", set(GoldFault)), "slip", "on_data"}
    assert not [name for name in tables.alone.weights if name.startswith(("systems.", "results.", "judge."))]
    assert not [name for name in tables.systems.weights if name.startswith(("results.", "judge."))]
    assert tables.systems_judged.weights["judge.faulty"] > 0


def test_what_cannot_run_comes_first_whatever_the_weights_say() -> None:
    broken = GoldFinding(GoldFault.DOES_NOT_RUN, Basis.TEXT, "no such column: nme")
    golds = [(PLAIN, (COUNTS, SLIP)), (GoldQuery("zoo", 2, "SELECT nme FROM t", "Who?"), (COUNTS, broken))]
    first = ranked(golds, {}, load_tables())[0]
    assert (first.gold.question_id, first.probability) == (2, 1.0)
    assert first.reasons[0] == broken.detail


def test_the_word_of_a_judge_is_a_feature_where_it_spoke() -> None:
    def told(correct: bool | None) -> dict[str, object]:
        return result_record(judge="m", refuter_result={"gold_correct": correct})

    assert word_of_judge([result_record(judge="m"), told(None)]) == {}
    assert word_of_judge([told(True)]) == {"judge.sound": 1.0}
    found = word_of_judge([told(True), told(False), told(False), told(None)])
    assert found == {"judge.sound": 0.3333, "judge.faulty": 0.6667, "judge.once_faulty": 1.0}
    tables = load_tables()
    assert tables.of(found) is tables.judged
    assert tables.of({**found, "systems.proven": 1.0}) is tables.systems_judged
    assert tables.of({"systems.proven": 1.0, "found.slip": 1.0}) is tables.systems
    assert tables.of({"systems.proven": 1.0, "results.right": 0.5}) is tables.results
    assert tables.of({**found, "systems.proven": 1.0, "results.none_right": 1.0}) is tables.results_judged
    assert tables.of({}) is tables.alone
