"""Lanes: one worker process each, which can be killed and whose memory is capped.

A :class:`Lane` is one worker process that performs tasks in the order in which they were submitted. A task
that overstays its time, exhausts the memory or takes the process down ends as a value (:class:`Timeout`,
:class:`Crashed`), and the next task finds a fresh worker.

Functions and arguments are pickled, and functions must be importable by name from a module other than
``__main__``. Lanes may be used from any thread and process: a fork inherits them without their workers,
and starts its own when it needs one.

Who waits for lanes does not miss Ctrl-C. CPython can lose the wake-up: a signal that arrives while the
main thread gives way to another just before it sleeps on a lock is noticed only when it wakes. A main
thread that waits without end therefore looks up now and then.
"""

from __future__ import annotations

import atexit
import os
import pickle
import sys
import threading
from collections.abc import Callable, Collection
from concurrent import futures
from concurrent.futures import FIRST_COMPLETED, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from queue import SimpleQueue
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakSet

from equiv.scratch import Closing
from equiv.workers import process as worker_process
from equiv.workers.process import Crashed, NotBegunError, Order, Setup, TaskCall, Timeout, WorkerProcess

Value = TypeVar("Value")

_LOOK_UP = 0.5
"""Seconds after which a waiting thread looks up."""


def first_done(
    outcomes: Collection[Future[Any]], patience: float | None = None
) -> tuple[set[Future[Any]], set[Future[Any]]]:
    """The futures that are done, as soon as one is, and the others.

    Args:
        outcomes: at least one.
        patience: seconds after which none need be done; None: any number.
    """
    end = None if patience is None else monotonic() + patience
    while True:
        seconds = _LOOK_UP if end is None else min(_LOOK_UP, max(0.0, end - monotonic()))
        done, others = futures.wait(outcomes, seconds, return_when=FIRST_COMPLETED)
        if done or (end is not None and monotonic() >= end):
            return done, others


def result_of(outcome: Future[Value]) -> Value:
    """The result of a future, waited for.

    Raises:
        Exception: that of the future.
    """
    first_done([outcome])
    return outcome.result()


__all__ = ["LOST", "Crashed", "Lane", "Timeout", "has_ruined", "was_killed"]


DEFAULT_MEMORY = 2 * 1024**3
"""Bytes that a worker may map beyond what it starts with."""


@dataclass(frozen=True, slots=True)
class WorkerKind:
    """A kind of worker.

    Attributes:
        set_up: called with ``arguments`` in every new worker, before its first task; if it fails, each task
            ends as that :class:`Crashed`.
        arguments: picklable.
        memory_bytes: what a worker may map beyond what it starts with.
        max_tasks: a worker is replaced after so many tasks; 0: never.
    """

    set_up: Callable[..., object]
    arguments: tuple[object, ...] = ()
    memory_bytes: int = DEFAULT_MEMORY
    max_tasks: int = 0


_CLOSED = Crashed("died", "the worker was closed")


@dataclass(frozen=True, slots=True)
class _Task:
    order: Order
    outcome: Future[Any]
    fresh: bool


class Lane(Closing):
    """One worker process that performs tasks one after the other.

    Args:
        kind: that of its worker.
        fork: let the first worker be a fork of this process, if it has a single thread.
            For programs of our own: a fork holds on to all that its parent has open.
    """

    def __init__(self, kind: WorkerKind, *, fork: bool = False) -> None:
        self._setup = Setup(kind.memory_bytes, pickle.dumps((kind.set_up, kind.arguments)))
        self._max_tasks = kind.max_tasks
        self._closed = False
        self._worker: WorkerProcess | None = None
        self._begin_anew()
        if fork and worker_process.can_fork():
            self._worker = worker_process.fork(self._setup)
        _keep_track_of(self)
        with self._lock:
            self._start_thread()

    def submit(
        self,
        function: Callable[..., Value],
        *args: object,
        timeout: float,
        before: TaskCall | None = None,
        fresh: bool = False,
    ) -> Future[Value | Timeout | Crashed]:
        """Perform ``function(*args)`` in the worker after what was submitted before.

        Args:
            function: importable by name.
            args: its arguments, picklable.
            timeout: seconds from when the worker begins with it; then it is killed.
            before: what the worker calls first, which does not count as the task's time.
            fresh: let a new worker do it, whatever the one before has gathered in memory.

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
                raise RuntimeError("the worker is closed")
            self._start_thread()
            self._tasks.put(_Task(Order((function, args), timeout, before), outcome, fresh))
        return outcome

    def call(
        self, function: Callable[..., Value], *args: object, timeout: float, before: TaskCall | None = None
    ) -> Value | Timeout | Crashed:
        """:meth:`submit` and wait."""
        return result_of(self.submit(function, *args, timeout=timeout, before=before))

    def cut_short(self) -> None:
        """End the task at hand, if there is one, as if its time were up."""
        with self._lock:
            if self._worker is not None:
                self._worker.expire()

    def close(self) -> None:
        """Kill the worker; what is unfinished ends as :class:`Crashed`."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.kill()
            thread = self._thread
        self._tasks.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def abandon(self) -> None:
        """Close without waiting, after the task at hand; takes no lock, so that a finaliser may call it."""
        self._closed = True
        self._tasks.put(None)

    def _begin_anew(self) -> None:
        """Without a worker, a thread, or anything that another thread may have held."""
        self._lock = threading.Lock()
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._worker = None

    def _leave_to_parent(self) -> None:
        if self._worker is not None:
            self._worker.forget()
        self._begin_anew()

    def _start_thread(self) -> None:
        if self._thread is None:
            _arrange_end()
            self._thread = threading.Thread(target=self._serve, name="equiv lane", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        self._worker_at_hand()
        while task := self._tasks.get():
            if not task.outcome.set_running_or_notify_cancel():
                continue
            try:
                task.outcome.set_result(self._perform(task.order, fresh=task.fresh))
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the outcome
                task.outcome.set_exception(error)
        self._discard()

    def _perform(self, order: Order, *, fresh: bool) -> object:
        message = pickle.dumps(order)
        if fresh and self._worker is not None and self._worker.tasks:
            self._discard()
        if self._worker is not None and self._worker.is_overdue:
            self._discard()
        cause = ""
        for _ in range(2):
            worker = self._worker_at_hand()
            if isinstance(worker, Crashed):
                return worker
            try:
                outcome = worker.perform(message, order.seconds)
            except NotBegunError as error:
                cause = str(error)
                self._discard()
                continue
            spent = self._max_tasks and worker.tasks >= self._max_tasks
            if spent or has_ruined(outcome):
                self._discard()
            return _CLOSED if self._closed and isinstance(outcome, Crashed) else outcome
        return _CLOSED if self._closed else Crashed("died", cause)

    def _worker_at_hand(self) -> WorkerProcess | Crashed:
        """The worker, started if there is none; how that failed."""
        with self._lock:
            if self._closed:
                return _CLOSED
            try:
                if self._worker is None:
                    self._worker = worker_process.spawn(self._setup)
            except OSError as error:
                return Crashed("died", f"no worker process could be started: {error}")
            return self._worker

    def _discard(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def has_ruined(outcome: object) -> bool:
    """Whether an outcome cost the worker and all that it had gathered: the next task finds a fresh one."""
    return isinstance(outcome, Timeout) or (
        isinstance(outcome, Crashed) and outcome.cause in ("died", "memory")
    )


def was_killed(outcome: object) -> bool:
    """Whether somebody else killed the worker, such as a system short of memory: the task may be innocent."""
    return isinstance(outcome, Crashed) and outcome.cause == "died" and tells_of_killing(outcome.message)


def tells_of_killing(message: str) -> bool:
    """Whether the message of a :class:`Crashed`, as records keep it, says that somebody killed the worker."""
    return message.startswith(_KILLED)


LOST = "its machine was lost"
"""How the message of a :class:`Crashed` begins whose worker was beyond reach."""

_KILLED = ("killed by SIGKILL", "killed by SIGTERM", LOST)

_lanes: WeakSet[Lane] = WeakSet()
"""All of this process."""
_ends_arranged: set[int] = set()
"""The process at whose end its lanes are closed."""


def _keep_track_of(lane: Lane) -> None:
    with worker_process.starting:
        _lanes.add(lane)


def _arrange_end() -> None:
    """Let the workers of this process end before it does, and not be left to the system."""
    if os.getpid() in _ends_arranged:
        return
    _ends_arranged.add(os.getpid())
    util = sys.modules.get("multiprocessing.util")
    if util is not None and sys.modules["multiprocessing.process"].parent_process() is not None:
        util.Finalize(None, _close_all, exitpriority=100)  # it leaves without what atexit knows
    else:
        atexit.register(_close_all)


def _close_all() -> None:
    for lane in list(_lanes):
        lane.close()


def _leave_all_to_parent() -> None:
    for lane in list(_lanes):
        lane._leave_to_parent()  # noqa: SLF001 - one module
    worker_process.starting.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=worker_process.starting.acquire,
        after_in_parent=worker_process.starting.release,
        after_in_child=_leave_all_to_parent,
    )


class ForkSafe:
    """A lock of the process, which a fork of it finds free: another thread may have held it.

    Args:
        make: makes the lock.
    """

    def __init__(self, make: Callable[[], AbstractContextManager[object]]) -> None:
        self._make = make
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.lock = self._make()
