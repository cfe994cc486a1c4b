"""Verdicts made again are the same, and where those of two commits part is told by kind."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.journal import read_lines
from benchmarks.outcomes import frozen

EVERY = 650
"""Of so many golden cases one is asked."""


def _made(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[frozen.Line]:
    words = ["frozen", "make", str(path), frozen.GOLDEN, "--every", str(EVERY), "--workers", "1"]
    monkeypatch.setattr("sys.argv", words)
    assert frozen.main() == 0
    return read_lines(path)


@pytest.fixture(autouse=True)
def _own_signal() -> Iterator[None]:
    before = signal.getsignal(signal.SIGPROF)
    yield
    signal.signal(signal.SIGPROF, before)


def test_a_share_of_the_golden_cases_has_the_same_verdicts_twice() -> None:
    some = [group for group in frozen.groups([frozen.GOLDEN], EVERY) if not group.options.dialect]
    first, second = ([frozen.frozen(group)["lines"] for group in some[::2]] for _ in range(2))
    assert first == second
    assert all(line["verdict"] and line["tier"] + line["reason"] for lines in first for line in lines)


@pytest.mark.long
def test_verdicts_made_again_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    lines = _made(monkeypatch, old)
    assert len(lines) >= 3
    assert "0 tasks lost" in capsys.readouterr().out
    _made(monkeypatch, new)
    assert old.read_bytes() == new.read_bytes()
    monkeypatch.setattr("sys.argv", ["frozen", "compare", str(old), str(new)])
    assert frozen.main() == 0


def test_what_parts_is_counted_by_kind_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {
        "run": "own",
        "pair": "one",
        "texts": "ab",
        "verdict": "equivalent",
        "reason": "",
        "tier": "rules",
    }
    old = [
        {**line, "facts": [], "witness": 0},
        {**line, "pair": "two", "facts": ["not_null(t.a)"], "witness": 0},
    ]
    new = [{**old[0], "verdict": "undecided", "reason": "NO_PROOF", "tier": ""}, {**old[1], "facts": []}]
    for name, lines in (("old", old), ("new", [*new, {**old[0], "pair": "three"}])):
        (tmp_path / name).write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["frozen", "compare", str(tmp_path / "old"), str(tmp_path / "new")])
    assert frozen.main() == 1
    shown = capsys.readouterr().out
    assert "1  own: equivalent rules -> undecided NO_PROOF" in shown
    assert "1  own: facts" in shown
    assert "own | two | facts -not_null(t.a)" in shown
    assert "2 pairs in both files, 2 differ" in shown


def test_a_pair_that_uses_up_its_seconds_is_a_timeout_and_the_next_pair_has_an_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    group = next(group for group in frozen.groups([frozen.GOLDEN], EVERY))
    again = replace(group, pairs=group.pairs * 2)
    monkeypatch.setattr(frozen, "SECONDS", 0.001)
    lines = frozen.frozen(again)["lines"]
    assert [line["reason"] for line in lines] == ["TIMEOUT"] * len(again.pairs)
