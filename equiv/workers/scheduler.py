"""The scheduler: what workers are given, in which order, and what is kept of it.

A kind of workers is a row (:class:`~equiv.workers.lanes.WorkerKind`).  A task is a function that a worker
calls, and its deadline; it ends in a value, or in how it was lost.  Who has tasks hands them over in one of
three ways:

- to :class:`Lanes`, one by one, as they come; what is about one thing goes to one worker, always;
- to :func:`share_out`, all at once: workers take pieces of the same work, such as the predictions for one
  gold query, as they become free, and do each piece in order; results are given as they come;
- to :func:`do_kept`, which keeps each result in a file, so that a rerun goes on from there.

A :class:`Memory` knows what was found out last, so that it is not asked again.
"""

from __future__ import annotations

import gc
import json
import math
import sys
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sized
from concurrent.futures import Future
from contextlib import ExitStack, closing
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar
from zlib import crc32

from equiv.scratch import Closing
from equiv.workers.lanes import Crashed, ForkSafe, Lane, Timeout, WorkerKind, first_done

Yielded = TypeVar("Yielded")
Piece = TypeVar("Piece")
Remembered = TypeVar("Remembered")


_starting = ForkSafe(threading.Lock)
"""Held by who starts or gives up a worker process of its own."""


class Lanes(Closing):
    """So many lanes alike, started when the first task comes; they may be used from any thread, and in forks.

    What is about one thing goes to one lane, whose worker thus knows what it needs; where nothing is said,
    all goes to the first.  Closed lanes start anew with the next task.  Lanes that nobody holds any more
    end by themselves.

    Args:
        kind: that of their workers.
        number: how many lanes there are.
    """

    def __init__(self, kind: WorkerKind, number: int = 1) -> None:
        self._kind = kind
        self._number = number
        self._open: list[Lane] = []

    def start(self, *, fork: bool = False) -> None:
        """Start the workers before the first task needs them.

        Args:
            fork: as for :class:`~equiv.workers.lanes.Lane`.
        """
        with _starting.lock:
            self._start(fork=fork)

    def lane(self, about: bytes = b"") -> Lane:
        """The lane for what is about something."""
        with _starting.lock:
            self._start()
            return self._open[place_of(about, self._number)]

    def close(self) -> None:
        """End the workers, if there are any."""
        with _starting.lock:
            lanes, self._open = self._open, []
        for lane in lanes:
            lane.close()

    def _start(self, *, fork: bool = False) -> None:
        while len(self._open) < self._number:
            lane = Lane(self._kind, fork=fork)
            weakref.finalize(self, lane.abandon)
            self._open.append(lane)


def place_of(about: bytes, number: int) -> int:
    """The number of the lane that serves a topic: the same in every process."""
    return crc32(about) % number


KEPT = 256
"""How many answers a memory keeps."""

_remembering = ForkSafe(threading.Lock)


class Memory(Generic[Remembered]):
    """The results kept by question; several threads may use it.

    Args:
        room: how much is kept; of more, that which was used least recently is forgotten.
        drop: is called with what is forgotten.
    """

    def __init__(self, room: int = KEPT, drop: Callable[[Remembered], object] | None = None) -> None:
        self._room = room
        self._taken = 0
        self._drop = drop
        self._known: OrderedDict[Hashable, tuple[Remembered, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, asked: Hashable) -> Remembered | None:
        """The kept result, if it is still known."""
        with _remembering.lock:
            if asked not in self._known:
                return None
            self._known.move_to_end(asked)
            return self._known[asked][0]

    def keep(self, asked: Hashable, found: Remembered, size: int = 1) -> None:
        """Keep this, unless it is larger than all the room, and forget what was used least recently."""
        forgotten: list[Remembered] = []
        with _remembering.lock:
            if asked in self._known:
                self._taken -= self._known.pop(asked)[1]
            if size <= self._room:
                self._known[asked] = found, size
                self._taken += size
            while self._taken > self._room:
                oldest, freed = self._known.popitem(last=False)[1]
                self._taken -= freed
                forgotten.append(oldest)
        if self._drop is not None:
            for oldest in forgotten:
                self._drop(oldest)


Course = Generator[Future[Any] | Yielded, Any, None]
"""What one worker does: it yields the future of each task, and is sent what came of that; what else it yields
is a result.  It opens its lane and, closed, ends it."""


def share_out(
    work: Iterable[Piece],
    workers: int,
    course: Callable[[Iterator[Piece]], Course[Yielded]],
    patience: float | None = None,
) -> Generator[Yielded | None]:
    """The results of work that is shared out to workers, as they come; None where none came in time.

    Pieces are taken as workers become free for them.  Closing it, or an interrupt, kills the workers.

    Args:
        work: maybe endless.
        workers: how many there are at most; none is begun for which there is no piece.
        course: what a worker does with the pieces that it draws.
        patience: seconds without a task done after which a None is given, for the caller's turn; None: any
            number.

    Raises:
        Exception: that of a task's future, or of a course.
    """
    waiting = iter(work)
    running: dict[Future[Any], Course[Yielded]] = {}
    came: deque[Yielded] = deque()

    def go_on(course: Course[Yielded], outcome: object = None) -> None:
        try:
            step = course.send(outcome)
            while not isinstance(step, Future):
                came.append(step)
                step = next(course)
        except StopIteration:
            return
        running[step] = course

    with ExitStack() as begun:
        for piece in islice(waiting, workers):
            go_on(begun.enter_context(closing(course(chain((piece,), waiting)))))
        while running:
            done, _ = first_done(running, patience)
            for task in done:
                go_on(running.pop(task), task.result())
            if not done:
                yield None
            while came:
                yield came.popleft()
        yield from came


class KeyedTask(Protocol):
    """The unit of work of one process."""

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on."""
        ...


Work = TypeVar("Work", bound=KeyedTask)

LONG_WORKER = WorkerKind(gc.collect, memory_bytes=16 * 1024**3)
"""What does kept tasks: proofs and all that is traced of them take memory."""

LONG_SECONDS = 1800.0
"""After so long a kept task is given up: it counts as lost, and is tried again by a rerun."""

REPORT_SECONDS = 120.0
"""How often progress is told."""


def do_kept(
    work: Iterable[Work],
    do: Callable[[Work], dict[str, Any]],
    workers: int,
    kept: Path,
    *,
    seconds: float = math.inf,
    tell: Callable[[str], object] = lambda line: sys.stderr.write(f"{line}\n"),
) -> Iterator[dict[str, Any] | None]:
    """The results of tasks; a result that the file has already is taken from there.

    None stands for a task that was lost: its process died, took too long, or raised; the others go on.

    Args:
        work: the tasks, maybe endless; each is taken when a process is free for it, each key once.
        do: does one, in a worker process; importable by name.
        workers: how many processes there are.
        kept: where what came of tasks is appended.
        seconds: after so long no further task is begun.
        tell: is told how far it is, and what was lost; by default standard error is.
    """
    known = {entry["key"]: entry for entry in _entries(kept)}
    kept.parent.mkdir(parents=True, exist_ok=True)
    start = told = monotonic()

    def course(tasks: Iterator[Work]) -> Course[dict[str, Any] | None]:
        with Lane(LONG_WORKER) as lane:
            while monotonic() - start < seconds and (task := next(tasks, None)) is not None:
                found = known.get(task.key)
                if found is None:
                    found = yield lane.submit(do, task, timeout=LONG_SECONDS)
                    found = _written(found, task.key)
                yield found

    def _written(found: dict[str, Any] | Timeout | Crashed, key: str) -> dict[str, Any] | None:
        match found:
            case Timeout(limit):
                tell(f"a task was lost: not finished after {limit:g} s")
            case Crashed(_, message, trace):
                tell(f"lost a task: {message}\n{trace}".rstrip())
            case _:
                file.write(json.dumps({"key": key, **found}) + "\n")
                file.flush()
                return found
        return None

    with kept.open("a", encoding="utf-8") as file:
        file.write("\n" if kept.stat().st_size and not kept.read_bytes().endswith(b"\n") else "")
        with closing(share_out(_once(work), workers, course)) as results:
            for done, found in enumerate(results, 1):
                yield found
                if monotonic() - told > REPORT_SECONDS:
                    told = monotonic()
                    of_all = f" of {len(work)}" if isinstance(work, Sized) else ""
                    tell(f"{done}{of_all} tasks, {told - start:.0f} s")


def _once(work: Iterable[Work]) -> Iterator[Work]:
    """The tasks, each key once."""
    seen = set[str]()
    for task in work:
        if task.key not in seen:
            seen.add(task.key)
            yield task


def _entries(kept: Path) -> Iterator[dict[str, Any]]:
    """What a file has; a line that was cut off is skipped."""
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue
