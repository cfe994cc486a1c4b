"""A Ray cluster of two workers on this machine gives the records that this machine gives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from kit.zoo_runs import PAIRS, records_of, without_times, write_zoo

from equiv import cli

ROOT = Path(__file__).resolve().parent.parent.parent

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed; see `make test-ray`")


def evaluate(*arguments: object) -> int:
    return cli.run(["eval", *map(str, arguments)])


@needs_ray
def test_records_are_those_of_this_machine_times_apart(tmp_path: Path) -> None:
    zoo = write_zoo(tmp_path)
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert evaluate(*zoo, "--out", here) == 0
    assert evaluate(*zoo, "--out", there, "--engine", "ray", "--workers", 2) == 0
    assert without_times(there) == without_times(here)
    assert evaluate(*zoo, "--engine", "ray", "--address", "127.0.0.1:1") == 2


@needs_ray
@pytest.mark.skipif(not Path("/proc").exists(), reason="actors are found by Linux's list of processes")
def test_a_lost_actor_costs_no_record(tmp_path: Path) -> None:
    zoo, out, whole = write_zoo(tmp_path), tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    command = [sys.executable, "-m", "equiv", "eval", *zoo, "--out", str(out), "--engine", "ray"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 300
        while not (out.exists() and out.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.005)
        for actor in stations_below(run.pid):
            os.kill(actor, signal.SIGKILL)
        assert run.wait(300) == 0
    assert evaluate(*zoo, "--out", whole) == 0
    assert len(records_of(out)) == len(PAIRS)
    assert without_times(out) == without_times(whole)


def stations_below(process: int) -> list[int]:
    """The actors of ours among the descendants of a process."""
    parents, names = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            names[int(entry.name)] = (entry / "cmdline").read_bytes()
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    below = {process}
    for _ in range(8):
        below |= {child for child, parent in parents.items() if parent in below}
    return [each for each in below if names[each].startswith(b"ray::Station")]


def test_without_ray_or_for_another_engine_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    zoo = write_zoo(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert evaluate(*zoo, "--engine", "ray") == 2
    assert evaluate(*zoo, "--engine", "spark") == 2
    assert evaluate(*zoo, "--address", "auto") == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[2].strip()[:20] for line in lines] == [
        "--engine ray needs R",
        "unknown engine 'spar",
        "--address is that of",
    ]
