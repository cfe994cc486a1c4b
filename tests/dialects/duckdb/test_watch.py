"""The thread that interrupts: once, in time, and never what has ended; one thread for many statements."""

from __future__ import annotations

from threading import Event, active_count
from time import sleep

import pytest

pytest.importorskip("duckdb")

from equiv.dialects.duckdb.database import Watch


def test_what_takes_too_long_is_interrupted_once() -> None:
    calls, called = [], Event()

    def interrupt() -> None:
        calls.append(1)
        called.set()

    with Watch().within(0.01, interrupt):
        assert called.wait(10)
        sleep(0.03)
    assert calls == [1]


def test_an_earlier_end_comes_first() -> None:
    watch, late, soon = Watch(), Event(), Event()
    with watch.within(60, late.set), watch.within(0.01, soon.set):
        assert soon.wait(10)
    assert not late.is_set()


def test_what_has_ended_is_never_interrupted_and_starts_no_thread_of_its_own() -> None:
    watch, called = Watch(), Event()
    before = active_count()
    for _ in range(50):
        with watch.within(0.05, called.set):
            pass
    assert active_count() <= before + 1
    sleep(0.1)
    assert not called.is_set()


def test_a_watch_whose_thread_has_ended_starts_another() -> None:
    watch, called = Watch(), Event()
    with watch.within(0.001, called.set):
        assert called.wait(10)
    sleep(0.05)
    again = Event()
    with watch.within(0.001, again.set):
        assert again.wait(10)
