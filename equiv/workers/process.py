"""One worker process: its inside, and as its parent sees it: started, given tasks, killed.

Tasks come through one pipe, replies leave through another.  A worker is a fresh interpreter that runs
:func:`main` and never the program that wants it: no ``__main__`` is imported, so scripts need no guard, and
it may be started beside any number of threads, in notebooks, and from processes that are themselves workers.
A program that is ours and has a single thread may fork instead, which is quicker; the fork runs
:func:`serve`.  A worker ignores Ctrl-C, which is the parent's to handle, and ends when its parent has gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any, BinaryIO, Literal, NoReturn, Protocol

from equiv import scratch

if sys.platform != "win32":
    import resource

TaskCall = tuple[Callable[..., Any], tuple[object, ...]]
"""A function that is importable by name, and its arguments."""

BEGUN = b""
"""What the worker says when a task's own time begins; its reply follows."""

PATIENCE = 6.0
"""A task is killed after so many times its own time, however long its worker was kept from a processor."""

_ORPHANED = 5.0
"""Seconds beyond the most that a task may take after which the kernel ends a worker that nobody ended."""

_SIZE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Crashed:
    """The task ended without a value."""

    cause: Literal["memory", "died", "raised"]
    """Memory exhausted; the process ended (killed, segmentation fault); the function raised."""
    message: str
    trace: str = ""
    """The traceback of a function that raised."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The set-up that a worker receives first."""

    memory_bytes: int
    """What it may map beyond what it starts with."""
    initialiser: bytes
    """A pickled :data:`TaskCall`; read under the memory cap; if it fails, that is every task's outcome."""
    scratch: str = ""
    """What it calls the folder of :mod:`equiv.scratch`."""


@dataclass(frozen=True, slots=True)
class Order:
    """A task as it goes to the worker."""

    call: TaskCall
    seconds: float
    """The time of the task itself."""
    before: TaskCall | None = None
    """What is called first, at nobody's expense: the time counts from its end."""


def write_message(pipe: BinaryIO, message: bytes) -> None:
    """Send a message, length first.

    Raises:
        OSError: nobody reads any more.
    """
    rest = memoryview(len(message).to_bytes(_SIZE_BYTES, "big") + message)
    while rest:
        rest = rest[pipe.write(rest) :]


def read_message(pipe: BinaryIO) -> bytes:
    """The next message.

    Raises:
        EOFError: nobody writes any more.
    """
    return _read_exactly(pipe, int.from_bytes(_read_exactly(pipe, _SIZE_BYTES), "big"))


def _read_exactly(pipe: BinaryIO, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        part = pipe.read(min(size - len(found), 1 << 20))
        if not part:
            raise EOFError
        found += part
    return bytes(found)


def main() -> NoReturn:
    """Serve on standard input and output; what tasks print goes nowhere."""
    orders, replies = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    serve(orders, replies)


def serve(orders: BinaryIO, replies: BinaryIO) -> NoReturn:
    """Perform what comes until the parent closes its end; never returns."""
    try:
        _reset_signals()
        inbox: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_receive, args=(orders, inbox), daemon=True).start()
        failure = _attempted(_start, inbox.get())
        while True:
            message = inbox.get()
            reply = failure or _attempted(_perform, message, replies)
            _end_after(0)
            write_message(replies, reply)
    finally:
        os._exit(1)


def _reset_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A handler of Python needs the interpreter, which a runaway step inside SQLite or Z3 never gives back.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _receive(orders: BinaryIO, inbox: SimpleQueue[bytes]) -> None:
    """Pass on what comes; the end of the parent is the end of this process, whatever it is doing."""
    try:
        while True:
            inbox.put(read_message(orders))
    finally:
        scratch.leave()
        os._exit(1)


def _start(message: bytes) -> bytes:
    """No bytes, if the worker is set up; what failed else, as a reply says it."""
    setup = pickle.loads(message)  # noqa: S301 - our parent wrote it
    scratch.use(setup.scratch)
    set_memory_cap(setup.memory_bytes)
    function, arguments = pickle.loads(setup.initialiser)  # noqa: S301 - our parent wrote it
    function(*arguments)
    return b""


def _perform(message: bytes, replies: BinaryIO) -> bytes:
    order = pickle.loads(message)  # noqa: S301 - our parent wrote it
    if order.before is not None:
        function, arguments = order.before
        function(*arguments)
    write_message(replies, BEGUN)
    _end_after(PATIENCE * order.seconds + _ORPHANED)
    function, arguments = order.call
    return pickle.dumps(function(*arguments))


def _end_after(seconds: float) -> None:
    """Let the kernel end this process then, even if it never gives up the interpreter; 0: never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _attempted(function: Callable[..., bytes], *arguments: object) -> bytes:
    """What the function returns, or how it crashed, pickled."""
    try:
        return function(*arguments)
    except MemoryError:
        return pickle.dumps(Crashed("memory", "out of memory"))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent gets it as a value
        message = " ".join(f"{type(error).__name__}: {error}".split())
        return pickle.dumps(Crashed("raised", message, traceback.format_exc()))


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


_STUCK = 60.0
"""Seconds beyond a task's own time after which its worker is given up, initialiser included."""
_CLOSING = 10.0
"""Seconds that are waited for a killed process."""
_SOON = 0.01
"""Seconds between two looks at a worker whose time is nearly up."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """The task was killed after its time.

    Attributes:
        seconds: its time: what passes while its worker runs or waits for something, but not while other work
            keeps it from a processor.
        by_clock: whether it was not up, but the clock had gone :data:`PATIENCE` times as far.
    """

    seconds: float
    by_clock: bool = False


class NotBegunError(Exception):
    """The worker ended before it began with the task."""


class _Process(Protocol):
    """What is needed of a child process."""

    @property
    def pid(self) -> int: ...

    returncode: int | None
    """Its exit code, once that is known; then nobody waits for it any more."""

    def kill(self) -> None: ...

    def wait(self, timeout: float) -> int: ...


class _Fork:
    """A fork of this process."""

    def __init__(self, process: int) -> None:
        self.returncode: int | None = None
        self.pid = process
        self._lock = threading.Lock()

    def kill(self) -> None:
        with self._lock:
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        del timeout  # it has been killed
        with self._lock:
            if self.returncode is None:
                try:
                    self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
                except ChildProcessError:  # somebody else waited for it
                    self.returncode = 0
            return self.returncode


class WorkerProcess:
    """A worker, and the pipes to it."""

    def __init__(self, process: _Process, orders: BinaryIO, replies: BinaryIO, setup: Setup) -> None:
        self._process = process
        self._orders = orders
        self._replies = replies
        self.is_overdue = False
        """Whether it was killed because the time of its task was up."""
        self._by_clock = False
        self.tasks = 0
        """How many it was given."""
        self._scratch = scratch.new_name()
        with suppress(OSError):  # a worker that is dead already shows at its first task
            write_message(orders, pickle.dumps(replace(setup, scratch=self._scratch)))

    def perform(self, order: bytes, seconds: float) -> object:
        """The value of a pickled :class:`Order`, or how it ended without one.

        Args:
            order: the task.
            seconds: its time.

        Raises:
            NotBegunError: the process ended before.
        """
        self.tasks += 1
        begun = False
        try:
            with self._killed_after(seconds + _STUCK):
                write_message(self._orders, order)
                reply = read_message(self._replies)
            if reply == BEGUN:
                begun = True
                with self._killed_once_spent(seconds):
                    reply = read_message(self._replies)
        except (OSError, EOFError):
            status = self.end()
            if self.is_overdue or _how_it_ended(status) == "killed by SIGALRM":
                return Timeout(seconds, self._by_clock)
            if not begun:
                raise NotBegunError(_how_it_ended(status)) from None
            return Crashed("died", _how_it_ended(status))
        return pickle.loads(reply)  # noqa: S301 - our own worker wrote it

    def kill(self) -> None:
        """Kill the process; whoever waits for its reply learns of it."""
        with suppress(OSError):
            self._process.kill()

    def end(self) -> int:
        """Kill the process, if it still runs, and release it; its exit code, negative for a signal."""
        self.kill()
        self._close_pipes()
        try:
            return self._process.wait(_CLOSING)
        except Exception:  # noqa: BLE001 - subprocess is not imported for its TimeoutExpired alone
            return -signal.SIGKILL
        finally:
            scratch.remove(self._scratch)

    def forget(self) -> None:
        """In a fork of the parent: let go of what belongs to the parent alone."""
        self._close_pipes()
        self._process.returncode = 0

    def _close_pipes(self) -> None:
        for pipe in (self._orders, self._replies):
            with suppress(OSError):
                pipe.close()

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self.expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @contextmanager
    def _killed_once_spent(self, seconds: float) -> Iterator[None]:
        """Kill the process once its task has spent its time: under load, that takes longer by the clock."""
        done = threading.Event()

        def watch() -> None:
            start, kept = monotonic(), _kept_waiting(self._process.pid)
            left = seconds
            while not done.wait(min(max(left, _SOON), threading.TIMEOUT_MAX)):
                passed = monotonic() - start
                left = seconds - (passed - (_kept_waiting(self._process.pid) - kept))
                self._by_clock = left > 0 and passed >= PATIENCE * seconds
                if left <= 0 or self._by_clock:
                    self.expire()
                    return
                left = min(left, PATIENCE * seconds - passed)

        watcher = threading.Thread(target=watch, name="equiv time", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()

    def expire(self) -> None:
        """Kill the process, since the time of its task is up."""
        self.is_overdue = True
        self.kill()


def _kept_waiting(process: int) -> float:
    """The seconds for which a process was ready to run and had no processor; 0 where no system tells.

    Linux's ``/proc/PID/schedstat``: nanoseconds run, nanoseconds waited, times run (kernel documentation,
    ``scheduler/sched-stats``).
    """
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _how_it_ended(status: int) -> str:
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit code {status}"


starting = threading.RLock()
"""Held while ends of pipes that belong to a worker are open here: a fork then would keep them open."""


@contextmanager
def _pipes() -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Two pipes, (read, write) each; the worker's ends (0 of the first, 1 of the second) are closed after.

    Ctrl-C is blocked meanwhile, in this thread and in what it starts, which thus never sees one.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if _HAS_MASK else None
    try:
        with starting:
            orders, replies = os.pipe(), os.pipe()
            try:
                yield orders, replies
            except BaseException:
                os.close(orders[1])
                os.close(replies[0])
                raise
            finally:
                os.close(orders[0])
                os.close(replies[1])
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


_HAS_MASK = hasattr(signal, "pthread_sigmask")


def spawn(setup: Setup) -> WorkerProcess:
    """A worker in a fresh interpreter.

    Raises:
        OSError: none can be started.
    """
    import subprocess

    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("no Python interpreter is known to start it with (sys.executable)")
    path = ascii([str(folder) for folder in sys.path])
    entry = f"import sys; sys.path[:] = {path}; from equiv.workers.process import main; main()"
    with _pipes() as (orders, replies):
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", entry], stdin=orders[0], stdout=replies[1], stderr=subprocess.DEVNULL
        )
    return WorkerProcess(process, os.fdopen(orders[1], "wb", 0), os.fdopen(replies[0], "rb", 0), setup)


def can_fork() -> bool:
    """Whether a fork of this process finds all in order: other threads, of libraries too, may hold locks."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    tasks = Path("/proc/self/task")
    return not tasks.exists() or len(list(tasks.iterdir())) == 1


def fork(setup: Setup) -> WorkerProcess:
    """A worker that is a fork of this process, which must have a single thread.

    Raises:
        OSError: none can be started.
    """
    with _pipes() as (orders, replies):
        process = os.fork()
        if process == 0:
            os.close(orders[1])
            os.close(replies[0])
            serve(os.fdopen(orders[0], "rb", 0), os.fdopen(replies[1], "wb", 0))
    return WorkerProcess(_Fork(process), os.fdopen(orders[1], "wb", 0), os.fdopen(replies[0], "rb", 0), setup)
