"""Waiting for futures on the main thread."""

import _thread
import threading
from concurrent.futures import Future

import pytest

from equiv.workers.waiting import first_done, result_of


def test_an_interrupt_that_wakes_nobody_is_noticed() -> None:
    """What the interpreter notes of a signal does not wake a thread that sleeps on a lock."""
    never: Future[int] = Future()
    timer = threading.Timer(0.05, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        result_of(never)
    timer.join()


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
