"""A worker that ends while a file of its has a name: the name is gone with it."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest

from equiv import scratch
from equiv.workers.lanes import Crashed, Lane, Timeout, WorkerKind

PATIENCE = 60.0


def hold(seconds: float) -> str:
    with scratch.folder() as folder:
        (folder / "image").write_bytes(b"rows")
        time.sleep(seconds)
        return str(folder)


def die() -> None:
    with scratch.folder():
        os.kill(os.getpid(), signal.SIGKILL)


def nothing() -> None:
    pass


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def wait_until_held(room: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not list(room.glob("equiv-*/image")) and time.monotonic() < end:
        time.sleep(0.01)
    assert list(room.glob("equiv-*/image"))


def test_a_worker_has_a_folder_and_leaves_none(room: Path) -> None:
    with Lane(WorkerKind(nothing)) as lane:
        first = lane.call(hold, 0.0, timeout=PATIENCE)
        assert isinstance(first, str)
        assert Path(first).parent == room
        assert not list(room.iterdir())


def test_what_is_killed_for_its_time_leaves_none(room: Path) -> None:
    with Lane(WorkerKind(nothing)) as lane:
        assert isinstance(lane.call(hold, 60.0, timeout=0.5), Timeout)
        assert not list(room.iterdir())
        assert isinstance(lane.call(hold, 0.0, timeout=PATIENCE), str)


def test_what_dies_leaves_none(room: Path) -> None:
    with Lane(WorkerKind(nothing)) as lane:
        assert isinstance(lane.call(die, timeout=PATIENCE), Crashed)
        assert not list(room.iterdir())


def test_a_closed_lane_leaves_none(room: Path) -> None:
    with Lane(WorkerKind(nothing)) as lane:
        lane.submit(hold, 60.0, timeout=PATIENCE)
        wait_until_held(room)
    assert not list(room.iterdir())


def test_this_process_leaves_none_either(room: Path) -> None:
    with scratch.folder() as folder:
        assert list(room.iterdir()) == [folder]
        assert folder.stat().st_mode & 0o077 == 0
    assert not list(room.iterdir())


def test_a_task_is_cut_short_and_the_next_goes_on(room: Path) -> None:
    with Lane(WorkerKind(nothing)) as lane:
        task = lane.submit(hold, 60.0, timeout=PATIENCE)
        wait_until_held(room)
        lane.cut_short()
        assert isinstance(task.result(PATIENCE), Timeout)
        assert isinstance(lane.call(hold, 0.0, timeout=PATIENCE), str)
        lane.cut_short()
        assert isinstance(lane.call(hold, 0.0, timeout=PATIENCE), str)
