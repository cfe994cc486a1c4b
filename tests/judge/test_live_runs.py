"""A live judge through ``eval``, on the loopback interface: asked once, limited, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from kit.judged_zoo import (
    GOLD,
    PREDICTIONS,
    evaluate,
    records_of,
    scores,
)
from kit.loopback import PASSES, UPHOLDS, Loopback, completes, fails, waits

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]


def test_a_live_judge_is_shown_what_columns_hold(
    pairs: Path, checked: Path, live: tuple[str, ...], server: Loopback, tmp_path: Path
) -> None:
    described = tmp_path / "docs" / "zoo" / "database_description"
    described.mkdir(parents=True)
    (described / "animal.csv").write_text("original_column_name,column_description\nlegs,how many it has\n")
    options = (*live, "--judge-standard", "rose", "--descriptions", str(tmp_path / "docs"))
    assert evaluate(pairs, checked, *options) == 0
    system, asked = (message["content"] for message in server.bodies[0]["messages"])
    assert "- legs; meaning: how many it has" in asked
    assert "An anchor is missing or broken" in system
    judged = [record["judge"] for record in records_of(checked) if record["judge"]]
    (digest,) = {judge["settings"]["descriptions"] for judge in judged}
    assert len(digest) == 64
    asked_before = len(server.bodies)
    (described / "animal.csv").write_text("original_column_name,column_description\nlegs,other words\n")
    assert evaluate(pairs, checked, *options) == 0
    assert len(server.bodies) > asked_before


def test_a_live_judge_is_asked_once_for_each_request(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(pairs, out, *live) == 0
    assert scores(out) == {
        "proven": (1, "rules"),
        "wrong": (1, "refuter"),
        "wrong again": (1, "class"),
        "right": (1, "refuter"),
        "broken": (0, "parse"),
    }
    assert len(server.bodies) == 4
    err = capsys.readouterr().err
    assert "4 calls to the judge, 4,800 prompt tokens (4,096 of them cached), 320 completion tokens" in err
    assert evaluate(pairs, out, *live) == 0
    assert "5 records resumed" in capsys.readouterr().err
    assert evaluate(pairs, out.with_name("fresh.jsonl"), *live) == 0
    assert scores(out.with_name("fresh.jsonl"))["wrong"] == (1, "cache")
    assert len(server.bodies) == 4


def test_an_item_with_several_golds_is_judged_once_on_what_its_golds_came_to(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback
) -> None:
    question = {"db_id": "zoo", "question": "Which animals have four legs or more?"}
    golds = [GOLD, "SELECT DISTINCT name FROM animal WHERE legs > 3"]
    records = [
        question | {"question_id": 1, "method": name, "predicted_sql": PREDICTIONS[name], "gold_sql": golds}
        for name in ("proven", "right", "wrong", "broken")
    ]
    pairs.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert evaluate(pairs, out, *live) == 0
    judged = {record["source"]: record for record in records_of(out)}
    assert len(records_of(out)) == 4, "one record an item, none for a part or a comparison of golds"
    assert scores(out) == {
        "proven": (1, "rules"),
        "right": (1, "rules"),
        "wrong": (1, "refuter"),
        "broken": (0, "parse"),
    }
    assert [one["verdict"] for one in judged["right"]["golds"]] == ["not_equivalent", "equivalent"]
    assert {one["sql"] for one in judged["wrong"]["golds"]} == set(golds)
    assert len(server.bodies) == 2, "only what no gold query proves is judged: by Prover and Refuter"
    assert evaluate(pairs, out, *live) == 0
    assert (len(server.bodies), len(records_of(out))) == (2, 4), "a rerun resumes the judged items whole"


def test_an_allowance_leaves_the_rest_open_and_a_rerun_goes_on(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (*live, "--savings", "cache", "--judge-threads", 1)
    assert evaluate(pairs, out, *options, "--max-calls", 3) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [r["reason"] for r in records if r["score"] is None] == ["BUDGET"] * 3
    assert "calls that were not made: 3; the budget of 3 calls is used up" in capsys.readouterr().err
    assert len(server.bodies) == 3
    assert evaluate(pairs, out, *options) == 0
    assert None not in {score for score, _ in scores(out).values()}
    assert len(server.bodies) == 8


def test_a_dry_run_asks_nobody_and_keeps_the_verdicts(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = pairs.with_name("prices.json")
    prices.write_text('{"m": {"input": 2, "output": 8}}')
    assert evaluate(pairs, out, *live, "--dry-run", "--prices", prices) == 0
    err = capsys.readouterr().err
    assert "dry run: calls: 2 to 4" in err
    assert "dry run: cost: about $" in err
    assert server.bodies == []
    assert scores(out) == {}
    assert evaluate(pairs, out, *live) == 0
    assert scores(out)["right"] == (1, "refuter")


def test_a_record_is_replayed_without_a_network(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, tmp_path: Path
) -> None:
    transcript = tmp_path / "transcript.jsonl"
    assert evaluate(pairs, out, "--judge", f"record:{transcript}", *live[2:]) == 0
    asked = len(server.bodies)
    assert (
        evaluate(pairs, out.with_name("replayed.jsonl"), "--judge", f"replay:{transcript}", *live[2:4]) == 0
    )
    assert scores(out.with_name("replayed.jsonl")) == scores(out)
    assert len(server.bodies) == asked


def test_a_server_that_refuses_the_key_ends_the_run_in_one_line(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = fails(401)
    assert evaluate(pairs, out, *live) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("ended", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_run_that_is_ended_loses_no_record_and_pays_nothing_twice(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback, ended: tuple[int, int]
) -> None:
    lines = [
        json.loads(pairs.read_text().splitlines()[3]) | {"question_id": n, "question": f"{n}?"}
        for n in range(12)
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    server.otherwise = waits(
        0.05, lambda request: completes(UPHOLDS if b'"refuter"' in request.data else PASSES)(request)
    )
    command = [sys.executable, "-m", "equiv", "eval", str(pairs), "--schema", str(pairs.with_name("zoo.sql"))]
    command += ["--out", str(out), *live, "--judge-threads", "2", "--savings", "cache"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 30
        while (not out.exists() or out.read_bytes().count(b"\n") < 4) and time.monotonic() < deadline:
            time.sleep(0.01)
        run.send_signal(ended[0])
    assert run.returncode == ended[1]
    time.sleep(0.5)  # until its workers, which hold the results file open, have followed it
    before = scores_by_question(out)
    assert 4 <= len(before) < 12
    assert evaluate(pairs, out, *live, "--judge-threads", "2", "--savings", "cache") == 0
    after = scores_by_question(out)
    assert len(after) == 12
    assert {number: after[number] for number in before} == before
    asked = [json.dumps(body["messages"]) for body in server.bodies]
    assert len(asked) - len(set(asked)) <= 2, "at most what was under way when the run was killed"


def scores_by_question(out: Path) -> dict[int, Any]:
    whole = [line for line in out.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return {record["question_id"]: record["score"] for record in map(json.loads, whole)}
