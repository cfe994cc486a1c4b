"""The judge through the command line: replayed, live on the loopback interface, killed and resumed."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.loopback import PASSES, UPHOLDS, Loopback, completes, fails, waits

import cli
from equiv.relation import RELATIONS
from equiv.verdict import Difference

ROOT = Path(__file__).resolve().parents[2]
DDL = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"
GOLD = "SELECT name FROM animal WHERE legs >= 4"
PREDICTIONS = {
    "proven": "SELECT name FROM animal WHERE NOT legs < 4",
    "wrong": "SELECT name FROM animal WHERE legs = 5",
    "wrong again": "SELECT name FROM animal WHERE 5 = legs",
    "right": "SELECT DISTINCT name FROM animal WHERE legs > 3",
    "broken": "SELEC name FROM animal",
}
YES = {"verdict": True, "reason": "fits"}
NO = {"verdict": False, "reason": "does not fit"}
UPHELD = {"judgement": "no flaw", "verdict": False, "ambiguity": "na", "gold_correct": True}
OVERTURNED = {
    "judgement": "a flaw",
    "verdict": True,
    "ambiguity": "ambiguous question",
    "gold_correct": False,
}
REPLIES: dict[str, tuple[Any, Any]] = {
    "proven": (None, OVERTURNED),
    "wrong": (NO, None),
    "wrong again": (YES, UPHELD),
    "right": (YES, UPHELD),
}


def written(folder: Path) -> Path:
    """One question answered by several systems, with the recorded replies of a judge."""
    (folder / "zoo.sql").write_text(DDL)
    path = folder / "pairs.jsonl"
    records = [
        {
            "method": name,
            "question_id": 1,
            "db_id": "zoo",
            "question": "Which animals have four legs or more?",
            "predicted_sql": sql,
            "gold_sql": GOLD,
            "label": name in {"proven", "right"},
            "prover": REPLIES.get(name, (None, None))[0],
            "refuter": REPLIES.get(name, (None, None))[1],
            "rose_score": None,
            "ex_score": float(name in {"proven", "right"}),
        }
        for name, sql in PREDICTIONS.items()
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of the pairs without a judge, made once."""
    folder = tmp_path_factory.mktemp("verdicts")
    assert evaluate(written(folder), folder / "out.jsonl") == 0
    return (folder / "out.jsonl").read_bytes()


@pytest.fixture
def checked(out: Path, verdicts: bytes) -> Path:
    """A results file that saves the engine's work."""
    out.write_bytes(verdicts)
    return out


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


@pytest.fixture
def live(server: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, ...]:
    """Options that ask the server."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return ("--judge", "live", "--judge-model", "m", "--judge-cache", str(tmp_path / "cache.sqlite"))


def evaluate(pairs: Path, out: Path, *options: object) -> int:
    schema = pairs.with_name("zoo.sql")
    return cli.run(["eval", *map(str, (pairs, "--schema", schema, "--out", out, "--effort", 60, *options))])


def records_of(out: Path) -> list[dict[str, Any]]:
    """All records of a results file, judged or not."""
    return [json.loads(line) for line in out.read_text().splitlines()]


def scores(out: Path) -> dict[str, tuple[Any, Any]]:
    """The judged records' scores; the last record of a key counts."""
    records = [json.loads(line) for line in out.read_text().splitlines()]
    return {record["source"]: (record["score"], record["score_by"]) for record in records if record["judge"]}


def replay(pairs: Path, *options: str) -> tuple[str, ...]:
    return ("--judge", f"replay:{pairs}", "--judge-model", "o3", *options)


def test_a_replay_without_savings_gives_the_recorded_word(
    pairs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(pairs, out, *replay(pairs, "--savings", "none")) == 0
    assert scores(out) == {
        "proven": (0, "refuter"),
        "wrong": (0, "prover"),
        "wrong again": (1, "refuter"),
        "right": (1, "refuter"),
        "broken": (0, "parse"),
    }
    assert capsys.readouterr().err.splitlines()[-1] == "equiv: 6 calls to the judge"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--savings", "proof"), {"proven": (1, "rules")}),
        (("--savings", "classes"), {"wrong again": (0, "class")}),
        (("--savings", "execution"), {"proven": (1, "execution")}),
        (("--savings", "execution", "--equality", "ex_score"), {"right": (1, "execution")}),
        (
            ("--savings", "all"),
            {"proven": (1, "rules"), "wrong again": (0, "class"), "right": (1, "refuter")},
        ),
    ],
)
def test_each_saving_has_its_own_name_among_the_scores(
    pairs: Path, checked: Path, options: tuple[str, ...], expected: dict[str, tuple[int, str]]
) -> None:
    assert evaluate(pairs, checked, *replay(pairs, *options)) == 0
    found = scores(checked)
    assert {name: found[name] for name in expected} == expected


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


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--triage-accept", "0.8"), "needs the saving 'triage'"),
        (("--savings", "triage", "--triage-accept", "0.2", "--triage-reject", "0.3"), "could be both"),
        (("--savings", "triage", "--triage-table", "missing.json"), "missing.json"),
        (("--judge-standard", "theirs"), "unknown judge standard 'theirs'; choose one of ours, rose"),
        (("--descriptions", "missing"), "missing: no such folder"),
    ],
)
def test_options_of_the_judge_that_make_no_sense_are_told_in_one_line(
    pairs: Path, checked: Path, options: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(pairs, checked, *replay(pairs, *options)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_equal_results_that_overrule_a_database_are_told(
    pairs: Path, checked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--savings", "execution", "--equality", "ex_score")
    assert evaluate(pairs, checked, *replay(pairs, *options)) == 0
    assert "2 pairs scored 1 for equal results alone, 1 of them although a database tells" in (
        capsys.readouterr().err
    )
    assert cli.run(["report", str(checked)]) == 0
    assert re.search(r"of these, told apart by a database +\| +1", capsys.readouterr().out)


def test_a_replay_without_counts_is_priced_by_estimate(
    pairs: Path, checked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"o3": {"input": 2, "output": 8}}')
    assert evaluate(pairs, checked, *replay(pairs, "--savings", "none", "--prices", str(prices))) == 0
    assert "at most: the tokens of 6 were not counted" in capsys.readouterr().err
    assert cli.run(["report", str(checked), "--prices", str(prices)]) == 0
    shown = capsys.readouterr().out
    assert "dollars (estimated)" in shown
    assert "prompt tokens (estimated: characters / 4, without hidden thoughts)" in shown
    prices.write_text('{"other": {"input": 2, "output": 8}}')
    assert cli.run(["report", str(checked), "--prices", str(prices)]) == 0
    assert "no price for 'o3'" in capsys.readouterr().out


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


def test_a_missing_reply_is_no_answer_and_tried_again(pairs: Path, out: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    lines = pairs.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if '"right"' not in line))
    assert evaluate(pairs, out, *replay(record, "--savings", "none")) == 0
    assert scores(out)["right"] == (None, None)
    written = len(out.read_text().splitlines())
    assert evaluate(pairs, out, *replay(record, "--savings", "none")) == 0
    again = [json.loads(line) for line in out.read_text().splitlines()[written:]]
    assert [(r["source"], r["reason"], r["verdict"]) for r in again] == [
        ("right", "NO_ANSWER", "not_equivalent")
    ]


def test_verdicts_of_a_run_without_a_judge_are_taken_over(
    pairs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(pairs, out) == 0
    bare = {record["source"]: record for record in map(json.loads, out.read_text().splitlines())}
    assert evaluate(pairs, out, *replay(pairs)) == 0
    judged = [json.loads(line) for line in out.read_text().splitlines()[len(bare) :]]
    assert len(judged) == len(bare)
    for record in judged:
        assert record["evidence"] == bare[record["source"]]["evidence"]
        assert (
            record["attempts"][: len(bare[record["source"]]["attempts"])]
            == bare[record["source"]]["attempts"]
        )
        assert record["key"] != bare[record["source"]]["key"]
    assert "0 records resumed" in capsys.readouterr().err


def test_the_report_comes_from_the_records(
    pairs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(pairs, out, *replay(pairs, "--savings", "none")) == 0
    capsys.readouterr()
    assert cli.run(["report", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "o3, variant rose, savings none: 5 pairs" in shown
    assert "agreement with the labels" in shown
    assert "gold query faulty" in shown
    assert cli.run(["report", str(pairs)]) == 2


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
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback
) -> None:
    options = (*live, "--savings", "cache", "--judge-threads", 1)
    assert evaluate(pairs, out, *options, "--max-calls", 3) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [r["reason"] for r in records if r["score"] is None] == ["BUDGET"] * 3
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


def test_faults_that_a_judge_found_are_told_to_the_next_one(
    pairs: Path, out: Path, live: tuple[str, ...], server: Loopback
) -> None:
    assert evaluate(pairs, out, *replay(pairs, "--savings", "none")) == 0
    later = out.with_name("later.jsonl")
    assert evaluate(pairs, later, *live, "--gold-faults", out, "--witness-evidence", "on") == 0
    asked = [body["messages"][1]["content"] for body in server.bodies]
    assert len([text for text in asked if "An earlier examination called the gold query faulty" in text]) == 2
    assert len([text for text in asked if "INSERT INTO animal" in text]) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--savings", "none"), "--savings needs a judge"),
        (("--judge", "on"), "--judge takes off, live"),
        (("--judge", "replay"), "--judge takes off, live"),
        (("--judge", "live"), "--judge-model"),
        (("--judge", "live", "--judge-model", "m"), "OPENAI_API_KEY"),
        (("--judge", "replay:none.jsonl"), "none.jsonl: No such file"),
        (("--judge", "replay:zoo.sql"), "zoo.sql"),
        (("--judge", "replay:pairs.jsonl", "--savings", "some"), "unknown saving 'some'"),
        (("--judge", "replay:pairs.jsonl", "--judge-variant", "x"), "unknown judge variant 'x'"),
        (("--judge", "replay:pairs.jsonl", "--equality", "x"), "unknown value of --equality 'x'"),
        (("--judge", "replay:pairs.jsonl", "--witness-evidence", "x"), "--witness-evidence"),
        (("--judge", "replay:pairs.jsonl", "--max-usd", "1"), "--max-usd needs --prices"),
        (("--judge", "replay:pairs.jsonl", "--dry-run"), "--dry-run goes with"),
        (
            ("--judge", "live", "--judge-model", "m", "--judge-params", "1"),
            "--judge-params takes a JSON object",
        ),
    ],
)
def test_trouble_with_options_is_exit_2_in_one_line(
    pairs: Path, out: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], says: str
) -> None:
    assert pairs.parent == Path.cwd()
    assert evaluate(pairs, out, *options) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert not out.exists()


Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(pairs: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run ``check`` on one of the predictions."""

    def run(name: str, *options: str) -> tuple[int, str, str]:
        schema = str(pairs.with_name("zoo.sql"))
        code = cli.run(["check", PREDICTIONS[name], GOLD, "--schema", schema, *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_checked_pair_is_judged_and_its_verdict_stays(
    check: Check, live: tuple[str, ...], server: Loopback
) -> None:
    code, shown, err = check("right", *live, "--question", "Which have four?", "--hint", "h")
    assert code == 1
    assert shown.startswith("not_equivalent")
    assert "Score 1 by refuter (judge m)" in shown
    assert "Prover passes the prediction: the anchors are met" in shown
    assert "Refuter upholds the prediction: no flaw" in shown
    assert "2 calls to the judge" in err
    assert "Which have four?" in server.bodies[0]["messages"][1]["content"]
    assert GOLD not in server.bodies[0]["messages"][1]["content"]
    code, shown, _ = check("right", *live, "--question", "Which have four?", "--hint", "h", "--json")
    assert (code, json.loads(shown)["score_by"]) == (1, "cache")


def test_a_proven_pair_is_not_judged(check: Check, live: tuple[str, ...], server: Loopback) -> None:
    code, shown, _ = check("proven", *live)
    assert (code, "Score 1 by rules" in shown, server.bodies) == (0, True, [])


def test_an_open_score_says_why(check: Check, live: tuple[str, ...], server: Loopback) -> None:
    server.otherwise = completes("what?")
    code, shown, _ = check("right", *live)
    assert (code, "Score open: NO_ANSWER: Prover: " in shown) == (1, True)


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
    command = [sys.executable, "-m", "cli", "eval", str(pairs), "--schema", str(pairs.with_name("zoo.sql"))]
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
