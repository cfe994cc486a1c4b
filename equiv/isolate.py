"""Work in a process that can be killed and whose memory is capped.

A :class:`Lane` is one worker process that performs tasks in the order in which
they were submitted.  A task that overstays its time, exhausts the memory or takes
the process down ends as a value (:class:`Timeout`, :class:`Crashed`), and the next
task finds a fresh worker.  The worker ignores Ctrl-C, which is the parent's to
handle, and dies with its parent.

A lane that is made while the parent has a single thread forks its workers: a
matter of milliseconds.  Beside other threads a fork may copy a lock that nobody
will ever release, so there, and where there is no fork, workers come from a fork
server or are spawned; functions and arguments must therefore be picklable, and a
script that makes lanes needs its ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, Self, TypeVar

from pebble import CONSTS, ProcessExpired, ProcessPool

if sys.platform != "win32":
    import resource

Value = TypeVar("Value")

CONSTS.sleep_unit = 0.01
"""Seconds between pebble's looks at deadlines and at the end of its workers; its 0.1 shows in every close."""

DEFAULT_MEMORY = 2 * 1024**3
"""Bytes that a worker may map beyond what it starts with."""

_STUCK = 60.0
"""Seconds beyond a task's own time after which its pool is given up, initialiser included."""
_CLOSING = 10.0
"""Seconds that closing a lane waits for its worker to end."""
_ORPHANED = 5.0
"""Seconds beyond a task's own time after which the kernel ends a worker that nobody ended."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """The task was killed after its time, in seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Crashed:
    """The task ended without a value."""

    cause: Literal["memory", "died", "raised"]
    """Memory exhausted; the process ended (killed, segmentation fault); the function raised."""
    message: str
    trace: str = ""
    """The traceback of a function that raised."""


@dataclass(frozen=True, slots=True)
class _Task:
    function: Callable[..., Any]
    args: tuple[object, ...]
    timeout: float
    outcome: Future[Any]


class Lane:
    """One worker process that performs tasks one after the other.

    Args:
        initialiser: called with ``args`` in every new worker, before its first
            task.  If it fails, each task ends as that :class:`Crashed`.
        memory_bytes: what a worker may map beyond what it starts with.
        max_tasks: a worker is replaced after so many tasks; 0: never.
    """

    def __init__(
        self,
        initialiser: Callable[..., object],
        *args: object,
        memory_bytes: int = DEFAULT_MEMORY,
        max_tasks: int = 0,
    ) -> None:
        self._entry = (memory_bytes, initialiser, args)
        self._max_tasks = max_tasks
        self._pool = self._new_pool()
        self._lock = threading.Lock()
        self._running: Future[bytes] | None = None
        self._closed = False
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="equiv lane", daemon=True)
        self._thread.start()

    def submit(
        self, function: Callable[..., Value], *args: object, timeout: float
    ) -> Future[Value | Timeout | Crashed]:
        """Perform ``function(*args)`` in the worker after what was submitted before.

        Args:
            function: importable by name.
            args: its arguments, picklable.
            timeout: seconds from when the worker begins with it; then it is killed.

        Returns:
            A future that ends in the function's value, :class:`Timeout` or
            :class:`Crashed`; it raises only what a caller did wrong, such as an
            argument that cannot be pickled.  Cancelling it works until it begins.

        Raises:
            RuntimeError: the lane is closed.
        """
        outcome: Future[Value | Timeout | Crashed] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the lane is closed")
            self._tasks.put(_Task(function, args, timeout, outcome))
        return outcome

    def call(
        self, function: Callable[..., Value], *args: object, timeout: float
    ) -> Value | Timeout | Crashed:
        """:meth:`submit` and wait."""
        return self.submit(function, *args, timeout=timeout).result()

    def close(self) -> None:
        """Kill the worker; what is unfinished ends as :class:`Crashed`."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running.cancel()
        self._tasks.put(None)
        self._thread.join()
        _discard(self._pool).join(_CLOSING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _new_pool(self) -> ProcessPool:
        memory_bytes, initialiser, args = self._entry
        pool = ProcessPool(
            max_workers=1,
            max_tasks=self._max_tasks,
            initializer=_enter,
            initargs=(memory_bytes, initialiser, args),
            context=_context(initialiser.__module__),
        )
        if not pool.active:  # asking starts it, here and now
            raise OSError("no worker process could be started")
        return pool

    def _give_up_pool(self) -> None:
        _discard(self._pool)
        self._pool = self._new_pool()

    def _serve(self) -> None:
        while task := self._tasks.get():
            if not task.outcome.set_running_or_notify_cancel():
                continue
            try:
                task.outcome.set_result(self._perform(task))
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the outcome
                task.outcome.set_exception(error)

    def _perform(self, task: _Task) -> object:
        for _ in range(2):
            try:
                reply = self._start(task).result(task.timeout + _STUCK)
            except ProcessExpired as death:
                return Crashed("died", _how_it_ended(death.exitcode))
            except CancelledError:
                return Crashed("died", "the lane was closed")
            except TimeoutError:
                if self._running is not None and not self._running.done():
                    self._give_up_pool()
                return Timeout(task.timeout)
            except RuntimeError:
                # The worker died between two tasks, at which pebble breaks the pool; this one never began.
                self._give_up_pool()
            else:
                return pickle.loads(reply)  # noqa: S301 - our own worker wrote it
        return Crashed("died", "no worker process could be started")

    def _start(self, task: _Task) -> Future[bytes]:
        with self._lock:
            if self._closed:
                raise CancelledError
            self._running = self._pool.schedule(
                _perform_here, args=(task.function, task.args, task.timeout), timeout=task.timeout
            )
            return self._running


def set_memory_cap(extra: int) -> None:
    """Cap what this process may map at ``extra`` bytes beyond what it maps now.

    Python then raises MemoryError, and SQLite and Z3 report that memory ran out.
    Does nothing where the system has no such limit.
    """
    if sys.platform == "win32":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    cap = _mapped() + extra
    if hard != resource.RLIM_INFINITY:
        cap = min(cap, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (cap, hard))


def _mapped() -> int:
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0


def _context(preload: str) -> BaseContext:
    if sys.platform == "linux" and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, preload])
    return context


def _discard(pool: ProcessPool) -> threading.Thread:
    """Stop a pool; the thread that waits for its end, which never comes if a worker died while it replied."""
    pool.stop()  # type: ignore[no-untyped-call]
    waiting = threading.Thread(target=pool.join, daemon=True)
    waiting.start()
    return waiting


def _how_it_ended(exitcode: int) -> str:
    return f"killed by {signal.Signals(-exitcode).name}" if exitcode < 0 else f"exit code {exitcode}"


# What follows runs in the worker.

_start_failures: list[Crashed] = []
"""How the initialiser of this worker failed, if it did."""


def _enter(memory_bytes: int, initialiser: Callable[..., object], args: tuple[object, ...]) -> None:
    # pebble's handler needs the interpreter, which a runaway step inside SQLite or Z3 never gives back.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    set_memory_cap(memory_bytes)
    outcome = _attempt(initialiser, args)
    if isinstance(outcome, Crashed):
        _start_failures.append(outcome)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _perform_here(function: Callable[..., object], args: tuple[object, ...], timeout: float) -> bytes:
    if _start_failures:
        return pickle.dumps(_start_failures[0])
    _end_after(timeout + _ORPHANED)
    reply = _attempt(_pickled, (function, args))
    _end_after(0)
    return pickle.dumps(reply) if isinstance(reply, Crashed) else reply


def _end_after(seconds: float) -> None:
    """Let the kernel end this process then, even if it never gives up the interpreter; 0: never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _pickled(function: Callable[..., object], args: tuple[object, ...]) -> bytes:
    return pickle.dumps(function(*args))


def _attempt(function: Callable[..., Value], args: tuple[object, ...]) -> Value | Crashed:
    try:
        return function(*args)
    except MemoryError:
        return Crashed("memory", "out of memory")
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent gets it as a value
        message = " ".join(f"{type(error).__name__}: {error}".split())
        return Crashed("raised", message, traceback.format_exc())
