"""Triage: its table, its thresholds, its fit, and that it stays out of what nobody asked it for."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equiv.errors import InputError
from equiv.judge.triage import fit
from equiv.judge.triage.decide import NAMES, SHIPPED, Triage, TriageTable, features_of, load_table
from equiv.judge.triage.fit import Example, examples_of, fitted, left_out, with_figures

RECORD: dict[str, Any] = {
    "db_id": "zoo",
    "verdict": "not_equivalent",
    "tier": "generate",
    "reason": None,
    "difference": "duplicates",
    "weakest": "bag/any",
    "relation": "bag",
    "evidence": {"pred_rows": [[1], [1]], "gold_rows": [[1]]},
    "predicted_sql": "SELECT legs",
    "question": "How many legs?",
    "label": True,
    "judge": {"equal": False, "savings": []},
}
FEATURES = {
    "equal": "no",
    "settled": "not_equivalent by generate",
    "difference": "duplicates",
    "weakest": "bag/any",
    "relation": "bag",
    "rows": "more",
}


def examples() -> list[Example]:
    """Equal results are right, others are right one time in three; four databases."""
    made = []
    for number in range(60):
        equal = number % 2 == 0
        features = {**FEATURES, "equal": "yes" if equal else "no", "rows": ("more", "fewer")[number // 2 % 2]}
        made.append(Example(f"db{number % 4 // 2}{number % 3 % 2}", features, equal or number % 3 == 0))
    return made


def table(**weights: dict[str, float]) -> TriageTable:
    """No weight for the one value of each feature that the record has, but for those given."""
    return TriageTable(0.0, 1.0, 0.0, {name: {FEATURES[name]: 0.0} for name in NAMES} | weights)


def test_features_are_what_the_engine_found_and_no_text() -> None:
    assert features_of(RECORD, False) == FEATURES
    assert features_of(RECORD, None)["equal"] == "unknown"
    proven = {**RECORD, "verdict": "equivalent", "tier": "rules", "difference": None, "weakest": None}
    found = features_of({**proven, "evidence": {"kind": "derivation"}}, True)
    assert list(found.values()) == ["yes", "equivalent by rules", "none", "none", "bag", "no witness"]
    other = {name: value for name, value in RECORD.items() if name not in {"question", "predicted_sql"}}
    assert features_of(other, False) == FEATURES


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ([[1]], [[2]], "as many"),
        ([[1]], [[1], [2]], "fewer"),
        ([], [[1]], "none predicted"),
        ([[1]], [], "none of gold"),
        ([], [], "none on either side"),
    ],
)
def test_rows_on_the_witness_are_a_feature(pred: list[Any], gold: list[Any], expected: str) -> None:
    record = {**RECORD, "evidence": {"pred_rows": pred, "gold_rows": gold}}
    assert features_of(record, False)["rows"] == expected


def test_a_probability_is_the_logistic_function_of_the_calibrated_sum() -> None:
    assert table().probability(FEATURES) == 0.5
    found = replace(table(equal={"no": 3.0}), intercept=-1.0, slope=2.0, offset=-4.0).probability(FEATURES)
    assert found == 0.5
    assert table(equal={"no": 0.5}).probability(FEATURES) == pytest.approx(0.6224593)
    assert table(equal={"no": 999.0}).probability(FEATURES) == 1.0
    assert table(equal={"no": -999.0}).probability(FEATURES) == pytest.approx(0.0)


def test_a_value_that_was_never_seen_has_no_probability() -> None:
    assert table().probability({**FEATURES, "settled": "not_equivalent by data"}) is None
    triage = Triage(table(equal={"yes": 0.0}))
    assert triage.probability(RECORD, False) is None
    assert triage.score(None) is None


def test_thresholds_are_inclusive_and_the_middle_is_judged() -> None:
    triage = Triage(table(), accept=0.8, reject=0.3)
    assert [triage.score(p) for p in (0.0, 0.3, 0.3001, 0.5, 0.7999, 0.8, 1.0)] == [
        0,
        0,
        None,
        None,
        None,
        1,
        1,
    ]
    for accept, reject in ((0.5, 0.5), (0.2, 0.8), (float("nan"), 0.1)):
        with pytest.raises(InputError, match="could be both"):
            Triage(table(), accept, reject)


def test_the_shipped_table_loads_and_knows_what_it_was_fitted_on() -> None:
    shipped = load_table()
    assert shipped.weights.keys() == set(NAMES)
    assert shipped.to_json() == SHIPPED.read_text(encoding="utf-8")
    assert shipped.fitted["databases"] == 11
    assert shipped.fitted["brier"] < shipped.fitted["brier_of_the_share"]
    assert shipped.probability({**FEATURES, "equal": "yes"}) > shipped.probability(FEATURES)  # type: ignore[operator]


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", "{", '{"weights": {}, "intercept": 0, "slope": 1, "offset": 0}', "null"],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"table\.json"):
        load_table(path)


def broken(change: Callable[[dict[str, Any]], object]) -> str:
    whole = json.loads(SHIPPED.read_text(encoding="utf-8"))
    change(whole)
    return json.dumps(whole)


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole["weights"].pop("equal"),
        lambda whole: whole["weights"].update(equal=[1]),
        lambda whole: whole["weights"]["equal"].update(no="1"),
        lambda whole: whole["weights"]["equal"].update(no=1e9),
        lambda whole: whole.update(slope=True),
    ],
)
def test_a_table_with_a_wrong_entry_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path = tmp_path / "table.json"
    path.write_text(broken(change))
    with pytest.raises(InputError, match="no table of triage"):
        load_table(path)


def test_the_digest_follows_what_changes_a_probability() -> None:
    same = replace(table(), fitted={"pairs": 7})
    assert same.digest == table().digest != table(equal={"no": 0.1}).digest
    assert Triage(table(), 0.9).described() != Triage(table(), 0.8).described()


def test_fitting_is_deterministic_whatever_the_order() -> None:
    made = examples()
    shuffled = random.Random(1).sample(made, len(made))
    assert fitted(made).to_json() == fitted(shuffled).to_json()


@pytest.mark.long
def test_a_fit_tells_right_from_wrong_and_leaves_a_database_out() -> None:
    made = examples()
    found = fitted(made)
    yes, no = (found.probability({**FEATURES, "equal": equal}) for equal in ("yes", "no"))
    assert yes is not None
    assert no is not None
    assert yes > 0.85
    assert no < 0.6
    odd = Example("db00", {**FEATURES, "equal": "yes", "difference": "only here"}, True)
    tables = left_out([*made, odd])
    assert tables.keys() == {one.database for one in made}
    assert [name for name, one in tables.items() if "only here" not in one.weights["difference"]] == ["db00"]
    assert with_figures([*made, odd]).fitted["foretold"] == len(made)


def test_too_little_to_fit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for few in ([], examples()[:2], [replace(one, database="one") for one in examples()]):
        with pytest.raises(InputError, match="several databases"):
            fitted(few)
    assert fit.main([str(tmp_path / "missing.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("equiv: ")


def test_only_labelled_predictions_that_run_are_examples() -> None:
    unlabelled, invalid = {**RECORD, "label": None}, {**RECORD, "verdict": "invalid"}
    assert examples_of([RECORD, unlabelled, invalid]) == [Example("zoo", FEATURES, True)]
