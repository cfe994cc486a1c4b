"""Tasks worked off by several processes, kept as they are done, so that a rerun goes on from there."""

from __future__ import annotations

import gc
import hashlib
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TextIO, TypeVar

from equiv.workers.lanes import Crashed, Lane, Timeout, in_turn

TASK_SECONDS = 1800.0
"""After so long a task is given up: it counts as lost, and is tried again by a rerun."""

MEMORY = 16 * 1024**3
"""Bytes that a process may map: proofs and all that is traced of them."""

REPORT_SECONDS = 120.0
"""How often progress is told."""


class KeyedTask(Protocol):
    """The unit of work of one process."""

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on."""
        ...


T = TypeVar("T", bound=KeyedTask)


def digest_of(folders: Iterable[Path]) -> str:
    """SHA-256 of the Python sources and the data in SQL below some folders, in their order."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.sql"))):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def run(
    work: Iterable[T],
    do: Callable[[T], dict[str, Any]],
    workers: int,
    kept: Path,
    *,
    seconds: float = math.inf,
    tell: Callable[[str], None] | None = None,
) -> Iterator[dict[str, Any] | None]:
    """The results of tasks; a result that the file has already is taken from there.

    None stands for a task that was lost: its process died, took too long, or raised; the others go on.

    Args:
        work: the tasks, maybe endless; each is taken when a process is free for it.
        do: does one, in a worker process; importable by name.
        workers: how many processes there are.
        kept: where what came of tasks is appended.
        seconds: after so long no further task is begun.
        tell: is told how far it is, and what was lost; None: standard error is.
    """
    tell = tell or _tell
    known = {entry["key"]: entry for entry in _entries(kept)}
    kept.parent.mkdir(parents=True, exist_ok=True)
    start = told = monotonic()
    todo, done, ready = _once(work), 0, deque[dict[str, Any] | None]()

    def go_on(course: _Course, outcome: Future[Any] | None) -> Future[Any] | None:
        if outcome is not None:
            ready.append(_outcome(outcome.result(), course.key, file, tell))
        while monotonic() - start < seconds and (task := next(todo, None)) is not None:
            if task.key not in known:
                course.key = task.key
                return course.lane.submit(do, task, timeout=TASK_SECONDS)
            ready.append(known[task.key])
        return None

    with kept.open("a", encoding="utf-8") as file, ExitStack() as stack:
        file.write("\n" if kept.stat().st_size and not kept.read_bytes().endswith(b"\n") else "")
        lanes = (stack.enter_context(Lane(gc.collect, memory_bytes=MEMORY)) for _ in range(workers))
        for _ in in_turn(map(_Course, lanes), go_on):
            while ready:
                yield ready.popleft()
                done += 1
            if monotonic() - told > REPORT_SECONDS:
                told = monotonic()
                of_all = f" of {len(work)}" if isinstance(work, Sized) else ""
                tell(f"{done}{of_all} tasks, {told - start:.0f} s")
        yield from ready


@dataclass(slots=True)
class _Course:
    """A worker, and the key of the task that it does."""

    lane: Lane
    key: str = ""


def _once(work: Iterable[T]) -> Iterator[T]:
    """The tasks, each key once."""
    seen = set[str]()
    for task in work:
        if task.key not in seen:
            seen.add(task.key)
            yield task


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _outcome(
    found: dict[str, Any] | Timeout | Crashed, key: str, file: TextIO, tell: Callable[[str], None]
) -> dict[str, Any] | None:
    """What came of a task, written down; None if it was lost."""
    match found:
        case Timeout(seconds):
            tell(f"lost a task: not done after {seconds:g} s")
        case Crashed(_, message, trace):
            tell(f"lost a task: {message}\n{trace}".rstrip())
        case _:
            file.write(json.dumps({"key": key, **found}) + "\n")
            file.flush()
            return found
    return None


def _entries(kept: Path) -> Iterator[dict[str, Any]]:
    """What a file has; a line that was cut off is passed over."""
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue
