"""The judge through ``check``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from kit.judged_zoo import (
    GOLD,
    PREDICTIONS,
)
from kit.loopback import Loopback, completes

from equiv import cli

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
    assert (code, "Score undecided: NO_ANSWER: Prover: " in shown) == (1, True)
