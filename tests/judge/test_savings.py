"""Savings have names, and each is counted apart."""

from __future__ import annotations

from typing import Any

import pytest

from equiv.errors import InputError
from equiv.judge.judging_terms import Saving, overruled, pairs_by_saving, savings_named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", set()),
        ("all", {*Saving} - {Saving.TRIAGE}),
        ("all,triage", set(Saving)),
        ("triage", {Saving.TRIAGE}),
        ("proof", {Saving.PROOF}),
        ("classes, execution", {Saving.CLASSES, Saving.EXECUTION}),
    ],
)
def test_savings_are_chosen_by_name(text: str, expected: set[Saving]) -> None:
    assert savings_named(text) == expected


@pytest.mark.parametrize("text", ["", "proofs", "proof,", "proof,none"])
def test_an_unknown_saving_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="unknown saving"):
        savings_named(text)


def test_pairs_are_counted_by_what_saved_their_calls() -> None:
    def record(score_by: str | None, judge: object = "o3") -> dict[str, Any]:
        return {"score_by": score_by, "judge": judge}

    records = [*map(record, ("rules", "rules", "class", "prover", "refuter", "parse", "execution", None))]
    records += [record("cache"), record("triage"), record("rules", judge=None)]
    assert pairs_by_saving(records) == {
        Saving.PROOF: 2,
        Saving.CLASSES: 1,
        Saving.EXECUTION: 1,
        Saving.CACHE: 1,
        Saving.TRIAGE: 1,
    }


def test_equal_results_overrule_what_a_database_shows() -> None:
    def record(score_by: str, verdict: str) -> dict[str, Any]:
        return {"score_by": score_by, "verdict": verdict}

    accepted = [record("execution", verdict) for verdict in ("not_equivalent", "undecided", "equivalent")]
    assert overruled([*accepted, record("refuter", "not_equivalent")]) == 1
