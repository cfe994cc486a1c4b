"""The inside of a worker process: tasks come through one pipe, replies leave through another.

A worker is a fresh interpreter that runs :func:`main` and nothing of the program
that wants it, or a fork that runs :func:`serve`.  It ignores Ctrl-C, which is the
parent's to handle, and ends when its parent has gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Literal, NoReturn

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
