"""Lanes together: opened when they are needed, chosen by what a task is about, kept at work in turn."""

from __future__ import annotations

import gc
import os
from collections import deque
from concurrent.futures import Future

import pytest

from equiv.workers.lanes import Crashed, Lane, Lanes, in_turn, place_of


def process_id() -> int:
    return os.getpid()


def die() -> None:
    os._exit(3)


def test_what_is_about_one_thing_goes_to_one_worker_and_the_others_do_not_share_its_fate() -> None:
    one, other = b"one", next(b"%d" % number for number in range(99) if place_of(b"%d" % number, 2) == 0)
    assert place_of(one, 2) == 1
    with Lanes(gc.collect, number=2) as lanes:
        first, second = (lanes.lane(about).call(process_id, timeout=20) for about in (one, other))
        assert first != second
        assert isinstance(lanes.lane(one).call(die, timeout=20), Crashed)
        assert lanes.lane(one).call(process_id, timeout=20) != first
        assert lanes.lane(other).call(process_id, timeout=20) == second


def test_closed_lanes_start_anew() -> None:
    lanes = Lanes(gc.collect)
    first = lanes.lane()
    lanes.close()
    with lanes:
        assert lanes.lane() is not first
        assert lanes.lane().call(process_id, timeout=20) != os.getpid()


@pytest.mark.long
def test_lanes_that_nobody_holds_end() -> None:
    lanes = Lanes(gc.collect)
    lane: Lane = lanes.lane()
    lane.call(process_id, timeout=20)
    thread = lane._thread
    assert thread is not None
    del lanes
    gc.collect()
    thread.join(20)
    assert not thread.is_alive()


def test_each_course_does_one_thing_at_a_time_until_none_goes_on() -> None:
    courses: dict[str, deque[str]] = {"a": deque("xyz"), "b": deque(), "c": deque("v")}
    under_way: set[str] = set()
    said: list[str] = []

    def go_on(name: str, done: Future[str] | None) -> Future[str] | None:
        if done is not None:
            under_way.remove(name)
            said.append(name + done.result())
        if not courses[name]:
            return None
        assert name not in under_way
        under_way.add(name)
        task: Future[str] = Future()
        task.set_result(courses[name].popleft())
        return task

    assert all(in_turn(courses, go_on))
    assert sorted(said) == ["ax", "ay", "az", "cv"]
    assert said.index("ax") < said.index("ay") < said.index("az")


def test_patience_that_ends_is_told() -> None:
    task: Future[str] = Future()
    told = in_turn(["a"], lambda _, done: task if done is None else None, 0.01)
    assert not next(told)
    task.set_result("")
    assert list(told)[-1]
