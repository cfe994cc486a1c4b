"""Triage through ``eval``: what is scored by probability, and what the judge is still asked."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from kit.judged_zoo import (
    evaluate,
    records_of,
    replay,
    scores,
)

from equiv import cli
from equiv.relation import RELATIONS
from equiv.verdict import Difference


def certain(path: Path, probability: float) -> Path:
    """A table of triage by which every pair is as likely to be right."""
    table: dict[str, Any] = {"intercept": math.log(probability / (1 - probability)), "slope": 1, "offset": 0}
    values = {
        "equal": ("yes", "no"),
        "settled": ("not_equivalent by generate", "equivalent by rules"),
        "difference": ("none", *Difference),
        "weakest": ("none", *map(str, RELATIONS)),
        "relation": ("bag",),
        "rows": ("as many", "more", "fewer", "none predicted", "none of gold", "no witness"),
    }
    table["weights"] = {name: dict.fromkeys(map(str, found), 0) for name, found in values.items()}
    path.write_text(json.dumps(table))
    return path


def test_triage_scores_by_probability_and_is_counted_apart(
    pairs: Path, checked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = certain(tmp_path / "table.json", 0.9)
    options = ("--savings", "proof,triage", "--triage-table", str(table), "--triage-accept", "0.9")
    assert evaluate(pairs, checked, *replay(pairs, *options)) == 0
    assert scores(checked) == {
        "proven": (1, "rules"),
        "wrong": (1, "triage"),
        "wrong again": (1, "triage"),
        "right": (1, "triage"),
        "broken": (0, "parse"),
    }
    judged = {record["source"]: record["judge"] for record in records_of(checked) if record["judge"]}
    assert judged["wrong"]["probability"] == 0.9
    assert judged["wrong"]["settings"]["triage"]["accept"] == 0.9
    capsys.readouterr()
    assert cli.run(["report", str(checked)]) == 0
    assert re.search(r"pairs without a call by triage +\| +3", capsys.readouterr().out)


def test_between_the_thresholds_the_judge_is_asked(pairs: Path, checked: Path, tmp_path: Path) -> None:
    table = certain(tmp_path / "table.json", 0.5)
    options = ("--savings", "triage", "--triage-table", str(table))
    assert evaluate(pairs, checked, *replay(pairs, *options)) == 0
    assert scores(checked)["wrong"] == (0, "prover")
    judged = [record for record in records_of(checked) if record["judge"] and record["source"] == "wrong"]
    assert {record["judge"]["probability"] for record in judged} == {0.5}
    assert evaluate(pairs, checked, *replay(pairs, *options, "--triage-reject", "0.5")) == 0
    assert scores(checked)["right"] == (0, "triage")


def test_triage_never_applies_where_it_is_not_named(pairs: Path, checked: Path) -> None:
    assert evaluate(pairs, checked, *replay(pairs, "--savings", "all")) == 0
    assert "triage" not in {by for _, by in scores(checked).values()}
    judged = [record["judge"] for record in records_of(checked) if record["judge"]]
    assert {one["probability"] for one in judged} == {None}
    assert all("triage" not in one["savings"] and "triage" not in one["settings"] for one in judged)
