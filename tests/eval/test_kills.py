"""``kill -9`` of a worker or of the run itself: after a rerun no record is lost, doubled or another."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from kit.zoo_runs import PAIRS, records_of, without_times, write_zoo

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 300
"""Seconds that a busy machine may take."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not list(Path("/proc/self/task").glob("*/children")), reason="workers are found by /proc"
    ),
]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the evaluation, and whole.jsonl, which nobody disturbed."""
    folder = tmp_path_factory.mktemp("zoo")
    write_zoo(folder)
    assert equiv(folder, "whole.jsonl").wait(PATIENCE) == 0
    return folder


def equiv(folder: Path, out: str) -> subprocess.Popen[str]:
    files = (str(folder / "system.jsonl"), "--schema", str(folder / "ddl"))
    # What misses would need is looked for as long as there is time, which no two runs share.
    command = [sys.executable, "-m", "equiv", "eval", *files, "--no-conditions"]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*command, "--out", str(folder / out)], cwd=ROOT, stdout=pipe, stderr=pipe, text=True
    )


def wait_for(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert what()


def written(path: Path) -> bool:
    return path.exists() and b"\n" in path.read_bytes()


@contextmanager
def stopped_worker(run: subprocess.Popen[str], out: Path) -> Iterator[int]:
    """The worker of a run, brought to a halt once a record is written; killed in the end."""
    wait_for(lambda: written(out))
    threads = Path(f"/proc/{run.pid}/task").glob("*/children")
    (worker,) = [int(child) for thread in threads for child in thread.read_text().split()]
    os.kill(worker, signal.SIGSTOP)
    try:
        yield worker
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def test_a_killed_worker_costs_no_verdict(zoo: Path) -> None:
    out = zoo / "worker.jsonl"
    run = equiv(zoo, out.name)
    with stopped_worker(run, out):
        assert len(records_of(out)) < len(PAIRS)
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 0
    assert without_times(out) == without_times(zoo / "whole.jsonl")
    assert [record["verdict"] for record in records_of(out)].count("undecided") == 0


def test_a_killed_run_is_resumed_and_a_cut_off_line_is_done_again(zoo: Path) -> None:
    out = zoo / "run.jsonl"
    run = equiv(zoo, out.name)
    with stopped_worker(run, out):
        run.kill()
        run.communicate()
        before = len(records_of(out))
        assert 0 < before < len(PAIRS)
    with out.open("a") as file:
        file.write('{"key": "ab')
    again = equiv(zoo, out.name)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert (
        err.splitlines()[0] == f"equiv: {before} records resumed from {out}, {len(PAIRS) - before} appended"
    )
    assert without_times(out) == without_times(zoo / "whole.jsonl")
