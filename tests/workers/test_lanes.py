"""Lanes together: opened when they are needed, chosen by what a task is about, kept at work in turn."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from equiv.workers.lanes import Crashed, Lane, WorkerKind
from equiv.workers.scheduler import Course, Lanes, place_of, share_out


def process_id() -> int:
    return os.getpid()


def die() -> None:
    os._exit(3)


def test_what_is_about_one_thing_goes_to_one_worker_and_the_others_do_not_share_its_fate() -> None:
    one, other = b"one", next(b"%d" % number for number in range(99) if place_of(b"%d" % number, 2) == 0)
    assert place_of(one, 2) == 1
    with Lanes(WorkerKind(gc.collect), 2) as lanes:
        first, second = (lanes.lane(about).call(process_id, timeout=20) for about in (one, other))
        assert first != second
        assert isinstance(lanes.lane(one).call(die, timeout=20), Crashed)
        assert lanes.lane(one).call(process_id, timeout=20) != first
        assert lanes.lane(other).call(process_id, timeout=20) == second


def test_closed_lanes_start_anew() -> None:
    lanes = Lanes(WorkerKind(gc.collect))
    first = lanes.lane()
    lanes.close()
    with lanes:
        assert lanes.lane() is not first
        assert lanes.lane().call(process_id, timeout=20) != os.getpid()


@pytest.mark.long
def test_lanes_that_nobody_holds_end() -> None:
    lanes = Lanes(WorkerKind(gc.collect))
    lane: Lane = lanes.lane()
    lane.call(process_id, timeout=20)
    thread = lane._thread
    assert thread is not None
    del lanes
    gc.collect()
    thread.join(20)
    assert not thread.is_alive()


def test_a_piece_is_done_in_order_by_the_worker_that_took_it_and_results_come_as_they_are_done() -> None:
    under_way: set[str] = set()
    ended: list[str] = []

    def course(pieces: Iterator[str]) -> Course[str]:
        name = f"worker {len(under_way) + len(ended)}"
        try:
            for piece in pieces:
                for part in piece:
                    assert name not in under_way
                    under_way.add(name)
                    task: Future[str] = Future()
                    task.set_result(part)
                    done = yield task
                    under_way.remove(name)
                    yield piece + done
        finally:
            ended.append(name)

    said = list(share_out(["xyz", "", "v", "w"], 2, course))
    assert sorted(filter(None, said)) == ["vv", "ww", "xyzx", "xyzy", "xyzz"]
    assert said.index("xyzx") < said.index("xyzy") < said.index("xyzz")
    assert len(ended) == 2


def test_workers_end_when_results_are_closed_and_when_one_fails() -> None:
    ended: list[str] = []

    def course(pieces: Iterator[str]) -> Course[str]:
        first = next(pieces)
        try:
            task: Future[str] = Future()
            if first != "waits":
                task.set_result(first)
            yield (yield task) + first
            raise KeyError(first)
        finally:
            ended.append(first)

    results = share_out(["waits", "fails"], 2, course)
    with pytest.raises(KeyError):
        next(results)
    assert sorted(ended) == ["fails", "waits"]
    waiting = share_out(["waits", "waits"], 3, course, 0.01)
    assert next(waiting) is None
    waiting.close()
    assert sorted(ended) == ["fails", *["waits"] * 3]


def test_no_more_workers_begin_than_there_are_pieces_and_patience_that_ends_is_told() -> None:
    task: Future[str] = Future()
    begun: list[str] = []

    def course(pieces: Iterator[str]) -> Course[str]:
        begun.extend(pieces)
        yield (yield task)

    told = share_out("a", 5, course, 0.01)
    assert next(told) is None
    task.set_result("done")
    assert (list(told), begun) == (["done"], ["a"])
