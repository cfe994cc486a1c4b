"""The interface of a lane: a killable worker process, on this machine or another, that checks pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Protocol, Self, TypeVar

from equiv.eval.plan import Setting
from equiv.eval.running import worker
from equiv.workers.isolate import Crashed, Lane, Timeout

Value = TypeVar("Value")


class PairLane(Protocol):
    """One worker after the other that performs tasks in order; see :class:`equiv.workers.isolate.Lane`."""

    def submit(
        self, function: Callable[..., Value], *args: object, timeout: float, fresh: bool = False
    ) -> Future[Value | Timeout | Crashed]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


OpenLane = Callable[[Mapping[str, Setting]], PairLane]
"""What opens a lane whose workers know some settings; it is entered before it is used."""


def local_lane(settings: Mapping[str, Setting]) -> Lane:
    """A lane on this machine."""
    return Lane(worker.enter, settings)
