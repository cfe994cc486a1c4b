"""Tasks worked off by several processes, kept as they are done, so that a rerun goes on from there."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from pebble import ProcessPool

TASK_SECONDS = 1800.0
"""After so long a task is given up: it counts as lost, and is tried again by a rerun."""

REPORT_SECONDS = 120.0
"""How often progress is told."""


class Task(Protocol):
    """What one process does at a time."""

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on."""
        ...


T = TypeVar("T", bound=Task)


def run(
    work: Sequence[T], do: Callable[[T], dict[str, Any]], workers: int, kept: Path
) -> Iterator[dict[str, Any] | None]:
    """What came of each task: first what the file has, then new ones, appended as they come.

    None stands for a task that was lost: its process died, took too long, or raised; the others go on.
    """
    known = {entry["key"]: entry for entry in _entries(kept)}
    keys = {task.key: task for task in work}
    yield from (known[key] for key in keys if key in known)
    todo = {key: task for key, task in keys.items() if key not in known}
    kept.parent.mkdir(exist_ok=True)
    with (
        kept.open("a", encoding="utf-8") as file,
        ProcessPool(workers, initializer=_ignore_interrupts) as pool,
    ):
        file.write("\n" if kept.stat().st_size and not kept.read_bytes().endswith(b"\n") else "")
        futures = {pool.schedule(do, args=(task,), timeout=TASK_SECONDS): key for key, task in todo.items()}
        start = told = monotonic()
        try:
            for done, future in enumerate(as_completed(futures), 1):
                try:
                    found = future.result()
                except Exception as error:  # noqa: BLE001 - a dead process, too long a task, an error in it
                    print(f"lost a task: {error!r}", file=sys.stderr)
                    yield None
                    continue
                file.write(json.dumps({"key": futures[future], **found}) + "\n")
                file.flush()
                yield found
                if monotonic() - told > REPORT_SECONDS:
                    told = monotonic()
                    print(
                        f"{done} of {len(futures)} tasks, {told - start:.0f} s", file=sys.stderr, flush=True
                    )
        except BaseException:
            pool.stop()
            raise


def _entries(kept: Path) -> Iterator[dict[str, Any]]:
    """What a file has; a line that was cut off is passed over."""
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
