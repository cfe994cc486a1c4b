"""Waiting for futures on the main thread."""

import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from equiv.workers.lanes import first_done, result_of

ROOT = Path(__file__).resolve().parents[2]

INTERRUPTED = """
import _thread, threading
from concurrent.futures import Future
from pathlib import Path
from equiv.workers.lanes import result_of
threading.Timer(0.05, _thread.interrupt_main).start()
try:
    result_of(Future())
except KeyboardInterrupt:
    print("noticed")
"""


def test_an_interrupt_that_wakes_nobody_is_noticed() -> None:
    """What the interpreter notes of a signal does not wake a thread that sleeps on a lock."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "noticed\n", "")


def test_the_first_that_is_done_is_told_from_the_others() -> None:
    done: Future[int] = Future()
    open_: Future[int] = Future()
    done.set_result(1)
    assert first_done([done, open_]) == ({done}, {open_})


def test_patience_ends_without_any() -> None:
    never: Future[int] = Future()
    assert first_done([never], 0) == (set(), {never})
    assert first_done([never], 0.01) == (set(), {never})


def test_an_error_is_raised_as_it_came() -> None:
    failed: Future[int] = Future()
    failed.set_exception(TimeoutError("of its own"))
    with pytest.raises(TimeoutError, match="of its own"):
        result_of(failed)
