"""A judge replayed through ``eval``: scores, savings, prices, what is taken over, what is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kit.judged_zoo import (
    evaluate,
    replay,
    scores,
)
from kit.loopback import Loopback

from equiv import cli


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
    assert re.search(r"of these, distinguished by a database +\| +1", capsys.readouterr().out)


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


@pytest.mark.long
def test_a_missing_reply_is_no_answer_and_tried_again(pairs: Path, out: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    lines = pairs.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if '"right"' not in line))
    options = *replay(record, "--savings", "none"), "--no-conditions"
    assert evaluate(pairs, out, *options) == 0
    assert scores(out)["right"] == (None, None)
    written = len(out.read_text().splitlines())
    assert evaluate(pairs, out, *options) == 0
    again = [json.loads(line) for line in out.read_text().splitlines()[written:]]
    assert [(r["source"], r["reason"], r["verdict"]) for r in again] == [
        ("right", "NO_ANSWER", "not_equivalent")
    ]


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
        (("--judge", "replay:pairs.jsonl", "--dry-run"), "--dry-run needs"),
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
