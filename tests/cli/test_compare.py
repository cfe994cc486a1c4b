"""``equiv compare``: what a run gained and lost against another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

pytest.importorskip("scipy")


def write(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def run_of(verdicts: str, source: str = "alpha", **fields: Any) -> list[dict[str, Any]]:
    """Records of a system, a letter a question: equivalent, not equivalent, undecided."""
    names = {"e": "equivalent", "n": "not_equivalent", "u": "undecided"}
    return [
        result_record(names[letter], source=source, question_id=number, **fields)
        for number, letter in enumerate(verdicts)
    ]


def test_gains_and_losses_are_listed_and_tested(equiv: Callable[..., Any], tmp_path: Path) -> None:
    old = write(tmp_path / "old.jsonl", run_of("eeeennnnnnuu"))
    new = write(tmp_path / "new.jsonl", run_of("eeeneeeennnu", predicted_sql="SELECT 3"))
    done = equiv("compare", old, new)
    assert done.code == 0
    first = done.out.splitlines()[0]
    assert first.startswith(f"may be chance  {new} (alpha) against {old} (alpha): score +30.0 [")
    assert "points on 10 common items, 4 gained, 1 lost; p = 0.375 (McNemar, exact)" in first
    assert "not measured in one run or both: 2 of 12 common items" in done.out
    assert "lost: 1" in done.out
    assert "gained: 4" in done.out
    assert "| 3           | zoo      | equivalent by rules | not equivalent" in done.out
    assert "SELECT 3" in done.out


def test_a_real_loss_says_so_and_fails_if_asked(equiv: Callable[..., Any], tmp_path: Path) -> None:
    old, new = write(tmp_path / "a.jsonl", run_of("e" * 10)), write(tmp_path / "b.jsonl", run_of("n" * 10))
    assert equiv("compare", old, new).code == 0
    done = equiv("compare", old, new, "--fail-if-worse", "--cases", "0")
    assert done.code == 1
    assert done.out.startswith("a real difference  ")
    assert "lost:" not in done.out
    assert equiv("compare", new, old, "--fail-if-worse").code == 0


def test_the_answer_as_json_has_counts_test_and_every_change(
    equiv: Callable[..., Any], tmp_path: Path
) -> None:
    old = write(tmp_path / "a.jsonl", run_of("een", ex={"ex-bird": True}))
    new = write(tmp_path / "b.jsonl", run_of("ene", ex={"ex-bird": False}))
    done = equiv("compare", old, new, "--json")
    assert done.code == 0
    told = json.loads(done.out)
    (system,) = told["systems"]
    score = system["measures"]["score"]
    assert {name: score[name] for name in ("items", "both", "gained", "lost", "neither", "p", "real")} == {
        "items": 3, "both": 1, "gained": 1, "lost": 1, "neither": 0, "p": 1.0, "real": False
    }  # fmt: skip
    assert [(one["question_id"], one["same_query"]) for one in system["gained"]] == [(2, True)]
    assert [(one["question_id"], one["after"]) for one in system["lost"]] == [(1, "not equivalent")]
    assert (system["measures"]["ex"]["lost"], told["remarks"]) == (3, [])
    by_ex = json.loads(equiv("compare", old, new, "--json", "--by", "ex").out)
    assert len(by_ex["systems"][0]["lost"]) == 3


def test_what_else_differs_between_the_runs_is_said(equiv: Callable[..., Any], tmp_path: Path) -> None:
    fact = {"kind": "not_null", "table": "t", "columns": ["a"], "grade": "observed"}
    old = run_of("eenn")
    old[3]["gold_sql"] = "SELECT 4"
    new = [record | {"relation": "set", "facts": [fact]} for record in run_of("enen")]
    new[0]["versions"] = new[0]["versions"] | {"z3": "1.0"}
    done = equiv("compare", write(tmp_path / "a.jsonl", old), write(tmp_path / "b.jsonl", new))
    assert done.code == 0
    for line in (
        "Note: left out, since the gold query differs: 1 question.",
        "Note: the relation differs (bag against set (3 items)), which alone may explain a change.",
        "Note: the facts have different grades: none against observed; see --facts.",
        "Note: the version of z3 differs: ",
    ):
        assert line in done.out
    assert "on 3 common items" in done.out


def test_systems_are_matched_by_name_and_p_values_corrected(
    equiv: Callable[..., Any], tmp_path: Path
) -> None:
    old = run_of("n" * 8) + run_of("en", source="beta") + run_of("e", source="gone")
    new = run_of("e" * 8) + run_of("ee", source="beta")
    done = equiv("compare", write(tmp_path / "a.jsonl", old), write(tmp_path / "b.jsonl", new), "--json")
    found = {one["names"][0]: one["measures"]["score"] for one in json.loads(done.out)["systems"]}
    assert set(found) == {"alpha", "beta"}
    assert found["alpha"]["p"] == pytest.approx(2 * 2 / 2**8)
    assert found["beta"]["p"] == 1.0


def test_a_retried_pair_counts_once_with_the_record_worth_most(
    equiv: Callable[..., Any], tmp_path: Path
) -> None:
    timeout = run_of("u")[0] | {"reason": "TIMEOUT"}
    old = write(tmp_path / "a.jsonl", [timeout, *run_of("e")])
    done = equiv("compare", old, write(tmp_path / "b.jsonl", run_of("e")))
    assert "no difference  " in done.out
    assert "on 1 common item," in done.out


def test_what_cannot_be_compared_is_one_line(equiv: Callable[..., Any], tmp_path: Path) -> None:
    run = write(tmp_path / "a.jsonl", run_of("en"))
    empty = write(tmp_path / "empty.jsonl", [])
    others = write(tmp_path / "b.jsonl", run_of("e", source="b") + run_of("e", source="c"))
    elsewhere = write(tmp_path / "d.jsonl", run_of("en", db_id="farm"))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    for arguments, why in (
        ((run, tmp_path / "none.jsonl"), "No such file"),
        ((run, empty), "the file has no records"),
        ((run, others), "the runs have no system in common: alpha against b, c"),
        ((run, elsewhere), "have no question in common"),
        ((run, broken), "not a record of equiv eval"),
        ((run, run, "--by", "luck"), "--by takes score or ex, not 'luck'"),
    ):
        done = equiv("compare", *arguments)
        assert (done.code, done.out) == (2, "")
        assert why in done.err
        assert len(done.err.splitlines()) == 1
