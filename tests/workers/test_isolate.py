"""Lanes: what a worker does to itself or to the clock ends as a value, and the next task works."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.sizes import sampled

import equiv
from equiv.core.runner import Failure, Guarded, Limits, Result, open_memory
from equiv.workers import process
from equiv.workers.lanes import Crashed, Lane, Timeout, WorkerKind

MEBIBYTE = 1024**2
# Looks for what is not there, byte by byte, within one opcode.
RUNAWAY = "SELECT instr(zeroblob(9999999), CAST(zeroblob(5000000) || x'01' AS BLOB))"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and memory limits are POSIX")

opened: list[Guarded] = []
"""In a worker: the database that the initialiser opened."""


def open_database(rows: int = 3) -> None:
    guarded = open_memory()
    guarded.connection.execute("CREATE TABLE t (a)")
    guarded.connection.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(rows)])
    opened.append(guarded)


def run(sql: str, seconds: float = 0.2) -> Result | Failure:
    return opened[0].run(sql, Limits(seconds=seconds))


def process_id() -> int:
    return os.getpid()


def end_by(number: int) -> None:
    faulthandler.disable()
    os.kill(os.getpid(), number)
    time.sleep(30)


def leave(status: int) -> None:
    os._exit(status)


def exhaust_memory() -> int:
    return len([bytearray(MEBIBYTE) for _ in range(100_000)])


def fail(message: str) -> None:
    raise ZeroDivisionError(message)


def ask_to_exit() -> None:
    raise SystemExit(3)


def unpicklable() -> object:
    return lambda: None


def echo(value: object, seconds: float = 0) -> object:
    time.sleep(seconds)
    return value


def interrupt_all() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "unmoved"


@pytest.fixture(scope="module", params=[True, False], ids=["forked", "spawned"])
def lane(request: pytest.FixtureRequest) -> Iterator[Lane]:
    """A lane whose first worker is a fork of this process, and one whose workers are all fresh."""
    with Lane(WorkerKind(open_database, (4,), 400 * MEBIBYTE), fork=request.param) as made:
        yield made


def still_works(lane: Lane) -> bool:
    return lane.call(run, "SELECT count(*) FROM t", timeout=20) == Result(((4,),), 1)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # It ended in between, or there is no such folder.
        return not Path("/proc/self/stat").exists()
    return status.rpartition(")")[2].split()[0] != "Z"


def ends_soon(process: int) -> bool:
    deadline = time.monotonic() + 5
    while is_alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(process)


def test_tasks_run_in_one_worker_in_order(lane: Lane) -> None:
    assert still_works(lane)
    futures = [lane.submit(echo, i, 0.02 if i == 0 else 0, timeout=20) for i in range(20)]
    assert [future.result() for future in futures] == list(range(20))
    assert lane.call(process_id, timeout=20) == lane.call(process_id, timeout=20) != os.getpid()


def test_a_result_beyond_the_pipe_buffer_arrives(lane: Lane) -> None:
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000)"
    sql += " SELECT i, 'text ' || i FROM n"
    result = lane.call(run, sql, 10, timeout=20)
    assert isinstance(result, Result)
    assert len(result.rows) == 50_000
    assert result.rows[-1] == (50_000, "text 50000")


def test_the_deadline_of_a_query_spares_the_worker(lane: Lane) -> None:
    worker = lane.call(process_id, timeout=20)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    result = lane.call(run, endless, timeout=20)
    assert isinstance(result, Failure)
    assert result.kind == "timeout"
    assert lane.call(process_id, timeout=20) == worker


EXPLODING = "WITH c0 AS (SELECT 1 AS a), {} SELECT count(*) FROM c40".format(
    ", ".join(f"c{i} AS (SELECT x.a FROM c{i - 1} x, c{i - 1} y)" for i in range(1, 41))
)


@pytest.mark.parametrize("sql", [RUNAWAY, EXPLODING], ids=["one opcode", "preparation"])
def test_what_the_deadline_cannot_stop_is_killed(lane: Lane, sql: str) -> None:
    worker = lane.call(process_id, timeout=20)
    assert isinstance(worker, int)
    begun = time.monotonic()
    outcome = lane.call(run, sql, timeout=0.3)
    # On a busy machine it is the clock that ends it.
    assert isinstance(outcome, Timeout | Failure | Crashed)
    assert time.monotonic() - begun < 3
    assert still_works(lane)
    if isinstance(outcome, Timeout):
        assert not is_alive(worker)


def test_a_task_queued_behind_a_killed_one_runs(lane: Lane) -> None:
    killed, next_one = lane.submit(echo, 1, 30, timeout=0.2), lane.submit(echo, 2, timeout=20)
    assert (killed.result(), next_one.result()) == (Timeout(0.2), 2)


def test_a_worker_that_is_kept_from_a_processor_has_longer_by_the_clock(
    lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lane.call(echo, 1, timeout=20) == 1
    monkeypatch.setattr(process, "_kept_waiting", lambda _: time.monotonic())
    assert lane.call(echo, 2, 0.4, timeout=0.2) == 2
    assert lane.call(echo, 3, 30, timeout=0.05) == Timeout(0.05, by_clock=True)


def test_a_cancelled_task_is_passed_over(lane: Lane) -> None:
    first, cancelled, last = (lane.submit(echo, i, 0.1, timeout=20) for i in range(3))
    assert cancelled.cancel()
    assert (first.result(), last.result()) == (0, 2)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_in_a_task_is_replaced(lane: Lane, number: signal.Signals) -> None:
    assert lane.call(end_by, int(number), timeout=20) == Crashed("died", f"killed by {number.name}")
    assert still_works(lane)


def test_a_worker_that_leaves_is_replaced(lane: Lane) -> None:
    assert lane.call(leave, 7, timeout=20) == Crashed("died", "exit code 7")
    assert still_works(lane)


@pytest.mark.parametrize("pause", [0, 0.3], ids=["at once", "later"])
def test_a_worker_killed_between_tasks_is_replaced(lane: Lane, pause: float) -> None:
    worker = lane.call(process_id, timeout=20)
    assert isinstance(worker, int)
    os.kill(worker, signal.SIGKILL)
    time.sleep(pause)
    assert still_works(lane)


def test_exhausted_memory_is_told(lane: Lane) -> None:
    assert lane.call(exhaust_memory, timeout=20) == Crashed("memory", "out of memory")
    assert still_works(lane)
    wide = "SELECT " + ", ".join(["zeroblob(9000000)"] * 200)
    result = lane.call(run, wide, 10, timeout=20)
    assert isinstance(result, Failure)
    assert result.kind == "resource"
    assert still_works(lane)


def test_what_a_function_raises_is_told(lane: Lane) -> None:
    outcome = lane.call(fail, "no\nway", timeout=20)
    assert isinstance(outcome, Crashed)
    assert (outcome.cause, outcome.message) == ("raised", "ZeroDivisionError: no way")
    assert "in fail" in outcome.trace
    for function in (ask_to_exit, unpicklable):
        ended = lane.call(function, timeout=20)
        assert isinstance(ended, Crashed)
        assert ended.cause == "raised"


def test_what_a_caller_does_wrong_raises(lane: Lane) -> None:
    with pytest.raises((AttributeError, TypeError)):
        lane.call(echo, threading.Lock(), timeout=20)
    assert still_works(lane)


def test_workers_ignore_ctrl_c(lane: Lane) -> None:
    assert lane.call(interrupt_all, timeout=20) == "unmoved"


def test_a_failing_initialiser_is_told_for_each_task() -> None:
    with Lane(WorkerKind(fail, ("cannot start",))) as lane:
        for _ in range(2):
            outcome = lane.call(echo, 1, timeout=20)
            assert isinstance(outcome, Crashed)
            assert outcome.message == "ZeroDivisionError: cannot start"


@pytest.mark.long
def test_an_abandoned_lane_ends_its_worker() -> None:
    checker = equiv.Checker("CREATE TABLE t (a INTEGER)")
    checker.check("SELECT a FROM t", "SELECT a FROM t")
    worker = checker._lanes.lane().call(process_id, timeout=20)
    assert isinstance(worker, int)
    del checker
    gc.collect()
    assert ends_soon(worker)


def test_workers_are_recycled() -> None:
    with Lane(WorkerKind(open_database, max_tasks=2)) as lane:
        workers = [lane.call(process_id, timeout=20) for _ in range(4)]
    assert workers[0] == workers[1] != workers[2] == workers[3]


def test_closing_ends_the_worker_and_what_waits_for_it() -> None:
    lane = Lane(WorkerKind(open_database))
    worker = lane.call(process_id, timeout=20)
    assert isinstance(worker, int)
    waiting = [lane.submit(echo, 1, 30, timeout=60) for _ in range(2)]
    time.sleep(0.1)
    begun = time.monotonic()
    lane.close()
    assert time.monotonic() - begun < 3
    assert [future.result(1) for future in waiting] == [Crashed("died", "the worker was closed")] * 2
    assert ends_soon(worker)
    with pytest.raises(RuntimeError, match="closed"):
        lane.submit(echo, 1, timeout=1)
    lane.close()


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from test_isolate import *

if __name__ == "__main__":
    lane = Lane(WorkerKind(open_database), fork={fork})
    print(lane.call(process_id, timeout=20), flush=True)
    lane.call({task}, timeout=60)
"""


TASKS = (("run, RUNAWAY, 60", True), ("run, RUNAWAY, 60", False), ("echo, 1, 60", False))
"""Inside SQLite, forked and spawned, and asleep, spawned."""
ENDS = [(number, *task) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL) for task in TASKS]


@sampled("number, task, fork", ENDS, 4)
def test_no_worker_outlives_its_parent(tmp_path: Path, number: signal.Signals, task: str, fork: bool) -> None:
    """SIGINT goes to the whole group, as Ctrl-C does; the others to the parent alone."""
    script = tmp_path / "parent.py"
    script.write_text(SCRIPT.format(here=str(Path(__file__).parent), task=task, fork=fork))
    command = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, Path(__file__).parents[1:3]))}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.2)
        if number is signal.SIGINT:
            os.killpg(parent.pid, number)
        else:
            parent.send_signal(number)
        assert parent.wait(5) != 0
        assert ends_soon(worker)


@pytest.mark.long
def test_a_memory_cap_counts_from_what_is_mapped() -> None:
    code = f"""
from equiv.workers.process import set_memory_cap
held = bytearray(300 * {MEBIBYTE})
set_memory_cap(200 * {MEBIBYTE})
bytearray(100 * {MEBIBYTE})
try:
    bytearray(300 * {MEBIBYTE})
except MemoryError:
    print("capped")
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout == "capped\n"
